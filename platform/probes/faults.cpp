/// Every far fault that the host handles as a line of faults.csv (docs/unified_memory.md).
#include "models/mmu/mmu.h"
#include "platform/probes/row_file.h"

namespace gputlm {
namespace {

struct FaultRow {
  const FarFault& fault;
  const Workload& workload;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field([](const FaultRow& r) { return r.fault.at; }, "cycle", Value{"core cycles"}, "The host read the fault");
    v.field([](const FaultRow& r) { return r.fault.batch; }, "batch", Value{}, "That it was handled in, from 0");
    v.field([](const FaultRow& r) { return fmt::format("{:#x}", r.fault.page); }, "page", Value{}, "Its address");
    v.field([](const FaultRow& r) { return r.fault.identity.sm; }, "sm", Value{},
            "Of the first of those whose accesses wait for the page; so are what follows");
    v.field(
        [](const FaultRow& r) -> const std::string& {
          return r.workload.applications[r.fault.identity.application].name;
        },
        "application", Value{}, "By name");
    v.field([](const FaultRow& r) { return r.fault.identity.kernel; }, "kernel", Value{}, "`id` of the launch");
    v.field([](const FaultRow& r) { return r.fault.identity.block; }, "block", Value{}, "Index in the grid");
    v.field([](const FaultRow& r) { return r.fault.identity.warp; }, "warp", Value{}, "Of the block");
  }
};

class Faults final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    Mmu& mmu = *site.units<Mmu>("MMU (mmu.enabled=true)").front();
    FaultHandler* const handler = mmu.core().faults();
    if (!handler)
      throw InputError("--probe faults: the workload has no managed memory, or the GPU no link to its host");
    csv_.open(site, "faults.csv");
    site.watch(mmu, handler->faults, [this, &workload = site.workload()](const FarFault& fault) {
      csv_.write({fault, workload});
    });
  }

 private:
  RowFile<FaultRow> csv_;
};

GPUTLM_REGISTER {
  add_probe<Faults>("faults", "faults.csv: every far fault, when it was handled and whose it is", 25);
  add_row_table<FaultRow>("faults.csv", "Far faults that the host has handled; `--probe faults`");
}

}  // namespace
}  // namespace gputlm
