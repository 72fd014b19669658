// Every field of a result has a meaning and a unit, and is on its reference page.

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>

#include "platform/files/rows.h"
#include "tlm/counter_table.h"

namespace gputlm {
namespace {

/// The unit that a name asks for, by its end; empty: none.
std::string unit_of(const std::string& name) {
  const std::pair<const char*, const char*> kEnds[] = {
      {"cycle", "cycles"}, {"cycles", "cycles"},     {"bytes", "bytes"},   {"_ns", "ns"},
      {"_us", "us"},       {"_percent", "per cent"}, {"nanoseconds", "ns"}};
  for (const auto& [end, unit] : kEnds) {
    const std::string_view text = end;
    if (name.size() >= text.size() && name.compare(name.size() - text.size(), text.size(), text) == 0) return unit;
  }
  return "";
}

std::string page(const std::string& name) {
  std::ifstream file(std::string(GPUTLM_SOURCE_DIR) + "/docs/reference/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(FieldsOfResults, HaveAMeaningAUnitAndAPlaceOnTheirPage) {
  const std::string text = page("results.md");
  ASSERT_GT(row_tables().size(), 10u);
  for (const RowTable& table : row_tables()) {
    const std::size_t begin = text.find("\n## " + table.name + "\n");
    ASSERT_NE(begin, std::string::npos) << table.name;
    const std::string section = text.substr(begin, text.find("\n## ", begin + 1) - begin);
    EXPECT_FALSE(table.description.empty()) << table.name;
    for (const TableColumn& column : table.columns) {
      EXPECT_FALSE(column.meaning.empty()) << table.name << " " << column.name;
      EXPECT_NE(column.unit.find(unit_of(column.name)), std::string::npos) << table.name << " " << column.name;
      EXPECT_NE(section.find("| `" + column.name + "` |"), std::string::npos) << table.name << " " << column.name;
    }
  }
}

TEST(Counters, HaveAMeaningAUnitAndAPlaceOnTheirPage) {
  const std::string text = page("counters.md");
  for (const CounterTable& table : counter_tables()) {
    for (const Field& counter : table.layout->fields()) {
      EXPECT_FALSE(counter.unit.empty() || counter.meaning.empty()) << table.name << " " << counter.name;
      EXPECT_NE(text.find("| " + table.name + " | `" + counter.name + "` |"), std::string::npos) << counter.name;
    }
  }
}

}  // namespace
}  // namespace gputlm
