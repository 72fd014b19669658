#include "platform/bounds/turns.h"

#include <algorithm>
#include <numeric>

namespace gputlm {
namespace {

/// Longer than any run, and steps that a fixed point takes at most, as in analysis.cpp.
constexpr Cycle kLongestTurn = Cycle{1} << 52;
constexpr unsigned kMostTurnSteps = 1000000;

}  // namespace

std::optional<TurnDemands> turn_of(std::size_t context, const std::vector<Server>& servers,
                                   const BoundProblem& problem) {
  TurnDemands turn;
  Cycle block = 0;
  bool pauses = false;
  for (std::size_t s = 0; s < servers.size(); ++s) {
    const BoundTask& task = problem.tasks[s];
    if (task.context != context) continue;
    if (!servers[s].in_a_row) return std::nullopt;
    const std::uint64_t jobs = *servers[s].in_a_row;
    pauses = pauses || (servers[s].task && jobs != kNever);
    turn.push_back({task.alone + task.kernels.size() * problem.slack, task.arrivals, jobs});
    if (!servers[s].task)  // a server of all that there is
      turn.back().arrivals = ArrivalCurve::of(std::vector<Cycle>(servers[s].jobs.size(), 0), false);
    for (const BoundKernel& kernel : task.kernels) block = std::max(block, kernel.block);
  }
  if (turn.size() < 2) return turn;
  if (pauses) return std::nullopt;
  // Kernels of several streams may have to wait for a block while places are idle.
  std::size_t j = 0;
  for (const BoundTask& task : problem.tasks) {
    if (task.context == context) turn[j++].job += task.kernels.size() * block;
  }
  return turn;
}

std::optional<std::vector<Cycle>> longest_turns(const std::vector<TurnDemands>& contexts, Cycle late) {
  std::vector<Cycle> turns(contexts.size());
  for (unsigned step = 0; step < kMostTurnSteps; ++step) {
    const Cycle all = std::accumulate(turns.begin(), turns.end(), late);
    const std::vector<Cycle> before = turns;
    for (std::size_t c = 0; c < contexts.size(); ++c) {
      Cycle turn = 0;
      for (const TurnDemand& stream : contexts[c]) {
        const std::uint64_t jobs = std::min(stream.most_jobs, stream.arrivals.most(all + 1));  // also as the turn ends
        if (stream.job > 0 && jobs > kLongestTurn / stream.job) return std::nullopt;
        turn += jobs * stream.job;
      }
      if (turn > kLongestTurn) return std::nullopt;
      turns[c] = turn;
    }
    if (turns == before) return turns;
  }
  return std::nullopt;
}

std::optional<std::vector<Cycle>> waits_for_others(const std::vector<TurnDemands>& contexts, Cycle late) {
  std::optional<std::vector<Cycle>> waits = longest_turns(contexts, late);
  if (!waits) return waits;
  const Cycle all = std::accumulate(waits->begin(), waits->end(), Cycle{contexts.size()});
  for (Cycle& one : *waits) one = all - one;
  return waits;
}

}  // namespace gputlm
