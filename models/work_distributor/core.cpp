#include "models/work_distributor/core.h"

#include <algorithm>

namespace gputlm {

WorkDistributorCore::WorkDistributorCore(const WorkDistributorConfig& config, const SmLimits& sm, unsigned sms,
                                         ItemSource<BlockLaunch>& blocks)
    : config_(config), sm_(sm), block_source_(blocks), launches_(config.kernels_in_flight),
      completions_(1, config.kernels_in_flight), free_(sms, capacity(sm)), ended_(config.kernels_in_flight) {
  if (kernel_orders().at(config.kernel_order).has(Property::kNeedsPredictor)) predictor_.emplace(sms);
  order_ =
      make_kernel_order(config.kernel_order, {sms, capacity(sm), predictor_ ? &*predictor_ : nullptr, config.options});
  placement_on(SmSet().set());  // names that do not exist are refused here
  sms_.reserve(sms);
  for (unsigned i = 0; i < sms; ++i) sms_.push_back({Outbox<BlockLaunch>(1, sm.blocks), Inbox<BlockLaunch>(sm.blocks)});
}

void WorkDistributorCore::predict() {
  if (!predictor_) predictor_.emplace(static_cast<unsigned>(sms_.size()));
}

Cycle WorkDistributorCore::advance(Cycle until) {
  while (true) {
    Cycle next = launches_.next();
    for (const SmLink& sm : sms_) next = std::min(next, sm.completions.next());
    if (may_dispatch_) next = std::min(next, next_dispatch_);
    if (!ended_.empty()) next = std::min(next, std::max(ended_.front()->end, completions_.ready_at()));
    if (next >= until) return next;
    const Cycle now = next;
    for (SmLink& sm : sms_) {
      while (sm.completions.ready(now)) complete(sm.completions.pop(now), now);
    }
    while (launches_.ready(now)) accept(launches_.take(), now);
    if (may_dispatch_ && next_dispatch_ <= now) {
      may_dispatch_ = dispatch(now);
      if (may_dispatch_) next_dispatch_ = now + config_.dispatch_interval;
    }
    while (!ended_.empty() && completions_.ready_at() <= now) {
      completions_.send(now, *ended_.pop());
      launches_.freed(now);
    }
  }
}

void WorkDistributorCore::accept(KernelLaunch& launch, Cycle now) {
  const auto same_sms = [&](const KernelState& kernel) { return kernel.sms == launch.sms; };
  Placement& placement = placement_on(launch.sms);
  if (std::none_of(kernels_.begin(), kernels_.end(), same_sms)) placement.idle();
  launch.arrived = now;
  KernelState state;
  state.launch = &launch;
  state.priority = launch.priority;
  state.sms = launch.sms;
  state.placement = &placement;
  state.demand = block_demand(*launch.kernel, sm_, config_);
  state.blocks = launch.kernel->blocks();
  state.resident.assign(sms_.size(), 0);
  kernels_.push_back(std::move(state));
  const KernelState& kernel = kernels_.back();
  const auto sms = static_cast<unsigned>((kernel.sms & all_sms(static_cast<unsigned>(sms_.size()))).count());
  if (predictor_)
    predictor_->launched(launch.identity.kernel, kernel.blocks, residency(kernel.demand, capacity(sm_)), sms);
  order_->launched(kernel, now);
  offers_hold_ = false;
  may_dispatch_ = true;
  next_dispatch_ = std::max(next_dispatch_, now);
}

Placement& WorkDistributorCore::placement_on(const SmSet& sms) {
  const auto met =
      std::find_if(partitions_.begin(), partitions_.end(), [&](const Partition& p) { return p.sms == sms; });
  if (met != partitions_.end()) return *met->placement;
  const auto count = static_cast<unsigned>(free_.size());
  partitions_.push_back({sms, make_placement(config_.placement, sm_order(config_.sm_order, count), config_.options)});
  return *partitions_.back().placement;
}

void WorkDistributorCore::complete(BlockLaunch& block, Cycle now) {
  const Identity& who = block.identity;
  const auto kernel = std::find_if(kernels_.begin(), kernels_.end(),
                                   [&](const KernelState& k) { return k.launch->identity.kernel == who.kernel; });
  assert(kernel != kernels_.end());
  free_[who.sm] += kernel->demand.takes;
  --kernel->resident[who.sm];
  KernelLaunch& launch = *kernel->launch;
  launch.first_block = kernel->ended == 0 ? block.start : std::min(launch.first_block, block.start);
  launch.end = std::max(launch.end, block.end);
  launch.counters += block.counters;
  launch.blocks_ended = ++kernel->ended;
  std::optional<Prediction> prediction;
  if (predictor_) prediction = predictor_->block_ended(who.kernel, who.sm, block.end - block.start, now);
  order_->block_ended(*kernel, block, now);
  if (blocks_ended.watched()) {
    blocks_ended.note({who, block.command, block.iteration, block.start, block.end, now, block.counters, prediction});
  }
  std::vector<const BlockLaunch*>& sent = sms_[who.sm].blocks;
  sent.erase(std::find(sent.begin(), sent.end(), &block));
  block_source_.release(block);
  if (kernel->ended == kernel->blocks) end_kernel(kernel, now);
  offers_hold_ = false;
  may_dispatch_ = true;
  next_dispatch_ = std::max(next_dispatch_, now);
}

void WorkDistributorCore::end_kernel(std::vector<KernelState>::iterator kernel, Cycle now) {
  KernelLaunch& launch = *kernel->launch;
  std::vector<Cycle> active;
  if (predictor_) {
    for (unsigned sm = 0; sm < sms_.size(); ++sm) {
      active.push_back(predictor_->active_cycles(launch.identity.kernel, static_cast<SmId>(sm), now));
    }
  }
  if (kernels_executed.watched()) {
    kernels_executed.note({launch.identity, launch.command, launch.iteration, now, std::move(active)});
  }
  order_->ended(*kernel, now);
  if (predictor_) predictor_->ended(launch.identity.kernel);
  launch.kernel->rewind();
  ended_.push(&launch);
  kernels_.erase(kernel);
}

/// Sends as many blocks as may go at once; false if none may go, which holds until something happens.
bool WorkDistributorCore::dispatch(Cycle now) {
  SmSet taken;
  for (unsigned sent = 0; sent < config_.dispatch_width; ++sent) {
    if (!send_one(now, taken)) return taken.any();  // an SM that has got a block may have room for another
  }
  return true;
}

/// Sends one block, if any may go to an SM that is not among those `taken` in this dispatch.
bool WorkDistributorCore::send_one(Cycle now, SmSet& taken) {
  if (!offers_hold_) {
    offers_.clear();
    order_->reconsider(kernels_, now);
    order_->offers(kernels_, offers_);
    offers_hold_ = true;
  }
  for (const Offer& offer : offers_) {
    KernelState& kernel = kernels_[offer.kernel];
    if (waits_for_cache_config(kernel)) continue;
    SmSet sms = offer.sms & ~taken;
    for (unsigned sm = 0; sm < sms_.size(); ++sm) {
      if (kernel.resident[sm] >= offer.residency_limit) sms.reset(sm);
    }
    if (const auto sm = kernel.placement->choose(kernel.demand, free_, sms)) {
      kernel.placement->placed(*sm);
      launch_block(kernel, *sm, now);
      taken.set(*sm);
      if (kernel.all_dispatched()) offers_hold_ = false;
      return true;
    }
  }
  return false;
}

/// Blocks of a kernel run, or have been sent, that wants the SMs' memory divided otherwise. Changing it takes a
/// synchronization of the device (CUDA runtime API, cudaFuncSetCacheConfig); partitions are divided each for itself.
bool WorkDistributorCore::waits_for_cache_config(const KernelState& kernel) const {
  const CacheConfig wanted = kernel.launch->cache_config;
  if (wanted == CacheConfig::kAny) return false;
  return std::any_of(kernels_.begin(), kernels_.end(), [&](const KernelState& other) {
    const CacheConfig config = other.launch->cache_config;
    return config != wanted && config != CacheConfig::kAny && other.dispatched > other.ended &&
           (other.sms & kernel.sms).any();
  });
}

void WorkDistributorCore::launch_block(KernelState& kernel, SmId sm, Cycle now) {
  free_[sm] -= kernel.demand.takes;
  ++kernel.resident[sm];
  const KernelLaunch& launch = *kernel.launch;
  Kernel& source = *launch.kernel;
  BlockLaunch& block = block_source_.allocate();
  block.identity = launch.identity;
  block.identity.sm = sm;
  block.identity.block = static_cast<std::uint32_t>(kernel.dispatched);
  block.command = launch.command;
  block.iteration = launch.iteration;
  block.budget = launch.budget;
  block.kernel = launch.kernel;
  block.first_on_sm = !kernel.visited[sm];
  kernel.visited.set(sm);
  block.code = source.code(kernel.dispatched++);
  sms_[sm].blocks.push_back(&block);
  sms_[sm].launches.send(now, block);
  if (blocks_sent.watched()) blocks_sent.note({block.identity, launch.command, launch.iteration, now});
  if (predictor_) predictor_->block_sent(launch.identity.kernel, sm, now);
  order_->block_sent(kernel, sm, now);
}

PolicyTally WorkDistributorCore::policies() const {
  PolicyTally tally;
  order_->count(tally.of(kernel_orders(), config_.kernel_order));
  tally.of(sm_orders(), config_.sm_order);
  PolicyCounts& counts = tally.of(placements(), config_.placement);
  for (const Partition& partition : partitions_) partition.placement->count(counts);
  return tally;
}

std::vector<const BlockLaunch*> WorkDistributorCore::outstanding() const {
  std::vector<const BlockLaunch*> blocks;
  for (const SmLink& sm : sms_) blocks.insert(blocks.end(), sm.blocks.begin(), sm.blocks.end());
  return blocks;
}

std::vector<std::string> WorkDistributorCore::waiting() const {
  std::vector<std::string> lines;
  for (const KernelState& k : kernels_) {
    lines.push_back("kernel " + k.launch->kernel->name + " (launch " + std::to_string(k.launch->identity.kernel) +
                    "): " + std::to_string(k.dispatched) + " of " + std::to_string(k.blocks) + " blocks dispatched, " +
                    std::to_string(k.ended) + " ended");
  }
  return lines;
}

}  // namespace gputlm
