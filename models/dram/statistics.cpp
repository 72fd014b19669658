#include "models/dram/statistics.h"

#include "tlm/counter_table.h"

namespace gputlm {

GPUTLM_REGISTER { add_counter_table<DramStatistics>("DRAM channel", {"dram.total", "dram.channels"}); }

}  // namespace gputlm
