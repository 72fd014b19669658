#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "platform/cli/catalogue.h"
#include "platform/cli/commands.h"
#include "platform/files/json_text.h"
#include "platform/files/terminal.h"
#include "platform/input/nearest.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

class ListCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  std::string text() const;

  std::string what_, pattern_;
  ListOptions options_;
  bool json_ = false, markdown_ = false;
};

std::string names_of_catalogues() { return fmt::format("{}", fmt::join(catalogues().names(), ", ")); }

std::string json_of(const std::string& title, const std::vector<Item>& items,
                    const std::function<nlohmann::ordered_json(const Item&)>& details) {
  nlohmann::ordered_json root;
  root[title] = nlohmann::ordered_json::array();
  for (const Item& item : items) root[title].push_back(details ? details(item) : item.json);
  return json_text(root);
}

void ListCommand::declare(Arguments& arguments) {
  arguments.optional("what", what_, names_of_catalogues() + "; without it, the lists",
                     Values::one_of("WHAT", catalogues().names()));
  arguments.optional(
      "pattern", pattern_,
      "Only entries that contain it, or whose name matches it with * and ?; a full name shows everything about it");
  arguments.text("--gpu", options_.gpu, "GPU whose values `parameters` shows", Values::names_or_files("GPU", {"gpus"}));
  arguments.flag("--json", json_, "Print JSON");
  arguments.flag("--markdown", markdown_, "Print the page of docs/reference/");
  arguments.not_together("--markdown", {"--json", "PATTERN"});
  arguments.example("list gpus", "the GPUs that --gpu takes");
  arguments.example("list parameters 'dram.timing.*' --gpu titan_v", "some parameters, with their values on a GPU");
  arguments.example("list policies qaws", "everything about a policy");
}

std::string ListCommand::text() const {
  if (what_.empty()) {
    std::vector<std::pair<std::string, std::string>> entries;
    for (const Catalogue& catalogue : catalogues()) entries.emplace_back(catalogue.name, catalogue.description);
    const Listing listing = plain_listing("list", entries);
    return json_ ? json_of("lists", listing.items, nullptr) : text_of(listing);
  }
  const Catalogue* const catalogue = catalogues().find(what_);
  if (!catalogue) {
    throw InputError(fmt::format("there is no list '{}'{}", shortened(what_), suggestion(what_, catalogues().names())));
  }
  if (markdown_) return reference_page(*catalogue);
  Listing listing = catalogue->listing(options_);
  const auto is_pattern = [&](const Item& item) { return item.name == pattern_; };
  const bool whole = std::any_of(listing.items.begin(), listing.items.end(), is_pattern);
  if (whole) {
    const auto end = std::remove_if(listing.items.begin(), listing.items.end(), std::not_fn(is_pattern));
    listing.items.erase(end, listing.items.end());
  } else if (!pattern_.empty()) {
    listing.items = matching(*catalogue, listing.items, pattern_);
  }
  if (json_) return json_of(catalogue->name, listing.items, whole ? catalogue->details : nullptr);
  if (whole) {
    std::string text;
    for (const Item& item : listing.items) text += (text.empty() ? "" : "\n") + explanation(*catalogue, item);
    return text;
  }
  return text_of(listing);
}

int ListCommand::execute() {
  print(text());
  return kDone;
}

GPUTLM_REGISTER {
  add_command<ListCommand>("list", "List GPUs, parameters, policies and other names", CommandGroup::kAsk);
}

}  // namespace
}  // namespace gputlm
