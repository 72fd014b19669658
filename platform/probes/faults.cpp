/// Every far fault that the host handles as a line of faults.csv (docs/unified_memory.md).
#include <fmt/format.h>

#include <iterator>

#include "models/mmu/mmu.h"
#include "platform/files/csv.h"
#include "platform/probes/probe.h"

namespace gputlm {
namespace {

class Faults final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    Mmu& mmu = *site.units<Mmu>("MMU (mmu.enabled=true)").front();
    FaultHandler* const handler = mmu.core().faults();
    if (!handler)
      throw InputError("--probe faults: the workload has no managed memory, or the GPU no link to its host");
    workload_ = &site.workload();
    csv_ = &site.file("faults.csv");
    // `cycle`: in which the host reads the fault. Who: the first of those whose accesses wait for the page.
    csv_->write("cycle,batch,page,sm,application,kernel,block,warp\n");
    site.watch(mmu, handler->faults, [this](const FarFault& fault) { write(fault); });
  }

 private:
  void write(const FarFault& fault) {
    const Identity& who = fault.identity;
    line_.clear();
    fmt::format_to(std::back_inserter(line_), "{},{},{:#x},{},", fault.at, fault.batch, fault.page, who.sm);
    write_csv_field(line_, workload_->applications[who.application].name);
    fmt::format_to(std::back_inserter(line_), ",{},{},{}\n", who.kernel, who.block, who.warp);
    csv_->write({line_.data(), line_.size()});
  }

  const Workload* workload_ = nullptr;
  AtomicFile* csv_ = nullptr;
  fmt::memory_buffer line_;
};

GPUTLM_REGISTER { add_probe<Faults>("faults", "faults.csv: every far fault, when it was handled and whose it is", 25); }

}  // namespace
}  // namespace gputlm
