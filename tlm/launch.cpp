#include "tlm/launch.h"

namespace gputlm {

BlockCounters& BlockCounters::operator+=(const BlockCounters& other) {
  instructions += other.instructions;
  thread_instructions += other.thread_instructions;
  for (std::size_t i = 0; i < kStallReasons; ++i) stall[i] += other.stall[i];
  global_loads += other.global_loads;
  global_stores += other.global_stores;
  shared_accesses += other.shared_accesses;
  shared_conflict_cycles += other.shared_conflict_cycles;
  l1_sector_hits += other.l1_sector_hits;
  l1_sector_misses += other.l1_sector_misses;
  l2_read_hits += other.l2_read_hits;
  l2_read_misses += other.l2_read_misses;
  l2_write_hits += other.l2_write_hits;
  l2_write_misses += other.l2_write_misses;
  request_flits += other.request_flits;
  reply_flits += other.reply_flits;
  memory_requests += other.memory_requests;
  memory_latency += other.memory_latency;
  row_hits += other.row_hits;
  row_misses += other.row_misses;
  row_conflicts += other.row_conflicts;
  return *this;
}

}  // namespace gputlm
