/// The SystemC module of the MMU: each SM requests translations on a separate port; the page table is read over the
/// crossbar; copy engines move pages that may be at the host.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "models/mmu/core.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

class Mmu final : public Unit {
 public:
  struct Links {
    Link translations;  ///< link to each SM
    Link shootdowns;    ///< link to each SM
    Link crossbar;
    std::optional<Link> copies;  ///< link to the copy engines; none: all pages are in the GPU's memory
  };
  /// `parts` and `ids`: MmuCore::Surroundings. `managed`: ranges that start in the host's memory. The maps must outlive the
  /// MMU.
  Mmu(const sc_core::sc_module_name& name, const Clock& clock, const Links& links, const MmuConfig& config,
      const std::vector<MmuCore::Part>& parts, const std::vector<SmId>& ids, const std::vector<AddressRange>& managed);
  ~Mmu() override;

  MmuCore& core() { return core_; }
  std::vector<std::string> waiting() const override { return core_.waiting(); }
  void report(Report& all, Cycle end) override { all.add(core_.statistics(end)); }

 private:
  Cycle compute(Cycle until) override { return core_.advance(until); }

  PayloadPool<Access> accesses_;
  PayloadPool<Shootdown> shootdowns_;
  PayloadPool<Copy> migrations_;
  MmuCore core_;

 public:
  std::deque<TargetPort<Translation>> translations;  ///< requests from each SM
  std::deque<InitiatorPort<Shootdown>> shootdowns;   ///< shootdowns to each SM
  std::deque<InitiatorPort<Access>> crossbars;       ///< reads to the crossbar of each part
  std::optional<InitiatorPort<Copy>> copies;
};

}  // namespace gputlm
