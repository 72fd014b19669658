#include "models/sm/blocks/spinning_blocks.h"

#include <algorithm>
#include <cassert>

#include "models/sm/blocks/spin.h"

namespace gputlm {

/// Of a slot, no more is kept than three blocks that follow each other: what is older has been counted.
constexpr unsigned kEventsOfSlot = 8;

SpinningBlocks::SpinningBlocks(const SmConfig& config, SmId id, const Clock& clock)
    : config_(config), id_(id), clock_(clock), slots_(config.blocks, false), events_(kEventsOfSlot * config.blocks),
      places_(config.blocks) {}

void SpinningBlocks::start(BlockLaunch& block, Kernel& kernel, Cycle past) {
  count(past);
  const Cycle now = block.start;
  const auto slot = std::find(slots_.begin(), slots_.end(), false);
  assert(slot != slots_.end());
  auto launch = std::find_if(launches_.begin(), launches_.end(),
                             [&](const Launch& l) { return l.kernel == block.identity.kernel; });
  const auto read = [&] { return reader_.read(*kernel.code(block.identity.block), kernel.warps_per_block(), id_); };
  if (launch == launches_.end()) {
    // One that was here and had no block left is not at its beginning.
    launches_.push_back({block.identity.kernel, now + (block.first_on_sm ? config_.launch_fetch_latency : 0)});
    launch = launches_.end() - 1;
    if (kernel.blocks_are_alike()) launch->work = read();
  }
  ++launch->blocks;
  const BlockWork work = kernel.blocks_are_alike() ? launch->work : read();
  *slot = true;
  block.slot = static_cast<std::uint16_t>(slot - slots_.begin());
  block.end = end_of_spin(work, now, launch->fetched, clock_) + cycles_of_exit(kernel.warps_per_block(), config_);
  block.counters.instructions = work.instructions;
  block.counters.thread_instructions = work.thread_instructions;
  if (resident_++ == 0) active_since_ = now;
  ++totals_.started;
  events_.push({now,
                block.slot,
                {block.identity.application, kernel.warps_per_block(), kernel.threads_per_block(), work.instructions,
                 work.thread_instructions, now, true}});
}

Cycle SpinningBlocks::end(const BlockLaunch& block) {
  const auto launch = std::find_if(launches_.begin(), launches_.end(),
                                   [&](const Launch& l) { return l.kernel == block.identity.kernel; });
  if (--launch->blocks == 0) launches_.erase(launch);
  slots_[block.slot] = false;
  ++totals_.ended;
  totals_.resident += block.end - block.start;
  if (--resident_ == 0) totals_.active += block.end - active_since_;
  events_.push({block.end, block.slot});
  const Cycle sent = std::max(block.end, link_free_);
  link_free_ = sent + 1;
  return sent;
}

SmForesight::Totals SpinningBlocks::totals(Cycle now) const {
  Totals totals = totals_;
  if (resident_ > 0) totals.active += now - active_since_;
  return totals;
}

void SpinningBlocks::repeat(Cycle past, std::uint64_t times, Cycle period, const Totals& each,
                            const BlockLaunch& block) {
  count(past);
  const Cycle later = times * period;
  active_since_ += later;
  link_free_ += later;
  totals_.started += times * each.started;
  totals_.ended += times * each.ended;
  totals_.resident += times * each.resident;
  totals_.active += times * each.active;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    events_[i].at += later;
    events_[i].comes.start += later;
  }
  for (Place& place : places_) place.start += later;
  counted_active_since_ += later;
  statistics_.blocks += times * each.started;
  statistics_.active_cycles += times * each.active;
  statistics_.instructions += times * each.ended * block.counters.instructions;
  const Place like{block.identity.application, block.kernel->warps_per_block(), block.kernel->threads_per_block(),
                   block.counters.instructions, block.counters.thread_instructions};
  if (each.ended > 0) add(like, times * each.ended, times * each.resident, true, applications_);
}

/// What was told to happen before `until` has happened.
void SpinningBlocks::count(Cycle until) {
  while (!events_.empty() && events_.front().at < until) {
    const Event event = events_.pop();
    Place& place = places_[event.slot];
    if (event.comes.taken) {
      place = event.comes;
      ++statistics_.blocks;
      if (counted_resident_++ == 0) counted_active_since_ = event.at;
      continue;
    }
    place.taken = false;
    statistics_.instructions += place.instructions;
    add(place, 1, event.at - place.start, true, applications_);
    if (--counted_resident_ == 0) statistics_.active_cycles += event.at - counted_active_since_;
  }
}

/// `resident`: cycles of all these blocks. `ended`: they have, and count.
void SpinningBlocks::add(const Place& place, std::uint64_t blocks, Cycle resident, bool ended, SmApplications& to) {
  auto& [counters, occupancy] = to[place.application];
  if (ended) {
    counters.instructions += blocks * place.instructions;
    counters.thread_instructions += blocks * place.thread_instructions;
  }
  occupancy.block_cycles += resident;
  occupancy.warp_cycles += resident * place.warps;
  occupancy.thread_cycles += resident * place.threads;
}

SmStatistics SpinningBlocks::statistics(Cycle now) {
  count(now);
  SmStatistics result = statistics_;
  if (counted_resident_ > 0 && now > counted_active_since_) result.active_cycles += now - counted_active_since_;
  return result;
}

SmApplications SpinningBlocks::applications(Cycle now) {
  count(now);
  SmApplications all = applications_;
  for (const Place& place : places_) {
    if (place.taken) add(place, 1, now - place.start, false, all);
  }
  return all;
}

}  // namespace gputlm
