#include "platform/share/path.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace gputlm {
namespace {

/// Maximum time from the end of the command that held a command until the latter goes: launches that are due in the same
/// cycle go one per cycle (KernelRecord::submitted).
constexpr Cycle kHeld = 4;
/// The same for a thread that returns from a call: its times are rounded to cycles each time.
constexpr Cycle kReturned = 16;

/// A kernel launch or copy of the program that has ended.
struct Command {
  bool is_kernel = false;
  std::size_t place = 0;  ///< index in RunResult::kernels or RunResult::copies
  std::uint32_t command = 0, iteration = 0;
  std::optional<std::uint32_t> job;
  StreamId stream = 0;
  Cycle submitted = 0, arrived = 0, started = 0, end = 0, notified = 0, delay = 0;
  bool overlaps = false;  ///< it may begin after the start of the previous one in its stream
};

class Paths {
 public:
  Paths(const RunResult& result, const Run& run, ApplicationId application)
      : result_(result), run_(run), application_(application), clock_(Clock::from_mhz(run.config.core_mhz)),
        through_(times_through(result, run, application)) {
    collect();
    find_calls();
  }

  std::vector<JobPath> find() {
    std::vector<JobPath> paths;
    const Workload& workload = run_.workload;
    const bool tasks = std::any_of(workload.tasks.begin(), workload.tasks.end(),
                                   [&](const TaskSpec& task) { return task.application == application_; });
    if (!tasks) {
      for (std::size_t i = 0; i < through_.size(); ++i) {
        paths.push_back(
            walk(through_[i].start, through_[i].end, [&](const Command& command) { return command.iteration == i; }));
      }
      return paths;
    }
    for (const JobEnded& job : result_.jobs) {
      if (workload.tasks[workload.jobs[job.job].task].application != application_ || job.iteration >= through_.size())
        continue;
      paths.push_back(walk(job.released, job.notified, [&](const Command& command) {
        return command.job == job.job && command.iteration == job.iteration;
      }));
    }
    return paths;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  template <class Spec>
  void add(const Spec& spec, Command command) {
    if (run_.workload.streams[spec.stream].application != application_) return;
    command.job = spec.job;
    command.stream = spec.stream;
    command.delay = clock_.at_or_after(spec.delay);
    command.overlaps = spec.overlaps;
    commands_.push_back(command);
  }

  void collect() {
    for (std::size_t i = 0; i < result_.kernels.size(); ++i) {
      const KernelRecord& k = result_.kernels[i];
      const LaunchCommand& launch = run_.workload.launches[k.command];
      add(launch,
          {true, i, k.command, k.iteration, {}, 0, k.submitted, k.arrived, k.first_block, k.end, k.notified, 0, false});
      if (launch.programmatic && !commands_.empty()) commands_.back().overlaps = true;
    }
    for (std::size_t i = 0; i < result_.copies.size(); ++i) {
      const CopyRecord& c = result_.copies[i];
      add(run_.workload.copies[c.command],
          {false, i, c.command, c.iteration, {}, 0, c.submitted, c.arrived, c.started, c.ended, c.notified, 0, false});
    }
    std::sort(commands_.begin(), commands_.end(),
              [](const Command& a, const Command& b) { return a.notified < b.notified; });
    for (std::size_t c = 0; c < commands_.size(); ++c) went_[commands_[c].stream].push_back(c);
    for (auto& [stream, all] : went_) {
      std::sort(all.begin(), all.end(),
                [&](std::size_t a, std::size_t b) { return commands_[a].submitted < commands_[b].submitted; });
    }
  }

  /// Finds the calls of threads for commands.
  void find_calls() {
    for (std::size_t t = 0; t < run_.workload.threads.size(); ++t) {
      const ThreadSpec& thread = run_.workload.threads[t];
      if (thread.application != application_) continue;
      for (std::size_t c = 0; c < thread.calls.size(); ++c) {
        if (thread.calls[c].kind == HostCall::Kind::kLaunch) launched_.emplace(thread.calls[c].what, std::pair(t, c));
        if (thread.calls[c].kind == HostCall::Kind::kCopy) copied_.emplace(thread.calls[c].what, std::pair(t, c));
      }
    }
  }

  /// The last command whose end the host noticed by `cycle`, at most `slack` earlier; kNone if there is none.
  std::size_t ended_by(Cycle cycle, Cycle slack) const {
    const auto behind = std::upper_bound(commands_.begin(), commands_.end(), cycle,
                                         [](Cycle c, const Command& command) { return c < command.notified; });
    if (behind == commands_.begin()) return kNone;
    const auto last = std::prev(behind);
    return last->notified + slack >= cycle ? static_cast<std::size_t>(last - commands_.begin()) : kNone;
  }

  /// The command whose end its thread waited for before computing; kNone if that is before `from` or not known.
  std::size_t waited_for(const Command& command, Cycle called, Cycle from) const {
    const auto& calls_of = command.is_kernel ? launched_ : copied_;
    const auto found = calls_of.find(command.command);
    if (found == calls_of.end()) return kNone;
    const std::vector<HostCall>& calls = run_.workload.threads[found->second.first].calls;
    Femtoseconds since = 0;
    for (std::size_t c = found->second.second; c-- > 0;) {
      const HostCall& call = calls[c];
      const Cycle back = clock_.at_or_after(since);
      if (back + from >= called || call.kind == HostCall::Kind::kRepeat) return kNone;
      const bool waits =
          call.synchronizes() || (call.kind == HostCall::Kind::kCopy && run_.workload.copies[call.what].holds_thread());
      if (waits) {
        const std::size_t holder = ended_by(called - back + kReturned / 2, kReturned);
        if (holder != kNone) return holder;
      }
      if (call.kind == HostCall::Kind::kHostFunction) since += call.time;
      if (call.is_of_the_interface()) since += run_.config.host.call_cycles * clock_.period();
    }
    return kNone;
  }

  /// The previous command of its stream; kNone if there is none.
  std::size_t before(const Command& command) const {
    const auto found = went_.find(command.stream);
    if (found == went_.end()) return kNone;
    const auto at = std::lower_bound(found->second.begin(), found->second.end(), command.submitted,
                                     [&](std::size_t c, Cycle cycle) { return commands_[c].submitted < cycle; });
    return at == found->second.begin() ? kNone : *std::prev(at);
  }

  template <class IsOfJob>
  JobPath walk(Cycle from, Cycle until, const IsOfJob& is_of_job) const {
    JobPath path;
    path.from = from;
    path.until = until;
    std::array<std::vector<CycleInterval>, kPathStates> states;
    const auto note = [&](PathState state, Cycle a, Cycle b) {
      states[static_cast<std::size_t>(state)].push_back({std::max(a, from), std::min(b, until)});
    };
    std::size_t at = ended_by(until, 0);
    while (at != kNone && at > 0 && !is_of_job(commands_[at]) && commands_[at - 1].notified == until) --at;
    Cycle now = until;
    bool whole = true;  // else from its start on
    while (at != kNone && now > from) {
      const Command& command = commands_[at];
      const bool own = is_of_job(command);
      if (whole) {
        const bool kernel = command.is_kernel;
        note(PathState::kHost, command.end, now);
        note(!own ? PathState::kBehind : kernel ? PathState::kRuns : PathState::kCopies, command.started, command.end);
        note(kernel ? PathState::kWaits : PathState::kWaitsForEngine, command.arrived, command.started);
        note(PathState::kHost, command.submitted, command.arrived);
        if (own && kernel) path.kernels.push_back(command.place);
      }
      now = command.submitted;
      const Cycle held = now - std::min(now, command.delay);
      std::size_t next = ended_by(held, kHeld);
      whole = true;
      if (next == kNone && command.overlaps) {
        const std::size_t other = before(command);
        if (other != kNone && commands_[other].submitted + kHeld >= held) {
          note(PathState::kHost, commands_[other].submitted, now);
          at = other;
          whole = false;
          continue;
        }
      }
      if (next == kNone) next = waited_for(command, held, from);
      if (next == kNone || commands_[next].notified > now) break;
      note(PathState::kHost, commands_[next].notified, now);
      now = commands_[next].notified;
      at = next;
    }
    note(PathState::kHost, from, now);
    for (std::size_t s = 0; s < kPathStates; ++s) path.states[s] = CycleSet(std::move(states[s]));
    return path;
  }

  const RunResult& result_;
  const Run& run_;
  ApplicationId application_;
  Clock clock_;
  std::vector<TimeThrough> through_;
  std::vector<Command> commands_;                                ///< in the order in which the host noticed their ends
  std::unordered_map<StreamId, std::vector<std::size_t>> went_;  ///< by stream, in the order of their starts
  /// Thread, and index of the call there, by launch and by copy.
  std::unordered_map<std::uint32_t, std::pair<std::size_t, std::size_t>> launched_, copied_;
};

}  // namespace

std::vector<JobPath> job_paths(const RunResult& result, const Run& run, ApplicationId application) {
  return Paths(result, run, application).find();
}

CycleSet::CycleSet(std::vector<CycleInterval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const CycleInterval& a, const CycleInterval& b) { return a.from < b.from; });
  for (const CycleInterval& next : intervals) {
    if (next.from >= next.until) continue;
    if (!intervals_.empty() && next.from <= intervals_.back().until) {
      intervals_.back().until = std::max(intervals_.back().until, next.until);
    } else {
      intervals_.push_back(next);
    }
  }
}

