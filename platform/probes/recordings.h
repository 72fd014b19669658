/// What a decision of a run was told and asked, as files that a probe writes and that are played on designs of hardware:
/// `gputlm check --traffic`, `gputlm cost --activity` (docs/rtl.md). The format of each is in one file, that of the probe:
/// arbiter.cpp, flit_arbiter.cpp, ...
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <any>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platform/files/csv.h"
#include "tlm/error.h"
#include "tlm/registry.h"

namespace gputlm {

/// A run with files (`gputlm run --out FOLDER`), some of which are recordings.
class RecordedRun {
 public:
  /// Throws InputError if the folder has no result of a run.
  explicit RecordedRun(std::string folder);

  const std::string& folder() const { return folder_; }
  bool has(const std::string& file) const;
  /// Throws InputError, with the probe that writes the file, if it is not there.
  std::string text(const std::string& file, const std::string& probe) const;
  /// Whether the run's GPU has a parameter, "dram.queue"; and values of those that it has.
  bool knows(const std::string& parameter) const { return find(parameter) != nullptr; }
  double number(const std::string& parameter) const;
  std::string name(const std::string& parameter) const;

 private:
  const nlohmann::json* find(const std::string& parameter) const;
  const nlohmann::json& value(const std::string& parameter) const;

  std::string folder_;
  nlohmann::json configuration_;
};

/// How the recording of a kind of decision is read. The name is that of the kind, and of the probe that has written it.
struct RecordingReader : Registered {
  /// A vector of the kind's events (models/*/decisions.h), in the order of the lines. Throws as read_recording() does.
  std::function<std::any(const RecordedRun& run)> events;
};

Registry<RecordingReader>& recording_readers();

template <class Event>
void add_recording(const std::string& name, std::vector<Event> (*read)(const RecordedRun& run)) {
  recording_readers().add({{name}, [read](const RecordedRun& run) -> std::any { return read(run); }});
}

/// What such a probe is to record: `UNIT`, `UNIT,DECISIONS` or nothing.
struct RecordingValue {
  /// `unit`: what is counted there, for messages. Throws InputError for anything else.
  RecordingValue(const std::string& probe, const std::string& value, const char* unit);

  std::size_t unit = 0;
  std::uint64_t decisions = 100'000;  ///< with which the recording ends

  /// Throws InputError if there are only so many units.
  void check(std::size_t units) const;

 private:
  std::string probe_, what_;
};

/// Names of kinds of events, by number.
using EventNames = std::vector<const char*>;
template <class Kind>
const char* name_of(const EventNames& names, Kind kind) {
  return names[static_cast<std::size_t>(kind)];
}

/// Lines of a recording as events: those columns that all have, `cycle` and `event`, and others by `fill(csv, event)`.
/// Throws InputError, with file and line, for what cannot be, and if there is none.
template <class Event, class Fill>
std::vector<Event> read_recording(const RecordedRun& run, const std::string& file, const std::string& probe,
                                  const EventNames& names, Fill fill) {
  const std::string text = run.text(file, probe);
  CsvReader csv(run.folder() + "/" + file, text);
  const std::size_t cycle = csv.column("cycle"), kind = csv.column("event");
  std::vector<Event> events;
  while (csv.next()) {
    Event event;
    event.at = csv.number(cycle);
    if (!events.empty() && event.at < events.back().at) csv.fail("found a cycle before that of the line above");
    const auto named = std::find(names.begin(), names.end(), csv.field(kind));
    if (named == names.end()) {
      csv.fail(fmt::format("event: found '{}', allowed: {}", shortened(std::string(csv.field(kind))),
                           fmt::join(names, ", ")));
    }
    event.kind = static_cast<typename Event::Kind>(named - names.begin());
    fill(csv, event);
    events.push_back(event);
  }
  if (events.empty()) throw InputError(run.folder() + "/" + file + ": has no event: nothing was decided there");
  return events;
}

}  // namespace gputlm
