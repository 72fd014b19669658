/// Accounts for a channel's cycles: useful per application, wasted by cause, idle, and the number of busy banks. It
/// processes only events, in order of their cycles, with no work per cycle. The counters: DramStatistics.
#pragma once

#include <algorithm>
#include <cassert>
#include <vector>

#include "models/dram/statistics.h"
#include "tlm/access.h"
#include "tlm/base/time.h"

namespace gputlm {

class CycleAccount {
 public:
  /// `burst`: data cycles of a burst. `reach`: maximum cycles from a column command to the end of its data.
  CycleAccount(unsigned banks, unsigned burst, unsigned reach);

  /// An access has been taken in, or its response has left, at `now`.
  void taken_in(Cycle now) {
    last_event_ = now;
    if (pending_++ > 0) return;
    idle_ += now - idle_since_;
    busy_since_ = now;
  }
  void responded(Cycle now) {
    last_event_ = now;
    if (--pending_ > 0) return;
    idle_since_ = now;
    wasted_[index(DramWait::kResponses)] += now - data_end_;
  }
  /// An activate or precharge for a request.
  void row_command(Cycle now, unsigned bank) {
    last_event_ = now;
    if (at_work_[bank].since == kNever) begin_work(now, bank);
  }
  /// The column command of a request of `application`; its data begins at `data`. `wait()` returns what it waited for last;
  /// called only if there is a gap on the data bus.
  template <class Wait>
  void column_command(Cycle now, unsigned bank, Cycle data, ApplicationId application, Wait wait) {
    assert(data >= data_end_);
    last_event_ = now;
    const Cycle gap = data - std::max(data_end_, busy_since_);
    const DramWait cause = gap > 0 ? wait() : DramWait::kLatency;
    wasted_[index(cause)] += gap;
    data_end_ = data + burst_;
    recent_[next_recent_++ & recent_mask_] = {data, gap, application, cause};
    if (at_work_[bank].since == kNever) begin_work(now, bank);
    end_work(bank);
  }

  Cycle last_event() const { return last_event_; }
  /// Fills in the cycles of `statistics`, whose bursts have been counted, at `until`, or at the last event if later.
  void close(Cycle until, DramStatistics& statistics) const;

 private:
  struct Burst {
    Cycle data, gap;
    ApplicationId application;
    DramWait cause;
  };
  struct Work {
    Cycle since = kNever;  ///< start of the work; kNever: idle, except for data in flight
    Cycle until = 0;       ///< end of the last data
  };
  static constexpr std::size_t index(DramWait wait) { return static_cast<std::size_t>(wait); }
  void begin_work(Cycle now, unsigned bank) {
    at_work_[bank].since = std::max(now, at_work_[bank].until);
    if (banks_at_work_++ > 0 || now <= any_until_) return;
    any_cycles_ += any_until_ - any_since_;
    any_since_ = now;
  }
  void end_work(unsigned bank) {
    Work& work = at_work_[bank];
    bank_cycles_ += data_end_ - work.since;
    work = {kNever, data_end_};
    --banks_at_work_;
    any_until_ = data_end_;
  }

  Cycle burst_;
  std::uint64_t pending_ = 0;  ///< accesses between intake and response
  Cycle last_event_ = 0, idle_since_ = 0, busy_since_ = 0, data_end_ = 0;
  Cycle idle_ = 0;
  std::array<Cycle, kDramWaits> wasted_{};

  /// The last bursts, a ring: at least all whose data may lie in the future.
  std::vector<Burst> recent_;
  std::uint64_t recent_mask_, next_recent_ = 0;

  std::vector<Work> at_work_;  ///< indexed by bank
  unsigned banks_at_work_ = 0;
  Cycle bank_cycles_ = 0, any_cycles_ = 0;
  Cycle any_since_ = 0, any_until_ = 0;  ///< the last period with a busy bank, which may continue
};

}  // namespace gputlm
