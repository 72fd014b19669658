#include "models/sm/blocks/durations.h"

#include <algorithm>
#include <stdexcept>

#include "models/kernel/random.h"

namespace gputlm {
namespace {

constexpr unsigned kFraction = 16;  // fractional bits of cycles and of slowdowns
constexpr std::uint64_t kOne = std::uint64_t{1} << kFraction;
constexpr Work kMaxWork = kWork << 12;

std::uint64_t scaled(std::uint64_t value, std::uint64_t by, std::uint64_t of) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(value) * by + of / 2) / of);
}

/// The value at `x` on the line through (x0, y0) and (x1, y1), x0 <= x <= x1.
std::uint64_t between(unsigned x, unsigned x0, std::uint64_t y0, unsigned x1, std::uint64_t y1) {
  if (x1 == x0) return y0;
  return y1 >= y0 ? y0 + scaled(y1 - y0, x - x0, x1 - x0) : y0 - scaled(y0 - y1, x - x0, x1 - x0);
}

}  // namespace

BlockDurations::Measured::Measured(const DurationTable& table, std::vector<Alone> KernelDurations::*alone,
                                   unsigned (PairDurations::Beside::*factor)[2]) {
  const std::size_t count = table.kernels.size();
  for (const KernelDurations& kernel : table.kernels) alone_.push_back(kernel.*alone);
  beside_.assign(count, std::vector<std::vector<Row>>(count));
  const auto add = [](std::vector<Row>& rows, unsigned own, unsigned other, unsigned per_mille) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.blocks >= own; });
    if (row == rows.end() || row->blocks != own) row = rows.insert(row, Row{own, {{0, kOne}}});
    row->slowdowns.push_back({other, scaled(per_mille, kOne, kPerMille)});
    std::sort(row->slowdowns.begin(), row->slowdowns.end(),
              [](const Slowdown& a, const Slowdown& b) { return a.blocks < b.blocks; });
  };
  for (const PairDurations& pair : table.pairs) {
    for (const PairDurations::Beside& at : pair.beside) {
      add(beside_[pair.kernels[0]][pair.kernels[1]], at.blocks[0], at.blocks[1], (at.*factor)[0]);
      add(beside_[pair.kernels[1]][pair.kernels[0]], at.blocks[1], at.blocks[0], (at.*factor)[1]);
    }
  }
}

BlockDurations::BlockDurations(DurationTable table)
    : table_(std::move(table)), cycles_(table_, &KernelDurations::alone, &PairDurations::Beside::slowdown),
      delayed_(table_, &KernelDurations::delayed, &PairDurations::Beside::delayed),
      latency_(table_, &KernelDurations::latency, &PairDurations::Beside::latency) {
  for (const KernelDurations& kernel : table_.kernels) names_.push_back(hash_name(kernel.name));
}

BlockDurations::Profile BlockDurations::profile(const Kernel& kernel) const {
  const auto found = profiles_.find(&kernel);
  if (found == profiles_.end()) throw std::logic_error("kernel " + kernel.name + " has no durations");
  return found->second;
}

/// Duration in units of 2^-16 cycles. Beyond the measurements, the SM does no more in a cycle than at the last point.
std::uint64_t BlockDurations::Measured::alone(Profile profile, unsigned blocks, Cycle Alone::*which) const {
  const std::vector<Alone>& points = alone_[profile];
  const auto above = std::find_if(points.begin(), points.end(), [&](const auto& p) { return p.blocks >= blocks; });
  if (above == points.end()) return scaled(points.back().*which << kFraction, blocks, points.back().blocks);
  const auto& below = above == points.begin() ? *above : *(above - 1);
  return between(blocks, std::min(below.blocks, blocks), below.*which << kFraction, above->blocks,
                 (*above).*which << kFraction);
}

std::uint64_t BlockDurations::Measured::slowdown(Profile profile, unsigned blocks, const Resident& other) const {
  const std::vector<Row>& rows = beside_[profile][other.profile];
  if (rows.empty()) return kOne;
  const auto at = [&](const Row& row) {
    const std::vector<Slowdown>& points = row.slowdowns;
    const auto above =
        std::find_if(points.begin(), points.end(), [&](const auto& p) { return p.blocks >= other.blocks; });
    if (above != points.end()) {
      if (above == points.begin()) return above->by;
      return between(other.blocks, (above - 1)->blocks, (above - 1)->by, above->blocks, above->by);
    }
    const Slowdown& last = points.back();  // each further block adds as much as those measured
    return last.by > kOne ? kOne + scaled(last.by - kOne, other.blocks, last.blocks) : last.by;
  };
  const auto above = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.blocks >= blocks; });
  if (above == rows.end()) return at(rows.back());
  if (above == rows.begin()) return at(*above);
  return between(blocks, (above - 1)->blocks, at(*(above - 1)), above->blocks, at(*above));
}

