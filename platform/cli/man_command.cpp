#include <fmt/format.h>

#include <cctype>
#include <string>

#include "platform/cli/arguments.h"
#include "platform/cli/commands.h"
#include "platform/cli/help.h"
#include "platform/files/output_folder.h"
#include "platform/files/terminal.h"
#include "platform/input/nearest.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// Escapes text for roff: nothing in it is a request or an escape, and hyphens can be copied.
std::string escaped(const std::string& text) {
  std::string result = !text.empty() && (text[0] == '.' || text[0] == '\'') ? "\\&" : "";
  for (const char c : text) result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return result;
}

std::string head(std::string name, const std::string& description) {
  const std::string small = name;
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return fmt::format(".TH {} 1 \"\" \"gputlm {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", escaped(name),
                     GPUTLM_VERSION, escaped(small), escaped(description));
}

std::string paragraph(const std::string& term, const std::string& text) {
  return fmt::format(".TP\n.B {}\n{}\n", escaped(term), escaped(text));
}

std::string exit_status() {
  std::string text = ".SH EXIT STATUS\n";
  for (const ExitCodeInfo& info : exit_codes()) text += paragraph(fmt::to_string(+info.code), info.meaning);
  return text;
}

/// gputlm-COMMAND(1)
std::string man_page(const Declaration& command) {
  std::string arguments, options;
  for (const ArgumentInfo& argument : command.arguments)
    (argument.is_option() ? options : arguments) += paragraph(shown(argument), meaning(argument));
  std::string text = head("gputlm-" + command.name, command.description);
  text += fmt::format(".SH SYNOPSIS\n.B {}\n", escaped(usage(command)));
  if (!arguments.empty()) text += ".SH ARGUMENTS\n" + arguments;
  text += ".SH OPTIONS\n" + options + paragraph("--help", "Prints what is here, without exit codes.");
  if (!command.examples.empty()) text += ".SH EXAMPLES\n";
  for (const Example& example : command.examples) text += paragraph(example.line, example.meaning);
  return text + exit_status() + ".SH SEE ALSO\n.BR gputlm (1)\n";
}

/// Manual pages (man(7)), generated from the declarations of commands.
/// gputlm(1)
std::string man_page() {
  std::string text = head("gputlm", "a SystemC/TLM-2.0 model of a GPU that runs several kernels at once");
  text += ".SH SYNOPSIS\n.B gputlm\n.I COMMAND\n.RI [ ARGUMENT ...]\n.SH COMMANDS\n";
  std::string pages;
  for (const CommandInfo& command : commands()) {
    text += paragraph(command.name, command.description);
    pages += fmt::format("{}.BR {} (1)", pages.empty() ? "" : ",\n", escaped("gputlm-" + command.name));
  }
  text += ".SH OPTIONS\n" + paragraph("--help", "Prints all commands.") +
          paragraph("--version", "Prints the program's version.");
  text += ".SH ENVIRONMENT\n" + paragraph("NO_COLOR", "Set to anything: no colours on a terminal.") +
          paragraph("CLICOLOR_FORCE", "Set to anything but 0: colours, even where nothing is a terminal.") +
          paragraph("XDG_CACHE_HOME", "Where finished runs of sweeps and experiments are kept, in the folder gputlm.");
  return text + exit_status() + ".SH SEE ALSO\n" + pages + "\n";
}

class ManCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override {
    arguments.optional("command", command_, "Command; without it, the program", Values::names("COMMAND", {"commands"}));
    arguments.text("--out", out_, "Folder for all pages, gputlm.1, gputlm-run.1, ...", Values::folder());
    arguments.example("man run > gputlm-run.1", "a page for man -l gputlm-run.1");
  }
  int execute() override {
    if (!out_.empty()) {
      write_all();
    } else if (command_.empty()) {
      print(man_page());
    } else if (const CommandInfo* const command = commands().find(command_)) {
      print(man_page(declaration_of(*command)));
    } else {
      throw InputError(
          fmt::format("there is no command '{}'{}", shortened(command_), suggestion(command_, commands().names())));
    }
    return kDone;
  }

 private:
  void write_all() const {
    OutputFolder folder(out_);
    folder.file("gputlm.1").write(man_page());
    for (const CommandInfo& command : commands())
      folder.file("gputlm-" + command.name + ".1").write(man_page(declaration_of(command)));
    folder.commit();
  }

  std::string command_, out_;
};

GPUTLM_REGISTER { add_command<ManCommand>("man", "Print a manual page", CommandGroup::kAsk); }

}  // namespace

}  // namespace gputlm
