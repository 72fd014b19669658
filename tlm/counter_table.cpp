#include "tlm/counter_table.h"

namespace gputlm {

Registry<CounterTable>& counter_tables() {
  static Registry<CounterTable> tables("counters");
  return tables;
}

}  // namespace gputlm
