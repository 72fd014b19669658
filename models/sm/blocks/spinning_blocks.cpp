#include "models/sm/blocks/spinning_blocks.h"

#include <algorithm>
#include <cassert>

#include "models/sm/blocks/spin.h"

namespace gputlm {

/// At most three successive blocks of a slot are kept: older ones have been counted.
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
    // A launch that was here before but had no block left is not new.
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
                Event::Kind::kComes,
                block.slot,
                {block.identity.application, kernel.warps_per_block(), kernel.threads_per_block(), work.instructions,
                 work.thread_instructions, now, 0, true}});
}

Cycle SpinningBlocks::end(const BlockLaunch& block) {
  const auto launch = std::find_if(launches_.begin(), launches_.end(),
                                   [&](const Launch& l) { return l.kernel == block.identity.kernel; });
  if (--launch->blocks == 0) launches_.erase(launch);
  slots_[block.slot] = false;
  ++totals_.ended;
  totals_.resident += block.end - block.start - block.preempted;
  if (--resident_ == 0) totals_.active += block.end - active_since_;
  events_.push({block.end, Event::Kind::kGoes, block.slot});
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

void SpinningBlocks::take_off(const std::vector<BlockLaunch*>& blocks, Cycle at, Cycle past) {
  count(past);
  Off& off = off_.emplace_back(Off{blocks.front()->identity.application, at, blocks, {}, 0});
  for (BlockLaunch* const block : blocks) {
    off.left.push_back(block->end - at);
    off.bytes += state_of_block(*block->kernel, block->kernel->warps_per_block());
    block->end = kNever;
    slots_[block->slot] = false;
  }
  resident_ = 0;
  totals_.active += at - active_since_;
  events_.push({at, Event::Kind::kAllGo, 0, {off.application}});
}

BlocksOff SpinningBlocks::off(ApplicationId application) const {
  for (const Off& off : off_) {
    if (off.application == application) return {static_cast<unsigned>(off.blocks.size()), off.bytes};
  }
  return {};
}

void SpinningBlocks::bring_back(ApplicationId application, Cycle now) {
  const auto off = std::find_if(off_.begin(), off_.end(), [=](const Off& o) { return o.application == application; });
  assert(resident_ == 0 && off != off_.end());
  const Cycle away = now - off->at;
  for (std::size_t i = 0; i < off->blocks.size(); ++i) {
    BlockLaunch& block = *off->blocks[i];
    block.end = now + off->left[i];
    block.preempted += away;
    block.counters.stall[static_cast<unsigned>(Stall::kPreempted)] += away * block.kernel->warps_per_block();
    slots_[block.slot] = true;
  }
  resident_ = static_cast<unsigned>(off->blocks.size());
  active_since_ = now;
  events_.push({now, Event::Kind::kAllComeBack, 0, {application}});
  back_ = std::move(off->blocks);
  off_.erase(off);
}

/// Counts the events announced for cycles before `until`, which have happened.
void SpinningBlocks::count(Cycle until) {
  while (!events_.empty() && events_.front().at < until) count(events_.pop());
}

void SpinningBlocks::count(const Event& event) {
  Place& place = places_[event.slot];
  switch (event.kind) {
    case Event::Kind::kComes:
      place = event.comes;
      ++statistics_.blocks;
      if (counted_resident_++ == 0) counted_active_since_ = event.at;
      return;
    case Event::Kind::kGoes:
      place.taken = false;
      statistics_.instructions += place.instructions;
      add(place, 1, place.resident(event.at), true, applications_);
      if (--counted_resident_ == 0) statistics_.active_cycles += event.at - counted_active_since_;
      return;
    case Event::Kind::kAllGo:
      counted_off_.push_back({event.comes.application, event.at, places_});
      for (Place& p : places_) p.taken = false;
      counted_resident_ = 0;
      statistics_.active_cycles += event.at - counted_active_since_;
      return;
    case Event::Kind::kAllComeBack:
      const auto off = std::find_if(counted_off_.begin(), counted_off_.end(),
                                    [&](const CountedOff& o) { return o.application == event.comes.application; });
      places_ = std::move(off->places);
      for (Place& p : places_) {
        p.preempted += event.at - off->at;
        counted_resident_ += p.taken;
      }
      counted_active_since_ = event.at;
      counted_off_.erase(off);
  }
}

/// `resident`: cycles of all these blocks. `ended`: whether they have ended, and count.
void SpinningBlocks::add(const Place& place, std::uint64_t blocks, Cycle resident, bool ended, SmApplications& to) {
  auto& [counters, occupancy] = to[place.application];
  if (ended) {
    counters.instructions += blocks * place.instructions;
    counters.thread_instructions += blocks * place.thread_instructions;
  }
  counters.stall[static_cast<unsigned>(Stall::kPreempted)] += blocks * place.preempted * place.warps;
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
  const auto add_taken = [&](const std::vector<Place>& places, Cycle until) {
    for (const Place& place : places) {
      if (place.taken) add(place, 1, place.resident(until), false, all);
    }
  };
  add_taken(places_, now);
  for (const CountedOff& off : counted_off_) add_taken(off.places, off.at + 1);
  return all;
}

}  // namespace gputlm
