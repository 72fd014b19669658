#include "models/contention/solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "models/contention/curves.h"

namespace gputlm {
namespace {

constexpr double kForEver = std::numeric_limits<double>::infinity();
constexpr int kRounds = 6;
/// MemoryCapacities::turns are measured (platform/lab/memory_measurement.cpp) with ready warps that issue runs of this number
/// of instructions, and a warp that takes two turns per load: one for the instruction that needs it, one for the next.
constexpr double kRunOfTurns = 64, kTurnsOfWake = 2;

/// Part of the reused lines that are still in the cache when they are read again. A line lives for `life`, and all are read
/// once per `period`.
double kept(double life, double period) { return life == kForEver ? 1 : 1 - std::exp(-life / period); }

template <std::size_t N>
double sum(const std::array<double, N>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

}  // namespace

ContentionSolver::ContentionSolver(Memory memory, SmCapacities sm) : memory_(std::move(memory)), sm_(sm) {
  const auto& turns = memory_.has.turns;
  if (turns.empty()) return;
  const double of_warp = latency_of(turns.back()) / static_cast<double>(turns.back().load) / kTurnsOfWake;
  greedy_ = std::min(1.0, std::max(0.0, (of_warp - 1) / (kRunOfTurns - 1)));
}

/// Time of a block with these latencies, relative to its time alone.
double ContentionSolver::time_with(const Member& m, double port, double l2, double dram) {
  const double latency = port + l2 + m.misses * dram + m.of->own;
  return std::max(1e-3, m.of->fixed + m.of->exposed * latency / m.of->latency + sum(m.queued));
}

ContentionSolver::Profile ContentionSolver::add(const BlockNeeds& measured, const Memory& gpu) {
  KernelAlone alone = alone_of(measured, gpu, sm_);
  Member member;
  member.of = &alone;
  member.all_blocks = alone.needs.blocks_alone;
  alone.life = life({member}, gpu.l2_sectors);
  kernels_.push_back(alone);
  return static_cast<Profile>(kernels_.size() - 1);
}

/// Computes the latencies of L2 and DRAM, and the pace that they allow each member.
void ContentionSolver::step_memory(std::vector<Member>& members) {
  double reads = 0, writes = 0;
  for (const Member& m : members) {
    reads += pace(m) * (m.of->needs.dram_reads + m.extra_misses);
    writes += pace(m) * m.of->needs.dram_writes;
  }
  const auto asked = [&](double l2, double dram, bool of_dram) {
    double all = 0;
    for (const Member& m : members) {
      if (m.of->requests <= 0) continue;
      const double blocks = m.all_blocks * m.share / (m.of->needs.cycles * time_with(m, m.port, l2, dram));
      const double each = of_dram ? m.misses * m.of->weight_dram : m.of->weight_l2;
      all += blocks * m.of->requests * each;
    }
    return all;
  };
  dram_ = balance(memory_.has.dram, part_left(memory_.has, reads, writes),
                  [&](double dram) { return asked(l2_, dram, true); });
  front_ = 0;
  const double moved = asked(l2_, dram_, true);
  if (moved * dram_ > memory_.dram_sectors) {
    dram_ = memory_.dram_sectors / moved;
    front_ = smallest(dram_, [&](double front) { return asked(l2_ + front, dram_, true) <= moved; });
  }
  l2_ = balance(memory_.has.l2, 1, [&](double l2) { return asked(l2 + front_, dram_, false); });
  for (Member& m : members) m.memory = 1 / time_now(m);
}

double ContentionSolver::pace(const Member& m) { return m.all_blocks * m.memory * m.share / m.of->needs.cycles; }

/// Cycles between two reads of a line that is read again.
double ContentionSolver::period(const Member& m) {
  const BlockNeeds& alone = m.of->needs;
  return alone.reuse * alone.blocks_alone / (alone.cycles * pace(m));
}

/// Lifetime of a line in the L2: until new lines have filled the space that reused lines leave free.
double ContentionSolver::life(const std::vector<Member>& members, double l2_sectors) {
  double replaced = 0, reused = 0;
  for (const Member& m : members) {
    replaced += pace(m) * (m.of->needs.dram_reads + m.of->needs.dram_writes);
    reused += m.of->needs.footprint;
  }
  if (replaced <= 0 && reused <= l2_sectors) return kForEver;
  const auto held = [&](double life) {
    double all = replaced * life;
    for (const Member& m : members) {
      if (m.of->needs.footprint > 0) all += m.of->needs.footprint * kept(life, period(m));
    }
    return all;
  };
  double low = 0, high = l2_sectors / std::max(replaced, 1e-6);
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (held(middle) < l2_sectors ? low : high) = middle;
  }
  return high;
}

/// Computes the misses that each member has only because of the others.
void ContentionSolver::step_cache(std::vector<Member>& members) {
  if (std::none_of(members.begin(), members.end(), [](const Member& m) { return m.of->needs.footprint > 0; })) return;
  const double now = life(members, memory_.l2_sectors);
  for (Member& m : members) {
    const BlockNeeds& needs = m.of->needs;
    if (needs.footprint <= 0) continue;
    m.extra_misses = needs.hits * std::max(0.0, 1 - kept(now, period(m)) / kept(m.of->life, needs.reuse));
    m.misses = (needs.dram_reads + needs.dram_writes + m.extra_misses) / m.of->requests;
  }
}

/// Divides the resources of an SM among its residents.
void ContentionSolver::step_sm(Member* first, Member* last) const {
  for (Member* m = first; m != last; ++m) m->share = 1;
  const auto by_warps = [](const Member& m) { return m.warps; };
  const auto divide = [&](Shared what, double capacity, const auto& weight, const auto& needs) {
    const auto wanted = [&](const Member& m) {
      return m.memory * m.share * m.blocks * needs(m.of->needs) / m.of->needs.cycles;
    };
    double all = 0;
    for (const Member* m = first; m != last; ++m) all += wanted(*m);
    if (all <= capacity * (1 + 1e-9)) return;
    // Members that want less than their share get what they want; the share of the others grows.
    double weights = 0;
    for (const Member* m = first; m != last; ++m) weights += wanted(*m) > 0 ? weight(*m) : 0;
    double each = capacity / weights;
    for (int i = 0; i < kRounds; ++i) {
      double rest = capacity, greedy = 0;
      for (const Member* m = first; m != last; ++m) {
        if (wanted(*m) <= each * weight(*m)) {
          rest -= wanted(*m);
        } else {
          greedy += weight(*m);
        }
      }
      if (greedy <= 0) break;
      each = rest / greedy;
    }
    for (Member* m = first; m != last; ++m) {
      const double its = wanted(*m);
      if (its <= each * weight(*m)) continue;
      m->share *= each * weight(*m) / its;
      m->limit = what;
    }
  };
  for (std::size_t pipe = 0; pipe < kPipes; ++pipe) {
    divide(Shared::kPipe, sm_.pipe[pipe], by_warps, [=](const BlockNeeds& n) { return n.of_pipe[pipe]; });
  }
  divide(Shared::kL1, 1, by_warps, [&](const BlockNeeds& n) {
    const double data = n.l1_sectors / sm_.l1_sectors, shared = n.shared_wavefronts / sm_.shared_wavefronts;
    return sm_.one_array ? data + shared : std::max(data, shared);
  });
  divide(Shared::kIssue, sm_.issue, by_warps, [](const BlockNeeds& n) { return n.instructions; });
}

/// Computes the effect of an SM's port on its residents' reads, and of the L1, which waits for a limited number of lines at
/// once: further lines wait until one of them has come.
void ContentionSolver::step_port(Member* first, Member* last) const {
  const double port = balance(memory_.has.port, 1, [&](double latency) {
    double all = 0;
    for (const Member* m = first; m != last; ++m)
      all += m->blocks * m->share * m->of->needs.reads /
             (m->of->needs.cycles * time_with(*m, latency, l2_ + front_, dram_));
    return all;
  });
  for (Member* m = first; m != last; ++m) m->port = port;
  const auto lines = [&](double entry) {
    double all = 0;
    for (const Member* m = first; m != last; ++m) {
      if (m->of->needs.reads <= 0) continue;
      const double pace =
          m->blocks * m->share / (m->of->needs.cycles * time_with(*m, port + entry, l2_ + front_, dram_));
      all += pace * m->of->needs.reads * (port + l2_ + front_ + m->misses * dram_) / m->of->of_line;
    }
    return all;
  };
  if (lines(0) <= sm_.misses) return;
  const double entry = smallest(port, [&](double latency) { return lines(latency) <= sm_.misses; });
  for (Member* m = first; m != last; ++m) m->port += entry;
}

/// Number of instructions that a warp issues in a turn, while other warps wait for theirs.
double ContentionSolver::run_of(const KernelAlone& kernel) const {
  const double until_it_waits = kernel.needs.instructions / kernel.needs.warps / kernel.visits;
  return 1 + greedy_ * std::max(0.0, until_it_waits - 1);
}

/// Time that a customer of `m` spends at a pipeline. Behind customers of its own kind it waits for as long as they need, as
/// in every such queue; behind others it waits for one of their runs for each run of its own.
double ContentionSolver::wait_at(std::size_t pipe, const Member& m, const Member* first, const Member* last) const {
  const KernelAlone& kernel = *m.of;
  const double busy = kernel.busy[pipe] * m.customers / kernel.customers;
  if (busy <= 0) return 0;
  double wait = busy * (1 + (m.customers - 1) * m.queued[pipe] / m.time);
  const double visits = kernel.visits / kernel.needs.cycles, runs = busy / (visits * m.run);
  for (const Member* other = first; other != last; ++other) {
    const KernelAlone& its = *other->of;
    if (other == &m || its.busy[pipe] <= 0) continue;
    const double its_busy = its.busy[pipe] * other->customers / its.customers;
    const double of_visit = std::min(its_busy * its.needs.cycles / its.visits, runs * other->run);
    const double rate = other->customers / other->time, used = rate * its_busy;
    const double there = std::max(used, rate * other->queued[pipe]);
    wait += (there - used / 2) * of_visit * visits;  // on average, the customer in service has half of its work left
  }
  return wait;
}

/// Computes the waits at the pipelines of a sub-core; the warps of all its kernels are their customers.
void ContentionSolver::step_queues(Member* first, Member* last) const {
  for (int round = 0; round < 2 * kRounds; ++round) {
    for (Member* m = first; m != last; ++m) m->time = time_now(*m);
    for (Member* m = first; m != last; ++m) {
      for (std::size_t i = 0; i < m->queued.size(); ++i)
        m->queued[i] = (m->queued[i] + wait_at(i, *m, first, last)) / 2;  // halfway: otherwise the values oscillate
    }
  }
}

ContentionSolver::Rate ContentionSolver::rate_of(const Member& m) const {
  Rate rate;
  rate.pace = m.memory * m.share;
  rate.lost[static_cast<std::size_t>(m.limit)] = m.memory * (1 - m.share);
  const double waits = (sum(m.queued) - m.of->queued) * m.memory, to_memory = 1 - m.memory - waits;
  rate.lost[static_cast<std::size_t>(Shared::kIssue)] += waits;
  const double by_port = m.port - m.of->port, by_l2 = l2_ - m.of->l2, by_misses = (m.misses - m.of->misses) * dram_,
               by_dram = m.of->misses * (dram_ - m.of->dram) + front_ - m.of->front,
               all = by_port + by_l2 + by_misses + by_dram;
  if (std::abs(all) < 1e-9) {
    rate.lost[static_cast<std::size_t>(Shared::kDram)] += to_memory;
    return rate;
  }
  rate.lost[static_cast<std::size_t>(Shared::kSmPort)] += to_memory * by_port / all;
  rate.lost[static_cast<std::size_t>(Shared::kL2)] += to_memory * by_l2 / all;
  rate.lost[static_cast<std::size_t>(Shared::kL2Capacity)] += to_memory * by_misses / all;
  rate.lost[static_cast<std::size_t>(Shared::kDram)] += to_memory * by_dram / all;
  return rate;
}

const std::vector<ContentionSolver::Rate>& ContentionSolver::solve(const std::vector<Mix>& mixes) {
  members_.clear();
  l2_ = latency_of(memory_.has.l2.points.front());
  front_ = 0;
  for (const Mix& mix : mixes) {
    for (const Resident& r : mix.residents) {
      const KernelAlone& alone = kernels_[r.profile];
      Member& m = members_.emplace_back();
      m.of = &alone;
      m.blocks = r.blocks;
      m.warps = m.blocks * alone.needs.warps;
      m.all_blocks = mix.sms * r.blocks;
      m.misses = alone.misses;
      m.port = latency_of(memory_.has.port.points.front());
      m.queued = alone.at;
      m.customers = customers(m.warps / sm_.sub_cores);
      m.run = run_of(alone) * m.customers;
    }
  }
  for (int round = 0; round < kRounds; ++round) {
    step_cache(members_);
    Member* first = members_.data();
    for (const Mix& mix : mixes) {
      step_port(first, first + mix.residents.size());
      first += mix.residents.size();
    }
    step_memory(members_);
    first = members_.data();
    for (const Mix& mix : mixes) {
      Member* const last = first + mix.residents.size();
      step_queues(first, last);
      for (Member* m = first; m != last; ++m) m->memory = 1 / time_now(*m);
      step_sm(first, last);
      first = last;
    }
  }
  rates_.clear();
  for (const Member& m : members_) rates_.push_back(rate_of(m));
  return rates_;
}

}  // namespace gputlm
