#include "models/work_distributor/context.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace gputlm {
namespace {

SmLimits limited(SmLimits sm, const ContextLimits& limits) {
  sm.threads = std::min(sm.threads, limits.threads);
  sm.warps = std::min(sm.warps, limits.threads / static_cast<unsigned>(kWarpSize));
  return sm;
}

}  // namespace

Context::Context(const WorkDistributorConfig& config, const SmLimits& sm, unsigned sms, const ContextLimits& limits,
                 const std::vector<SmSet>& gpcs)
    : config_(config), gpcs_(gpcs), limits_(limited(sm, limits)), allowed_(limits.sms),
      has_a_limit_(limits.threads < sm.threads), below_(static_cast<int>(limits.client_priority * config.priorities)),
      sms_(sms), warps_on_(sms, 0), carveouts_(sms) {
  if (kernel_orders().at(config.kernel_order).has(Property::kNeedsPredictor)) predictor_.emplace(sms);
  order_ = make_kernel_order(config.kernel_order,
                             {sms, capacity(limits_), predictor_ ? &*predictor_ : nullptr, config.options, gpcs});
  partition_of(allowed_);  // names that do not exist are refused here
}

void Context::predict() {
  if (!predictor_) predictor_.emplace(sms_);
}

void Context::accept(KernelLaunch& launch, Cycle now) {
  const SmSet sms = launch.sms & allowed_;
  const auto same_sms = [&](const KernelState& kernel) { return kernel.sms == sms; };
  Partition& partition = partition_of(sms);
  if (std::none_of(kernels_.begin(), kernels_.end(), same_sms)) {
    partition.placement->idle();
    partition.clusters->idle();
  }
  KernelState state;
  state.launch = &launch;
  state.priority = launch.priority;
  state.sms = sms;
  state.placement = partition.placement.get();
  state.demand = block_demand(*launch.kernel, limits_, config_);
  state.blocks = launch.kernel->blocks();
  state.resident.assign(sms_, 0);
  if (config_.non_portable_cluster_blocks > 1) state.cluster = static_cast<unsigned>(launch.kernel->cluster.count());
  if (state.cluster > 1) begin_clusters(state, *partition.clusters);
  kernels_.push_back(std::move(state));
  const KernelState& kernel = kernels_.back();
  if (predictor_)
    predictor_->launched(launch.identity.kernel, kernel.blocks, residency(kernel.demand, capacity(limits_)),
                         sms_in_use(kernel));
  order_->launched(kernel, now);
  if (decisions.watched())
    decisions.note({now, KernelOrderEvent::Kind::kComes, launch.identity.kernel, launch.priority});
  offers_hold_ = false;
}

Context::Partition& Context::partition_of(const SmSet& sms) {
  const auto met =
      std::find_if(partitions_.begin(), partitions_.end(), [&](const Partition& p) { return p.sms == sms; });
  if (met != partitions_.end()) return *met;
  partitions_.push_back(
      {sms, make_placement(config_.placement, {sm_order(config_.sm_order, sms_), config_.options, capacity(limits_)}),
       make_cluster_placement(config_.cluster_placement, {static_cast<unsigned>(gpcs_.size()), config_.options})});
  return partitions_.back();
}

std::vector<KernelState>::iterator Context::find(KernelId kernel) {
  const auto found = std::find_if(kernels_.begin(), kernels_.end(),
                                  [&](const KernelState& k) { return k.launch->identity.kernel == kernel; });
  assert(found != kernels_.end());
  return found;
}

const KernelState& Context::kernel(KernelId kernel) const {
  const auto found = std::find_if(kernels_.begin(), kernels_.end(),
                                  [=](const KernelState& k) { return k.launch->identity.kernel == kernel; });
  assert(found != kernels_.end());
  return *found;
}

