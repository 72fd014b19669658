#include "models/sm/load_store_unit.h"

#include <algorithm>

namespace gputlm {

namespace {

/// Latencies count from issue; what the unit serves at `now` was issued a cycle earlier if it did not have to wait.
Cycle after_issue(Cycle now, unsigned latency) { return now - 1 + latency; }

}  // namespace

LoadStoreUnit::LoadStoreUnit(const SmConfig& config, L1Cache& l1, SmTlb* tlb, unsigned slots)
    : config_(config), l1_(l1), tlb_(tlb), special_(tlb != nullptr), queue_limit_(config.lsu_queue),
      queue_(config.lsu_queue), conflicts_(config.shared_banks), slots_(slots) {}

void LoadStoreUnit::issue(Cycle now, const MemoryInstruction& instruction) {
  queue_.push(instruction);
  Slot& slot = slots_[instruction.slot];
  ++slot.under_way;
  slot.counters = &instruction.block->counters;
  if (!active_) next_ = std::min(next_, std::max(now + 1, busy_until_));
}

void LoadStoreUnit::clear_results() {
  results_.loads.clear();
  results_.settled.clear();
}

unsigned LoadStoreUnit::outstanding_loads(unsigned slot) {
  unsigned count = 0;
  for (std::size_t i = 0; i < queue_.size(); ++i)
    count += queue_[i].slot == slot && queue_[i].instruction->op != Op::kStore;
  for (const Load& load : loads_) count += load.parts > 0 && load.slot == slot;
  return count;
}

bool LoadStoreUnit::idle() const {
  return std::all_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.under_way == 0; });
}

[[gnu::always_inline]] inline LoadStoreUnit::Answer LoadStoreUnit::serve(Cycle now, Op op, const L1Requester& requester,
                                                                         const LineAccess& line) {
  switch (op) {
    case Op::kLoad:
    case Op::kAsyncLoad: {
      const L1Cache::LoadResult result = l1_.load(now, requester, line);
      if (result.stall != L1Stall::kNone) return {result.stall};
      Load& load = loads_[requester.load];
      if (result.missing) ++load.parts;
      if (result.hits) load.ready = std::max(load.ready, after_issue(now, config_.l1.hit_latency));
      return {L1Stall::kNone, result.missing ? 1u : 0u};
    }
    case Op::kStore: {
      const L1Stall stall = l1_.store(now, requester, line);
      if (stall != L1Stall::kNone) return {stall};
      slots_[requester.slot].under_way += sector_runs(line.sectors);
      return {L1Stall::kNone, cycles_of_store(line)};
    }
    default: {  // an atomic
      const L1Stall stall = l1_.atomic(now, requester, line);
      if (stall == L1Stall::kNone) loads_[requester.load].parts += sector_runs(line.sectors);
      return {stall, 1};
    }
  }
}

void LoadStoreUnit::step(Cycle now, Cycle horizon) {
  if (special_) {
    if (tlb_ && tlb_->replays()) return replay(now);
    if (reaches_cluster_) return step_cluster(now);
    horizon = now + 1;
  }
  if (!active_) {
    start(now);
    if (!active_) return;
  }
  const Cycle called = now;
  do {
    const LineAccess& line = coalescer_.lines()[line_];
    const Answer answer = tlb_ ? translate(now, line) : serve(now, head_.instruction->op, requester_, line);
    if (!served(now, answer.stall)) return;
    hits_ |= answer.cycles == 0;
    const bool last = ++line_ == lines_;
    next_ = last ? end_of_head(now + answer.cycles) : looked_up(now + answer.cycles);
    statistics_.busy_cycles += next_ - now;
    if (last) return finish_instruction(now);
    now = next_;
  } while (now < horizon && (line_ + 1 < lines_ || now == called));
}

inline Cycle LoadStoreUnit::looked_up(Cycle until) {
  if (until >= started_ + line_) return until;  // the tags look up at least one line per cycle
  if (lines_ == 1) return started_ + 1;
  const Instruction& in = *head_.instruction;
  if (lookups_ == 0) lookups_ = coalescer_.lookup_cycles(addresses_, in.mask, in.width, config_.l1.tag_lines);
  return std::max(until, started_ + line_ * lookups_ / lines_);
}

