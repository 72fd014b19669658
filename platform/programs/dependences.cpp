#include "platform/programs/dependences.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace gputlm {
namespace {

using CallKind = MeasuredCall::Kind;
using EntryKind = StreamEntry::Kind;

constexpr Time kRefuted = INT64_MIN;

/// Commands of a stream by issue time, with the time at which all commands up to each had ended.
class Ends {
 public:
  struct At {
    Time measured = INT64_MIN;  ///< as measured by the profiler
    Time known = INT64_MIN;     ///< as noticed by the host
  };
  /// Called in the order of issue.
  void add(Time issued, At end) {
    if (!ends_.empty()) {
      issued = std::max(issued, issued_.back());
      end.measured = std::max(end.measured, ends_.back().measured);
      end.known = std::max(end.known, ends_.back().known);
    }
    issued_.push_back(issued);
    ends_.push_back(end);
  }
  At all() const { return ends_.empty() ? At() : ends_.back(); }
  /// The end of all commands issued before `time`.
  At before(Time time) const { return at(std::lower_bound(issued_.begin(), issued_.end(), time)); }
  /// The end of all commands issued up to `time`.
  At until(Time time) const { return at(std::upper_bound(issued_.begin(), issued_.end(), time)); }

 private:
  At at(std::vector<Time>::const_iterator behind) const {
    return behind == issued_.begin() ? At() : ends_[static_cast<std::size_t>(behind - issued_.begin()) - 1];
  }
  std::vector<Time> issued_;
  std::vector<At> ends_;
};

class Finder {
 public:
  Finder(const Program& program, const DependenceSetup& setup) : program_(program), setup_(setup) {}

  Dependences find() {
    out_.commands.resize(program_.commands.size());
    out_.streams.resize(program_.streams.size());
    out_.blocking.assign(program_.streams.size(), true);
    out_.waited_for.assign(program_.events, false);
    issue_commands();
    order_streams();
    settle_entries();
    if (refute_default_streams()) settle_entries();
    for (std::size_t s = 0; s < out_.streams.size(); ++s) hold(s);
    settle_contended();
    find_unknown_waits();
    time_calls();
    find_launch_queue();
    return std::move(out_);
  }

 private:
  Time time(Nanoseconds at) const { return (at - setup_.origin) * kFemtosecondsOfNs; }
  const CommandLatency& latency(std::size_t command) const {
    return program_.commands[command].kernel() ? setup_.kernels : setup_.copies;
  }
  Time start(std::size_t command) const { return time(program_.commands[command].start); }
  Time submitted(std::size_t command) const { return start(command) - latency(command).begin; }
  Ends::At end(std::size_t command) const {
    const Time at = time(program_.commands[command].end);
    return {at, at + latency(command).end};
  }

  void check(const char* name, const char* meaning, const std::string& where) {
    const auto known =
        std::find_if(out_.checks.begin(), out_.checks.end(), [&](const auto& c) { return c.name == name; });
    if (known == out_.checks.end()) {
      out_.checks.push_back({name, meaning, 1, where});
    } else {
      ++known->count;
    }
  }

  void issue_commands() {
    for (const MeasuredThread& thread : program_.threads) {
      for (const MeasuredCall& call : thread.calls) {
        if (call.kind != CallKind::kCommands) continue;
        for (std::optional<std::size_t> c = call.what; c; c = program_.commands[*c].next) {
          out_.commands[*c].issued = time(call.entered);
          out_.commands[*c].has_call = true;
        }
      }
    }
    // Commands called for before the start of the capture were in their streams when it began.
    std::vector<bool> called(program_.streams.size(), false);
    for (std::size_t c = 0; c < program_.commands.size(); ++c)
      called[program_.commands[c].stream] = called[program_.commands[c].stream] || out_.commands[c].has_call;
    std::vector<bool> begun(program_.streams.size(), false);
    for (std::size_t c = 0; c < program_.commands.size(); ++c) {
      const std::size_t stream = program_.commands[c].stream;
      if (out_.commands[c].has_call) {
        begun[stream] = true;
      } else {
        out_.commands[c].issued = called[stream] && !begun[stream] ? 0 : std::max<Time>(submitted(c), 0);
        if (called[stream])
          check("calls not recorded",
                "commands have no call of the host; they go into their streams when the capture begins, or when they "
                "began",
                program_.commands[c].label);
      }
    }
  }

