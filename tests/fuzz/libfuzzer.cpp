// What libFuzzer calls (https://llvm.org/docs/LibFuzzer.html). Which target is under attack, the program's name says:
// fuzz_workload is a link to fuzz.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "platform/input/parameters.h"
#include "tests/fuzz/mutator.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace gputlm::fuzz {
namespace {

const Target* target = nullptr;
Words words;
std::size_t accepted = 0, refused = 0;

std::string text_of(const std::uint8_t* data, std::size_t size) { return {reinterpret_cast<const char*>(data), size}; }

/// Puts the text in the place of the data; what is too long is cut off.
std::size_t put(const std::string& text, std::uint8_t* data, std::size_t most) {
  const std::size_t size = std::min(text.size(), most);
  std::copy_n(text.begin(), size, data);
  return size;
}

/// The arguments with the folders of seeds behind them, if there is a folder for new inputs among them; the seeds that
/// are in no file are written there.
std::vector<std::string> with_seeds(std::vector<std::string> arguments) {
  const auto folder = std::find_if(arguments.begin() + 1, arguments.end(),
                                   [](const std::string& argument) { return std::filesystem::is_directory(argument); });
  if (folder == arguments.end()) return arguments;
  const auto texts = seed_texts(*target);
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::ofstream(*folder + "/seed-" + std::to_string(i), std::ios::binary) << texts[i];
  for (const std::string& seeds : seed_folders(*target)) arguments.push_back(seeds);
  return arguments;
}

void say_how_many() {
  std::fprintf(stderr, "%s: %zu accepted, %zu refused\n", target->name.c_str(), accepted, refused);
}

}  // namespace
}  // namespace gputlm::fuzz

using namespace gputlm::fuzz;

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const std::string program = std::filesystem::path((*argv)[0]).filename();
  try {
    target = &find_target(program.substr(std::min(program.size(), program.find('_') + 1)));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(), error.what());
    std::exit(2);
  }
  for (const gputlm::Parameter& parameter : gputlm::parameters()) words.add(parameter.name);
  std::atexit(say_how_many);
  static std::vector<std::string> arguments = with_seeds({*argv, *argv + *argc});
  static std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  *argc = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  *argv = pointers.data();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = text_of(data, size);
  const Outcome outcome = attack(*target, text);
  if (!outcome.finding.empty()) {
    std::fprintf(stderr, "FINDING in %s: %s\n%s\n", target->name.c_str(), outcome.finding.c_str(),
                 outcome.message.c_str());
    std::abort();
  }
  ++(outcome.accepted ? accepted : refused);
  if (outcome.accepted)
    words.learn_text(text);
  else
    words.learn_message(outcome.message);
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  constexpr unsigned kOfBytes = 4;  // one of this number of changes is of bytes
  if (target->grammar == Grammar::kBytes || seed % kOfBytes == 0) return LLVMFuzzerMutate(data, size, most);
  return put(Mutator(target->grammar, words, seed).mutate(text_of(data, size)), data, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data, std::size_t size, const std::uint8_t* other,
                                                 std::size_t other_size, std::uint8_t* out, std::size_t most,
                                                 unsigned seed) {
  return put(Mutator(target->grammar, words, seed).cross(text_of(data, size), text_of(other, other_size)), out, most);
}
