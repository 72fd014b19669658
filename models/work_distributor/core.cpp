#include "models/work_distributor/core.h"

#include <algorithm>

#include "models/work_distributor/gpcs.h"
#include "tlm/base/error.h"

namespace gputlm {

WorkDistributorCore::WorkDistributorCore(const WorkDistributorConfig& config, const SmLimits& sm, unsigned sms,
                                         ItemSource<BlockLaunch>& blocks, ItemSource<ContextSwitch>& switches,
                                         const Applications& applications, SmId first_sm,
                                         const std::vector<unsigned>& sms_of_gpcs)
    : config_(config), first_sm_(first_sm), sm_(capacity(sm)), carveout_sizes_(carveouts().at(sm.carveout).make),
      division_(divisions().at(config.division).make), carveouts_(sms), block_source_(blocks), switch_source_(switches),
      engine_(config, sm, sms, applications, gpc_sets(sms_of_gpcs.empty() ? std::vector<unsigned>{sms} : sms_of_gpcs)),
      launches_(static_cast<unsigned>(config.kernels_in_flight * engine_.contexts())),
      completions_(1, launches_.depth()), pending_work_(static_cast<unsigned>(engine_.contexts())),
      pending_work_heard_(1, 2 * pending_work_.depth()), arrived_(launches_.depth()), free_(sms, sm_),
      heeds_levels_(engine_.contexts() > 1 && engine_.together() &&
                    kernel_orders().at(config.kernel_order).has(Property::kHeedsPriorities)),
      kept_(engine_.contexts()), ended_(launches_.depth()) {
  sms_.reserve(sms);
  for (unsigned i = 0; i < sms; ++i)
    sms_.push_back({Outbox<BlockLaunch>(1, sm.blocks), {sm.blocks, static_cast<SmId>(i), telling_}});
  if (engine_.preempts()) switching_.resize(sms);
}

void WorkDistributorCore::predict() {
  for (std::size_t c = 0; c < engine_.contexts(); ++c) engine_.context(c).predict();
}

void WorkDistributorCore::foresee(std::vector<SmForesight*> sms, Cycle hop) {
  foreseen_.emplace(std::move(sms), hop);
  may_repeat_ = kernel_orders().at(config_.kernel_order).has(Property::kRepeats) &&
                placements().at(config_.placement).has(Property::kRepeats) &&
                cluster_placements().at(config_.cluster_placement).has(Property::kRepeats);
}

Cycle WorkDistributorCore::next() const {
  Cycle next = std::min({from_host(), engine_.next(), told()});
  if (may_dispatch_) next = std::min(next, next_dispatch_);
  if (!foreseen_) next = std::min(next, heard_);
  if (engine_.between_slices()) {
    for (const SwitchLink& sm : switching_) next = std::min(next, sm.done.next());
  }
  return signalling_.empty() ? next : std::min(next, next_signal());
}

Cycle WorkDistributorCore::advance(Cycle until) {
  until_ = std::max(until_, until);
  if (!foreseen_) hear(0);  // completions that have arrived since
  while (true) {
    if (foreseen_) repeat(until);
    const Cycle other = next();
    const Cycle next = foreseen_ ? std::min(other, foreseen_->next(std::min(other, until))) : other;
    if (next >= until) {
      if (!foreseen_) return next;
      foreseen_->end_before(until);
      return first_end(next);
    }
    const Cycle now = last_ = next;
    if (foreseen_) {
      while (BlockLaunch* const block = foreseen_->heard(now)) complete(*block, now);
    } else if (heard_ <= now) {
      hear(now + 1);
    }
    if (!signalling_.empty()) take_signals(now);
    take_in(now);
    take_turns(now);
    bool sent = false;
    if (may_dispatch_ && next_dispatch_ <= now) {
      may_dispatch_ = sent = dispatch(now);
      if (sent) next_dispatch_ = now + config_.dispatch_interval;
    }
    while (told() <= now) {
      KernelLaunch& launch = *ended_.pop().launch;
      if (!signalling_.empty()) tell_dependents(launch, now);
      completions_.send(now, launch);
      launches_.freed(now);
    }
    if (sent && may_repeat_ && !watched() && !engine_.context_of(repetition_.who().application).in_cluster())
      repetition_.look(now, *foreseen_, engine_.context_of(repetition_.who().application));
  }
}

/// Takes in the completions of the SMs before cycle `until`.
void WorkDistributorCore::hear(Cycle until) {
  heard_ = kNever;
  for (std::size_t sm = telling_._Find_first(); sm < telling_.size(); sm = telling_._Find_next(sm)) {
    Completions& told = sms_[sm].completions;
    while (told.next() < until) complete(told.pop(until - 1), until - 1);
    heard_ = std::min(heard_, told.next());
    if (told.next() == kNever) telling_.reset(sm);
  }
}

void WorkDistributorCore::repeat(Cycle until) {
  const auto& found = repetition_.found();
  if (!found || !engine_.on(engine_.index_of(repetition_.who().application))) return;
  const Cycle by = std::min({until, from_host(), engine_.slice_end(), told()});
  Context& context = engine_.context_of(repetition_.who().application);
  const KernelState& kernel = context.kernel(repetition_.who().kernel);
  const Context::Period& period = found->period;
  const std::uint64_t times =
      by > last_ ? std::min((by - 1 - last_) / period.cycles, (kernel.blocks - kernel.dispatched - 1) / period.blocks)
                 : 0;
  if (times == 0) return;
  context.repeat(foreseen_->repeat(last_, times, period.cycles, found->each, period.blocks), times, period);
  if (kernel.launch->iteration == 0) blocks_done_ += times * period.blocks;
  last_ += times * period.cycles;
  next_dispatch_ += times * period.cycles;
}

Cycle WorkDistributorCore::first_end(Cycle next) const {
  if (next == kNever || watched() || engine_.between_slices()) return next;
  Cycle first = std::min({from_host(), engine_.slice_end(), told()});
  for (std::size_t c = 0; c < engine_.contexts(); ++c) {
    if (!engine_.on(c)) continue;
    for (const KernelState& kernel : engine_.context(c).kernels()) first = std::min(first, first_end(kernel, next));
  }
  return std::max(next, first);
}

Cycle WorkDistributorCore::first_end(const KernelState& kernel, Cycle next) const {
  const KernelId id = kernel.launch->identity.kernel;
  if (kernel.all_dispatched()) return foreseen_->last_of(id);
  const std::uint64_t left = kernel.blocks - kernel.dispatched;
  Cycle last_sent = next + (left - 1) / config_.dispatch_width * config_.dispatch_interval;
  if (const auto& found = repetition_.found(); found && repetition_.who().kernel == id)
    last_sent = std::max(last_sent, last_ + (left - 1) / found->period.blocks * found->period.cycles);
  return last_sent + 2 * foreseen_->hop();
}

void WorkDistributorCore::take_turns(Cycle now) {
  for (std::size_t sm = 0; engine_.between_slices() && sm < switching_.size(); ++sm) {
    if (!switching_[sm].done.ready(now)) continue;
    ContextSwitch& done = switching_[sm].done.pop(now);
    if (foreseen_ && done.brings_back) foreseen_->bring_back(static_cast<std::uint16_t>(sm));
    engine_.switched(done);
    if (switch_pace_) switch_pace_->done(done);
    switch_source_.release(done);
  }
  using Change = ExecutionEngine::Change;
  for (Change change = engine_.take_turns(now); change != Change::kNone; change = engine_.take_turns(now)) {
    if (change != Change::kOn) {
      switch_context(change == Change::kBringBack, now);
      continue;
    }
    const Context& context = engine_.context_of(engine_.owner());
    for (unsigned sm = 0; sm < sms_.size(); ++sm) {
      free_[sm] = sm_;
      const Resources on = context.on(sm);
      carveouts_[sm] = context.carveout(sm);
      if (on.blocks > 0 && carveouts_[sm]) free_[sm].shared_memory = *carveouts_[sm];
      free_[sm] -= on;
    }
    repetition_.forget();
    dispatch_from(now);
  }
}

void WorkDistributorCore::switch_context(bool brings_back, Cycle now) {
  const Context& context = engine_.context_of(engine_.owner());
  unsigned told = 0;
  Bytes bytes = 0;
  for (unsigned sm = 0; sm < sms_.size(); ++sm) {
    const Resources on = context.on(sm);
    told += on.blocks > 0;
    bytes += on.registers * Bytes{sizeof(float)} + on.shared_memory;
  }
  if (foreseen_ && !brings_back) foreseen_->take_off(now);
  const std::uint32_t pace = switch_pace_ ? switch_pace_->begin(brings_back, told, bytes) : 0;
  for (unsigned sm = 0; sm < sms_.size(); ++sm) {
    if (context.on(sm).blocks == 0) continue;
    ContextSwitch& command = switch_source_.allocate();
    command.application = engine_.owner();
    command.brings_back = brings_back;
    command.pace = pace;
    switching_[sm].commands.send(now, command);
  }
  engine_.told(told);
}

/// Called after changes that may allow a block to be sent.
void WorkDistributorCore::dispatch_from(Cycle now) {
  may_dispatch_ = true;
  next_dispatch_ = std::max(next_dispatch_, now);
}

/// Takes in the messages of the host. A launch says what its application holds as it leaves the host, so a word that left
/// later overrides it.
void WorkDistributorCore::take_in(Cycle now) {
  while (comes() <= now) {
    const Cycle prepared = launches_.next() + config_.kernel_launch_latency;
    KernelLaunch& launch = launches_.take();
    if (!launch.kernel) throw InputError("a transaction came to the work distributor that is no kernel launch");
    arrived_.push({&launch, prepared});
    if (!takes_turns()) continue;
    engine_.arrived(launch.identity.application, now);
    engine_.pending(launch.identity.application, launch.more_pending, now);
  }
  while (pending_work_.next() <= now) {
    PendingWork& word = pending_work_.pop(now);
    engine_.pending(word.application, word.pending, now);
    pending_work_heard_.send(now, word);
  }
  while (prepared() <= now) accept(*arrived_.pop().launch, now);
}

void WorkDistributorCore::accept(KernelLaunch& launch, Cycle now) {
  launch.arrived = now - config_.kernel_launch_latency;
  if (!signalling_.empty()) {
    const bool waits = launch.after && is_open(*launch.after);
    open_.push_back(launch.identity.kernel);
    if (waits) {
      dependents_.push_back({&launch, *launch.after, false});
      return begin_dependents(now);
    }
  }
  admit(launch, now);
}

/// The kernel's blocks may be sent from now on.
void WorkDistributorCore::admit(KernelLaunch& launch, Cycle now) {
  const ApplicationId application = launch.identity.application;
  Context& context = engine_.context_of(application);
  context.accept(launch, now);
  const int level = context.level(context.kernels().back());
  levels_differ_ = levels_differ_ || (heeds_levels_ && level_.value_or(level) != level);
  level_ = level;
  has_clusters_ = has_clusters_ || context.kernels().back().cluster > 1;
  if (takes_turns()) engine_.accepted(application);
  engine_.work_changed(application, now);
  repetition_.forget();
  dispatch_from(now);
}

void WorkDistributorCore::complete(BlockLaunch& block, Cycle now) {
  if (!foreseen_) block.identity.sm = static_cast<SmId>(block.identity.sm - first_sm_);
  const Identity who = block.identity;
  Context& context = engine_.context_of(who.application);
  const Context::BlockEnd end = context.block_ended(block, free_, now);
  if (block.iteration == 0) ++blocks_done_;
  if (slices_predicted.watched() && end.prediction && end.prediction->first_of_slice)
    slices_predicted.note(known(*end.prediction));
  if (blocks_ended.watched()) {
    std::optional<Prediction> prediction;
    if (end.prediction) prediction = known(*end.prediction);
    blocks_ended.note({known(who), block.command, block.iteration, block.start, block.end, block.slot, now,
                       block.counters, prediction});
  }
  std::vector<const BlockLaunch*>& sent = sms_[who.sm].blocks;
  sent.erase(std::find(sent.begin(), sent.end(), &block));
  block_source_.release(block);
  if (empty(who.sm)) free_[who.sm] = sm_;  // its memory may be divided differently
  if (end.was_last) end_kernel(context, who, now);
  if (!dependents_.empty()) begin_dependents(now);
  dispatch_from(now);
}

void WorkDistributorCore::end_kernel(Context& context, const Identity& who, Cycle now) {
  Context::KernelEnd end = context.end_kernel(who.kernel, now);
  KernelLaunch& launch = *end.launch;
  if (kernels_executed.watched()) {
    if (!end.active.empty()) end.active.insert(end.active.begin(), first_sm_, 0);  // by SM, as numbered outside
    kernels_executed.note({launch.identity, launch.command, launch.iteration, now, std::move(end.active)});
  }
  launch.kernel->rewind();
  repetition_.forget();
  ended_.push({&launch, now + config_.kernel_completion_latency});
  engine_.work_changed(who.application, now);
}

/// Sends all blocks that may go in this cycle; false if none may go, which holds until something happens.
bool WorkDistributorCore::dispatch(Cycle now) {
  SmSet taken;
  for (unsigned sent = 0; sent < config_.dispatch_width; ++sent) {
    if (!send_one(now, taken)) return taken.any();  // an SM that has got a block may have room for another
  }
  return true;
}

/// Sends one block, if any may go to an SM that is not among those `taken` in this dispatch. Contexts that are on the
/// engine together take turns, each sending to SMs that no more urgent kernel of another context waits for.
bool WorkDistributorCore::send_one(Cycle now, SmSet& taken) {
  const std::size_t count = engine_.contexts();
  bool has_been = false;  // whether an earlier context has blocks to send
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t c = (next_context_ + i) % count;
    if (!engine_.on(c)) continue;
    Context& context = engine_.context(c);
    const auto choice =
        context.choose(free_, taken, now, [&](const KernelState& kernel) { return closed_to(c, kernel, now); });
    if (has_clusters_ && count > 1) {
      keep_for_clusters(c, !has_been);
      has_been = has_been || context.has_unsent();
    }
    if (!choice) continue;
    launch_block(context, *choice, now);
    taken.set(choice->sm);
    next_context_ = (c + 1) % count;
    return true;
  }
  return false;
}

