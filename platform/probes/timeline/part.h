/// The parts of which a timeline is made: each has the tracks of one kind of unit, is one file, and registers itself
/// there. Some are there always, others if asked for (`--timeline-detail`).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platform/probes/probe.h"
#include "platform/probes/timeline/trace_events.h"
#include "tlm/registry.h"

namespace gputlm {

class TimelinePart {
 public:
  virtual ~TimelinePart() = default;
  /// Called once, before the run. Both arguments outlive the part.
  virtual void attach(ProbeSite& site, TraceEvents& events) = 0;
  /// Nothing happens any more: what is under way is cut at `end`.
  virtual void finish(TraceEvents::Key /*end*/) {}
};

struct TimelinePartInfo : Registered {
  std::string description;
  bool asked = false;  ///< only there if asked for
  std::function<std::unique_ptr<TimelinePart>()> make;
};

/// All parts; their rank is the place of their tracks.
Registry<TimelinePartInfo>& timeline_parts();

template <class P>
void add_timeline_part(const std::string& name, const std::string& description, unsigned rank, bool asked = false) {
  TimelinePartInfo info;
  info.name = name;
  info.rank = rank;
  info.description = description;
  info.asked = asked;
  info.make = [] { return std::make_unique<P>(); };
  timeline_parts().add(std::move(info));
}

/// Labels as they stand in JSON strings.
class LaunchNames {
 public:
  explicit LaunchNames(const Workload& workload);
  /// Valid until it is called again.
  const std::string& of(std::uint32_t command, std::uint32_t iteration);

 private:
  std::vector<std::string> labels_;
  std::string again_;
};

/// The same number for a launch wherever arrows lead to it.
inline std::uint64_t flow_of(const Workload& workload, std::uint32_t command, std::uint32_t iteration) {
  return iteration * std::uint64_t{workload.launches.size()} + command + 1;
}

}  // namespace gputlm
