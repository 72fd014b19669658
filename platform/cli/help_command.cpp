#include "platform/cli/catalogue.h"
#include "platform/cli/commands.h"
#include "platform/cli/help.h"
#include "platform/files/terminal.h"

namespace gputlm {
namespace {

class HelpCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override {
    arguments.optional("topic", topic_, "A command, or anything that `gputlm explain` knows; without it, all commands",
                       Values::names("TOPIC", {"commands"}));
    arguments.example("help run", "what `gputlm run` takes");
    arguments.example("help exit-codes", "what a list of `gputlm list` holds");
  }
  int execute() override {
    if (topic_.empty()) {
      print(overview());
    } else if (const Catalogue* const catalogue = catalogues().find(topic_)) {
      print(catalogue->description + "\n\n" + text_of(catalogue->listing({})));
    } else {
      print(explanation(topic_));
    }
    return 0;
  }

 private:
  std::string topic_;
};

GPUTLM_REGISTER {
  add_command<HelpCommand>("help", "Tell what a command takes, or what a name means", CommandGroup::kAsk);
}

}  // namespace
}  // namespace gputlm