  /// Orders commands by their start, which is the order in which the GPU took them; other entries are inserted by the time of
  /// their calls.
  void order_streams() {
    std::vector<std::vector<StreamEntry>> events(program_.streams.size());
    for (const MeasuredThread& thread : program_.threads) {
      for (const MeasuredCall& call : thread.calls) {
        if (call.kind == CallKind::kRecordEvent)
          events[call.stream].push_back({EntryKind::kRecord, call.what, time(call.start)});
        if (call.kind == CallKind::kWaitEvent)
          events[call.stream].push_back({EntryKind::kWait, call.what, time(call.start)});
        if (call.kind == CallKind::kWaitEvent || call.kind == CallKind::kSynchronizeEvent)
          out_.waited_for[call.what] = true;
      }
    }
    for (auto& list : events) {
      std::stable_sort(list.begin(), list.end(),
                       [](const StreamEntry& a, const StreamEntry& b) { return a.issued < b.issued; });
    }
    std::vector<std::size_t> next(program_.streams.size(), 0);
    for (std::size_t c = 0; c < program_.commands.size(); ++c) {
      const std::size_t s = program_.commands[c].stream;
      std::vector<StreamEntry>& list = out_.streams[s];
      while (next[s] < events[s].size() && events[s][next[s]].issued <= out_.commands[c].issued)
        list.push_back(events[s][next[s]++]);
      list.push_back({EntryKind::kCommand, c, out_.commands[c].issued});
    }
    for (std::size_t s = 0; s < events.size(); ++s) {
      out_.streams[s].insert(out_.streams[s].end(), events[s].begin() + static_cast<std::ptrdiff_t>(next[s]),
                             events[s].end());
    }
  }

  /// Computes the end of each entry of each stream, in the order of issue. A record or a wait ends when everything before it
  /// has ended and, for a wait, the event was reached. If the command after a wait began before the event was reached, it did
  /// not wait for the event.
  void settle_entries() {
    struct Entry {
      Time issued;
      std::size_t stream;
      StreamEntry* entry;
      std::size_t next;  ///< index of the stream's next command; the number of commands: none
    };
    std::vector<Entry> order;
    for (std::size_t s = 0; s < out_.streams.size(); ++s) {
      Time issued = INT64_MIN;
      const std::size_t first = order.size();
      for (StreamEntry& entry : out_.streams[s])
        order.push_back({issued = std::max(issued, entry.issued), s, &entry, program_.commands.size()});
      for (std::size_t e = order.size(); e-- > first + 1;) {
        const StreamEntry& entry = *order[e].entry;
        order[e - 1].next = entry.kind == EntryKind::kCommand ? entry.what : order[e].next;
      }
    }
    std::stable_sort(order.begin(), order.end(), [](const Entry& a, const Entry& b) { return a.issued < b.issued; });
    ends_.assign(program_.streams.size(), {});
    reached_.assign(program_.events, {});
    for (const Entry& at : order) {
      if (at.entry->kind == EntryKind::kWait && at.next < program_.commands.size() &&
          reached_[at.entry->what].measured > start(at.next)) {
        check("waits refuted", "waits for events end after the start of the command that waits; they are left out",
              program_.commands[at.next].label);
        at.entry->issued = kRefuted;
        continue;
      }
      ends_[at.stream].add(at.issued, end_of(at.stream, *at.entry));
    }
    for (std::vector<StreamEntry>& list : out_.streams) {
      list.erase(std::remove_if(list.begin(), list.end(), [](const StreamEntry& e) { return e.issued == kRefuted; }),
                 list.end());
    }
    for (std::size_t c = 0; c < program_.commands.size(); ++c) out_.end = std::max(out_.end, end(c).known);
  }

  Ends::At end_of(std::size_t stream, const StreamEntry& entry) {
    if (entry.kind == EntryKind::kCommand) return end(entry.what);
    Ends::At at{entry.issued, entry.issued};
    const auto wait_for = [&](const Ends::At& other) {
      at.measured = std::max(at.measured, other.measured);
      at.known = std::max(at.known, other.known);
    };
    wait_for(ends_[stream].all());
    wait_for(ordered(stream, entry.issued));
    if (entry.kind == EntryKind::kWait) {
      wait_for(reached_[entry.what]);
    } else {
      reached_[entry.what] = at;
    }
    return at;
  }

  bool same_context(std::size_t a, std::size_t b) const {
    return program_.streams[a].process == program_.streams[b].process &&
           program_.streams[a].context == program_.streams[b].context;
  }

  /// The time at which the default stream's order allows a command: everything issued before it to streams on the other side
  /// of that order has ended.
  Ends::At ordered(std::size_t stream, Time issued) const {
    Ends::At latest;
    const StreamKind kind = program_.streams[stream].kind;
    if (kind == StreamKind::kNonBlocking || !out_.blocking[stream]) return latest;
    for (std::size_t other = 0; other < program_.streams.size(); ++other) {
      if (other == stream || !same_context(stream, other) || !out_.blocking[other]) continue;
      const StreamKind of = program_.streams[other].kind;
      const bool ordered = (kind == StreamKind::kDefault && of == StreamKind::kBlocking) ||
                           (kind == StreamKind::kBlocking && of == StreamKind::kDefault);
      if (!ordered) continue;
      const Ends::At before = ends_[other].before(issued);
      latest.measured = std::max(latest.measured, before.measured);
      latest.known = std::max(latest.known, before.known);
    }
    return latest;
  }