Cycle CycleSet::size() const {
  Cycle sum = 0;
  for (const CycleInterval& i : intervals_) sum += i.until - i.from;
  return sum;
}

CycleSet CycleSet::operator&(const CycleSet& other) const {
  CycleSet both;
  auto b = other.intervals_.begin();
  for (const CycleInterval& a : intervals_) {
    while (b != other.intervals_.end() && b->until <= a.from) ++b;
    for (auto at = b; at != other.intervals_.end() && at->from < a.until; ++at)
      both.intervals_.push_back({std::max(a.from, at->from), std::min(a.until, at->until)});
  }
  return both;
}

CycleSet CycleSet::operator|(const CycleSet& other) const {
  std::vector<CycleInterval> all = intervals_;
  all.insert(all.end(), other.intervals_.begin(), other.intervals_.end());
  return CycleSet(std::move(all));
}

CycleSet CycleSet::operator-(const CycleSet& other) const {
  CycleSet rest;
  auto b = other.intervals_.begin();
  for (const CycleInterval& a : intervals_) {
    while (b != other.intervals_.end() && b->until <= a.from) ++b;
    Cycle from = a.from;
    for (auto at = b; at != other.intervals_.end() && at->from < a.until; ++at) {
      if (at->from > from) rest.intervals_.push_back({from, at->from});
      from = std::max(from, at->until);
    }
    if (from < a.until) rest.intervals_.push_back({from, a.until});
  }
  return rest;
}

CycleSet CycleSet::within(Cycle from, Cycle until) const {
  CycleSet part;
  auto at = std::lower_bound(intervals_.begin(), intervals_.end(), from,
                             [](const CycleInterval& i, Cycle cycle) { return i.until <= cycle; });
  for (; at != intervals_.end() && at->from < until; ++at)
    part.intervals_.push_back({std::max(at->from, from), std::min(at->until, until)});
  return part;
}

}  // namespace gputlm
