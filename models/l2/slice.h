/// The SystemC module of an L2 slice.
#pragma once

#include <deque>

#include "models/l2/slice_core.h"
#include "models/regulator/regulation.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

class L2Slice final : public Unit {
 public:
  struct Links {
    Link crossbar;  ///< link of each virtual channel, as is `memory`
    Link memory;
    FlitFormat flits;  ///< format of the crossbar's packets
    unsigned memory_channels = 1;
  };
  /// `map` must outlive it. `regulation`: budgets enforced at slices, if any. `ways`, `set_aside`: as in L2SliceCore.
  L2Slice(const sc_core::sc_module_name& name, const Clock& clock, const Links& links, const L2Config& config,
          unsigned slice, const MemoryMap& map, const Regulation& regulation = {}, const std::vector<WaySet>& ways = {},
          const SetAsideSetup& set_aside = {});
  ~L2Slice() override;

  /// Sets what a peer outside the model may access at `crossbar`: GPU addresses; those of other slices are ADDRESS_ERRORs.
  /// To be called before the simulation; the default is all of the slice's addresses, without data.
  void serve(ServedMemory served);
  L2SliceCore& core() { return core_; }
  const L2SliceCore& core() const { return core_; }
  /// The places of enforcement, if this slice enforces budgets.
  const RegulatedPlaces& regulated() const { return regulated_; }
  std::vector<std::string> waiting() const override;
  void report(Report& report, Cycle now) override {
    report.add(core_.statistics());
    if (const SetAside* const set_aside = core_.set_aside()) report.add(by_application(set_aside->statistics()));
    regulated_.report(report, now);
  }

 private:
  Cycle compute(Cycle until) override {
    return regulated_.compute(until, [&] { return core_.advance(until); });
  }

  unsigned slice_;
  const MemoryMap& map_;
  PayloadPool<Access> pool_;
  L2SliceCore core_;
  RegulatedPlaces regulated_;  ///< one place, or none

 public:
  std::deque<TargetPort<Access>> crossbar;   ///< requests in, replies out; one per virtual channel
  std::deque<InitiatorPort<Access>> memory;  ///< accesses to the DRAM controller; one per virtual channel
};

}  // namespace gputlm
