/// Events of every kind of unit, counted by stretches of 1000 of its cycles.
#include <map>
#include <string>

#include "models/dram/controller.h"
#include "models/host/host.h"
#include "models/l2/slice.h"
#include "models/sm/sm.h"
#include "models/work_distributor/work_distributor.h"
#include "platform/probes/probe.h"

namespace {

using namespace gputlm;

class Traffic final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    csv_ = &site.file("traffic.csv");
    for (Host* host : site.units<Host>("host")) {
      site.watch(*host, host->core().kernels_ended, [this](const KernelEnded& e) { count("host", e.notified); });
    }
    for (WorkDistributor* distributor : site.units<WorkDistributor>("work distributor")) {
      site.watch(*distributor, distributor->core().blocks_sent,
                 [this](const BlockSent& e) { count("work_distributor", e.at); });
    }
    for (Sm* sm : site.units<Sm>("SM")) {
      site.watch(*sm, sm->core().blocks, [this](const BlockOnSm& e) { count("sm", e.at); });
    }
    for (L2Slice* slice : site.units<L2Slice>("L2 slice")) {
      site.watch(*slice, slice->core().served, [this](const L2Served& e) { count("l2", e.at); });
    }
    for (DramController* channel : site.units<DramController>("DRAM controller")) {
      site.watch(*channel, channel->core().commands, [this](const IssuedCommand& e) { count("dram", e.at); });
    }
  }
  void finish() override {
    csv_->write("cycle,unit,events\n");
    for (const auto& [stretch, events] : counts_) {
      csv_->write(std::to_string(stretch.first * kStretch) + "," + stretch.second + "," + std::to_string(events) +
                  "\n");
    }
  }

 private:
  static constexpr Cycle kStretch = 1000;
  void count(const char* unit, Cycle at) { ++counts_[{at / kStretch, unit}]; }

  AtomicFile* csv_ = nullptr;
  std::map<std::pair<Cycle, std::string>, unsigned> counts_;
};

GPUTLM_REGISTER { add_probe<Traffic>("traffic", "traffic.csv: events of every unit, by 1000 cycles"); }

}  // namespace
