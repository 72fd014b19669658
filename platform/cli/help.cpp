#include "platform/cli/help.h"

#include <fmt/format.h>

#include "platform/cli/catalogue.h"
#include "platform/cli/commands.h"
#include "platform/files/table.h"
#include "platform/files/terminal.h"

namespace gputlm {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

std::string section(const std::string& title, const Entries& entries) {
  return entries.empty() ? "" : fmt::format("\n{}:\n{}", title, definitions(entries));
}

}  // namespace

std::string shown(const ArgumentInfo& argument) {
  if (!argument.is_option()) return argument.name + (argument.repeated ? "..." : "");
  return argument.flag ? argument.name : argument.name + " " + argument.values.shown;
}

std::string meaning(const ArgumentInfo& argument) {
  return argument.meaning + (argument.default_value ? fmt::format(" (default: {})", argument.default_text()) : "");
}

std::string usage(const Declaration& command) {
  std::string line = "gputlm " + command.name;
  for (const ArgumentInfo& argument : command.arguments) {
    if (argument.is_option()) continue;
    line += argument.required ? " " + shown(argument) : " [" + shown(argument) + "]";
  }
  return line + " [OPTION...]";
}

std::string help_text(const Declaration& command) {
  Entries arguments, options, examples;
  for (const ArgumentInfo& argument : command.arguments)
    (argument.is_option() ? options : arguments).emplace_back(shown(argument), meaning(argument));
  options.emplace_back("--help", "This text");
  std::string text = fmt::format("{}\n\nUsage: {}\n", command.description, usage(command));
  text += section("Arguments", arguments) + section("Options", options);
  if (!command.examples.empty()) text += "\nExamples:\n";
  for (const Example& example : command.examples)
    text += fmt::format("  {}\n      {}\n", example.line, example.meaning);
  return text;
}

std::string overview() {
  std::array<Entries, kCommandGroups.size()> known;
  for (const CommandInfo& command : commands())
    known[static_cast<std::size_t>(command.group)].emplace_back(command.name, command.description);
  std::string sections;
  for (std::size_t group = 0; group < known.size(); ++group) sections += section(kCommandGroups[group], known[group]);
  return fmt::format(
      "gputlm {}: a SystemC/TLM-2.0 model of a GPU that runs several kernels at once\n\nUsage: gputlm COMMAND "
      "[ARGUMENT...]\n{}{}",
      GPUTLM_VERSION, sections,
      section("More",
              {{"gputlm help COMMAND", "The arguments of a command, with examples"},
               {"gputlm list", "Lists: GPUs, parameters, policies, workloads, ..."},
               {"gputlm explain NAME", "Anything that has a name: a parameter, policy, counter, exit code, ..."},
               {"gputlm --version", "The program's version"}}));
}

namespace {

class HelpCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override {
    arguments.optional("topic", topic_, "A command, or anything that `gputlm explain` knows; without it, all commands",
                       Values::names("TOPIC", {"commands"}));
    arguments.example("help run", "the arguments of `gputlm run`");
    arguments.example("help exit-codes", "a list of `gputlm list`");
  }
  int execute() override {
    if (topic_.empty()) {
      print(overview());
    } else if (const CommandInfo* const command = commands().find(topic_)) {
      print(help_text(declaration_of(*command)));  // items of other kinds may have its name, too
    } else if (const Catalogue* const catalogue = catalogues().find(topic_)) {
      print(catalogue->description + "\n\n" + text_of(catalogue->listing({})));
    } else {
      print(explanation(topic_));
    }
    return kDone;
  }

 private:
  std::string topic_;
};

GPUTLM_REGISTER { add_command<HelpCommand>("help", "Explain a command or a name", CommandGroup::kAsk); }

}  // namespace

}  // namespace gputlm
