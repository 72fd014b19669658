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

/// Part of the lines that are read again which are still there, where a line lives for `life` and all are read once in
/// `period`.
double kept(double life, double period) { return life == kForEver ? 1 : 1 - std::exp(-life / period); }

template <std::size_t N>
double sum(const std::array<double, N>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

}  // namespace

ContentionSolver::ContentionSolver(Memory memory, SmCapacities sm) : memory_(std::move(memory)), sm_(sm) {}

/// Over that alone.
double ContentionSolver::time_with(const Member& m, double port, double l2, double dram) {
  const double latency = port + l2 + m.misses * dram + m.of->own;
  return std::max(1e-3, m.of->fixed + m.of->exposed * latency / m.of->latency + sum(m.queued) + m.waits);
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

/// Latencies of L2 and DRAM, and what they leave to each.
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
  l2_ = balance(memory_.has.l2, 1, [&](double l2) { return asked(l2, dram_, false); });
  for (Member& m : members) m.memory = 1 / time_with(m, m.port, l2_, dram_);
}

double ContentionSolver::pace(const Member& m) { return m.all_blocks * m.memory * m.share / m.of->needs.cycles; }

/// Cycles between two reads of a line that is read again.
double ContentionSolver::period(const Member& m) { return m.of->needs.footprint / (pace(m) * m.of->needs.hits); }

/// How long a line lives in the L2: until as much has come in as the lines that are read again leave of it.
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

/// Who misses more than alone because of the others.
void ContentionSolver::step_cache(std::vector<Member>& members) {
  if (std::none_of(members.begin(), members.end(), [](const Member& m) { return m.of->needs.footprint > 0; })) return;
  const double now = life(members, memory_.l2_sectors);
  for (Member& m : members) {
    const BlockNeeds& needs = m.of->needs;
    if (needs.footprint <= 0) continue;
    const double alone = kept(m.of->life, needs.footprint * needs.cycles / (needs.blocks_alone * needs.hits));
    m.extra_misses = needs.hits * std::max(0.0, 1 - kept(now, period(m)) / alone);
    m.misses = (needs.dram_reads + needs.dram_writes + m.extra_misses) / m.of->requests;
  }
}

/// The residents of an SM, by what it has.
void ContentionSolver::step_sm(Member* first, Member* last) const {
  for (Member* m = first; m != last; ++m) m->share = 1;
  const auto divide = [&](Shared what, double capacity, const auto& needs) {
    const auto wanted = [&](const Member& m) {
      return m.memory * m.share * m.blocks * needs(m.of->needs) / m.of->needs.cycles;
    };
    double all = 0;
    for (const Member* m = first; m != last; ++m) all += wanted(*m);
    if (all <= capacity * (1 + 1e-9)) return;
    // Those that want less than a share by warps have it; the share of the others grows.
    double left = capacity, warps = 0;
    for (const Member* m = first; m != last; ++m) warps += wanted(*m) > 0 ? m->warps : 0;
    double each = left / warps;
    for (int i = 0; i < kRounds; ++i) {
      double rest = capacity, greedy = 0;
      for (const Member* m = first; m != last; ++m) {
        if (wanted(*m) <= each * m->warps) {
          rest -= wanted(*m);
        } else {
          greedy += m->warps;
        }
      }
      if (greedy <= 0) break;
      each = rest / greedy;
    }
    for (Member* m = first; m != last; ++m) {
      const double its = wanted(*m);
      if (its <= each * m->warps) continue;
      m->share *= each * m->warps / its;
      m->limit = what;
    }
  };
  for (std::size_t pipe = 0; pipe < kPipes; ++pipe) {
    divide(Shared::kPipe, sm_.pipe[pipe], [=](const BlockNeeds& n) { return n.of_pipe[pipe]; });
  }
  divide(Shared::kL1, 1, [&](const BlockNeeds& n) {
    const double data = n.l1_sectors / sm_.l1_sectors, shared = n.shared_wavefronts / sm_.shared_wavefronts;
    return sm_.one_array ? data + shared : std::max(data, shared);
  });
  divide(Shared::kIssue, sm_.issue, [](const BlockNeeds& n) { return n.instructions; });
}

