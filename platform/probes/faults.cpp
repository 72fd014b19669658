/// Writes every far fault that the host handles to faults.csv (docs/unified_memory.md).
#include "models/mmu/mmu.h"
#include "platform/probes/merged.h"
#include "platform/probes/row_file.h"

namespace gputlm {
namespace {

struct FaultRow {
  const FarFault& fault;
  const Workload& workload;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field([](const FaultRow& r) { return r.fault.at; }, "cycle", Value{"core cycles"},
            "Time at which the host read the fault");
    v.field([](const FaultRow& r) { return r.fault.batch; }, "batch", Value{}, "Batch in which it was handled, from 0");
    v.field([](const FaultRow& r) { return fmt::format("{:#x}", r.fault.page); }, "page", Value{},
            "Address of the page");
    v.field([](const FaultRow& r) { return r.fault.identity.sm; }, "sm", Value{},
            "SM of the first access that waits for the page; the following columns describe the same access");
    v.field(
        [](const FaultRow& r) -> const std::string& {
          return r.workload.applications[r.fault.identity.application].name;
        },
        "application", Value{}, "Name of the application");
    v.field([](const FaultRow& r) { return r.fault.identity.kernel; }, "kernel", Value{}, "`id` of the launch");
    v.field([](const FaultRow& r) { return r.fault.identity.block; }, "block", Value{}, "Index in the grid");
    v.field([](const FaultRow& r) { return r.fault.identity.warp; }, "warp", Value{}, "Warp of the block");
  }
};

class Faults final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    const auto mmus = site.units<Mmu>("MMU (mmu.enabled=true)");
    if (!mmus.front()->core().faults())
      throw InputError("--probe faults: the workload has no managed memory, or the GPU no link to its host");
    csv_.open(site, "faults.csv");
    faults_.emplace(mmus.size(), site.clock, &FarFault::at, [this, &workload = site.workload()](const FarFault& fault) {
      csv_.write({fault, workload});
    });
    for (std::size_t i = 0; i < mmus.size(); ++i)
      site.watch(*mmus[i], mmus[i]->core().faults()->faults, faults_->from(i));
  }
  void finish() override { faults_->finish(); }

 private:
  RowFile<FaultRow> csv_;
  std::optional<Merged<FarFault>> faults_;
};

GPUTLM_REGISTER {
  add_probe<Faults>("faults", "faults.csv: every far fault, when it was handled and what caused it", 25);
  add_row_table<FaultRow>("faults.csv", "Far faults that the host has handled; `--probe faults`");
}

}  // namespace
}  // namespace gputlm