/// SMs that the kernel of this context may not use. Under MPS, the priorities of streams order the kernels of all clients
/// (NVIDIA, Multi-Process Service, "Client Priority Level Control"), and a level waits while a more urgent one has blocks
/// left for the SM, as in one context (leftover.cpp). A context that is not on the engine takes nothing from one that is.
SmSet WorkDistributorCore::closed_to(std::size_t context, const KernelState& kernel, Cycle now) {
  if (waits_for_cache_config(kernel)) return SmSet().set();
  SmSet closed = divided_too_small(kernel);
  if (!levels_differ_ && !has_clusters_) return closed;
  const int level = engine_.context(context).level(kernel);
  for (std::size_t c = 0; c < engine_.contexts(); ++c) {
    if (c == context || !engine_.on(c)) continue;
    if (levels_differ_) closed |= engine_.context(c).wanted_before(level, now);
    if (kept_[c] && kept_[c]->level <= level) closed |= kept_[c]->sms;
  }
  return closed;
}

/// Other contexts respect what a context keeps for a cluster that finds no room from its next turn to send on: between two of
/// its clusters each of them has had a turn, so none of them waits for ever.
void WorkDistributorCore::keep_for_clusters(std::size_t context, bool its_turn) {
  const std::optional<Context::Kept>& kept = engine_.context(context).kept();
  if (!kept || its_turn || kept_[context]) kept_[context] = kept;
}

