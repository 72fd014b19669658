/// Events of a timeline as a file in Chrome's trace event format, which Perfetto, Chrome's viewer and speedscope open
/// ("Trace Event Format", Google, 2016). They are written in the order of time as the run goes (merged.h).
///
/// Times are whole nanoseconds, cut off: that is as fine as viewers go, and slices that nest or follow each other do so
/// in the file, too.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/files/atomic_file.h"
#include "platform/probes/merged.h"
#include "tlm/time.h"

namespace gputlm {

/// As it stands between the quotes of a JSON string.
std::string json_escaped(std::string_view text);

class TraceEvents {
 public:
  using Key = TimeKey;
  /// A row of a process of the viewer. Numbers begin with 1: 0 is the idle thread to Perfetto.
  struct Track {
    unsigned process = 0, thread = 0;
  };
  /// An arrow from slices that it goes `out` of to those that it comes `in`. 0: none.
  struct Flow {
    std::uint64_t id = 0;
    bool in = false, out = false;
  };

  explicit TraceEvents(AtomicFile& file);

  /// Someone who tells events; in the order in which units were made.
  std::uint32_t add_source() { return next_source_++; }
  /// A group of tracks; they are shown in the order in which they are added.
  unsigned add_process(std::string_view name);
  void name_track(Key key, Track track, std::string_view name);

  // Names and arguments are JSON already: json_escaped(), args().
  void slice(Key key, Track track, std::string_view name, Femtoseconds from, Femtoseconds to,
             std::string_view args = {}) {
    slice(key, track, name, from, to, args, Flow());
  }
  void slice(Key key, Track track, std::string_view name, Femtoseconds from, Femtoseconds to, std::string_view args,
             Flow flow);
  void instant(Key key, Track track, std::string_view name, Femtoseconds at);
  /// The members of an object; valid until it is called again.
  template <class... Values>
  std::string_view args(fmt::format_string<Values...> format, Values&&... values) {
    args_.clear();
    fmt::format_to(std::back_inserter(args_), format, std::forward<Values>(values)...);
    return {args_.data(), args_.size()};
  }

  /// A chart over time of some values; returns its number. As many changes are written as a viewer can show: the first
  /// few thousand as they are, later ones at intervals that grow with the run.
  unsigned add_counter(unsigned process, std::string_view name, const std::vector<std::string>& series);
  /// `at` is not in the future of the key.
  void count(Key key, unsigned counter, unsigned series, std::int32_t change);

  /// The latest time that has been told.
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
    bool changed = false;       ///< since it was written,
    Femtoseconds due = 0;       ///< and so is to be written for this time
    Femtoseconds interval = 0;  ///< that is left between two times
    unsigned points = 0;        ///< with this interval
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

/// A process and its tracks, which get their names when they are first used: an SM has many slots. A track is one unit's.
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

}  // namespace gputlm
