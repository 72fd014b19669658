/// The commands of the program (`gputlm run`, ...): one file each, which registers its command.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platform/cli/arguments.h"
#include "platform/files/terminal.h"
#include "tlm/base/registry.h"

namespace gputlm {

/// Exit codes of the program.
enum ExitCode : int {
  kDone = 0,
  kDisagrees = 1,
  kBadInput = 2,
  kDeadlocked = 3,
  kTimeEnded = 4,
  kInternalError = 70,  // EX_SOFTWARE of sysexits.h
  kTextLost = kLostText,
  kInterruptedBySignal = 130,  // 128 + SIGINT, the convention of shells
};

struct ExitCodeInfo {
  ExitCode code;
  std::string meaning;
};

const std::vector<ExitCodeInfo>& exit_codes();

class Subcommand {
 public:
  Subcommand() = default;
  Subcommand(const Subcommand&) = delete;
  Subcommand& operator=(const Subcommand&) = delete;
  virtual ~Subcommand() = default;

  /// Called once, before the command line is parsed; the arguments are members of the command.
  virtual void declare(Arguments& arguments) = 0;
  /// Executes the command and returns the exit code. Throws InputError for errors that a user can correct.
  virtual int execute() = 0;

  std::vector<std::string> words;  ///< words of the command line, starting with the command's name
};

/// The purpose of a command. Listings show the groups in this order, and the commands of a group by name.
enum class CommandGroup : std::uint8_t { kRun, kResults, kHardware, kAsk };
inline constexpr std::array<const char*, 4> kCommandGroups{"Run", "Look at results", "Evaluate hardware",
                                                           "Ask the program"};

struct CommandInfo : Registered {
  CommandGroup group = CommandGroup::kRun;
  std::string description;  ///< one line in --help
  std::function<std::unique_ptr<Subcommand>()> make;
};

Registry<CommandInfo>& commands();

/// The command line. Returns the exit code.
int command_line(int argc, char** argv);

/// The first word of a request to complete a command line, which the scripts of `gputlm completion` make whenever the user
/// presses the completion key, so that they need not know any arguments; not a command.
inline constexpr const char* kCompletionRequest = "__complete";
/// Completions of the last of the words behind "gputlm", which may be empty: one per line, with a description after a tab;
/// ":files" or ":folders" asks the shell to add these.
std::string completions(const std::vector<std::string>& words);

/// The command's arguments, with those common to all commands.
Declaration declaration_of(const CommandInfo& command);

/// Registers `C`.
template <class C>
void add_command(const std::string& name, const std::string& description, CommandGroup group) {
  commands().add({{name, static_cast<unsigned>(group)}, group, description, [] { return std::make_unique<C>(); }});
}

}  // namespace gputlm