  bool refute_default_streams() {
    bool refuted = false;
    for (std::size_t c = 0; c < program_.commands.size(); ++c) {
      const std::size_t stream = program_.commands[c].stream;
      if (program_.streams[stream].kind != StreamKind::kBlocking || !out_.blocking[stream]) continue;
      if (ordered(stream, out_.commands[c].issued).measured <= start(c)) continue;
      out_.blocking[stream] = false;
      refuted = true;
      check("default stream",
            "streams do not wait for the default stream, although the capture calls them blocking; they run as "
            "non-blocking ones",
            program_.commands[c].label);
    }
    return refuted;
  }

  void hold(std::size_t stream) {
    Time ended = INT64_MIN, measured_end = INT64_MIN, submitted_before = 0;
    bool follows = false;  // the previous entry is a command
    for (const StreamEntry& entry : out_.streams[stream]) {
      if (entry.kind == EntryKind::kWait) ended = std::max(ended, reached_[entry.what].known);
      if (entry.kind != EntryKind::kCommand) {
        follows = false;
        continue;
      }
      const std::size_t c = entry.what;
      CommandTiming& timing = out_.commands[c];
      bool overlaps = start(c) < measured_end;
      if (overlaps && !follows) {
        check("overlap across an event",
              "commands begin before those before them in their stream have ended, with an event "
              "between the two; they wait",
              program_.commands[c].label);
        overlaps = false;
      }
      timing.overlaps = overlaps;
      Time held = timing.issued;
      held = std::max({held, overlaps ? submitted_before : ended, ordered(stream, timing.issued).known});
      if (held > submitted(c))
        check("shorter than the model's latencies",
              "commands begin sooner after the command that they wait for than the model's latencies between host and "
              "GPU allow; they begin later by the difference",
              program_.commands[c].label);
      timing.delay = std::max<Time>(submitted(c) - held, 0);
      held_.push_back({c, held});
      ended = std::max(ended, end(c).known);
      measured_end = std::max(measured_end, end(c).measured);
      submitted_before = submitted(c);
      follows = true;
    }
  }

  /// Whether other commands that ran from `held` on left no room for this command.
  bool contended(std::size_t c, Time held) const {
    const MeasuredCommand& command = program_.commands[c];
    const auto is_of_host = [](const MeasuredCopy& copy) {
      return copy.kind == CopyKind::kHostToDevice || copy.kind == CopyKind::kDeviceToHost;
    };
    double used = command.kernel() ? setup_.least_share_of_gpu(*command.kernel()) : 0;
    for (std::size_t other = c; other-- > 0 && latest_end_[other] > held;) {
      if (end(other).measured <= held || start(other) == start(c)) continue;
      const MeasuredCommand& beside = program_.commands[other];
      if (beside.kernel() && command.kernel()) {
        used += setup_.share_of_gpu(*beside.kernel());
        if (used > 1) return true;
      } else if (beside.copy() && command.copy() && is_of_host(*beside.copy()) == is_of_host(*command.copy())) {
        return true;
      }
    }
    return false;
  }

  /// A command that waited for room waits again in the run. The rest of its delay is unknown and taken to be 0.
  void settle_contended() {
    Time latest = INT64_MIN;
    for (std::size_t c = 0; c < program_.commands.size(); ++c)
      latest_end_.push_back(latest = std::max(latest, end(c).measured));
    for (const Held& held : held_) {
      CommandTiming& timing = out_.commands[held.command];
      if (timing.delay == 0 || timing.overlaps || !contended(held.command, held.until)) continue;
      timing.delay = 0;
      check("waited for room",
            "commands waited for room that others took; they wait for it again, as long as it takes here",
            program_.commands[held.command].label);
      if (held.until == timing.issued && program_.commands[held.command].kernel()) timing.early = setup_.kernel_launch;
    }
  }

