#include "platform/cli/list.h"
#include "platform/cli/table.h"
#include "platform/files/json_text.h"
#include "tlm/counter_table.h"

namespace gputlm {

std::string list_counters(ListFormat format) {
  std::vector<Row> rows;
  auto items = nlohmann::ordered_json::array();
  for (const CounterTable& table : counter_tables()) {
    for (const CounterInfo& counter : table.counters) {
      rows.push_back({table.name, counter.name, counter.unit, counter.meaning});
      items.push_back({{"of", table.name},
                       {"name", counter.name},
                       {"unit", counter.unit},
                       {"description", counter.meaning},
                       {"place", table.place}});
    }
  }
  if (format == ListFormat::kJson) return json_text({{"counters", items}});
  const Row header{"of", "counter", "unit", "description"};
  if (format == ListFormat::kText) return table(header, rows);
  for (Row& row : rows) row[1] = "`" + row[1] + "`";
  return markdown_table(header, rows);
}

}  // namespace gputlm
