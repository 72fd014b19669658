#include "platform/programs/replay_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace gputlm {
namespace {

using CallKind = MeasuredCall::Kind;
using EntryKind = StreamEntry::Kind;
using StepKind = ReplayStep::Kind;

/// Waits that the measured times do not refute, by stream and event.
using KeptWaits = std::set<std::pair<std::size_t, std::size_t>>;

KeptWaits kept_waits(const Dependences& timing) {
  KeptWaits kept;
  for (std::size_t s = 0; s < timing.streams.size(); ++s) {
    for (const StreamEntry& entry : timing.streams[s]) {
      if (entry.kind == EntryKind::kWait) kept.insert({s, entry.what});
    }
  }
  return kept;
}

/// Adds the steps of a call of the host.
void add_call(const MeasuredCall& call, const CallTiming& at, const Program& program, const Dependences& timing,
              const KeptWaits& kept, std::vector<ReplayStep>& steps) {
  ReplayStep step{StepKind::kCommand, call.what, call.stream, at.start, at.resumed, at.waits};
  switch (call.kind) {
    case CallKind::kCommands:
      for (std::optional<std::size_t> c = call.what; c; c = program.commands[*c].next) {
        step.what = *c;
        step.stream = program.commands[*c].stream;
        step.at = std::max<Time>(at.start - timing.commands[*c].early, 0);
        steps.push_back(step);
      }
      return;
    case CallKind::kRecordEvent:
      if (!timing.waited_for[call.what]) return;
      step.kind = StepKind::kRecord;
      break;
    case CallKind::kWaitEvent:
      if (kept.count({call.stream, call.what}) == 0) return;
      step.kind = StepKind::kWait;
      break;
    case CallKind::kSynchronizeStream: step.kind = StepKind::kSynchronizeStream; break;
    case CallKind::kSynchronizeDevice: step.kind = StepKind::kSynchronizeDevice; break;
    case CallKind::kSynchronizeEvent: step.kind = StepKind::kSynchronizeEvent; break;
  }
  if (step.kind >= StepKind::kSynchronizeStream && !at.waits) return;
  steps.push_back(step);
}

StepKind step_kind(EntryKind kind) {
  switch (kind) {
    case EntryKind::kCommand: return StepKind::kCommand;
    case EntryKind::kRecord: return StepKind::kRecord;
    case EntryKind::kWait: break;
  }
  return StepKind::kWait;
}

}  // namespace

std::vector<ReplayLane> lanes_of_threads(const Program& program, const Dependences& timing) {
  std::vector<ReplayLane> lanes;
  const KeptWaits kept = kept_waits(timing);
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const MeasuredThread& thread = program.threads[t];
    ReplayLane lane{thread.name.empty() ? fmt::format("thread {}", thread.id)
                                        : fmt::format("{} {}", thread.name, thread.id)};
    for (std::size_t i = 0; i < thread.calls.size(); ++i) {
      lane.stream = thread.calls[i].stream;
      add_call(thread.calls[i], timing.calls[t][i], program, timing, kept, lane.steps);
    }
    if (!lane.steps.empty()) lanes.push_back(std::move(lane));
  }
  for (std::size_t s = 0; s < program.streams.size(); ++s) {
    ReplayLane lane{fmt::format("before the capture, stream {}", program.streams[s].id), s};
    for (const StreamEntry& entry : timing.streams[s]) {
      if (entry.kind == EntryKind::kCommand && !timing.commands[entry.what].has_call)
        lane.steps.push_back({StepKind::kCommand, entry.what, s, entry.issued, entry.issued});
    }
    if (!lane.steps.empty()) lanes.push_back(std::move(lane));
  }
  return lanes;
}

std::vector<ReplayLane> lanes_of_streams(const Program& program, const Dependences& timing, Release release,
                                         Nanoseconds origin) {
  std::vector<ReplayLane> lanes;
  const bool starts = release == Release::kStart;
  // Relative to the first command: copies and kernels then keep their measured distances.
  const auto submitted = [&](std::size_t command) {
    return static_cast<Time>((program.commands[command].start - origin) * kFemtosecondsOfNs);
  };
  for (std::size_t s = 0; s < program.streams.size(); ++s) {
    ReplayLane lane{fmt::format("stream {}", program.streams[s].id), s};
    Time due = 0;
    for (const StreamEntry& entry : timing.streams[s]) {
      const bool command = entry.kind == EntryKind::kCommand;
      if (release != Release::kNone && (command || !starts))
        due = std::max(due, starts ? submitted(entry.what) : entry.issued);
      lane.steps.push_back({step_kind(entry.kind), entry.what, s, due, due});
    }
    if (!lane.steps.empty()) lanes.push_back(std::move(lane));
  }
  return lanes;
}

}  // namespace gputlm
