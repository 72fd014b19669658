#include "models/sm/blocks/block_sm.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "models/sm/blocks/spin.h"
#include "tlm/counter_table.h"

namespace gputlm {
namespace {

constexpr Wait kOneCycle = Wait{1} << kWaitFraction;

/// Whole cycles, rounded towards zero.
std::int64_t whole_cycles(Wait wait) { return wait / kOneCycle; }

}  // namespace

BlockSm::BlockSm(SmModelSetup setup, bool requests)
    : config_(setup.config), id_(setup.id), clock_(setup.clock), durations_(*setup.durations), network_(setup.network),
      accesses_(setup.accesses), places_(config_.blocks), launches_(config_.blocks), completions_(1, config_.blocks),
      ended_(config_.blocks), requests_(1, network_.link.request.queue), replies_(network_.link.response.queue) {
  if (requests) memory_ = std::make_unique<Memory>(config_, network_, accesses_);
}

ContentionEnd* BlockSm::allow_contention(ItemSource<BlockCount>& source, const Link& link) {
  if (!memory_) contention_ = std::make_unique<ContentionEnd>(source, link);
  return contention_.get();
}

void BlockSm::allow_preemption() { preemption_ = std::make_unique<Preemption>(network_, accesses_, requests()); }

Cycle BlockSm::next() const {
  Cycle next = std::min(std::min(launches_.next(), event_), replies_.next());
  if (memory_) next = std::min(next, memory_->load_store.next());
  if (contention_) next = std::min(next, contention_->next());
  if (!preemption_) return next;
  const Preemption& p = *preemption_;
  return std::min(next, p.command ? p.transfer.next() : p.commands.next());
}

Cycle BlockSm::advance(Cycle until) {
  if (memory_) memory_->load_store.refresh();
  Cycle now = next();
  for (; now < until; now = next()) {
    get_on(now);
    if (contention_)
      contention_->take(now, [this](KernelId kernel, BlockPace pace) { return put_right(kernel, pace); });
    take_replies(now);
    while (launches_.ready(now)) start(launches_.pop(now), now);
    if (memory_) step_memory(now);
    step_places(now);
    if (preemption_) step_preemption(now);
    find_rates(now);
  }
  if (memory_) {
    memory_->l1.drain(until);
    now = std::min(now, memory_->l1.drain_next());
  }
  send_completions(until);
  return ended_.empty() ? now : std::min(now, completions_.ready_at());
}

/// Advances every block from the last event to this one.
void BlockSm::get_on(Cycle now) {
  const Cycle since = at_;
  at_ = now;
  if (contention_) contention_->get_on(now - since);
  if (memory_ && memory_->stopping) return;
  for (Place& place : places_) {
    if (!place.launch || place.held) continue;
    const std::int64_t waited = std::min(static_cast<std::int64_t>(now - since), whole_cycles(place.wait));
    place.wait -= waited * kOneCycle;
    const auto cycles = static_cast<Cycle>(static_cast<std::int64_t>(now - since) - waited);
    if (place.shares && contention_->pace(place.launch->identity.kernel) == 0) place.as_alone += cycles;
    Work done = rate_of(place) * cycles;
    const Work for_replies = std::min(place.waiting, done);
    place.waiting -= for_replies;
    done -= for_replies;
    const Work floor = place.stuck ? std::min(place.accesses.floor(), place.left) : 0;
    const Work got_on = std::min(place.left - floor, done);
    place.left -= got_on;
    if (place.stuck) place.waits.all -= std::min(place.waits.all - place.waits.last, done - got_on);
    if (place.left > 0) continue;
    place.waiting += place.waits.all;  // waits for replies not received yet
    place.waits.all = place.waits.last = 0;
  }
}

/// Applies the pace retroactively to a kernel's blocks, which have progressed as if alone. Returns their cycles so far.
Cycle BlockSm::put_right(KernelId kernel, BlockPace pace) {
  Cycle all = 0;
  for (Place& place : places_) {
    if (!place.launch || !place.shares || place.launch->identity.kernel != kernel) continue;
    const Work done = place.as_alone << kPaceFraction, ought = place.as_alone * pace;
    place.left = std::max(place.left + done, ought) - ought;
    all += std::exchange(place.as_alone, 0);
  }
  return all;
}

void BlockSm::take_replies(Cycle now) {
  while (replies_.ready(now)) {
    Access& access = replies_.pop(now);
    if (access.slot == StateTransfer::kSlot) {
      preemption_->transfer.reply();
    } else {
      reply(now, access);
    }
    accesses_.release(access);
  }
}

BlockSm::Launch& BlockSm::launch_of(const BlockLaunch& block, Cycle now) {
  const KernelId id = block.identity.kernel;
  const auto known = std::find_if(kernels_.begin(), kernels_.end(), [&](const Launch& l) { return l.kernel == id; });
  if (known != kernels_.end()) return *known;
  // A launch that was here before but had no block left is not new.
  kernels_.push_back({id, now + (block.first_on_sm ? config_.launch_fetch_latency : 0), 0, block.first_on_sm});
  return kernels_.back();
}

void BlockSm::start(BlockLaunch& launch, Cycle now) {
  if (resident_++ == 0) active_since_ = now;
  ++statistics_.blocks;
  const auto free = std::find_if(places_.begin(), places_.end(), [](const Place& p) { return !p.launch; });
  assert(free != places_.end());
  Launch& kernel = launch_of(launch, now);
  ++kernel.blocks;
  launch.start = now;
  launch.slot = static_cast<std::uint16_t>(free - places_.begin());
  Place& place = *free;
  place.launch = &launch;
  place.number = statistics_.blocks;
  place.profile = durations_.profile(*launch.kernel);
  place.work = reader_.read(*launch.code, launch.kernel->warps_per_block(), id_);
  place.held_until = kernel.fetched;
  const bool works = place.profile != BlockDurations::kOnlySpins;
  place.shares = contention_ && !works && launch.kernel->demand;
  place.as_alone = 0;
  place.first = memory_ && kernel.first;
  const bool more_work = !memory_ && kernel.first;
  place.left = works ? durations_.work(place.profile, launch.identity.block, place.work, more_work) : 0;
  if (place.work.spin > 0 || place.work.only_spins) hold_for_spin(place, now);
  place.held = place.held_until > now;
  if (memory_) {
    memory_->l1.divide(launch.carveout);
    if (launch.first_on_sm && config_.l1.invalidate_at_kernel_start) memory_->l1.invalidate();
    place.stuck = false;
    place.wait = 0;
    place.waiting = 0;
    place.replies = 0;
    place.waits = works ? durations_.waits(place.profile, place.left, place.first) : BlockDurations::Waits();
    const Work tail = works ? durations_.tail(place.profile, place.left, place.first) : 0;
    place.left -= place.waits.all;
    place.accesses.begin(*launch.code, launch.identity.block, launch.kernel->warps_per_block(), place.left,
                         std::min(place.left, tail - place.waits.last));
  }
  changed_ = true;
  if (blocks.watched()) note(launch, BlockOnSm::Event::kStarted, now);
}

void BlockSm::hold_for_spin(Place& place, Cycle now) {
  const Cycle fetched = place.held_until;
  place.held_until = end_of_spin(place.work, now, fetched, clock_);
  if (place.profile != BlockDurations::kOnlySpins) return;
  place.held_until += cycles_of_exit(place.launch->kernel->warps_per_block(), config_);
  if (!place.shares) return;
  const Cycle begins = std::max(fetched, now);
  place.left = Work{place.held_until - begins} << kPaceFraction;
  place.held_until = begins;
}

/// Counts the blocks that progress at the contention unit's pace.
void BlockSm::count_places(Cycle now) {
  contention_->begin_count();
  for (const Place& place : places_) {
    if (place.launch && place.shares && !place.held) contention_->count(*place.launch);
  }
  contention_->end_count(now);
}

void BlockSm::step_places(Cycle now) {
  if (event_ > now) return;
  for (Place& place : places_) {
    if (!place.launch) continue;
    if (place.held && place.held_until <= now) {
      place.held = false;
      changed_ = true;
    }
    if (!place.held && place.has_done_all() && event_of(place, now) <= now) end(place, now);
  }
}

void BlockSm::end(Place& place, Cycle now) {
  BlockLaunch& launch = *place.launch;
  launch.end = now;
  launch.counters.instructions = place.work.instructions;
  launch.counters.thread_instructions = place.work.thread_instructions;
  if (place.shares) {
    const Cycle there = now - launch.start - launch.preempted;
    launch.counters.stall[static_cast<unsigned>(Stall::kSpin)] += there * launch.kernel->warps_per_block();
  }
  statistics_.instructions += place.work.instructions;
  if (blocks.watched()) note(launch, BlockOnSm::Event::kEnded, now);
  add_block(launch, now, applications_);
  const auto kernel = std::find_if(kernels_.begin(), kernels_.end(),
                                   [&](const Launch& l) { return l.kernel == launch.identity.kernel; });
  kernel->first = false;
  if (--kernel->blocks == 0) kernels_.erase(kernel);
  launch.code.reset();
  ended_.push(&launch);
  place.launch = nullptr;
  changed_ = true;
  if (--resident_ == 0) statistics_.active_cycles += now - active_since_;
}

/// Computes the rates from `now` on, and the time of the first end.
void BlockSm::find_rates(Cycle now) {
  if (contention_ && (changed_ || contention_->unsent())) count_places(now);
  if (changed_) {
    changed_ = false;
    groups_.clear();
    residents_.clear();
    for (const Place& place : places_) {
      if (!place.launch || place.held || place.profile == BlockDurations::kOnlySpins) continue;
      const auto same =
          std::find_if(residents_.begin(), residents_.end(), [&](const auto& r) { return r.profile == place.profile; });
      if (same == residents_.end()) {
        residents_.push_back({place.profile, 1});
      } else {
        ++same->blocks;
      }
    }
    for (std::size_t i = 0; i < residents_.size(); ++i)
      groups_.push_back({residents_[i].profile, durations_.rate(residents_, i), durations_.rate(residents_, i, true),
                         memory_ ? durations_.requests(residents_, i) : BlockDurations::Requests()});
  }
  event_ = kNever;
  if (memory_ && memory_->stopping) return;
  for (const Place& place : places_) {
    if (place.launch) event_ = std::min(event_, event_of(place, now));
  }
}

/// Cycle in which a place has work that does not depend on a reply or on room in the load/store unit.
Cycle BlockSm::event_of(const Place& place, Cycle now) const {
  if (place.held) return place.held_until;
  if (place.stuck) return kNever;
  if (place.has_done_all()) return std::max(now, settled(place));
  const Work rate = rate_of(place), due = place.accesses.due(),
             until_due = place.waiting + (place.left > due ? place.left - due : 0);
  return now + static_cast<Cycle>(std::max<std::int64_t>(
                   0, static_cast<std::int64_t>((until_due + rate - 1) / rate) + whole_cycles(place.wait)));
}

const BlockSm::Group* BlockSm::group_of(const Place& place) const {
  const auto group =
      std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.profile == place.profile; });
  return group == groups_.end() ? nullptr : &*group;
}

