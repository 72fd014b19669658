#include "models/sm/load_store_unit.h"

#include <algorithm>

namespace gputlm {

namespace {

/// Latencies count from issue, and what the unit serves at `now` was issued a cycle earlier if it had not to wait.
Cycle after_issue(Cycle now, unsigned latency) { return now - 1 + latency; }

}  // namespace

LoadStoreUnit::LoadStoreUnit(const SmConfig& config, L1Cache& l1, SmTlb* tlb, unsigned slots)
    : config_(config), l1_(l1), tlb_(tlb), queue_limit_(config.lsu_queue), queue_(config.lsu_queue),
      conflicts_(config.shared_banks), slots_(slots) {}

void LoadStoreUnit::issue(Cycle now, const MemoryInstruction& instruction) {
  queue_.push(instruction);
  Slot& slot = slots_[instruction.slot];
  ++slot.under_way;
  slot.counters = &instruction.block->counters;
  if (!active_) next_ = std::min(next_, std::max(now + 1, busy_until_));
}

inline void LoadStoreUnit::ended(unsigned index, Cycle at) {
  Slot& slot = slots_[index];
  slot.settled = std::max(slot.settled, at);
  if (--slot.under_way == 0) results_.settled.push_back(index);
}

inline void LoadStoreUnit::loaded(unsigned slot, const Instruction& instruction, Cycle at) {
  results_.loads.push_back({slot, &instruction, at});
  ended(slot, at);
}

void LoadStoreUnit::clear_results() {
  results_.loads.clear();
  results_.settled.clear();
}

bool LoadStoreUnit::idle() const {
  return std::all_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.under_way == 0; });
}

inline void LoadStoreUnit::part_done(std::uint32_t index, Cycle ready) {
  Load& load = loads_[index];
  load.ready = std::max(load.ready, ready);
  if (--load.parts > 0) return;
  free_loads_.push_back(index);
  loaded(load.slot, *load.instruction, load.ready);
}

[[gnu::always_inline]] inline L1Stall LoadStoreUnit::serve(Cycle now, Op op, const L1Requester& requester,
                                                           const LineAccess& line) {
  switch (op) {
    case Op::kLoad:
    case Op::kAsyncLoad: {
      const L1Cache::LoadResult result = l1_.load(now, requester, line);
      if (result.stall != L1Stall::kNone) return result.stall;
      Load& load = loads_[requester.load];
      if (result.missing) ++load.parts;
      if (result.hits) load.ready = std::max(load.ready, after_issue(now, config_.l1.hit_latency));
      return L1Stall::kNone;
    }
    case Op::kStore: {
      const L1Stall stall = l1_.store(now, requester, line);
      if (stall != L1Stall::kNone) return stall;
      slots_[requester.slot].under_way += sector_runs(line.sectors);
      return L1Stall::kNone;
    }
    default: {  // an atomic
      const L1Stall stall = l1_.atomic(now, requester, line);
      if (stall == L1Stall::kNone) loads_[requester.load].parts += sector_runs(line.sectors);
      return stall;
    }
  }
}

void LoadStoreUnit::step(Cycle now, Cycle horizon) {
  if (tlb_) horizon = now + 1;
  if (tlb_ && tlb_->replays()) {
    replay(now);
    return;
  }
  if (!active_) {
    start(now);
    if (!active_) return;
  }
  do {
    const LineAccess& line = coalescer_.lines()[line_];
    const Op op = head_.instruction->op;
    if (!served(now, op, line, tlb_ ? translate(now, line) : serve(now, op, requester_, line))) return;
    if (++line_ == lines_) return finish_instruction(now);
    now = next_;
  } while (now < horizon && line_ + 1 < lines_);
}

/// Cycles that a line of an instruction takes the L1: what a store brings may take several.
inline Cycle LoadStoreUnit::cycles_of(Op op, const LineAccess& line) const {
  if (op != Op::kStore || config_.l1.store_bytes >= kLineBytes) return 1;
  const auto bytes = static_cast<unsigned>(sector_bytes(line.sectors));
  return (bytes + config_.l1.store_bytes - 1) / config_.l1.store_bytes;
}

