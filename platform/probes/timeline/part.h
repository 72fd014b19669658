/// The parts of a timeline: each has the tracks of one kind of unit, is one file and registers itself there. Some are always
/// present, others on request (`--timeline-detail`).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/probes/probe.h"
#include "platform/probes/timeline/trace_events.h"
#include "tlm/base/registry.h"

namespace gputlm {

class TimelinePart {
 public:
  virtual ~TimelinePart() = default;
  /// Called once, before the run. Both arguments outlive the part.
  virtual void attach(ProbeSite& site, TraceEvents& events) = 0;
  /// Called after the last event: everything unfinished is cut at `end`.
  virtual void finish(TraceEvents::Key /*end*/) {}
};

/// A part whose tracks belong to one process, and whose events have times in core cycles.
class TrackPart : public TimelinePart {
 protected:
  /// Call it first in attach(). `name`: returns the name of a track, by its number.
  void begin(ProbeSite& site, TraceEvents& events, std::string_view process, LazyTracks::Name name) {
    workload_ = &site.workload();
    clock_ = site.clock;
    events_ = &events;
    tracks_.emplace(events, process, std::move(name));
  }

  const Workload* workload_ = nullptr;
  Clock clock_{1};
  TraceEvents* events_ = nullptr;
  std::optional<LazyTracks> tracks_;
};

struct TimelinePartInfo : Registered {
  std::string description;
  bool asked = false;  ///< present only on request
  std::function<std::unique_ptr<TimelinePart>()> make;
};

/// All parts; the rank determines the position of their tracks.
Registry<TimelinePartInfo>& timeline_parts();

template <class P>
void add_timeline_part(const std::string& name, const std::string& description, unsigned rank, bool asked = false) {
  timeline_parts().add({{name, rank}, description, asked, [] { return std::make_unique<P>(); }});
}

/// Labels, escaped for JSON strings.
class LaunchNames {
 public:
  explicit LaunchNames(const Workload& workload);
  /// Valid until the next call.
  const std::string& of(std::uint32_t command, std::uint32_t iteration);

 private:
  std::vector<std::string> labels_;
  std::string again_;
};

/// The id of all arrows that lead to a launch.
inline std::uint64_t flow_of(const Workload& workload, std::uint32_t command, std::uint32_t iteration) {
  return iteration * std::uint64_t{workload.launches.size()} + command + 1;
}

}  // namespace gputlm
