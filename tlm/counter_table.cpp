#include "tlm/counter_table.h"

#include "tlm/launch.h"

namespace gputlm {

Registry<CounterTable>& counter_tables() {
  static Registry<CounterTable> tables("counters");
  return tables;
}

GPUTLM_REGISTER { add_counter_table<BlockCounters>("block", "kernels, streams, applications, total", 10); }

}  // namespace gputlm
