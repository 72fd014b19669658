#include "platform/cli/commands.h"

#include <fmt/format.h>

#include "platform/cli/catalogue.h"
#include "platform/cli/help.h"

namespace gputlm {
namespace {

Listing listing_of_commands(const ListOptions&) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const CommandInfo& command : commands()) entries.emplace_back(command.name, command.description);
  return plain_listing("command", entries);
}

std::string explain_command(const Item& item) { return help_text(declaration_of(commands().at(item.name))); }

std::string reference_of_commands() {
  std::string text;
  for (const CommandInfo& command : commands())
    text += fmt::format("{}## {}\n\n```\n{}```\n", text.empty() ? "" : "\n", command.name,
                        help_text(declaration_of(command)));
  return text;
}

GPUTLM_REGISTER {
  catalogues().add({{"commands"},
                    "command",
                    "Commands of the program",
                    listing_of_commands,
                    explain_command,
                    nullptr,
                    reference_of_commands});
}

}  // namespace
}  // namespace gputlm
