#include "models/contention/core.h"

#include <algorithm>
#include <cmath>

#include "tlm/counter_table.h"

namespace gputlm {
namespace {

constexpr BlockPace kAlone = BlockPace{1} << kPaceFraction;
constexpr unsigned kNoticed = 256;  ///< SMs hear of changes above 1/256; chosen far below the errors of docs/blocks.md

/// Fills in the pace and the losses, which add up to 1 before and after rounding.
void fill(BlockRate& message, const ContentionSolver::Rate& rate) {
  const double pace = std::min(std::max(rate.pace, 1e-5), 1000.0);
  message.pace = static_cast<BlockPace>(std::lround(pace * kAlone));
  std::int64_t left = std::int64_t{kAlone} - message.pace;
  std::size_t largest = 0;
  for (std::size_t i = 0; i < kSharedResources; ++i) {
    message.lost[i] = static_cast<std::int32_t>(std::lround(rate.lost[i] * kAlone));
    left -= message.lost[i];
    if (std::abs(rate.lost[i]) > std::abs(rate.lost[largest])) largest = i;
  }
  message.lost[largest] += static_cast<std::int32_t>(left);
}

}  // namespace

ContentionCore::ContentionCore(const ContentionSetup& setup, unsigned sms, ItemSource<BlockRate>& source,
                               const Link& link)
    : source_(source), solver_(setup.memory, setup.sm) {
  for (unsigned i = 0; i < sms; ++i) sms_.emplace_back(link);
  for (const auto& [kernel, needs] : setup.kernels) profiles_[kernel] = solver_.add(needs, setup.alone);
}

Cycle ContentionCore::advance(Cycle until) {
  for (;;) {
    Cycle now = due_;
    for (const Sm& sm : sms_) now = std::min({now, sm.counts.next(), sm.rates_heard.next()});
    if (now >= until) return now;
    for (Sm& sm : sms_) take(sm, now);
    if (due_ <= now) solve(now);
  }
}

void ContentionCore::take(Sm& sm, Cycle now) {
  while (sm.rates_heard.ready(now)) source_.release(sm.rates_heard.pop(now));
  while (sm.counts.ready(now)) {
    BlockCount& count = sm.counts.pop(now);
    auto& residents = sm.residents;
    auto resident = std::find_if(residents.begin(), residents.end(),
                                 [&](const Resident& r) { return r.kernel == count.of.kernel; });
    if (resident == residents.end())
      resident = residents.insert(resident, {count.of.kernel, profiles_.at(count.kernel)});
    resident->now = count.blocks;
    due_ = std::min(due_, now + kInterval);
    sm.counts_heard.send(std::max(now, sm.counts_heard.ready_at()), count);
  }
}

/// Groups SMs that have the same blocks.
void ContentionCore::gather() {
  std::size_t used = 0;
  for (Sm& sm : sms_) {
    if (used == mixes_.size()) mixes_.emplace_back();
    ContentionSolver::Mix& mix = mixes_[used];
    mix.residents.clear();
    for (const Resident& r : sm.residents) mix.residents.push_back({r.profile, r.solved});
    const auto same = [&](const ContentionSolver::Mix& other) {
      return std::equal(other.residents.begin(), other.residents.end(), mix.residents.begin(), mix.residents.end(),
                        [](const auto& a, const auto& b) { return a.profile == b.profile && a.blocks == b.blocks; });
    };
    const auto end = mixes_.begin() + static_cast<std::ptrdiff_t>(used);
    const auto known = std::find_if(mixes_.begin(), end, same);
    sm.mix = static_cast<std::size_t>(known - mixes_.begin());
    if (known == end) {
      mix.sms = 0;
      ++used;
    }
    ++mixes_[sm.mix].sms;
  }
  mixes_.resize(used);
}

void ContentionCore::solve(Cycle now) {
  due_ = kNever;
  bool changed = false;
  for (Sm& sm : sms_) {
    auto& residents = sm.residents;
    for (Resident& r : residents) {
      const unsigned counted = std::max(r.now, r.before);
      if (r.now < r.before) due_ = now + kInterval;
      changed = changed || counted != r.solved || r.told == 0;
      r.solved = counted;
      r.before = r.now;
    }
    residents.erase(std::remove_if(residents.begin(), residents.end(), [](const auto& r) { return r.solved == 0; }),
                    residents.end());
  }
  if (!changed) return;
  ++statistics_.solved;
  gather();
  const auto& rates = solver_.solve(mixes_);
  rates_.assign(rates.begin(), rates.end());
  first_rate_.assign(1, 0);
  for (const auto& mix : mixes_) first_rate_.push_back(first_rate_.back() + mix.residents.size());
  for (Sm& sm : sms_) {
    tell(sm, now);
    for (const Resident& r : sm.residents) {
      if (r.told == 0) due_ = now + kInterval;
    }
  }
}

void ContentionCore::tell(Sm& sm, Cycle now) {
  for (std::size_t i = 0; i < sm.residents.size(); ++i) {
    Resident& resident = sm.residents[i];
    if (sm.rates.ready_at() > now) return;  // the SM hears of the next pace
    const ContentionSolver::Rate& rate = rates_[first_rate_[sm.mix] + i];
    const double told = static_cast<double>(resident.told) / kAlone;
    if (resident.told > 0 && std::abs(rate.pace - told) * kNoticed < told) continue;
    BlockRate& message = source_.allocate();
    message.kernel = resident.kernel;
    fill(message, rate);
    resident.told = message.pace;
    sm.rates.send(now, message);
    ++statistics_.told;
  }
}

GPUTLM_REGISTER { add_counter_table<ContentionStatistics>("contention", {"contention"}); }

}  // namespace gputlm