const KernelState* Context::in_flight(KernelId kernel) const {
  const auto found = std::find_if(kernels_.begin(), kernels_.end(),
                                  [=](const KernelState& k) { return k.launch->identity.kernel == kernel; });
  return found == kernels_.end() ? nullptr : &*found;
}

void Context::let_go(KernelId kernel) {
  if (in_flight(kernel)) ++find(kernel)->let_go;
}

void Context::reconsider(Cycle now) {
  if (offers_hold_) return;
  offers_.clear();
  order_->reconsider(kernels_, now);
  order_->offers(kernels_, offers_);
  offers_hold_ = true;
}

SmSet Context::wanted_before(int level, Cycle now) {
  reconsider(now);
  SmSet wanted;
  for (const Offer& offer : offers_) {
    const KernelState& kernel = kernels_[offer.kernel];
    if (this->level(kernel) >= level) continue;
    SmSet sms = offer.sms & all_sms(sms_);
    for (std::size_t sm = sms._Find_first(); sm < sms.size(); sm = sms._Find_next(sm)) {
      const bool within = warps_on_[sm] + kernel.demand.takes.warps <= limits_.warps;
      if (!within || kernel.resident[sm] >= offer.residency_limit) sms.reset(sm);
    }
    wanted |= sms;
  }
  return wanted;
}

std::optional<SmId> Context::place(const Offer& offer, const std::vector<Resources>& free, const SmSet& taken) {
  const KernelState& kernel = kernels_[offer.kernel];
  SmSet sms = offer.sms & ~taken;
  if (offer.residency_limit != Offer::kUnlimited) {
    for (unsigned sm = 0; sm < sms_; ++sm) {
      if (kernel.resident[sm] >= offer.residency_limit) sms.reset(sm);
    }
  }
  return kernel.placement->choose(kernel.demand, has_a_limit_ ? within_limit(free) : free, sms);
}

const std::vector<Resources>& Context::within_limit(const std::vector<Resources>& free) {
  left_ = free;
  for (unsigned sm = 0; sm < sms_; ++sm) {
    const unsigned warps = limits_.warps - warps_on_[sm];
    left_[sm].warps = std::min(left_[sm].warps, warps);
    left_[sm].threads = std::min(left_[sm].threads, warps * static_cast<unsigned>(kWarpSize));
  }
  return left_;
}

/// Called before the block is sent. Kernels offered before the block's kernel wait for room on all SMs that they may use.
void Context::note_sent(const Choice& choice, Cycle now) {
  SmSet waited_for;
  for (const Offer& offer : offers_) {
    if (offer.kernel == choice.kernel && offer.sms[choice.sm]) break;
    waited_for |= kernels_[offer.kernel].sms;
  }
  const KernelState& sent = kernels_[choice.kernel];
  KernelOrderEvent event{now, KernelOrderEvent::Kind::kSends, sent.launch->identity.kernel};
  if (sent.dispatched + 1 == sent.blocks) event.kind = KernelOrderEvent::Kind::kSendsLast;
  for (const KernelState& kernel : kernels_) {
    if (kernel.all_dispatched()) continue;
    if (&kernel == &sent || (kernel.sms & ~waited_for).any()) event.pending.push_back(kernel.launch->identity.kernel);
  }
  decisions.note(std::move(event));
}

void Context::launch(const Choice& choice, BlockLaunch& block, Cycle now) {
  if (decisions.watched()) note_sent(choice, now);
  KernelState& kernel = kernels_[choice.kernel];
  const KernelLaunch& launch = *kernel.launch;
  block.identity = launch.identity;
  block.identity.sm = choice.sm;
  block.identity.block = static_cast<std::uint32_t>(launch.kernel->block_at(kernel.dispatched));
  block.command = launch.command;
  block.iteration = launch.iteration;
  block.budget = launch.budget;
  block.kernel = launch.kernel;
  block.first_on_sm = !kernel.visited[choice.sm];

  carveouts_[choice.sm] = block.carveout;
  if (choice.of_cluster) {
    block.rank = static_cast<std::uint32_t>(kernel.dispatched % kernel.cluster);
    block.cluster = placed_;
    cluster_.erase(cluster_.begin());
  } else {
    kernel.placement->placed(choice.sm);
  }
  ++kernel.resident[choice.sm];
  kernel.visited.set(choice.sm);
  ++kernel.dispatched;
  ++outstanding_;
  ++progress_;
  warps_on_[choice.sm] += kernel.demand.takes.warps;
  if (predictor_) predictor_->block_sent(launch.identity.kernel, choice.sm, now);
  order_->block_sent(kernel, choice.sm, now);
  if (kernel.all_dispatched()) offers_hold_ = false;
}

