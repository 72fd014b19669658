#include <fmt/format.h>

#include "platform/cli/catalogue.h"
#include "platform/files/rows.h"

namespace gputlm {
namespace {

using Form = Column::Form;

Listing results(const ListOptions&) {
  Listing listing{{{"in"}, {"field", Form::kKey}, {"unit"}, {"meaning"}}, {}};
  for (const RowTable& table : row_tables()) {
    for (const TableColumn& column : table.columns) {
      listing.items.push_back(
          {column.name,
           column.meaning,
           {table.name, column.name, column.unit, column.meaning},
           {{"in", table.name}, {"name", column.name}, {"unit", column.unit}, {"meaning", column.meaning}}});
    }
  }
  return listing;
}

std::string explain(const Item& item) {
  return fmt::format("{} (field of {}{}): {}\n", item.name, item.cells[0],
                     item.cells[2].empty() ? "" : ", in " + item.cells[2], item.cells[3]);
}

/// A section a table.
std::string reference() {
  std::string text;
  for (const RowTable& table : row_tables()) {
    std::vector<TableRow> rows;
    for (const TableColumn& column : table.columns)
      rows.push_back({"`" + column.name + "`", column.unit, column.meaning});
    text += fmt::format("{}## {}\n{}.\n\n{}", text.empty() ? "" : "\n", table.name, table.description,
                        markdown_table({{"field", Form::kKey}, {"unit"}, {"meaning"}}, rows));
  }
  return text;
}

GPUTLM_REGISTER {
  catalogues().add({{"results", 55},
                    "field of a result",
                    "Columns of the CSV files of a run, and keys of its result.json (docs/result.md)",
                    results,
                    explain,
                    nullptr,
                    reference});
}

}  // namespace
}  // namespace gputlm
