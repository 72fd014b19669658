/// A recording of a decision in a run: lines of KIND.csv, written by the probe of the kind's name and played on hardware
/// designs by `gputlm check --traffic` and `gputlm cost --activity` (docs/rtl.md). A kind describes its recording once, in a
/// struct `R` that its probe contains:
///
///   using Event                  an event (models/*/decisions.h), with the cycle `at` and a `kind`
///   kKind, kUnit, kClock         "arbiter", the unit that the probe's value numbers, "CHANNEL", and the unit of `at`
///   kDecides, kWho               "what the scheduler of a DRAM channel decides", "a memory arbiter"
///   events(), kEvents            names of the kinds of events, and their meanings
///   columns(v)                   one call per column: v.number() or v.text()
///   is_decision(kind)            whether it counts towards the number of decisions to record
///   place(site, value)           where to listen; throws InputError
///   first(), adopt(event)        initial events; false for an event of another place; Recorded has defaults for both
///   Rules                        check(csv, event): relations between columns of a line, or between lines; optional
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "platform/files/csv.h"
#include "platform/probes/probe.h"
#include "platform/probes/row_file.h"
#include "testbench/kind/recorded_run.h"
#include "tlm/base/error.h"

namespace gputlm {

/// The value of such a probe: `UNIT`, `UNIT,DECISIONS` or nothing.
struct RecordingValue {
  /// `unit`: name of the numbered unit, for messages. Throws InputError for anything else.
  RecordingValue(const std::string& probe, const std::string& value, const char* unit);

  std::size_t unit = 0;
  std::uint64_t decisions = 100'000;  ///< number of decisions after which the recording ends

  /// Throws InputError if the number of units is too small.
  void check(std::size_t units) const;

 private:
  std::string probe_, what_;
};

template <class Event>
struct RecordedPlace {
  Unit& unit;
  Tap<Event>& tap;
};

/// Base of the structs, with defaults.
template <class E>
struct Recorded {
  using Event = E;
  struct Rules {
    void check(const CsvReader&, Event&) {}
  };
  std::vector<Event> first() const { return {}; }
  bool adopt(Event&) { return true; }
};

struct ColumnRange {
  std::int64_t least;
  std::uint64_t most;
};

namespace recording_detail {

template <class R>
struct Row {
  const typename R::Event& event;

  template <class Visitor>
  struct Columns {
    Visitor& v;
    template <class Of>
    void number(Of of, const char* name, Value form, const char* meaning, ColumnRange = {}) {
      v.field(
          [of](const Row& r) {
            const auto& value = of(r.event);
            if constexpr (sizeof value == 1) {
              return static_cast<unsigned>(value);
            } else {
              return value;
            }
          },
          name, form, meaning);
    }
    template <class Write, class Read>
    void text(Write write, Read, const char* name, const char* meaning) {
      v.field([write](const Row& r) { return write(r.event); }, name, Value{}, meaning);
    }
  };
  template <class Visitor>
  static void describe(Visitor& v) {
    v.field([](const Row& r) { return r.event.at; }, "cycle", Value{R::kClock}, "Time of the event");
    v.field(
        [](const Row& r) {
          static const std::vector<const char*> names = R::events();
          return names[static_cast<std::size_t>(r.event.kind)];
        },
        "event", Value{}, R::kEvents);
    Columns<Visitor> columns{v};
    R::columns(columns);
  }
};

template <class R>
struct Read {
  CsvReader& csv;
  typename R::Event& event;

  /// The default range is that of the type.
  template <class Of>
  void number(Of of, const char* name, Value, const char*) {
    using T = std::decay_t<decltype(of(event))>;
    number(of, name, Value{}, "", ColumnRange{0, static_cast<std::uint64_t>(std::numeric_limits<T>::max())});
  }
  template <class Of>
  void number(Of of, const char* name, Value, const char*, ColumnRange range) {
    auto& value = of(event);
    const std::size_t column = csv.column(name);
    const bool is_negative = range.least < 0 && csv.integer(column) < 0;
    const bool allowed = is_negative
                             ? csv.integer(column) >= range.least
                             : csv.number(column) <= range.most &&
                                   (range.least < 0 || csv.number(column) >= static_cast<std::uint64_t>(range.least));
    if (!allowed) csv.fail(fmt::format("{}: allowed is {} to {}", name, range.least, range.most));
    value = static_cast<std::decay_t<decltype(value)>>(is_negative ? csv.integer(column) : csv.number(column));
  }
  template <class Write, class Parse>
  void text(Write, Parse parse, const char* name, const char*) {
    parse(csv, event, csv.field(csv.column(name)));
  }
};

template <class R>
class RecordingProbe final : public Probe {
 public:
  explicit RecordingProbe(const std::string& value) : value_(R::kKind, value, R::kUnit) {}

  void attach(ProbeSite& site) override {
    const auto place = recorded_.place(site, value_);
    csv_.open(site, std::string(R::kKind) + ".csv");
    for (const auto& event : recorded_.first()) note(event);
    site.watch(place.unit, place.tap, [this](const typename R::Event& event) { note(event); });
  }

 private:
  void note(typename R::Event event) {
    if (decided_ == value_.decisions || !recorded_.adopt(event)) return;
    if (R::is_decision(event.kind)) ++decided_;
    csv_.write({event});
  }

  RecordingValue value_;
  R recorded_;
  std::uint64_t decided_ = 0;
  RowFile<Row<R>> csv_;
};

}  // namespace recording_detail

/// Registers the probe and its file. `rank`: that of the kind.
template <class R>
void add_recording(unsigned rank) {
  const std::string kind = R::kKind;
  add_probe<recording_detail::RecordingProbe<R>>(
      kind, fmt::format("{}.csv: {}, to be played on hardware", kind, R::kDecides), 30 + rank);
  add_row_table<recording_detail::Row<R>>(kind + ".csv",
                                          fmt::format("Inputs and decisions of {}; `--probe {}`", R::kWho, kind));
}

/// The lines of a run's recording. Throws InputError, with file and line, for invalid lines, and if there is no recording.
template <class R>
std::vector<typename R::Event> read_recording(const RecordedRun& run) {
  const std::string file = std::string(R::kKind) + ".csv", text = run.text(file, R::kKind);
  CsvReader csv(run.folder() + "/" + file, text);
  const std::size_t cycle = csv.column("cycle"), kind = csv.column("event");
  const std::vector<const char*> names = R::events();
  std::vector<typename R::Event> events;
  typename R::Rules rules;
  while (csv.next()) {
    typename R::Event event;
    event.at = csv.number(cycle);
    if (!events.empty() && event.at < events.back().at) csv.fail("found a cycle before that of the line above");
    const auto named = std::find(names.begin(), names.end(), csv.field(kind));
    if (named == names.end()) {
      csv.fail(fmt::format("event: found '{}', allowed: {}", shortened(std::string(csv.field(kind))),
                           fmt::join(names, ", ")));
    }
    event.kind = static_cast<decltype(event.kind)>(named - names.begin());
    recording_detail::Read<R> columns{csv, event};
    R::columns(columns);
    rules.check(csv, event);
    events.push_back(event);
  }
  if (events.empty()) throw InputError(run.folder() + "/" + file + ": has no event: nothing was decided there");
  return events;
}

}  // namespace gputlm
