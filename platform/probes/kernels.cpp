/// Every kernel launch that has ended as a line of kernels.csv, in the order in which the host hears of their ends.
#include "models/host/host.h"
#include "platform/probes/records.h"
#include "platform/probes/row_file.h"

namespace gputlm {
namespace {

class Kernels final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    Host& host = *site.units<Host>("host").front();
    csv_.open(site, "kernels.csv");
    site.watch(host, host.core().kernels_ended,
               [this, &workload = site.workload(), clock = site.clock](const KernelEnded& ended) {
                 csv_.write({record_of(ended), workload, clock});
               });
  }

 private:
  RowFile<KernelRow> csv_;
};

GPUTLM_REGISTER {
  add_probe<Kernels>("kernels", "kernels.csv: every kernel launch, its times, resources and deadline", 12,
                     [](const Workload&) { return true; });
  add_row_table<KernelRow>("kernels.csv",
                           "Kernel launches that have ended, in the order in which the host heard of the ends. "
                           "`kernels` of result.json has the same of each, and its counters, in the order of `id`");
}

}  // namespace
}  // namespace gputlm