Work BlockSm::rate_of(const Place& place) const {
  if (place.shares) {
    const BlockPace pace = contention_->pace(place.launch->identity.kernel);
    return pace > 0 ? pace : BlockPace{1} << kPaceFraction;
  }
  const Group* const group = group_of(place);
  if (!group) return kWork;  // only spins: no work is left when they end
  return place.first ? group->rate_of_first : group->rate;
}

void BlockSm::send_completions(Cycle until) {
  while (!ended_.empty()) {
    const Cycle at = std::max(ended_.front()->end, completions_.ready_at());
    if (at >= until) return;
    completions_.send(at, *ended_.pop());
  }
}

void BlockSm::step_preemption(Cycle now) {
  Preemption& p = *preemption_;
  if (!p.command) {
    if (!p.commands.ready(now)) return;
    begin_switch(now);
  }
  if (memory_ && memory_->stopping) {
    if (!drained()) return;
    memory_->stopping = false;
    take_off(now, memory_->since);
    memory_->l1.invalidate();
  }
  p.transfer.step(now);
  if (p.transfer.active()) return;
  if (p.command->brings_back) bring_back(now);
  end_switch(now);
}

void BlockSm::begin_switch(Cycle now) {
  Preemption& p = *preemption_;
  p.command = &p.commands.pop(now);
  const ApplicationId application = p.command->application;
  p.moves = {};
  if (foresees()) {
    move_state(spinning_->off(application), now);
  } else if (p.command->brings_back) {
    const auto off =
        std::find_if(p.off.begin(), p.off.end(), [&](const Off& o) { return o.application == application; });
    assert(resident_ == 0 && off != p.off.end());
    std::rotate(off, off + 1, p.off.end());  // to the back
    move_state({static_cast<unsigned>(p.off.back().places.size()), p.off.back().bytes}, now);
  } else if (memory_) {
    memory_->stopping = true;
    memory_->since = now + 1;
  } else {
    take_off(now, now + 1);
  }
}

