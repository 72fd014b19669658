/// The host: streams of kernel launches. The launches of a stream run one after the other; streams are independent;
/// a launch waits for its release time, and a phase for the end of the one before. Plain C++; the module around it is
/// host.h.
#pragma once

#include <string>
#include <vector>

#include "models/host/workload.h"
#include "tlm/item_source.h"
#include "tlm/launch.h"
#include "tlm/link.h"

namespace gputlm {

/// Told of every kernel that has ended, in the order in which the host hears of it.
class KernelObserver {
 public:
  virtual ~KernelObserver() = default;
  /// In core cycles. `released`: the launch was due, whether or not its stream was free. `submitted`: it left the host.
  /// `notified`: the host knew of its end.
  virtual void kernel_ended(const KernelLaunch& kernel, Cycle released, Cycle submitted, Cycle notified) = 0;
};

class HostCore {
 public:
  /// `workload` outlives the host. `kernels_in_flight`: as many as the work distributor takes. Ids of kernels are
  /// their places in Workload::launches.
  HostCore(const Workload& workload, const Clock& clock, unsigned kernels_in_flight, ItemSource<KernelLaunch>& launches,
           KernelObserver& observer);

  Outbox<KernelLaunch>& launches() { return launches_; }
  Inbox<KernelLaunch>& completions() { return completions_; }

  /// Computes everything strictly before `until` (core cycles); returns the next cycle with work, kNever if only an
  /// arrival makes some.
  Cycle advance(Cycle until);

  bool done() const { return ended_ == workload_.launches.size(); }
  std::size_t ended() const { return ended_; }
  /// Streams that have not ended, for the report of a deadlock.
  std::vector<std::string> waiting() const;

 private:
  struct Stream {
    std::vector<KernelId> launches;  ///< in order
    std::size_t next = 0;            ///< first one not submitted
    bool busy = false;               ///< its last launch has not ended
    Cycle free_at = 0;
  };

  /// Cycle at which the stream's next launch may be submitted; kNever if it waits for something else.
  Cycle due(const Stream& stream) const;
  /// Starts the next phase that has launches, if the current one has ended.
  void pass_ended_phases(Cycle now);
  void submit(Stream& stream, Cycle now);
  void complete(KernelLaunch& kernel, Cycle now);

  const Workload& workload_;
  Clock clock_;
  ItemSource<KernelLaunch>& source_;
  KernelObserver& observer_;
  std::vector<Stream> streams_;
  std::vector<std::size_t> phase_sizes_;  ///< launches of each phase
  std::size_t phase_ = 0;
  std::size_t left_in_phase_ = 0;
  Cycle phase_start_ = 0;
  std::vector<Cycle> released_, submitted_;  ///< by launch
  std::size_t ended_ = 0;
  Outbox<KernelLaunch> launches_;
  Inbox<KernelLaunch> completions_;
};

}  // namespace gputlm
