#include "tlm/counter_table.h"

namespace gputlm {

Registry<CounterTable>& counter_tables() {
  static Registry<CounterTable> tables("counters");
  return tables;
}

const CounterTable& counter_table_of(const std::type_info& type) {
  for (const CounterTable& table : counter_tables()) {
    if (*table.type == type) return table;
  }
  throw InputError(std::string("counters: there is no table of ") + type.name());
}

}  // namespace gputlm