void BlockSm::take_off(Cycle now, Cycle since) {
  Preemption& p = *preemption_;
  if (resident_ == 0) return;
  Off& off = p.off.emplace_back(Off{p.command->application, since, 0, {}});
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    if (!place.launch) continue;
    const Kernel& kernel = *place.launch->kernel;
    off.bytes += state_of_block(kernel, kernel.warps_per_block());
    off.places.emplace_back(i, place);
    if (blocks.watched()) note(*place.launch, BlockOnSm::Event::kTakenOff, now);
    place.launch = nullptr;
  }
  std::sort(off.places.begin(), off.places.end(),
            [](const auto& a, const auto& b) { return a.second.number < b.second.number; });
  statistics_.active_cycles += now - active_since_;
  changed_ = true;
  move_state({std::exchange(resident_, 0), off.bytes}, now);
}

/// Moves the state of blocks to or from memory, or waits for the time that this takes.
void BlockSm::move_state(const BlocksOff& moved, Cycle now) {
  Preemption& p = *preemption_;
  if (moved.blocks == 0) return;
  p.moves = moved;
  p.moves_since = now;
  if (p.command->pace > 0) {
    p.transfer.pass(now + std::max<Cycle>(1, (moved.bytes * p.command->pace) >> kSwitchPaceBits));
    return;
  }
  Identity who;
  who.application = p.command->application;
  who.sm = id_;
  p.transfer.begin(now + 1, save_area(config_, who.application, id_), moved.bytes, !p.command->brings_back, who);
}

