#include "tests/fuzz/target.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tlm/base/error.h"

namespace gputlm::fuzz {
namespace {

constexpr double kMaxSeconds = 1;
constexpr std::size_t kMaxMessage = 2048;

std::vector<Target>& all() {
  static std::vector<Target> targets;
  return targets;
}

/// Processor time of this process, so that other processes do not count.
double seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// What is wrong with a message; empty: nothing. It says where: the name that the text has, or the option it is for; and
/// the line that it names is one of the text's, or the one behind it.
std::string fault_of(const std::string& message, const std::string& text) {
  if (message.size() > kMaxMessage) return "a message of " + std::to_string(message.size()) + " bytes";
  constexpr const char* kPlaces[] = {kName, "/proc/self/fd/", "--set", "kernelslist.g", "listed.f"};
  const auto named = [&](const char* place) { return message.find(place) != std::string::npos; };
  if (std::none_of(std::begin(kPlaces), std::end(kPlaces), named)) return "the message does not say where";
  const std::string start = std::string(kName) + ":";
  if (message.compare(0, start.size(), start) != 0) return "";
  const auto lines = static_cast<unsigned long>(std::count(text.begin(), text.end(), '\n'));
  return std::strtoul(message.c_str() + start.size(), nullptr, 10) > lines + 2 ? "there is no such line" : "";
}

}  // namespace

std::string content_of(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

const std::vector<Target>& targets() { return all(); }

const Target& find_target(const std::string& name) {
  for (const Target& target : all()) {
    if (target.name == name) return target;
  }
  throw std::invalid_argument("there is no target '" + name + "'");
}

std::vector<std::string> seed_folders(const Target& target) {
  const std::filesystem::path source = GPUTLM_SOURCE_DIR;
  std::vector<std::string> folders;
  for (const std::string& seed : target.seeds) {
    folders.push_back(source / seed);
  }
  const auto found = source / "tests/data/fuzz" / target.name;
  if (std::filesystem::is_directory(found)) folders.push_back(found);
  return folders;
}

std::vector<std::string> seed_texts(const Target& target) {
  static const std::string kOpen = "R\"(", kClose = ")\"";
  std::vector<std::string> texts;
  if (target.tests.empty()) return texts;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(GPUTLM_SOURCE_DIR) / target.tests)) {
    if (!file.is_regular_file()) continue;
    const std::string code = content_of(file.path());
    for (std::size_t at = code.find(kOpen); at != std::string::npos; at = code.find(kOpen, at)) {
      const std::size_t begin = at + kOpen.size();
      at = std::min(code.find(kClose, begin), code.size());
      texts.push_back(code.substr(begin, at - begin));
    }
  }
  return texts;
}

Registration::Registration(const Target& target) {
  auto& targets = all();
  targets.insert(std::upper_bound(targets.begin(), targets.end(), target,
                                  [](const Target& a, const Target& b) { return a.name < b.name; }),
                 target);
}

Outcome attack(const Target& target, const std::string& text) {
  Outcome outcome;
  const double began = seconds();
  try {
    target.read(text);
    outcome.accepted = true;
  } catch (const InputError& error) {
    outcome.message = error.what();
    outcome.finding = fault_of(outcome.message, text);
  } catch (const Finding& finding) {
    outcome.finding = finding.what();
  } catch (const std::exception& error) {
    outcome.finding = std::string("an exception that is no InputError: ") + error.what();
  }
  const double took = seconds() - began;
  if (outcome.finding.empty() && took > kMaxSeconds) outcome.finding = "took " + std::to_string(took) + " s";
  return outcome;
}

FileInMemory::FileInMemory(const std::string& text) : descriptor_(::memfd_create("input", MFD_CLOEXEC)) {
  if (descriptor_ < 0) throw std::runtime_error("no file in memory");
  path_ = "/proc/self/fd/" + std::to_string(descriptor_);
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t more = ::write(descriptor_, text.data() + written, text.size() - written);
    if (more <= 0) throw std::runtime_error("cannot write to a file in memory");
    written += static_cast<std::size_t>(more);
  }
}

FileInMemory::~FileInMemory() { ::close(descriptor_); }

}  // namespace gputlm::fuzz
