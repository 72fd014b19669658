#include "platform/cli/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace gputlm {

std::string table(const Row& header, const std::vector<Row>& rows) {
  std::vector<std::size_t> width;
  for (const std::string& cell : header) width.push_back(cell.size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text;
  const auto append = [&](const Row& row) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) text += fmt::format("{:<{}}  ", row[i], width[i]);
    text += row.back() + "\n";
  };
  append(header);
  for (const Row& row : rows) append(row);
  return text;
}

std::string markdown_table(const Row& header, const std::vector<Row>& rows) {
  std::string text = fmt::format("| {} |\n", fmt::join(header, " | "));
  for (std::size_t i = 0; i < header.size(); ++i) text += "|---";
  text += "|\n";
  for (const Row& row : rows) text += fmt::format("| {} |\n", fmt::join(row, " | "));
  return text;
}

}  // namespace gputlm
