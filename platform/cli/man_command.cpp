#include <fmt/format.h>

#include "platform/cli/commands.h"
#include "platform/cli/man_page.h"
#include "platform/files/output_folder.h"
#include "platform/files/terminal.h"
#include "platform/input/nearest.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

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
    return 0;
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
