#include "platform/probes/worst_case.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gputlm {
namespace {

using Part = ResponsePart;
using Shares = std::array<double, kResponseParts>;  // [ResponsePart]

constexpr std::size_t place(Part part) { return static_cast<std::size_t>(part); }

Cycle overlap(Cycle from, Cycle to, Cycle begin, Cycle end) {
  const Cycle first = std::max(from, begin), last = std::min(to, end);
  return last > first ? last - first : 0;
}

/// Sums by culprit.
class Blame {
 public:
  explicit Blame(bool applications) : applications_(applications) {}
  void add(std::uint32_t who, double amount) {
    if (amount > 0) amounts_[who] += amount;
  }
  HeldUpBy most() const {
    HeldUpBy by{false, applications_};
    double all = 0, most = 0;
    for (const auto& [who, amount] : amounts_) {
      all += amount;
      if (amount <= most) continue;
      most = amount;
      by.known = true;
      by.who = who;
    }
    if (by.known) by.share = most / all;
    return by;
  }

 private:
  bool applications_;
  std::map<std::uint32_t, double> amounts_;
};

/// The division of a kernel's time: shares of warp cycles, not normalized.
Shares shares_of(const CommandTimes& kernel) {
  Shares shares{};
  const BlockCounters& c = kernel.counters;
  const auto stalled = [&](Stall reason) { return static_cast<double>(c.stall[static_cast<std::size_t>(reason)]); };
  shares[place(Part::kExecution)] = static_cast<double>(c.instructions) + stalled(Stall::kExecution) +
                                    stalled(Stall::kBarrier) + stalled(Stall::kSpin);
  shares[place(Part::kIssue)] = stalled(Stall::kNotSelected);
  const double memory = stalled(Stall::kMemory) + stalled(Stall::kDrain);
  const auto requests = static_cast<double>(c.memory_requests);
  const auto instructions = static_cast<double>(c.global_loads + c.global_stores);
  const auto latency = static_cast<double>(c.memory_latency);
  // A warp waits for an instruction longer than for one of its requests: the difference is due to the L1.
  const double wait = instructions > 0 ? memory / instructions : 0, request = requests > 0 ? latency / requests : 0;
  const double of_requests = wait > 0 ? memory * std::min(1.0, request / wait) : 0;
  shares[place(Part::kL1)] = memory - of_requests;
  if (latency > 0) {
    const auto l2 = static_cast<double>(kernel.requests.in_l2), dram = static_cast<double>(kernel.requests.fetch);
    const double there = std::min(1.0, latency / std::max(1.0, l2 + dram));
    shares[place(Part::kL2)] = of_requests * there * l2 / latency;
    shares[place(Part::kDram)] = of_requests * there * dram / latency;
    shares[place(Part::kCrossbar)] = std::max(0.0, of_requests - shares[place(Part::kL2)] - shares[place(Part::kDram)]);
  }
  return shares;
}

/// The analysis of one job.
class Account {
 public:
  Account(const RunHistory& run, const std::vector<std::size_t>& own, Cycle released, Cycle notified)
      : run_(run), own_(own), released_(released), notified_(notified), turns_told_(!run.turns.empty()) {
    std::sort(own_.begin(), own_.end());
    for (std::size_t i = 0; i < run.commands.size(); ++i) {
      const CommandTimes& c = run.commands[i];
      if (overlap(released, notified, c.submitted, c.notified) > 0 && !is_own(i)) others_.push_back(&c);
    }
    for (const EngineTurn& turn : run.turns) {
      if (overlap(released, notified, turn.start, turn.off) > 0) turns_.push_back(turn);
      last_off_ = std::max(last_off_, turn.off);
    }
  }

