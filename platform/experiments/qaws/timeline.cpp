#include "platform/experiments/qaws/timeline.h"

#include <algorithm>

namespace gputlm {

Cycle Timeline::end(unsigned kernel) const {
  const unsigned first = kernel == 1 ? 0 : 2;
  return std::max(last_issue[first], last_issue[first + 1]) + 1;
}

Timeline issue_timeline(WarpScheduler& scheduler, const Latencies& latencies, unsigned k2_budget, Cycle k2_arrives) {
  constexpr unsigned kShown = 4;
  Timeline timeline{{}, {}, {}};
  timeline.warps.reserve(64);
  std::array<unsigned, kShown> next{};  // next instruction of each warp
  std::array<Cycle, kShown> ready{0, 0, 1, 1};
  scheduler.assigned(0, 1);
  scheduler.assigned(1, 1);
  for (unsigned left = kShown * kTimelineInstructions; left > 0;) {
    const Cycle now = timeline.warps.size();
    if (now == k2_arrives) {
      scheduler.assigned(2, k2_budget);
      scheduler.assigned(3, k2_budget);
    }
    std::uint64_t candidates = 0;
    for (unsigned w = 0; w < kShown; ++w) {
      if (next[w] < kTimelineInstructions && ready[w] <= now) candidates |= std::uint64_t{1} << w;
    }
    if (!candidates) {
      timeline.warps.push_back(-1);
      continue;
    }
    const unsigned w = scheduler.pick(candidates);
    scheduler.issued(w);
    timeline.warps.push_back(static_cast<int>(w));
    timeline.last_issue[w] = now;
    if (next[w] < latencies.size()) {
      ready[w] = now + latencies[next[w]];
    } else {
      scheduler.released(w);
    }
    ++next[w];
    --left;
  }
  return timeline;
}

namespace {

/// First issue of K1 after an unbroken run of K2 that begins in cycle `from` or the next.
Cycle back_to_k1(const Timeline& timeline, Cycle from) {
  Cycle cycle = timeline.of_k2(from) ? from : from + 1;
  if (!timeline.of_k2(cycle)) return kNever;
  while (timeline.of_k2(cycle)) ++cycle;
  return cycle < timeline.warps.size() && timeline.warps[cycle] >= 0 ? cycle : kNever;
}

}  // namespace

TimelineEvents events_of(const Timeline& budget_4, const Timeline& budget_6, Cycle alone_from) {
  TimelineEvents events;
  const std::vector<int>& warps = budget_4.warps;
  for (Cycle c = 1; c < 4 && events.next_stall == kNever; ++c) {
    if (events.takeover == kNever && warps[c] == 1) events.takeover = c;
    if (warps[c - 1] == 1 && warps[c] != 1) events.next_stall = c;
  }
  if (events.next_stall == kNever) return events;
  events.back_at_4 = back_to_k1(budget_4, events.next_stall);
  events.back_at_6 = back_to_k1(budget_6, events.next_stall);
  for (Cycle c = alone_from; c < warps.size(); ++c) {
    if (warps[c - 1] != 3 || warps[c] == 3 || budget_4.last_issue[2] >= c) continue;
    const auto again =
        std::find_if(warps.begin() + static_cast<std::ptrdiff_t>(c), warps.end(), [](int warp) { return warp >= 2; });
    if (again == warps.end()) break;
    events.alone_at_4 = c;
    events.reissued_at_4 = static_cast<Cycle>(again - warps.begin());
    break;
  }
  return events;
}

}  // namespace gputlm
