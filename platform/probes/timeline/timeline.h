/// A timeline in Chrome's trace event format, which Perfetto, Chrome's viewer and speedscope open ("Trace Event Format",
/// Google, 2016), and its parts: each has the tracks of one kind of unit, is one file and registers itself there. Some are
/// always present, others on request (`--timeline-detail`).
///
/// Times are truncated to whole nanoseconds, the resolution of viewers; so slices that nest or follow each other also do so
/// in the file.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/files/atomic_file.h"
#include "platform/probes/merged.h"
#include "platform/probes/probe.h"
#include "tlm/base/registry.h"
#include "tlm/base/time.h"

namespace gputlm {

/// Escapes a text for a JSON string.
std::string json_escaped(std::string_view text);

/// Writes the events in the order of time during the run (merged.h).
class TraceEvents {
 public:
  using Key = TimeKey;
  /// A row within a process of the viewer. Numbers begin with 1: Perfetto takes 0 for the idle thread.
  struct Track {
    unsigned process = 0, thread = 0;
  };
  /// An arrow from slices with id `out` to slices with id `in`. 0: none.
  struct Flow {
    std::uint64_t id = 0;
    bool in = false, out = false;
  };

  explicit TraceEvents(AtomicFile& file);

  /// Adds a source of events, in the order in which units were made.
  std::uint32_t add_source() { return next_source_++; }
  /// Adds a group of tracks; groups are shown in the order of these calls.
  unsigned add_process(std::string_view name);
  void name_track(Key key, Track track, std::string_view name);

  // Names and arguments must be JSON already: json_escaped(), args().
  void slice(Key key, Track track, std::string_view name, Femtoseconds from, Femtoseconds to,
             std::string_view args = {}) {
    slice(key, track, name, from, to, args, Flow());
  }
  void slice(Key key, Track track, std::string_view name, Femtoseconds from, Femtoseconds to, std::string_view args,
             Flow flow);
  void instant(Key key, Track track, std::string_view name, Femtoseconds at);
  /// Formats the members of an object; valid until the next call.
  template <class... Values>
  std::string_view args(fmt::format_string<Values...> format, Values&&... values) {
    args_.clear();
    fmt::format_to(std::back_inserter(args_), format, std::forward<Values>(values)...);
    return {args_.data(), args_.size()};
  }

  /// Adds a chart of values over time and returns its number. The number of points is limited to what a viewer can show: the
  /// first few thousand changes are written as they are, later ones at intervals that grow with the run.
  unsigned add_counter(unsigned process, std::string_view name, const std::vector<std::string>& series);
  /// `at` must not be after the key's time.
  void count(Key key, unsigned counter, unsigned series, std::int32_t change);

  /// The latest time reported so far.
  Femtoseconds latest() const { return order_.latest(); }
  void finish();

 private:
  /// An event as text, or a change of a counter.
  struct Item {
    std::string text;
    unsigned counter = 0, series = 0;
    std::int32_t change = 0;
  };
  struct Counter {
    unsigned process;
    std::string name;
    std::vector<std::string> series;
    std::vector<std::int64_t> values;
    bool changed = false;       ///< changed since it was last written
    Femtoseconds due = 0;       ///< time at which it will be written
    Femtoseconds interval = 0;  ///< minimum distance between two points
    unsigned points = 0;        ///< number of points at this interval
  };

  void add(Key key) { order_.add(key, {std::string(text_.data(), text_.size())}); }
  void take(Femtoseconds at, const Item& item);
  void write(Counter& counter);
  void write_line(std::string_view event);

  AtomicFile& file_;
  std::uint32_t next_source_ = 1;
  unsigned processes_ = 0;
  bool first_ = true;
  fmt::memory_buffer text_, args_, line_;
  std::vector<Counter> counters_;
  TimeOrder<Item> order_{[this](Femtoseconds at, const Item& item) { take(at, item); }};
};

/// A process and its tracks, which are named on first use: an SM has many slots. Each track belongs to one unit.
class LazyTracks {
 public:
  using Name = std::function<std::string(unsigned)>;
  LazyTracks(TraceEvents& events, std::string_view process_name, Name name)
      : events_(&events), process_(events.add_process(process_name)), name_(std::move(name)) {}
  TraceEvents::Track at(TraceEvents::Key key, std::size_t number);

 private:
  TraceEvents* events_;
  unsigned process_;
  Name name_;
  std::vector<bool> named_;
};

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
