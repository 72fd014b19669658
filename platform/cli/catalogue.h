/// Whatever in the program has a name, by kinds: GPUs, parameters, policies, counters, exit codes, ... A kind is a file of
/// platform/cli/catalogue/ that registers a catalogue; `gputlm list`, `gputlm explain`, docs/reference/ and what shells
/// complete are made of it. It holds nothing itself, but reads the registries and tables that the program runs by.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/files/table.h"
#include "platform/input/preset.h"
#include "tlm/registry.h"

namespace gputlm {

struct Item {
  std::string name;
  std::string description;  ///< in a line
  TableRow cells;           ///< one for each column of its listing
  nlohmann::ordered_json json;
};

struct Listing {
  std::vector<Column> columns;
  std::vector<Item> items;
};

struct ListOptions {
  std::string gpu = kDefaultGpu;  ///< whose values are shown where there are some; a preset or a file
};

/// `name`: in the plural, as `gputlm list` takes it.
struct Catalogue : Registered {
  std::string one;          ///< what messages call one of them
  std::string description;  ///< a sentence without its full stop
  std::function<Listing(const ListOptions&)> listing;
  // What follows is more than the listing says of an item; null: there is no more.
  std::function<std::string(const Item&)> explain = nullptr;
  std::function<nlohmann::ordered_json(const Item&)> details = nullptr;
  std::function<std::string()> reference = nullptr;  ///< Markdown, in the place of the listing as a table
};

Registry<Catalogue>& catalogues();

/// The listing, for a terminal.
std::string text_of(const Listing& listing);

/// A listing of what has nothing but a name and a line.
Listing plain_listing(const std::string& one, const std::vector<std::pair<std::string, std::string>>& entries);

/// Those items of `all` that have `pattern` in what is listed of them, upper and lower case aside, or whose name fits it,
/// if it has a * or ?. Throws InputError if there are none.
std::vector<Item> matching(const Catalogue& catalogue, const std::vector<Item>& all, const std::string& pattern);

/// All there is to say of an item.
std::string explanation(const Catalogue& catalogue, const Item& item);
/// What the program knows of everything that is called so. Throws InputError if there is nothing.
std::string explanation(const std::string& name);

/// The catalogue's page of docs/reference/.
std::string reference_page(const Catalogue& catalogue);

}  // namespace gputlm
