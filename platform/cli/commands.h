/// The commands of the program (`gputlm run`, ...): one file each, which registers its command.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "platform/cli/arguments.h"
#include "platform/cli/exit_codes.h"
#include "tlm/base/registry.h"

namespace gputlm {

class Subcommand {
 public:
  Subcommand() = default;
  Subcommand(const Subcommand&) = delete;
  Subcommand& operator=(const Subcommand&) = delete;
  virtual ~Subcommand() = default;

  /// Called once, before the command line is parsed; the arguments are members of the command.
  virtual void declare(Arguments& arguments) = 0;
  /// Executes the command and returns the exit code (exit_codes.h). Throws InputError for errors that a user can correct.
  virtual int execute() = 0;

  std::vector<std::string> words;  ///< of the command line, starting with the command's name
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

/// The command line. Returns the exit code (platform/cli/exit_codes.h).
int command_line(int argc, char** argv);

/// The command's arguments, with those common to all commands.
Declaration declaration_of(const CommandInfo& command);

/// Registers `C`.
template <class C>
void add_command(const std::string& name, const std::string& description, CommandGroup group) {
  commands().add({{name, static_cast<unsigned>(group)}, group, description, [] { return std::make_unique<C>(); }});
}

}  // namespace gputlm
