#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>

#include "platform/cli/commands.h"
#include "platform/cli/help.h"
#include "platform/cli/host_process.h"
#include "platform/files/terminal.h"
#include "platform/input/nearest.h"
#include "platform/lab/jobs.h"
#include "testbench/design/design.h"
#include "testbench/kind/load.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// Options of every command: the user's own extensions.
struct Extensions {
  std::vector<std::string> plugins, designs;
  std::vector<std::string> parameters;  ///< parameters of the designs; each design takes those that it declares
};

/// If several designs have a parameter, each gets it.
void load_designs(const Extensions& extensions) {
  const RtlParameters given = parse_parameters(extensions.parameters);
  if (given.empty()) {
    for (const std::string& design : extensions.designs) load_rtl(design);
    return;
  }
  RtlParameters unused = given;
  for (const std::string& design : extensions.designs) {
    RtlParameters own;
    for (const std::string& name : RtlDesign(design).interface({}).parameters) {
      if (const auto found = given.find(name); found != given.end()) own.insert(*found);
      unused.erase(name);
    }
    load_rtl(design, own);
  }
  if (!unused.empty())
    throw InputError("--parameter", 0, fmt::format("no design of --rtl has a {}", unused.begin()->first));
}

int execute(Subcommand& command, const Extensions& extensions) {
  try {
    for (const std::string& plugin : extensions.plugins) load_extension(plugin);
    load_designs(extensions);
    return command.execute();
  } catch (const InputError& error) {
    print_failure(error.what());
    return kBadInput;
  } catch (const Interrupted& interruption) {
    print_failure(interruption.what());
    return kInterruptedBySignal;
  } catch (const std::exception& error) {
    print_failure(fmt::format("internal error: {}", error.what()));
    return kInternalError;
  }
}

struct Made {
  std::unique_ptr<Subcommand> command;
  Declaration declaration;
};

/// Makes the command as a part of `app`.
Made make(const CommandInfo& info, CLI::App& app, Extensions& extensions) {
  Made made{info.make(), {info.name, info.description, {}, {}}};
  Arguments arguments(*app.add_subcommand(info.name), made.declaration);
  made.command->declare(arguments);
  arguments.texts("--plugin", extensions.plugins,
                  "Shared library with policies of your own, may be repeated (docs/policies.md)", Values::file());
  arguments.texts("--rtl", extensions.designs,
                  "Design of your own in SystemVerilog that takes a decision, as MODULE@rtl (docs/rtl.md)",
                  Values::file());
  if (!arguments.has("--parameter")) {
    arguments.texts("--parameter", extensions.parameters,
                    "Parameter of a design of --rtl other than its size, may be repeated", {"NAME=NUMBER"});
    arguments.needs("--parameter", "--rtl");
  }
  return made;
}

std::vector<std::string> options_of(const Declaration& declaration) {
  std::vector<std::string> names{"--help"};
  for (const ArgumentInfo& argument : declaration.arguments) {
    if (argument.is_option()) names.push_back(argument.long_name());
  }
  return names;
}

/// The error about words that nothing consumed; empty if there are none.
std::string refused_words(const std::vector<std::string>& words, const std::string& who,
                          const std::vector<std::string>& options) {
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (name.size() < 2 || name[0] != '-') continue;
    return fmt::format("{} has no option '{}'{}", who, shortened(name), question(names_meant(name, options)));
  }
  return words.empty() ? ""
                       : fmt::format("{}: found '{}', but expected no more arguments", who, shortened(words.front()));
}

/// CLI11's error about a command line, in the style of our other messages.
std::string refusal(const CLI::ParseError& error, const Declaration& command, const std::vector<std::string>& left) {
  std::string what = error.what();
  const std::string option = what.substr(0, std::min(what.find(':'), what.find(' ')));
  const bool unknown_option =
      std::any_of(left.begin(), left.end(), [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
  if (unknown_option || dynamic_cast<const CLI::ExtrasError*>(&error))
    return refused_words(left, command.name, options_of(command));
  if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    return fmt::format("{}: {} is missing", command.name, what.substr(0, what.find(' ')));
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    if (what.find("At Most") != std::string::npos)
      return fmt::format("{}: {}: found it more than once, allowed: once", command.name, option);
    if (what.find("flag override") != std::string::npos)
      return fmt::format("{}: {} takes no value", command.name, option);
    return fmt::format("{}: {}: the value is missing", command.name, option);
  }
  const auto other = [&what] { return what.substr(what.rfind(' ') + 1); };  // the last of three words
  if (dynamic_cast<const CLI::ExcludesError*>(&error))
    return fmt::format("{}: {}: found {} beside it, allowed: one of them", command.name, option, other());
  if (dynamic_cast<const CLI::RequiresError*>(&error))
    return fmt::format("{}: {}: found no {} beside it, allowed: both", command.name, option, other());
  return what;
}

int parse_and_execute(int argc, char** argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && words.front() == kCompletionRequest) {
    print(completions({words.begin() + 1, words.end()}));
    return kDone;
  }
  CLI::App app;
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("gputlm ") + GPUTLM_VERSION);
  std::map<std::string, Made> made;
  Extensions extensions;
  // Declaring the options of all commands would take a sixth of a short run's time.
  for (const CommandInfo& info : commands()) {
    if (std::find(words.begin(), words.end(), info.name) == words.end()) continue;
    made.emplace(info.name, make(info, app, extensions));
  }
  if (words.empty()) {
    print_failure(fmt::format("a command is missing; allowed: {}\n'gputlm help' describes them",
                              fmt::join(commands().names(), ", ")));
    return kBadInput;
  }
  // CLI11 would only report that a command is required.
  if (words.front()[0] != '-' && !commands().find(words.front())) {
    print_failure(fmt::format("there is no command '{}'{}", shortened(words.front()),
                              suggestion(words.front(), commands().names())));
    return kBadInput;
  }
  if (words.front()[0] == '-' && !made.empty() && !app.get_option_no_throw(words.front())) {
    print_failure(fmt::format("found '{}' before the command; arguments of a command come after its name",
                              shortened(words.front())));
    return kBadInput;
  }
  const auto chosen = [&]() -> const Declaration* {
    const auto parsed = app.get_subcommands();
    return parsed.empty() ? nullptr : &made.at(parsed.front()->get_name()).declaration;
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion& version) {
    print(std::string(version.what()) + "\n");
    return kDone;
  } catch (const CLI::CallForHelp&) {
    print(chosen() ? help_text(*chosen()) : overview());
    return kDone;
  } catch (const CLI::ParseError& error) {
    const std::string message = chosen() ? refusal(error, *chosen(), app.remaining(true))
                                         : refused_words(app.remaining(true), "gputlm", {"--help", "--version"});
    print_failure(fmt::format("{}\n'gputlm help{}' describes its arguments", shortened(message, InputError::kMaxBytes),
                              chosen() ? " " + chosen()->name : ""));
    return kBadInput;
  }
  Subcommand& command = *made.at(chosen()->name).command;
  command.words = words;
  return execute(command, extensions);
}

}  // namespace

Registry<CommandInfo>& commands() {
  static Registry<CommandInfo> registry("command");
  return registry;
}

Declaration declaration_of(const CommandInfo& command) {
  CLI::App app;
  Extensions extensions;
  return make(command, app, extensions).declaration;
}

int command_line(int argc, char** argv) {
  prepare_process();
  return end_of_text(parse_and_execute(argc, argv));
}

}  // namespace gputlm
