/// Everything in the program that has a name, by kind: GPUs, parameters, policies, counters, exit codes, ... A kind is one
/// file of platform/cli/catalogue/ that registers a catalogue; `gputlm list`, `gputlm explain`, docs/reference/ and shell
/// completion use it. It stores nothing, but reads the registries and tables that the program itself uses.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/files/table.h"
#include "platform/input/preset.h"
#include "tlm/base/registry.h"

namespace gputlm {

struct Item {
  std::string name;
  std::string description;  ///< one line
  TableRow cells;           ///< one for each column of the listing
  nlohmann::ordered_json json;
};

struct Listing {
  std::vector<Column> columns;
  std::vector<Item> items;
};

struct ListOptions {
  std::string gpu = kDefaultGpu;  ///< preset or file whose values are shown, where there are any
};

/// `name`: plural, as in `gputlm list`.
struct Catalogue : Registered {
  std::string one;          ///< singular, for messages
  std::string description;  ///< a sentence without its full stop
  std::function<Listing(const ListOptions&)> listing;
  // More about an item than its listing says; null: nothing more.
  std::function<std::string(const Item&)> explain = nullptr;
  std::function<nlohmann::ordered_json(const Item&)> details = nullptr;
  std::function<std::string()> reference = nullptr;  ///< page in Markdown, instead of the listing as a table
};

Registry<Catalogue>& catalogues();

/// The listing, for a terminal.
std::string text_of(const Listing& listing);

/// A listing of items that have only a name and a description.
Listing plain_listing(const std::string& one, const std::vector<std::pair<std::string, std::string>>& entries);

/// The items of `all` whose listing contains `pattern`, ignoring case, or whose name matches it if it has a * or ?. Throws
/// InputError if there are none.
std::vector<Item> matching(const Catalogue& catalogue, const std::vector<Item>& all, const std::string& pattern);

/// Everything known about an item.
std::string explanation(const Catalogue& catalogue, const Item& item);
/// Everything known about all items of this name. Throws InputError if there are none.
std::string explanation(const std::string& name);

/// The catalogue's page of docs/reference/.
std::string reference_page(const Catalogue& catalogue);

}  // namespace gputlm
