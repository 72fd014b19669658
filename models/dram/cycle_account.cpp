#include "models/dram/cycle_account.h"

namespace gputlm {

CycleAccount::CycleAccount(unsigned banks, unsigned burst, unsigned reach) : burst_(burst), at_work_(banks) {
  std::size_t most = 2;
  while (most < reach / burst + 2) most *= 2;
  recent_.resize(most);
  recent_mask_ = most - 1;
}

void CycleAccount::close(Cycle until, DramStatistics& s) const {
  const Cycle end = std::max(until, last_event_);
  s.cycles = end;
  s.idle = idle_ + (pending_ == 0 ? end - idle_since_ : 0);
  s.wasted_by = wasted_;
  s.last_data = data_end_;
  for (DramApplicationStatistics& a : s.applications) a.useful = burst_ * (a.reads + a.writes);

  // Bursts were counted when their command was issued: subtract the cycles after the end.
  const std::uint64_t oldest = next_recent_ - std::min<std::uint64_t>(next_recent_, recent_.size());
  for (std::uint64_t i = next_recent_; i-- > oldest;) {
    const Burst& burst = recent_[i & recent_mask_];
    if (burst.data + burst_ <= end) break;
    s.applications[burst.application].useful -= burst.data + burst_ - std::max(end, burst.data);
    if (burst.data > end) {
      s.wasted_by[index(burst.cause)] -= std::min(burst.gap, burst.data - end);
    }
  }
  if (pending_ > 0) {
    const Cycle covered = std::max(data_end_, busy_since_);
    if (end > covered) s.wasted_by[index(DramWait::kOpen)] += end - covered;
  }
  s.useful = s.wasted = 0;
  for (const DramApplicationStatistics& a : s.applications) s.useful += a.useful;
  for (const Cycle wasted : s.wasted_by) s.wasted += wasted;

  s.bank_cycles = bank_cycles_;
  for (const Work& work : at_work_) {
    if (work.until > end) s.bank_cycles -= work.until - end;
    if (work.since < end) s.bank_cycles += end - work.since;  // kNever: the bank does not work
  }
  const Cycle any_end = banks_at_work_ > 0 ? end : std::min(any_until_, end);
  s.any_bank_cycles = any_cycles_ + any_end - any_since_;
}

}  // namespace gputlm
