/// The Simple Slicing runtime predictor (srtf, section 4): how long a kernel will have run on an SM when it has ended,
/// from the duration of one of its thread blocks there. Cycles are those of the core clock, as the work distributor
/// sees them: a block runs from when it is sent until its end becomes known.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tlm/access.h"
#include "tlm/base/time.h"

namespace gputlm {

/// The state stored for each kernel on each SM (srtf, table 1).
struct SliceState {
  std::uint64_t done_blocks = 0;
  std::uint64_t total_blocks = 0;  ///< blocks expected to run on the SM: an even share of the grid
  unsigned resident_blocks = 1;    ///< number of blocks that fit on the SM when the kernel is alone
  unsigned running_blocks = 0;
  Cycle active_cycles = 0;         ///< cycles with a block on the SM, up to the last event there
  std::optional<Cycle> t;          ///< duration of the first ended block of this slice; until then, of an earlier one
  std::optional<Cycle> predicted;  ///< Pred_Cycles: active_cycles when the kernel will have ended
  bool reslice = true;             ///< the next block that ends gives t
};

/// One prediction: made whenever a block ends, for its kernel on its SM.
struct Prediction {
  KernelId kernel = 0;
  SmId sm = 0;
  bool first_of_slice = false;  ///< whether this block gave t
  Cycle at = 0;                 ///< cycle in which its end became known
  std::uint64_t done_blocks = 0, total_blocks = 0;
  Cycle t = 0;
  Cycle predicted = 0;  ///< Pred_Cycles
};

class SlicingPredictor {
 public:
  explicit SlicingPredictor(unsigned sms) : sms_(sms) {}

  /// ONLAUNCH. `residency`: maximum blocks on an SM when alone. `sms`: number of SMs its blocks may go to. A launch begins
  /// a slice for all kernels (section 4: "kernel launches and kernel endings mark the boundaries of slices").
  void launched(KernelId kernel, std::uint64_t blocks, unsigned residency, unsigned sms);
  /// ONBLOCKSTART.
  void block_sent(KernelId kernel, SmId sm, Cycle now);
  /// ONBLOCKEND: `duration` is what the block took on the SM while it was not preempted.
  Prediction block_ended(KernelId kernel, SmId sm, Cycle duration, Cycle now);
  /// Each SM's blocks of the kernel repeat `times` times their last `period` cycles. `ended`: blocks that ended in these
  /// cycles, and `active`: cycles with blocks, by SM. At least one has ended in this slice where any has.
  void repeat(KernelId kernel, std::uint64_t times, Cycle period, const std::vector<std::uint64_t>& ended,
              const std::vector<Cycle>& active);
  /// ONKERNELEND.
  void ended(KernelId kernel);
  /// The kernels have been taken off the SMs, with the blocks that run: until go_on() no time counts as active.
  void stop(Cycle now);
  void go_on(Cycle now);

  const SliceState& state(KernelId kernel, SmId sm) const { return of(kernel).sms[sm].state; }
  /// Changes when predictions for more than one SM change: not when a block has ended and its kernel's t remains.
  std::uint64_t epoch() const { return epoch_; }
  /// Whether a block of the kernel has ended on any SM.
  bool sampled(KernelId kernel) const { return of(kernel).latest_t.has_value(); }
  /// Cycles until the kernel will have ended on the SM: Equation 2 without the elapsed time. On an SM where no block of
  /// it has ended yet, t is the latest from elsewhere (section 5.1.1: "the sample prediction is copied to the other SMs
  /// as an initial prediction"). None if there is no t.
  std::optional<Cycle> remaining(KernelId kernel, SmId sm) const;
  /// The t on which remaining() is based.
  std::optional<Cycle> block_duration(KernelId kernel, SmId sm) const;
  /// Active_Kernel_Cycles as of `now`.
  Cycle active_cycles(KernelId kernel, SmId sm, Cycle now) const;

 private:
  struct OnSm {
    SliceState state;
    Cycle active_since = 0;  ///< cycle from which time is not in active_cycles yet
  };
  struct OfKernel {
    KernelId id;
    std::optional<Cycle> latest_t;
    std::vector<OnSm> sms;
    /// The t of the SM itself, otherwise the latest from elsewhere.
    const std::optional<Cycle>& t_on(SmId sm) const { return sms[sm].state.t ? sms[sm].state.t : latest_t; }
  };
  std::size_t place(KernelId kernel) const;
  OfKernel& of(KernelId kernel) { return kernels_[place(kernel)]; }
  const OfKernel& of(KernelId kernel) const { return kernels_[place(kernel)]; }
  void begin_slice();

  unsigned sms_;
  bool stopped_ = false;
  std::uint64_t epoch_ = 0;
  std::vector<OfKernel> kernels_;  ///< kernels in flight
};

}  // namespace gputlm
