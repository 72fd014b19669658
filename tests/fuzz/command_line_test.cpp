// Generated command lines and files against the built program. It ends by itself, in time and within memory, with a proper
// exit code and a legible message. docs/attacks.md
#include <sys/resource.h>

#include <cstdio>
#include <map>

#include "tests/fuzz/mutator.h"
#include "tests/integration/program.h"

namespace gputlm {
namespace {

using fuzz::Draws;
using fuzz::Grammar;
using fuzz::Mutator;
using fuzz::Words;
using Strings = std::vector<std::string>;

constexpr std::size_t kMaxMessage = 2048;

/// What processes that are started may use; those that use more are ended by the system.
class Limits {
 public:
  Limits() {
    set(RLIMIT_CPU, 30);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which reserve terabytes
    set(RLIMIT_AS, rlim_t{4} << 30);
#endif
  }
  ~Limits() {
    for (const auto& [resource, limit] : before_) ::setrlimit(resource, &limit);
  }
  Limits(const Limits&) = delete;
  Limits& operator=(const Limits&) = delete;

 private:
  void set(__rlimit_resource_t resource, rlim_t most) {
    rlimit limit{};
    ::getrlimit(resource, &limit);
    before_.emplace_back(resource, limit);
    limit.rlim_cur = most;
    ::setrlimit(resource, &limit);
  }
  std::vector<std::pair<__rlimit_resource_t, rlimit>> before_;
};

/// Seeds of a target, and changes of them.
class Texts {
 public:
  explicit Texts(const std::string& target) : target_(fuzz::find_target(target)), seeds_(fuzz::seed_texts(target_)) {
    for (const std::string& folder : fuzz::seed_folders(target_)) {
      for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
        if (file.is_regular_file() && file.file_size() < 20000) seeds_.push_back(read_file(file.path()));
      }
    }
    for (const std::string& seed : seeds_) words_.learn_text(seed);
  }
  /// Most often a seed with one to four changes.
  std::string draw(Draws& draws) const {
    const std::string &seed = seeds_[draws.below(seeds_.size())], &other = seeds_[draws.below(seeds_.size())];
    if (draws.chance(20)) return seed;
    return Mutator(target_.grammar, words_, draws.bits()).cross(seed, draws.chance(70) ? seed : other);
  }

 private:
  const fuzz::Target& target_;
  Strings seeds_;
  Words words_;
};

/// A command and its files, in a folder.
class Generator {
 public:
  Strings command(Draws& draws, const TestFolder& folder) const {
    Strings words = draws.chance(70) ? run(draws, folder) : mem(draws, folder);
    if (draws.chance(10)) words.push_back(number(draws));
    if (draws.chance(5)) words.erase(words.begin() + static_cast<std::ptrdiff_t>(draws.below(words.size())));
    return words;
  }

