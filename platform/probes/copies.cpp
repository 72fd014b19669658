/// Every copy and memset as a line of copies.csv, in the order in which the host hears of their ends.
#include "models/host/host.h"
#include "platform/probes/records.h"
#include "platform/probes/row_file.h"

namespace gputlm {
namespace {

class Copies final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    Host& host = *site.units<Host>("host").front();
    csv_.open(site, "copies.csv");
    site.watch(host, host.core().copies_ended, [this, &workload = site.workload()](const CopyEnded& ended) {
      csv_.write({record_of(ended), workload});
    });
  }

 private:
  RowFile<CopyRow> csv_;
};

GPUTLM_REGISTER {
  add_probe<Copies>("copies", "copies.csv: every copy and memset, when and by which engine", 15,
                    [](const Workload& w) { return !w.copies.empty(); });
  add_row_table<CopyRow>(
      "copies.csv",
      "Copies and memsets that have ended, in the order in which the host heard of the ends; only if "
      "the workload has any. `copies` of result.json has the same");
}

}  // namespace
}  // namespace gputlm