  ResponseAccount result() {
    std::vector<Cycle> times{released_, notified_};
    const auto add = [&](Cycle time) {
      if (time > released_ && time < notified_) times.push_back(time);
    };
    for (const std::size_t i : own_) {
      const CommandTimes& c = run_.commands[i];
      for (const Cycle time : {c.submitted, c.arrived, c.start, c.end, c.notified}) add(time);
    }
    for (const EngineTurn& turn : turns_) {
      add(turn.start);
      add(turn.off);
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    ResponseAccount result;
    for (std::size_t i = 0; i + 1 < times.size(); ++i) add_segment(result, times[i], times[i + 1]);
    for (ResponseSegment& segment : result.segments) {
      segment.by = culprit(segment.part, segment, {segment});
      divide(segment, result.cycles);
    }
    for (std::size_t part = 0; part < kResponseParts; ++part) {
      if (result.cycles[part] > 0) result.by[part] = culprit_of(static_cast<Part>(part), result.segments);
    }
    return result;
  }

 private:
  bool is_own(std::size_t command) const { return std::binary_search(own_.begin(), own_.end(), command); }

  /// Whether the application has the engine, or there are no turns. Turns unfinished at the end of the run were not reported.
  bool has_engine(std::uint32_t application, Cycle at) const {
    return !turns_told_ || at >= last_off_ || std::any_of(turns_.begin(), turns_.end(), [&](const EngineTurn& turn) {
      return turn.application == application && turn.start <= at && at < turn.off;
    });
  }

  /// What a command does in a cycle, and how far it has progressed: 0 if it is not active.
  std::pair<Part, int> state(const CommandTimes& c, Cycle at) const {
    if (at < c.submitted || at >= c.notified) return {Part::kHost, 0};
    if (at < c.arrived || at >= c.end) return {Part::kTransit, 1};
    if (c.copy) return at < c.start ? std::pair(Part::kCopyEngine, 2) : std::pair(Part::kCopying, 3);
    if (!has_engine(c.application, at)) return {Part::kPreemption, 2};
    return at < c.start ? std::pair(Part::kSmSlots, 2) : std::pair(Part::kExecution, 4);
  }

  void add_segment(ResponseAccount& result, Cycle from, Cycle to) const {
    ResponseSegment segment{from, to};
    int furthest = 0;
    for (const std::size_t i : own_) {
      const auto [part, rank] = state(run_.commands[i], from);
      if (rank <= furthest) continue;
      furthest = rank;
      segment.part = part;
      segment.command = i;
    }
    if (!result.segments.empty()) {
      ResponseSegment& last = result.segments.back();
      if (last.part == segment.part && last.command == segment.command) {
        last.to = to;
        return;
      }
    }
    result.segments.push_back(segment);
  }

  /// Divides the cycles of a segment among parts, in whole cycles and without loss.
  void divide(const ResponseSegment& segment, std::array<Cycle, kResponseParts>& cycles) const {
    const Cycle length = segment.to - segment.from;
    Shares shares{};
    if (segment.part == Part::kExecution) shares = shares_of(run_.commands[segment.command]);
    double all = 0;
    for (const double share : shares) all += share;
    if (all <= 0) {
      cycles[place(segment.part)] += length;
      return;
    }
    double sum = 0;
    Cycle given = 0;
    for (std::size_t part = 0; part < kResponseParts; ++part) {
      sum += shares[part];
      const Cycle until = std::min(length, static_cast<Cycle>(static_cast<double>(length) * (sum / all)));
      cycles[part] += until - given;
      given = until;
    }
    cycles[place(Part::kExecution)] += length - given;
  }

  HeldUpBy culprit_of(Part part, const std::vector<ResponseSegment>& segments) const {
    std::vector<ResponseSegment> there;
    const bool runs = part > Part::kExecution && part < Part::kCopyEngine;
    for (const ResponseSegment& s : segments) {
      if (s.part == (runs ? Part::kExecution : part)) there.push_back(s);
    }
    return there.empty() ? HeldUpBy{} : culprit(part, there.front(), there);
  }

  /// The owner of most of the work that delays this part in the segments.
  HeldUpBy culprit(Part part, const ResponseSegment& first, const std::vector<ResponseSegment>& segments) const {
    if (part == Part::kPreemption) {
      Blame blame(true);
      const std::uint32_t own = run_.commands[first.command].application;
      for (const EngineTurn& turn : turns_) {
        if (turn.application == own) continue;
        for (const ResponseSegment& s : segments)
          blame.add(turn.application, static_cast<double>(overlap(s.from, s.to, turn.start, turn.off)));
      }
      return blame.most();
    }
    if (part == Part::kTransit || part == Part::kExecution || part == Part::kCopying) return {};
    Blame blame(false);
    const bool on_engine = part != Part::kHost && part != Part::kCopyEngine;
    const bool on_sms = part == Part::kSmSlots || part == Part::kIssue || part == Part::kL1;
    SmSet sms;
    for (const ResponseSegment& s : segments) sms |= run_.commands[s.command].sms;
    for (const CommandTimes* c : others_) {
      // Applications that take turns with the job's application are never on the SMs together with it.
      if (on_engine && turns_told_ && c->application != run_.commands[first.command].application) continue;
      if (on_sms && (c->sms & sms).none()) continue;
      const double rate = rate_of(*c, part);
      const bool waits = part == Part::kHost;
      for (const ResponseSegment& s : segments) {
        blame.add(c->owner, rate * static_cast<double>(overlap(s.from, s.to, waits ? c->submitted : c->start,
                                                               waits ? c->notified : c->end)));
      }
    }
    return blame.most();
  }

  /// The amount of that work that another command does in each cycle in which it runs.
  double rate_of(const CommandTimes& c, Part part) const {
    const auto per_cycle = [&](std::uint64_t amount) {
      return c.end > c.start ? static_cast<double>(amount) / static_cast<double>(c.end - c.start) : 0.0;
    };
    switch (part) {
      case Part::kHost:  // only commands in a stream of the job
        return std::any_of(own_.begin(), own_.end(),
                           [&](std::size_t i) { return run_.commands[i].stream == c.stream; });
      case Part::kSmSlots: return !c.copy;
      case Part::kCopyEngine: return c.copy;
      case Part::kIssue:
      case Part::kL1: return c.copy ? 0 : per_cycle(c.counters.instructions);
      default: return c.copy ? 0 : per_cycle(c.counters.memory_requests);
    }
  }

  const RunHistory& run_;
  std::vector<std::size_t> own_;
  const Cycle released_, notified_;
  const bool turns_told_;
  Cycle last_off_ = 0;
  // commands that overlap with the job
  std::vector<const CommandTimes*> others_;
  std::vector<EngineTurn> turns_;
};

}  // namespace

ResponseAccount account(const RunHistory& run, const std::vector<std::size_t>& commands, Cycle released,
                        Cycle notified) {
  return Account(run, commands, released, notified).result();
}

}  // namespace gputlm