inline bool LoadStoreUnit::served(Cycle now, Op op, const LineAccess& line, L1Stall stall) {
  if (blocked_ != L1Stall::kNone) add_wait(now, statistics_);
  blocked_ = stall;
  if (stall != L1Stall::kNone) {
    blocked_since_ = now;
    // A free MSHR comes with a reply and room in the TLB with an answer, which wake the unit; a free place in the queue
    // when its head leaves.
    next_ = stall == L1Stall::kQueue ? std::max(now + 1, l1_.drain_next()) : kNever;
    return false;
  }
  const Cycle cycles = cycles_of(op, line);
  statistics_.busy_cycles += cycles;
  next_ = now + cycles;
  if (cycles > 1) busy_until_ = next_;
  return true;
}

L1Stall LoadStoreUnit::translate(Cycle now, const LineAccess& line) {
  const Op op = head_.instruction->op;
  switch (tlb_->translate(now, {op, requester_, line})) {
    case SmTlb::Result::kFull: return L1Stall::kTlb;
    case SmTlb::Result::kMiss:
      if (op == Op::kStore) {
        ++slots_[head_.slot].under_way;
      } else {
        ++loads_[requester_.load].parts;
      }
      return L1Stall::kNone;
    case SmTlb::Result::kHit: break;
  }
  const L1Stall stall = serve(now, op, requester_, line);
  if (stall == L1Stall::kNone) tlb_->count_hit();
  return stall;
}

void LoadStoreUnit::replay(Cycle now) {
  const LineRequest& line = tlb_->replay();
  if (!served(now, line.op, line.line, serve(now, line.op, line.requester, line.line))) return;
  if (line.op == Op::kStore) {
    ended(line.requester.slot, now);
  } else {
    part_done(line.requester.load, 0);
  }
  tlb_->replayed(now);
  if (!active_ && !tlb_->replays()) next_ = queue_.empty() ? kNever : std::max(next_, busy_until_);
}

void LoadStoreUnit::finish_instruction(Cycle now) {
  active_ = false;
  if (head_.instruction->op == Op::kStore) {
    ended(head_.slot, now);
  } else {
    part_done(requester_.load, 0);
  }
  if (queue_.empty()) next_ = kNever;
}

inline unsigned LoadStoreUnit::bank_cycles() {
  const Instruction& in = *head_.instruction;
  const auto shape = head_.block->code->lane_shape(in, head_.position);
  if (shape && (shape->x | shape->y) % 4 == 0) return conflicts_.cycles(*shape, in.mask, in.width);
  head_.block->code->addresses(in, head_.position, addresses_);
  return conflicts_.cycles(addresses_, in.mask, in.width);
}

inline void LoadStoreUnit::start_shared(Cycle now) {
  const Instruction& in = *head_.instruction;
  const unsigned cycles = bank_cycles();
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
  if (in.space == Space::kConstant) {
    loaded(head_.slot, in, after_issue(now, config_.constant_latency));
    return;
  }
  if (in.space == Space::kShared) {
    start_shared(now);
    return;
  }
  lines_ = coalesce();
  BlockLaunch& block = *head_.block;
  requester_.identity = block.identity;
  requester_.identity.warp = static_cast<std::uint16_t>(head_.position.warp);
  requester_.slot = static_cast<std::uint16_t>(head_.slot);
  requester_.counters = &block.counters;
  ++(in.op == Op::kStore ? block.counters.global_stores : block.counters.global_loads);
  line_ = 0;
  active_ = true;
  if (in.op != Op::kStore) requester_.load = new_load();
}

/// Returns how many lines the head accesses.
unsigned LoadStoreUnit::coalesce() {
  const Instruction& in = *head_.instruction;
  if (in.mask == ~0u) {
    const auto shape = head_.block->code->lane_shape(in, head_.position);
    if (shape && shape->is_run(in.width)) {  // the first lane tells where all are
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
  BlockCounters& count = *slots_[access.slot].counters;
  count.memory_latency += now - access.issued;
  count.reply_flits += access.flits;
  count.row_hits += access.row == RowOutcome::kHit;
  count.row_misses += access.row == RowOutcome::kMiss;
  count.row_conflicts += access.row == RowOutcome::kConflict;
  if (access.write) {
    ++(access.l2_hit ? count.l2_write_hits : count.l2_write_misses);
    ended(access.slot, now);
    return;
  }
  ++(access.l2_hit ? count.l2_read_hits : count.l2_read_misses);
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