inline Cycle LoadStoreUnit::end_of_head(Cycle until) {
  until = looked_up(until);
  const Instruction& in = *head_.instruction;
  if (!config_.l1.banked || in.op == Op::kAtomic) return until;
  if (until >= started_ + conflicts_.most(lines_, in.width)) return until;
  const Cycle given = started_ + cycles_of_banks();
  if (given <= until) return until;
  if (hits_) {
    Load& load = loads_[requester_.load];
    load.ready = std::max(load.ready, after_issue(given - 1, config_.l1.hit_latency));
  }
  return given;
}

/// Cycles for which a line of a store occupies the L1; its data may take several.
inline Cycle LoadStoreUnit::cycles_of_store(const LineAccess& line) const {
  if (config_.l1.store_bytes >= kLineBytes) return 1;
  const auto bytes = static_cast<unsigned>(sector_bytes(line.sectors));
  return (bytes + config_.l1.store_bytes - 1) / config_.l1.store_bytes;
}

inline bool LoadStoreUnit::served(Cycle now, L1Stall stall) {
  if (blocked_ != L1Stall::kNone) {
    add_wait(now, statistics_);
    started_ += now - blocked_since_;
  }
  blocked_ = stall;
  if (stall == L1Stall::kNone) return true;
  blocked_since_ = now;
  // A reply frees an MSHR, and an answer frees room in the TLB; both wake the unit. A place in the queue is free when its
  // head leaves.
  next_ = stall == L1Stall::kQueue ? std::max(now + 1, l1_.drain_next()) : kNever;
  return false;
}

LoadStoreUnit::Answer LoadStoreUnit::translate(Cycle now, const LineAccess& line) {
  const Op op = head_.instruction->op;
  switch (tlb_->translate(now, {op, requester_, line})) {
    case SmTlb::Result::kFull: return {L1Stall::kTlb};
    case SmTlb::Result::kMiss:
      if (op == Op::kStore) {
        ++slots_[head_.slot].under_way;
      } else {
        ++loads_[requester_.load].parts;
      }
      return {L1Stall::kNone, 1};
    case SmTlb::Result::kHit: break;
  }
  const Answer answer = serve(now, op, requester_, line);
  if (answer.stall == L1Stall::kNone) tlb_->count_hit();
  return answer;
}

void LoadStoreUnit::replay(Cycle now) {
  const LineRequest& line = tlb_->replay();
  const bool by_tma = line.requester.slot == kTmaSlot;
  const Answer answer = by_tma ? Answer{l1_.pass_by(now, line.requester, line.line, line.op == Op::kStore), 1}
                               : serve(now, line.op, line.requester, line.line);
  if (!served(now, answer.stall)) return;
  const Cycle cycles = std::max<Cycle>(answer.cycles, 1);
  started_ += cycles;  // excludes the wait
  statistics_.busy_cycles += cycles;
  next_ = busy_until_ = now + cycles;
  if (line.op == Op::kStore && !by_tma) {
    ended(line.requester.slot, now);
  } else if (!by_tma) {
    part_done(line.requester.load, 0);
  }
  tlb_->replayed(now);
  if (!active_ && !tlb_->replays()) next_ = queue_.empty() ? kNever : std::max(next_, busy_until_);
}

void LoadStoreUnit::finish_instruction(Cycle now) {
  active_ = false;
  busy_until_ = next_;
  if (head_.instruction->op == Op::kStore) {
    ended(head_.slot, now);
  } else {
    part_done(requester_.load, 0);
  }
  if (queue_.empty()) next_ = kNever;
}

inline unsigned LoadStoreUnit::cycles_of_banks() {
  const Instruction& in = *head_.instruction;
  if (active_ && coalescer_.is_run()) return conflicts_.cycles_of_run(addresses_[0], in.width);
  const auto shape = head_.block->code->lane_shape(in, head_.position);
  if (shape && (shape->x | shape->y) % 4 == 0) return conflicts_.cycles(*shape, in.mask, in.width);
  if (!active_) head_.block->code->addresses(in, head_.position, addresses_);
  return conflicts_.cycles(addresses_, in.mask, in.width);
}

