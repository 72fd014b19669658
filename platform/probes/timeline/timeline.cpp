/// Writes events over time to timeline.json, for Perfetto or Chrome's viewer (docs/timeline.md).
#include "platform/probes/timeline/timeline.h"

#include <algorithm>

#include "platform/input/nearest.h"

namespace gputlm {

Registry<TimelinePartInfo>& timeline_parts() {
  static Registry<TimelinePartInfo> registry("--timeline-detail");
  return registry;
}

LaunchNames::LaunchNames(const Workload& workload) {
  for (const LaunchCommand& launch : workload.launches) labels_.push_back(json_escaped(launch.label));
}

const std::string& LaunchNames::of(std::uint32_t command, std::uint32_t iteration) {
  if (iteration == 0) return labels_[command];
  again_ = labels_[command] + "@" + std::to_string(iteration + 1);
  return again_;
}

namespace {

constexpr const char* kNoTimeline = "none";

class Timeline final : public Probe {
 public:
  explicit Timeline(const std::string& detail) : none_(detail == kNoTimeline) {
    if (none_) return;
    std::vector<std::string> asked;
    for (std::size_t from = 0; from < detail.size();) {
      const std::size_t comma = std::min(detail.find(',', from), detail.size());
      asked.push_back(detail.substr(from, comma - from));
      from = comma + 1;
    }
    for (const std::string& name : asked) check(name);
    for (const TimelinePartInfo& info : timeline_parts()) {
      if (!info.asked || std::find(asked.begin(), asked.end(), info.name) != asked.end()) parts_.push_back(info.make());
    }
  }

  void attach(ProbeSite& site) override {
    if (none_) return;
    events_ = std::make_unique<TraceEvents>(site.file("timeline.json"));
    for (const auto& part : parts_) part->attach(site, *events_);
  }

  void finish() override {
    if (none_) return;
    // Unfinished slices are cut at the last event.
    const TraceEvents::Key end{events_->latest(), events_->add_source()};
    for (const auto& part : parts_) part->finish(end);
    events_->finish();
  }

 private:
  static void check(const std::string& name) {
    std::vector<std::string> allowed{kNoTimeline};
    for (const TimelinePartInfo& info : timeline_parts()) {
      if (info.asked) allowed.push_back(info.name);
    }
    if (name != kNoTimeline && std::find(allowed.begin(), allowed.end(), name) != allowed.end()) return;
    throw InputError("--timeline-detail: found '" + shortened(name) + "'" + suggestion(name, allowed));
  }

  bool none_;
  std::unique_ptr<TraceEvents> events_;
  std::vector<std::unique_ptr<TimelinePart>> parts_;
};

GPUTLM_REGISTER {
  add_probe<Timeline>(
      "timeline", "timeline.json: events over time, for Perfetto or Chrome's viewer", 18,
      [](const Workload&) { return true; },
      Field{"--timeline-detail", "",
            "Further details of timeline.json, separated by commas: warps, dram, l2; none: no file"});
}

}  // namespace
}  // namespace gputlm
