#include "models/kernel/block_counters.h"

#include "tlm/counter_table.h"

namespace gputlm {

GPUTLM_REGISTER { add_counter_table<BlockCounters>("block", {"", "", "", "kernels, streams, applications, total"}); }

}  // namespace gputlm