inline void LoadStoreUnit::start_shared(Cycle now) {
  const Instruction& in = *head_.instruction;
  const unsigned cycles = cycles_of_banks();
  BlockCounters& count = head_.block->counters;
  ++count.shared_accesses;
  count.shared_conflict_cycles += cycles - 1;
  statistics_.busy_cycles += cycles;
  busy_until_ = now + cycles;
  if (!queue_.empty()) next_ = busy_until_;
  if (in.op == Op::kStore) {
    ended(head_.slot, now + cycles);
  } else {
    loaded(head_.slot, in, after_issue(now, config_.shared_latency) + cycles - 1);
  }
}

/// Takes the next instruction. Those that need no line (shared memory, constants, no active lane) are served here.
void LoadStoreUnit::start(Cycle now) {
  head_ = queue_.pop();
  const Instruction& in = *head_.instruction;
  next_ = queue_.empty() ? kNever : now + 1;
  if (in.mask == 0) {
    if (in.op == Op::kStore) {
      ended(head_.slot, now);
    } else {
      loaded(head_.slot, in, now + 1);
    }
    return;
  }
  if (in.space == Space::kShared) return start_shared(now);
  if (in.space > Space::kShared) {
    if (in.space == Space::kCluster) return start_cluster(now);
    loaded(head_.slot, in, after_issue(now, config_.constant_latency));
    return;
  }
  lines_ = coalesce();
  BlockLaunch& block = *head_.block;
  requester_.identity = block.identity;
  requester_.identity.warp = static_cast<std::uint16_t>(head_.position.warp);
  requester_.slot = static_cast<std::uint16_t>(head_.slot);
  requester_.counters = &block.counters;
  ++(in.op == Op::kStore ? block.counters.global_stores : block.counters.global_loads);
  line_ = lookups_ = 0;
  started_ = now;
  hits_ = false;
  active_ = true;
  if (in.op != Op::kStore) requester_.load = new_load();
}

/// Returns how many lines the head accesses.
unsigned LoadStoreUnit::coalesce() {
  const Instruction& in = *head_.instruction;
  if (in.mask == ~0u) {
    const auto shape = head_.block->code->lane_shape(in, head_.position);
    if (shape && shape->is_run(in.width)) {  // the first lane determines all lines
      Instruction first = in;
      first.mask = 1;
      head_.block->code->addresses(first, head_.position, addresses_);
      return static_cast<unsigned>(coalescer_.coalesce_run(addresses_[0], kWarpSize * in.width));
    }
  }
  head_.block->code->addresses(in, head_.position, addresses_);
  return static_cast<unsigned>(coalescer_.coalesce(addresses_, in.mask, in.width));
}

std::uint32_t LoadStoreUnit::new_load() {
  if (free_loads_.empty()) {
    loads_.emplace_back();
    free_loads_.push_back(static_cast<std::uint32_t>(loads_.size() - 1));
  }
  const std::uint32_t load = free_loads_.back();
  free_loads_.pop_back();
  loads_[load] = {head_.slot, head_.instruction, 1, 0};
  return load;
}

void LoadStoreUnit::translated(Cycle now) {
  if (blocked_ == L1Stall::kTlb || (blocked_ == L1Stall::kNone && !active_ && tlb_->replays()))
    next_ = std::min(next_, std::max(now, busy_until_));
}

void LoadStoreUnit::add_wait(Cycle now, LoadStoreStatistics& statistics) const {
  if (blocked_ == L1Stall::kMshr) statistics.mshr_full_cycles += now - blocked_since_;
  if (blocked_ == L1Stall::kQueue) statistics.queue_full_cycles += now - blocked_since_;
}

void LoadStoreUnit::refresh() {
  if (blocked_ == L1Stall::kQueue) next_ = std::max(blocked_since_ + 1, l1_.drain_next());
}

void LoadStoreUnit::reply(Cycle now, const Access& access) {
  count_reply(now, access, *slots_[access.slot].counters);
  if (access.write) {
    ended(access.slot, now);
    return;
  }
  const Cycle ready = now + config_.l1.fill_latency;
  if (access.atomic) {
    part_done(access.tag, ready);
    return;
  }
  l1_.fill(access, [&](std::uint32_t load) { part_done(load, ready); });
  if (blocked_ == L1Stall::kMshr) next_ = std::min(next_, now);
}

LoadStoreStatistics LoadStoreUnit::statistics(Cycle now) const {
  LoadStoreStatistics result = statistics_;
  result.l1 = l1_.statistics();
  if (now > blocked_since_) add_wait(now, result);
  return result;
}

}  // namespace gputlm