void BlockSm::bring_back(Cycle now) {
  Preemption& p = *preemption_;
  if (foresees()) return spinning_->bring_back(p.command->application, now);
  const Off off = std::move(p.off.back());
  p.off.pop_back();
  if (memory_) memory_->l1.divide(off.places.front().second.launch->carveout);
  const Cycle away = now + 1 - off.since;
  active_since_ = now;
  resident_ = static_cast<unsigned>(off.places.size());
  for (const auto& [index, saved] : off.places) {
    Place& place = places_[index] = saved;
    BlockLaunch& launch = *place.launch;
    launch.preempted += away;
    launch.counters.stall[static_cast<unsigned>(Stall::kPreempted)] += away * launch.kernel->warps_per_block();
    if (place.held) place.held_until += away;
    place.stuck = false;  // the load/store unit is empty
    if (blocks.watched()) note(launch, BlockOnSm::Event::kBack, now);
  }
  changed_ = true;
}

void BlockSm::end_switch(Cycle now) {
  Preemption& p = *preemption_;
  p.command->blocks = p.moves.blocks;
  p.command->bytes = p.moves.bytes;
  p.command->took = p.moves.blocks > 0 ? now - p.moves_since : 0;
  p.command->stuck = false;
  p.done.send(std::max(now, p.done.ready_at()), *p.command);
  p.command = nullptr;
}

void BlockSm::note(const BlockLaunch& launch, BlockOnSm::Event event, Cycle now) {
  blocks.note({now, launch.identity, launch.command, launch.iteration, launch.slot, event});
}

SmForesight* BlockSm::foresight() {
  if (memory_) return nullptr;
  if (!spinning_) spinning_ = std::make_unique<SpinningBlocks>(config_, id_, clock_);
  return spinning_.get();
}

SmStatistics BlockSm::statistics(Cycle now) const {
  SmStatistics result = foresees() ? spinning_->statistics(now) : statistics_;
  if (resident_ > 0 && now > active_since_) result.active_cycles += now - active_since_;
  if (memory_) result.load_store = memory_->load_store.statistics(now);
  result.issued.assign(config_.sub_cores, 0);  // the sub-core of an instruction is unknown
  return result;
}

SmApplications BlockSm::applications(Cycle now) const {
  SmApplications all = foresees() ? spinning_->applications(now) : applications_;
  for (const Place& place : places_) {
    if (place.launch) add_block(*place.launch, now, all);
  }
  if (!preemption_) return all;
  for (const Off& off : preemption_->off) {
    for (const auto& [index, place] : off.places) add_block(*place.launch, off.since, all);
  }
  return all;
}

std::vector<std::string> BlockSm::waiting() const {
  std::vector<std::string> lines;
  for (const Place& place : places_) {
    if (!place.launch) continue;
    lines.push_back("SM " + std::to_string(id_) + ": block " + std::to_string(place.launch->identity.block) +
                    " of kernel " + place.launch->kernel->name +
                    (place.held                 ? ": spins"
                     : settled(place) == kNever ? ": waits for memory"
                                                : ": gets on"));
  }
  if (!preemption_) return lines;
  if (preemption_->command) {
    lines.push_back("SM " + std::to_string(id_) + ": moves the state of an application's blocks");
  }
  for (const Off& off : preemption_->off) {
    lines.push_back("SM " + std::to_string(id_) + ": " + std::to_string(off.places.size()) + " blocks of application " +
                    std::to_string(off.application) + " have been taken off");
  }
  return lines;
}

GPUTLM_REGISTER {
  add_counter_table<LostTime>("blocks that share the GPU", {"", "", "sharing"});
  sm_models().add({{"blocks", 2},
                   "Blocks, by measured durations: no warps, no accesses; hundreds of times as fast",
                   "srtf, sections 3.3 and 3.4; docs/blocks.md",
                   {Property::kNeedsDurations, Property::kHeedsDemands}},
                  [](SmModelSetup setup) { return std::make_unique<BlockSm>(std::move(setup), false); });
  sm_models().add({{"blocks_requests", 3},
                   "The same, but accesses of blocks go through L1, crossbar, L2 and DRAM",
                   "docs/blocks.md",
                   {Property::kNeedsDurations, Property::kSendsRequests}},
                  [](SmModelSetup setup) { return std::make_unique<BlockSm>(std::move(setup), true); });
}

}  // namespace gputlm