 private:
  Strings run(Draws& draws, const TestFolder& folder) const {
    Strings words{"run"};
    if (draws.chance(75)) {
      words.push_back(folder.write("w.yaml", workloads_.draw(draws)));
    } else {
      folder.write("kernel-1.traceg", traces_.draw(draws));
      folder.write("kernel-2.traceg", traces_.draw(draws));
      words.push_back(folder.write("kernelslist.g", lists_.draw(draws)));
    }
    words.insert(words.end(), {"--max-cycles", draws.chance(5) ? number(draws) : "3000"});
    if (draws.chance(30)) words.insert(words.end(), {"--gpu", folder.write("gpu.yaml", gpus_.draw(draws))});
    if (draws.chance(30)) {
      std::istringstream lines(settings_.draw(draws));
      for (std::string line; std::getline(lines, line);) words.insert(words.end(), {"--set", line});
    }
    if (draws.chance(20)) words.insert(words.end(), {"--window", draws.chance(50) ? number(draws) : "1"});
    if (draws.chance(20)) words.insert(words.end(), {"--seed", number(draws)});
    if (draws.chance(20)) words.emplace_back("--check-protocol");
    with_results(words, draws, folder);
    return words;
  }
  Strings mem(Draws& draws, const TestFolder& folder) const {
    Strings words{"mem"};
    if (draws.chance(60))
      words.push_back(folder.write("trace", addresses_.draw(draws)));
    else
      words.push_back((draws.chance(50) ? "mix:" : "random:") + (draws.chance(20) ? number(draws) : "100"));
    if (words.back().size() > 20 && words.back().find(':') != std::string::npos) words.back() = "stream:10";
    if (draws.chance(40)) words.insert(words.end(), {"--dram", folder.write("dram.yaml", drams_.draw(draws))});
    for (const char* option : {"--bytes", "--channels", "--outstanding", "--interval", "--seed"}) {
      if (draws.chance(15)) words.insert(words.end(), {option, number(draws)});
    }
    if (draws.chance(20)) words.emplace_back("--check-protocol");
    with_results(words, draws, folder);
    return words;
  }
  static void with_results(Strings& words, Draws& draws, const TestFolder& folder) {
    if (draws.chance(30)) words.emplace_back("--json");
    if (draws.chance(30)) words.insert(words.end(), {"--out", folder.path("out")});
  }
  /// One that an option may be given, most often small.
  static std::string number(Draws& draws) {
    const Words none;
    return draws.chance(50) ? std::to_string(draws.below(100))
                            : Mutator(Grammar::kLines, none, draws.bits()).mutate("17");
  }

  const Texts workloads_{"workload"}, traces_{"sass"}, lists_{"kernels_list"}, gpus_{"gpu"}, drams_{"dram"},
      settings_{"settings"}, addresses_{"address_trace"};
};

/// What is wrong with how the program has ended; empty: nothing.
std::string fault_of(const Outcome& outcome, const Strings& command) {
  if (outcome.code != 0 && outcome.code != 2 && outcome.code != 3) return "exit code " + std::to_string(outcome.code);
  if (outcome.code == 2 && outcome.err.empty()) return "refused without a message";
  if (outcome.code == 2 && outcome.err.size() > kMaxMessage) return "a message that is too long";
  if (outcome.code == 2 && !outcome.out.empty()) return "refused, but something is on stdout";
  if (outcome.code == 3 && outcome.err.find("deadlock") == std::string::npos) return "a deadlock that is not reported";
  const bool json = std::find(command.begin(), command.end(), "--json") != command.end();
  if (outcome.code == 0 && json && !nlohmann::json::accept(outcome.out)) return "stdout is not JSON";
  return "";
}

/// Runs this number of commands, which are a function of `seed`.
void expect_commands_to_end_as_they_should(std::uint64_t seed, unsigned commands) {
  const Generator generator;
  const Limits limits;
  Draws draws(seed);
  std::map<int, unsigned> ended;
  for (unsigned i = 0; i < commands; ++i) {
    const TestFolder folder;
    const Strings command = generator.command(draws, folder);
    const Outcome outcome = run_program(command, folder.path(""));
    ++ended[outcome.code];
    const std::string fault = fault_of(outcome, command);
    if (fault.empty()) continue;
    std::string said = fault + ", command " + std::to_string(i) + ":\n gputlm";
    for (const std::string& word : command) said += " '" + word + "'";
    for (const std::string& file : folder.files("")) {
      if (file != "out") said += "\n==> " + file + "\n" + read_file(folder.path(file));
    }
    ADD_FAILURE() << said << "\n==> stderr\n" << outcome.err;
  }
  for (const auto& [code, times] : ended) std::printf("exit code %d: %u times\n", code, times);
  EXPECT_GT(ended[0], commands / 20) << "what is always refused says little";
}

TEST(CommandLine, GeneratedCommandsEndAsTheyShould) { expect_commands_to_end_as_they_should(1, 80); }
TEST(CommandLine, NightlyGeneratedCommandsEndAsTheyShould) { expect_commands_to_end_as_they_should(2, 5000); }

}  // namespace
}  // namespace gputlm