/// Whether a kernel that wants the SMs' memory divided differently has blocks that run or have been sent. Changing the
/// division takes a synchronization of the device (CUDA runtime API, cudaFuncSetCacheConfig); each partition has its own.
bool WorkDistributorCore::waits_for_cache_config(const KernelState& kernel) const {
  const CacheConfig wanted = kernel.launch->cache_config;
  if (wanted == CacheConfig::kAny) return false;
  const auto differs = [&](const KernelState& other) {
    const CacheConfig config = other.launch->cache_config;
    return config != wanted && config != CacheConfig::kAny && other.dispatched > other.ended &&
           (other.sms & kernel.sms).any();
  };
  for (std::size_t c = 0; c < engine_.contexts(); ++c) {
    const std::vector<KernelState>& others = engine_.context(c).kernels();
    if (engine_.on(c) && std::any_of(others.begin(), others.end(), differs)) return true;
  }
  return false;
}

/// SMs that have blocks and less shared memory than the launch wants, if the launch decides, and their neighbours.
SmSet WorkDistributorCore::divided_too_small(const KernelState& kernel) const {
  SmSet closed;
  if (carveout_sizes_.array == 0 || !division_.launch_decides) return closed;
  const Bytes wanted = wanted_carveout(carveout_sizes_, *kernel.launch, kernel.demand, sm_);
  for (unsigned sm = 0; sm < free_.size(); ++sm) {
    if (empty(static_cast<SmId>(sm)) || *carveouts_[sm] >= wanted) continue;
    const unsigned first = sm - sm % division_.sms;
    for (unsigned i = first; i < first + division_.sms; ++i) closed.set(i);
  }
  return closed;
}