Context::BlockEnd Context::block_ended(const BlockLaunch& block, std::vector<Resources>& free, Cycle now) {
  const Identity& who = block.identity;
  const auto kernel = find(who.kernel);
  free[who.sm] += kernel->demand.takes;
  --kernel->resident[who.sm];
  --outstanding_;
  ++progress_;
  warps_on_[who.sm] -= kernel->demand.takes.warps;
  KernelLaunch& launch = *kernel->launch;
  launch.first_block = kernel->ended == 0 ? block.start : std::min(launch.first_block, block.start);
  launch.end = std::max(launch.end, block.end);
  launch.counters += block.counters;
  launch.blocks_ended = ++kernel->ended;
  kernel->let_go += !block.let_go;
  BlockEnd end{std::nullopt, kernel->ended == kernel->blocks};
  if (predictor_)
    end.prediction = predictor_->block_ended(who.kernel, who.sm, block.end - block.start - block.preempted, now);
  order_->block_ended(*kernel, block, now);
  offers_hold_ = false;
  return end;
}

std::vector<Cycle> Context::active_cycles(KernelId kernel, Cycle now) const {
  std::vector<Cycle> active;
  if (!predictor_) return active;
  for (unsigned sm = 0; sm < sms_; ++sm)
    active.push_back(predictor_->active_cycles(kernel, static_cast<SmId>(sm), now));
  return active;
}

void Context::repeat(const BlockLaunch& block, std::uint64_t times, const Period& period) {
  KernelState& kernel = *find(block.identity.kernel);
  const std::uint64_t blocks = times * period.blocks;
  kernel.dispatched += blocks;
  kernel.ended += blocks;
  progress_ += 2 * blocks;
  KernelLaunch& launch = *kernel.launch;
  launch.blocks_ended += blocks;
  launch.end += times * period.cycles;
  launch.counters.instructions += blocks * block.counters.instructions;
  launch.counters.thread_instructions += blocks * block.counters.thread_instructions;
  if (predictor_) predictor_->repeat(block.identity.kernel, times, period.cycles, period.ended, period.active);
}

Context::KernelEnd Context::end_kernel(KernelId id, Cycle now) {
  const auto kernel = find(id);
  KernelEnd end{kernel->launch, active_cycles(id, now)};
  order_->ended(*kernel, now);
  if (decisions.watched()) decisions.note({now, KernelOrderEvent::Kind::kEnds, id});
  if (predictor_) predictor_->ended(id);
  kernels_.erase(kernel);
  return end;
}

Resources Context::on(unsigned sm) const {
  Resources sum;
  for (const KernelState& kernel : kernels_) sum += kernel.demand.takes * kernel.resident[sm];
  return sum;
}

void Context::stop(Cycle now) {
  if (predictor_) predictor_->stop(now);
}

void Context::go_on(Cycle now) {
  off_ = 0;
  if (predictor_) predictor_->go_on(now);
}

void Context::count_placement(PolicyCounts& counts) const {
  for (const Partition& partition : partitions_) partition.placement->count(counts);
}

void Context::count_cluster_placement(PolicyCounts& counts) const {
  for (const Partition& partition : partitions_) partition.clusters->count(counts);
}

}  // namespace gputlm
