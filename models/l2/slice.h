/// The SystemC shell of an L2 slice: sockets and time around L2SliceCore.
#pragma once

#include "models/l2/slice_core.h"
#include "tlm/module.h"
#include "tlm/port.h"

namespace gputlm {

class L2Slice final : public WindowedModule {
 public:
  /// How the two links look from the slice; their clock is the core clock.
  struct Timing {
    LinkTiming crossbar;
    LinkTiming memory;
  };
  /// `window`: length of a look-ahead window. `slice` of `slices`; `translation` and `source` must outlive it.
  L2Slice(const sc_core::sc_module_name& name, Femtoseconds window, const L2Config& config, const L2SliceLinks& links,
          const Timing& timing, unsigned slice, unsigned slices, const AddressTranslation& translation,
          AccessSource& source);

  const L2SliceCore& core() const { return core_; }

 private:
  Femtoseconds advance(Femtoseconds until) override;

  Clock clock_;
  L2SliceCore core_;

 public:
  TargetPort<Access> crossbar;   ///< requests in, replies out
  InitiatorPort<Access> memory;  ///< to the DRAM controller
};

}  // namespace gputlm