std::uint64_t BlockDurations::Measured::of(const std::vector<Resident>& all, std::size_t k, Cycle Alone::*which) const {
  std::uint64_t value = alone(all[k].profile, all[k].blocks, which);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != k) value = scaled(value, slowdown(all[k].profile, all[k].blocks, all[i]), kOne);
  }
  return value;
}

Work BlockDurations::rate(const std::vector<Resident>& all, std::size_t k, bool first) const {
  const auto of = first ? &KernelDurations::Alone::first : &KernelDurations::Alone::later;
  const std::uint64_t cycles = std::max(cycles_.of(all, k, of), kOne);  // a block takes at least a cycle
  // Rounds up: a block at a constant rate is done in the last cycle of its duration, not in the one after.
  return static_cast<Work>(((static_cast<unsigned __int128>(kWork) << kFraction) + cycles - 1) / cycles);
}

BlockDurations::Requests BlockDurations::requests(const std::vector<Resident>& all, std::size_t k) const {
  const std::uint64_t requests = table_.kernels[all[k].profile].requests;
  if (requests == 0) return {};
  const std::uint64_t cycles = cycles_.of(all, k), delayed = std::max(delayed_.of(all, k), cycles);
  const auto exposed =
      scaled(delayed - cycles, std::uint64_t{1} << (kWaitFraction - kFraction), table_.delay * requests);
  return {latency_.of(all, k, &KernelDurations::Alone::first) >> kFraction, latency_.of(all, k) >> kFraction,
          static_cast<Wait>(
              std::min(exposed, std::uint64_t{1} << kWaitFraction))};  // a request delays by at most its own latency
}

Work BlockDurations::tail(Profile profile, Work work, bool first) const {
  const KernelDurations& kernel = table_.kernels[profile];
  const auto of = first ? &KernelDurations::Alone::first : &KernelDurations::Alone::later;
  return scaled(work, std::min(kernel.latency.back().*of, kernel.alone.back().*of), kernel.alone.back().*of);
}

BlockDurations::Waits BlockDurations::waits(Profile profile, Work work, bool first) const {
  const KernelDurations& kernel = table_.kernels[profile];
  if (kernel.requests == 0) return {};
  const auto of = first ? &KernelDurations::Alone::first : &KernelDurations::Alone::later;
  const KernelDurations::Alone &cycles = kernel.alone.back(), &delayed = kernel.delayed.back();
  const Cycle longer = delayed.later > cycles.later ? delayed.later - cycles.later : 0;
  const Work all =
      std::min(scaled(work, longer * (kernel.latency.back().*of), table_.delay * (cycles.*of)), work - work / 8);
  Waits waits;
  waits.all = all;
  waits.last = std::min(all, tail(profile, work, first));
  waits.each = (all - waits.last) / kernel.requests;
  const Cycle fewest = kernel.alone.front().later, fewest_delayed = kernel.delayed.front().later;
  if (fewest_delayed > fewest) {
    const Cycle more = fewest_delayed - fewest;
    waits.at_once = (kernel.requests * table_.delay + more - 1) / more;
  }
  return waits;
}

Work BlockDurations::work(Profile profile, std::uint32_t block, const BlockWork& its, bool first) const {
  const KernelDurations& kernel = table_.kernels[profile];
  Work work = kWork;
  const KernelDurations::Alone& full = kernel.alone.back();
  if (first && full.later > 0) work = scaled(work, full.first, full.later);
  if (its.instructions > 0 && kernel.instructions > 0) {  // 1 + sensitivity * (its / mean - 1), not below a thousandth
    const auto all = static_cast<__int128>(kernel.instructions) * kPerMille;
    const __int128 more = (static_cast<__int128>(its.instructions) - kernel.instructions) * kernel.sensitivity;
    const auto factor = static_cast<std::uint64_t>(std::max<__int128>(all + more, kernel.instructions));
    work = scaled(work, factor, kernel.instructions * kPerMille);
  }
  if (!kernel.spread.empty()) {
    const std::uint64_t bits = random_bits(table_.seed, names_[profile], block, 0, 0);
    work = scaled(work, kernel.spread[uniform_below(bits, kernel.spread.size())], kPerMille);
  }
  return std::clamp<Work>(work, 1, kMaxWork);
}

}  // namespace gputlm