  /// A command that begins when another stream's command ends, long after it was free to begin, may have waited for that
  /// command.
  void find_unknown_waits() {
    constexpr Time kInstant = 2'000 * kFemtosecondsOfNs, kLong = 20'000 * kFemtosecondsOfNs;
    std::vector<std::pair<Time, std::size_t>> ended;  // end time and stream
    for (std::size_t c = 0; c < program_.commands.size(); ++c)
      ended.emplace_back(end(c).measured, program_.commands[c].stream);
    std::sort(ended.begin(), ended.end());
    for (const Held& held : held_) {
      const Time begun = start(held.command);
      if (out_.commands[held.command].delay < kLong) continue;
      const auto from = std::lower_bound(ended.begin(), ended.end(), std::pair(begun - kInstant, std::size_t{0}));
      const auto to = std::upper_bound(from, ended.end(), std::pair(begun, ~std::size_t{0}));
      const bool follows = std::any_of(
          from, to, [&](const auto& other) { return other.second != program_.commands[held.command].stream; });
      if (follows)
        check(
            "may have waited",
            "commands began within 2 us of the end of another stream's, 20 us and more after they could have; if they "
            "waited for it, the capture does not say so, and they do not wait here",
            program_.commands[held.command].label);
    }
  }

  Ends::At awaited(const MeasuredCall& call) const {
    const Time start = time(call.start);
    Ends::At latest;
    const auto wait_for = [&](const Ends::At& at) {
      latest.measured = std::max(latest.measured, at.measured);
      latest.known = std::max(latest.known, at.known);
    };
    switch (call.kind) {
      case CallKind::kCommands: wait_for(end(call.what)); break;
      case CallKind::kSynchronizeEvent: wait_for(reached_[call.what]); break;
      case CallKind::kSynchronizeStream: wait_for(ends_[call.stream].until(start)); break;
      case CallKind::kSynchronizeDevice:
        for (std::size_t s = 0; s < ends_.size(); ++s) {
          if (same_context(s, call.stream)) wait_for(ends_[s].until(start));
        }
        break;
      case CallKind::kRecordEvent:
      case CallKind::kWaitEvent: break;
    }
    return latest;
  }

  void time_calls() {
    for (const MeasuredThread& thread : program_.threads) {
      std::vector<CallTiming>& calls = out_.calls.emplace_back();
      for (const MeasuredCall& call : thread.calls) {
        CallTiming timing{time(call.start), false, time(call.entered)};
        out_.end = std::max(out_.end, time(call.end));
        const bool synchronizes = call.kind >= CallKind::kSynchronizeStream || call.waits;
        if (synchronizes) {
          const Ends::At until = awaited(call);
          const bool has_waited = until.measured > timing.start, in_time = until.measured <= time(call.end);
          timing.waits = in_time && (has_waited || !call.implied);
          if (timing.waits) timing.resumed = std::max(timing.start, until.known);
          if (!in_time && !call.implied)
            check("returned early", "calls return before the commands that they wait for have ended; they do not wait",
                  call.kind == CallKind::kCommands ? program_.commands[call.what].label
                                                   : fmt::format("{} ns", call.start));
        }
        calls.push_back(timing);
      }
    }
  }

  /// A call that had to wait for room found the queue full. The queue then held its maximum number of commands.
  void find_launch_queue() {
    struct Times {
      std::vector<Time> issued, ended;
    };
    std::map<std::size_t, Times> of;  // times of commands, by stream
    for (const MeasuredThread& thread : program_.threads) {
      for (const MeasuredCall& call : thread.calls) {
        if (call.entered == call.start || call.kind != CallKind::kCommands) continue;
        const std::size_t stream = program_.commands[call.what].stream;
        const auto [at, is_new] = of.try_emplace(stream);
        Times& times = at->second;
        if (is_new) {
          for (const StreamEntry& entry : out_.streams[stream]) {
            if (entry.kind != EntryKind::kCommand) continue;
            times.issued.push_back(entry.issued);
            times.ended.push_back(end(entry.what).measured);
          }
          std::sort(times.issued.begin(), times.issued.end());
          std::sort(times.ended.begin(), times.ended.end());
        }
        const Time start = time(call.start);
        const auto issued = std::lower_bound(times.issued.begin(), times.issued.end(), start) - times.issued.begin();
        const auto ended = std::upper_bound(times.ended.begin(), times.ended.end(), start) - times.ended.begin();
        out_.launch_queue =
            std::max(out_.launch_queue, static_cast<std::size_t>(std::max<std::ptrdiff_t>(issued - ended, 0)));
      }
    }
  }

  struct Held {
    std::size_t command;
    Time until;
  };

  const Program& program_;
  const DependenceSetup& setup_;
  Dependences out_;
  std::vector<Ends> ends_;         ///< ends of the commands of each stream
  std::vector<Ends::At> reached_;  ///< time at which each event was reached
  std::vector<Held> held_;
  std::vector<Time> latest_end_;  ///< latest end of the commands up to each one
};

}  // namespace

Dependences dependences(const Program& program, const DependenceSetup& setup) { return Finder(program, setup).find(); }

}  // namespace gputlm
