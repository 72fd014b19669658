#include "platform/cli/catalogue.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cctype>

#include "platform/input/nearest.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

std::string in_small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

Registry<Catalogue>& catalogues() {
  static Registry<Catalogue> registry("catalogue");
  return registry;
}

std::string text_of(const Listing& listing) {
  std::vector<TableRow> rows;
  for (const Item& item : listing.items) rows.push_back(item.cells);
  return table(listing.columns, rows);
}

Listing plain_listing(const std::string& one, const std::vector<std::pair<std::string, std::string>>& entries) {
  Listing listing{{{one, Column::Form::kKey}, {"description"}}, {}};
  for (const auto& [name, description] : entries) {
    listing.items.push_back({name, description, {name, description}, {{"name", name}, {"description", description}}});
  }
  return listing;
}

std::vector<Item> matching(const Catalogue& catalogue, const std::vector<Item>& all, const std::string& pattern) {
  const bool glob = pattern.find_first_of("*?") != std::string::npos;
  const std::string sought = in_small_letters(pattern);
  const auto fits = [&](const Item& item) {
    if (glob) return fnmatch(pattern.c_str(), item.name.c_str(), FNM_CASEFOLD) == 0;
    return std::any_of(item.cells.begin(), item.cells.end(), [&](const std::string& cell) {
      return in_small_letters(cell).find(sought) != std::string::npos;
    });
  };
  std::vector<Item> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found), fits);
  if (!found.empty()) return found;
  std::vector<KnownName> known;
  for (const Item& item : all) known.push_back({item.name, ""});
  throw InputError(fmt::format("there is no {} '{}'{}", catalogue.one, shortened(pattern), suggestion(pattern, known)));
}

std::string explanation(const Catalogue& catalogue, const Item& item) {
  if (catalogue.explain) return catalogue.explain(item);
  return fmt::format("{} ({}): {}\n", item.name, catalogue.one, item.description);
}

std::string explanation(const std::string& name) {
  std::string text;
  std::vector<KnownName> known;
  for (const Catalogue& catalogue : catalogues()) {
    for (const Item& item : catalogue.listing({}).items) {
      known.push_back({item.name, item.description});
      if (in_small_letters(item.name) != in_small_letters(name)) continue;
      text += (text.empty() ? "" : "\n") + explanation(catalogue, item);
    }
  }
  if (!text.empty()) return text;
  throw InputError(fmt::format("nothing is called '{}'{}", shortened(name), question(names_meant(name, known))));
}

std::string reference_page(const Catalogue& catalogue) {
  std::string title = catalogue.name;
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  std::replace(title.begin(), title.end(), '-', ' ');
  const std::string head = fmt::format(
      "<!-- Made by scripts/reference of what the program says of itself; not to be edited. -->\n\n# {}\n\n{}.\n\n",
      title, catalogue.description);
  if (catalogue.reference) return head + catalogue.reference();
  const Listing listing = catalogue.listing({});
  std::vector<TableRow> rows;
  for (const Item& item : listing.items) {
    TableRow& row = rows.emplace_back(item.cells);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (listing.columns[i].form == Column::Form::kKey && !row[i].empty()) row[i] = "`" + row[i] + "`";
    }
  }
  return head + markdown_table(listing.columns, rows);
}

}  // namespace gputlm
