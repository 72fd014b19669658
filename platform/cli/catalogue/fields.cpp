// Fields of other programs' files that importers read (tlm/base/format_field.h).
#include <fmt/format.h>

#include <string>
#include <vector>

#include "platform/cli/catalogue.h"
#include "tlm/base/format_field.h"

namespace gputlm {
namespace {

using Form = Column::Form;

/// Unit and values in a cell.
std::string taken_by(const FormatField& field) {
  const bool both = *field.unit && *field.values;
  return std::string(field.unit) + (both ? "; " : "") + field.values;
}

Item item_of(const FormatField& field) {
  return {field.name,
          field.meaning,
          {field.name, fmt::format("{}, {}: {}", field.format.name, field.place, field.meaning)},
          {{"name", field.name},
           {"format", field.format.name},
           {"place", field.place},
           {"meaning", field.meaning},
           {"unit", field.unit},
           {"values", field.values},
           {"source", field.source}}};
}

Listing fields(const ListOptions&) {
  Listing listing{{{"field", Form::kKey}, {"where, and what it means"}}, {}};
  for (const FileFormat* const format : file_formats()) {
    for (const FormatField* const field : format->fields()) listing.items.push_back(item_of(*field));
  }
  return listing;
}

std::string explain_field(const Item& item) {
  const auto line = [&](const char* what, const char* key) {
    const std::string text = item.json.at(key);
    return text.empty() ? "" : fmt::format("  {}: {}\n", what, text);
  };
  return fmt::format("{} (field of {}, {}): {}\n", item.name, item.json.at("format").get<std::string>(),
                     item.json.at("place").get<std::string>(), item.description) +
         line("unit", "unit") + line("values", "values") + line("source", "source");
}

/// One table per format.
std::string page_of_fields() {
  std::string page;
  for (const FileFormat* const format : file_formats()) {
    page += fmt::format("{}## {}\n\nWritten by {}; seen: {}.\n\n", page.empty() ? "" : "\n", format->name, format->tool,
                        format->versions);
    std::vector<TableRow> rows;
    for (const FormatField* const field : format->fields())
      rows.push_back({field->place, fmt::format("`{}`", field->name), field->meaning, taken_by(*field), field->source});
    page += markdown_table({{"place"}, {"field"}, {"meaning"}, {"unit; values"}, {"source"}}, rows);
  }
  return page;
}

GPUTLM_REGISTER {
  Catalogue catalogue;
  catalogue.name = "fields";
  catalogue.one = "field of a format";
  catalogue.description =
      "Fields that are read from other programs' files, by format, with their meanings and sources (docs/traces.md)";
  catalogue.listing = fields;
  catalogue.explain = explain_field;
  catalogue.reference = page_of_fields;
  catalogues().add(std::move(catalogue));
}

}  // namespace
}  // namespace gputlm