/// What the port of an SM makes of all that its residents read, and the L1, which waits for so many lines at once: more
/// wait until one of them has come.
void ContentionSolver::step_port(Member* first, Member* last) const {
  const double port = balance(memory_.has.port, 1, [&](double latency) {
    double all = 0;
    for (const Member* m = first; m != last; ++m)
      all += m->blocks * m->share * m->of->needs.reads / (m->of->needs.cycles * time_with(*m, latency, l2_, dram_));
    return all;
  });
  for (Member* m = first; m != last; ++m) m->port = port;
  const auto lines = [&](double entry) {
    double all = 0;
    for (const Member* m = first; m != last; ++m) {
      if (m->of->needs.reads <= 0) continue;
      const double pace = m->blocks * m->share / (m->of->needs.cycles * time_with(*m, port + entry, l2_, dram_));
      all += pace * m->of->needs.reads * (port + l2_ + m->misses * dram_) / m->of->of_line;
    }
    return all;
  };
  if (lines(0) <= sm_.misses) return;
  double low = 0, high = port;
  for (int i = 0; i < kHalvings && lines(high) > sm_.misses; ++i) low = high, high *= 2;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (lines(middle) > sm_.misses ? low : high) = middle;
  }
  for (Member* m = first; m != last; ++m) m->port += high;
}

/// The pipelines of a sub-core, at which the warps of all its kernels are customers.
void ContentionSolver::step_queues(Member* first, Member* last) const {
  for (int round = 0; round < kRounds; ++round) {
    PerPipe there{};  // customers at each, in the mean over time
    for (const Member* m = first; m != last; ++m) {
      const double many = customers(m->warps / sm_.sub_cores) / time_with(*m, m->port, l2_, dram_);
      for (std::size_t i = 0; i < there.size(); ++i) there[i] += many * m->queued[i];
    }
    for (Member* m = first; m != last; ++m) {
      const double time = time_with(*m, m->port, l2_, dram_),
                   more = customers(m->warps / sm_.sub_cores) / m->of->customers;
      for (std::size_t i = 0; i < there.size(); ++i) {
        const double others = std::max(0.0, there[i] - m->queued[i] / time);
        m->queued[i] = (m->queued[i] + m->of->busy[i] * more * (1 + others)) / 2;  // half way: else it swings
      }
    }
  }
}

/// A warp whose load has come waits until those of other kernels let it issue.
void ContentionSolver::step_turns(Member* first, Member* last) const {
  const auto& points = memory_.has.turns;
  if (points.empty()) return;
  for (Member* m = first; m != last; ++m) {
    const double loads = loads_of(m->of->needs) / m->of->needs.warps;
    double warps = 0, issued = 0;
    for (const Member* other = first; other != last; ++other) {
      if (other == m || other->of == m->of) continue;
      const double its = other->memory * other->share * other->blocks * other->of->needs.instructions /
                         other->of->needs.cycles / sm_.issue;
      issued += its;
      warps += other->warps / sm_.sub_cores * std::min(1.0, its);
    }
    auto above = std::find_if(points.begin(), points.end(), [=](const auto& p) { return load_of(p) * 1000 >= warps; });
    if (above == points.end()) --above;
    const double x1 = load_of(*above) * 1000, y1 = latency_of(*above);
    const double x0 = above == points.begin() ? 0 : load_of(*(above - 1)) * 1000,
                 y0 = above == points.begin() ? 0 : latency_of(*(above - 1));
    m->waits = loads * std::min(1.0, issued) * std::min(between(warps, x0, x1, y0, y1), 2 * y1) / m->of->needs.cycles;
  }
}

ContentionSolver::Rate ContentionSolver::rate_of(const Member& m) const {
  Rate rate;
  rate.pace = m.memory * m.share;
  rate.lost[static_cast<std::size_t>(m.limit)] = m.memory * (1 - m.share);
  const double queued = sum(m.queued) - m.of->queued;
  const double waits = (m.waits + queued) * m.memory, to_memory = 1 - m.memory - waits;
  rate.lost[static_cast<std::size_t>(Shared::kIssue)] += waits;
  const double by_port = m.port - m.of->port, by_l2 = l2_ - m.of->l2, by_misses = (m.misses - m.of->misses) * dram_,
               by_dram = m.of->misses * (dram_ - m.of->dram), all = by_port + by_l2 + by_misses + by_dram;
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
      m.queued = alone.busy;
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
      step_turns(first, last);
      for (Member* m = first; m != last; ++m) m->memory = 1 / time_with(*m, m->port, l2_, dram_);
      step_sm(first, last);
      first = last;
    }
  }
  rates_.clear();
  for (const Member& m : members_) rates_.push_back(rate_of(m));
  return rates_;
}

}  // namespace gputlm