/// The division that an SM without blocks already has because SMs that share it have blocks.
std::optional<Bytes> WorkDistributorCore::carveout_of_neighbours(SmId sm) const {
  const unsigned first = sm - sm % division_.sms, end = std::min<unsigned>(first + division_.sms, free_.size());
  for (unsigned i = first; i < end; ++i) {
    if (!empty(static_cast<SmId>(i))) return carveouts_[i];
  }
  return std::nullopt;
}

/// Takes the room for a block of the kernel on the SM. The first block there divides its memory.
void WorkDistributorCore::take_room(const KernelState& kernel, SmId sm) {
  if (carveout_sizes_.array > 0 && empty(sm)) {
    const std::optional<Bytes> shared = carveout_of_neighbours(sm);
    carveouts_[sm] = shared ? *shared : wanted_carveout(carveout_sizes_, *kernel.launch, kernel.demand, sm_);
    free_[sm].shared_memory = *carveouts_[sm];
  }
  free_[sm] -= kernel.demand.takes;
}

void WorkDistributorCore::launch_block(Context& context, const Context::Choice& choice, Cycle now) {
  BlockLaunch& block = block_source_.allocate();
  const KernelState& of = context.kernel(choice);
  if (!choice.of_cluster) {
    take_room(of, choice.sm);
  } else if (of.dispatched % of.cluster == 0) {
    for (const SmId sm : context.cluster()) take_room(of, sm);
  }
  block.carveout = carveouts_[choice.sm];
  if (!dependents_.empty()) block.waits_for_grid = waits_for_grid(*of.launch);
  context.launch(choice, block, now);
  if (blocks_sent.watched()) blocks_sent.note({known(block.identity), block.command, block.iteration, now});
  const KernelState& state = context.kernel(choice);
  Kernel& kernel = *state.launch->kernel;
  SmLink& sm = sms_[choice.sm];
  sm.blocks.push_back(&block);
  if (foreseen_) {
    foreseen_->send(block, kernel, now);
    repetition_.sent(block.identity);
    if (!kernel.blocks_are_alike() || state.all_dispatched()) repetition_.forget();
  } else {
    block.code = kernel.code(block.identity.block);
    block.identity = known(block.identity);  // until it comes back
    sm.launches.send(now, block);
  }
}

}  // namespace gputlm
