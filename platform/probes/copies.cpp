/// Every copy and memset as a line of copies.csv, in the order in which the host hears of their ends (docs/result.md).
#include <fmt/format.h>

#include <iterator>

#include "models/host/host.h"
#include "platform/files/csv.h"
#include "platform/probes/probe.h"

namespace gputlm {
namespace {

class Copies final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    Host& host = *site.units<Host>("host").front();
    workload_ = &site.workload();
    csv_ = &site.file("copies.csv");
    csv_->write("copy,application,stream,kind,bytes,engine,submitted_cycle,started_cycle,ended_cycle\n");
    site.watch(host, host.core().copies_ended, [this](const CopyEnded& ended) { write(ended.copy); });
  }

 private:
  void write(const Copy& c) {
    line_.clear();
    write_csv_field(line_, copy_label(*workload_, c.command, c.iteration));
    line_.push_back(',');
    write_csv_field(line_, workload_->applications[c.identity.application].name);
    line_.push_back(',');
    write_csv_field(line_, workload_->streams[c.identity.stream].name);
    fmt::format_to(std::back_inserter(line_), ",{},{},{},{},{},{}\n", to_string(c.kind), c.bytes, c.engine, c.submitted,
                   c.started, c.ended);
    csv_->write({line_.data(), line_.size()});
  }

  const Workload* workload_ = nullptr;
  AtomicFile* csv_ = nullptr;
  fmt::memory_buffer line_;
};

GPUTLM_REGISTER {
  add_probe<Copies>("copies", "copies.csv: every copy and memset, when and by which engine", 15,
                    [](const Workload& w) { return !w.copies.empty(); });
}

}  // namespace
}  // namespace gputlm
