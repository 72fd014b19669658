#include "models/sm/load_store_unit.h"

#include <algorithm>

namespace gputlm {

namespace {

/// Latencies count from issue, and what the unit serves at `now` was issued a cycle earlier if it had not to wait.
Cycle after_issue(Cycle now, unsigned latency) { return now - 1 + latency; }

}  // namespace

LoadStoreUnit::LoadStoreUnit(const SmConfig& config, const NetworkInterface& network, AccessSource& accesses,
                             MemoryClient& client)
    : config_(config), network_(network), accesses_(accesses), client_(client), queue_limit_(config.lsu_queue),
      queue_(config.lsu_queue), fill_sectors_(config.l1.fill_bytes / kSectorBytes),
      tags_(static_cast<unsigned>(config.l1.bytes / (kLineBytes * config.l1.ways)), config.l1.ways, SetIndex::kModulo),
      mshrs_(config.l1.mshrs), to_port_(config.l1.queue), to_port_limit_(config.l1.queue), port_(1, network.queue) {
  for (std::uint32_t i = config.l1.mshrs; i-- > 0;) free_mshrs_.push_back(i);
  unsigned bits = 1;
  while ((1u << bits) < 2 * config.l1.mshrs) ++bits;
  buckets_.assign(std::size_t{1} << bits, kNone);
  bucket_shift_ = 64 - bits;
}

void LoadStoreUnit::issue(Cycle now, const MemoryInstruction& instruction) {
  queue_.push(instruction);
  if (!active_) next_ = std::min(next_, std::max(now + 1, busy_until_));
}

void LoadStoreUnit::step(Cycle now) {
  if (!active_) {
    start(now);
    if (!active_) return;
  }
  const LineAccess& line = coalescer_.lines()[line_];
  const Op op = head_.instruction->op;
  const Blocked result = op == Op::kLoad    ? serve_load(now, line)
                         : op == Op::kStore ? serve_store(now, line)
                                            : serve_atomic(now, line);
  if (blocked_ != Blocked::kNo) waiting_cycles(statistics_, blocked_) += now - blocked_since_;
  blocked_ = result;
  if (result != Blocked::kNo) {
    blocked_since_ = now;
    // A free MSHR comes with a reply, which wakes the unit; a free place in the queue when its head leaves.
    next_ = result == Blocked::kQueue ? std::max(now + 1, drain_next()) : kNever;
    return;
  }
  ++statistics_.busy_cycles;
  next_ = now + 1;
  if (++line_ == lines_) finish_instruction(now);
}

void LoadStoreUnit::finish_instruction(Cycle now) {
  active_ = false;
  if (head_.instruction->op == Op::kStore) client_.stored(head_.warp, now);
  if (head_load_ != kNone) part_done(head_load_, 0);
  if (queue_.empty()) next_ = kNever;
}

/// Takes the next instruction. Those that need no line (shared memory, constants, no active lane) are served here.
void LoadStoreUnit::start(Cycle now) {
  head_ = queue_.pop();
  client_.queue_freed();
  const Instruction& in = *head_.instruction;
  head_load_ = kNone;
  next_ = queue_.empty() ? kNever : now + 1;
  if (in.mask == 0) {
    if (in.op == Op::kStore) {
      client_.stored(head_.warp, now);
    } else {
      client_.loaded(head_.warp, in, now + 1);
    }
    return;
  }
  if (in.space == Space::kConstant) {
    client_.loaded(head_.warp, in, after_issue(now, config_.constant_latency));
    return;
  }
  if (in.space == Space::kShared) {
    start_shared(now);
    return;
  }
  head_.code->addresses(in, head_.position, addresses_);
  ++(in.op == Op::kStore ? counters().global_stores : counters().global_loads);
  lines_ = static_cast<unsigned>(coalescer_.coalesce(addresses_, in.mask, in.width));
  line_ = 0;
  active_ = true;
  if (in.op != Op::kStore) head_load_ = new_load();
}

unsigned LoadStoreUnit::bank_cycles() {
  const Instruction& in = *head_.instruction;
  if (in.mask == ~0u && in.width <= 4) {
    if (const auto stride = head_.code->lane_stride(in); stride && *stride % 4 == 0) {
      return shared_memory_cycles_of_stride(*stride, config_.shared_banks);
    }
  }
  head_.code->addresses(in, head_.position, addresses_);
  return shared_memory_cycles(addresses_, in.mask, in.width, config_.shared_banks);
}

void LoadStoreUnit::start_shared(Cycle now) {
  const Instruction& in = *head_.instruction;
  const unsigned cycles = bank_cycles();
  BlockCounters& count = counters();
  ++count.shared_accesses;
  count.shared_conflict_cycles += cycles - 1;
  statistics_.busy_cycles += cycles;
  busy_until_ = now + cycles;
  if (!queue_.empty()) next_ = busy_until_;
  if (in.op == Op::kStore) {
    client_.stored(head_.warp, now + cycles);
  } else {
    client_.loaded(head_.warp, in, after_issue(now, config_.shared_latency) + cycles - 1);
  }
}

LoadStoreUnit::Blocked LoadStoreUnit::serve_load(Cycle now, const LineAccess& line) {
  const SectoredTags::Slot slot = tags_.find(line.line);
  const SectorMask hits = slot == SectoredTags::kNoSlot ? SectorMask{0} : tags_[slot].valid & line.sectors;
  const auto missing = static_cast<SectorMask>(line.sectors & ~hits);
  if (missing) {
    std::uint32_t index = find_mshr(line.line);
    const bool merges = index != kNone;
    if (merges ? mshrs_[index].waiting >= config_.l1.mshr_merges : free_mshrs_.empty()) return Blocked::kMshr;
    const SectorMask pending = merges ? mshrs_[index].pending : SectorMask{0};
    const SectorMask valid = slot == SectoredTags::kNoSlot ? SectorMask{0} : tags_[slot].valid;
    auto fetch = static_cast<SectorMask>(widened(missing, fill_sectors_) & ~(valid | pending));
    if (!room_for(now, sector_runs(fetch))) return Blocked::kQueue;
    if (!merges) {
      index = free_mshrs_.back();
      free_mshrs_.pop_back();
      std::uint32_t& bucket = buckets_[bucket_of(line.line)];
      mshrs_[index] = {line.line, 0, 0, kNone, bucket};
      bucket = index;
    } else {
      ++statistics_.mshr_merges;
    }
    Mshr& mshr = mshrs_[index];
    mshr.pending |= fetch;
    while (fetch) {
      Access& access = request(line.line, take_sector_run(fetch));
      access.tag = index;
      send(now, access);
    }
    if (free_waiter_ == kNone) {
      waiters_.push_back({0, 0, kNone});
      free_waiter_ = static_cast<std::uint32_t>(waiters_.size() - 1);
    }
    const std::uint32_t waiter = free_waiter_;
    free_waiter_ = waiters_[waiter].next;
    waiters_[waiter] = {head_load_, missing, mshr.waiters};
    mshr.waiters = waiter;
    ++mshr.waiting;
    ++loads_[head_load_].parts;
  }
  if (hits) {
    tags_.touch(slot);
    loads_[head_load_].ready = std::max(loads_[head_load_].ready, after_issue(now, config_.l1.hit_latency));
  }
  const auto hit_count = static_cast<unsigned>(__builtin_popcount(hits));
  const auto miss_count = static_cast<unsigned>(__builtin_popcount(missing));
  BlockCounters& count = counters();
  count.l1_sector_hits += hit_count;
  count.l1_sector_misses += miss_count;
  statistics_.l1_sector_hits += hit_count;
  statistics_.l1_sector_misses += miss_count;
  return Blocked::kNo;
}

LoadStoreUnit::Blocked LoadStoreUnit::serve_store(Cycle now, const LineAccess& line) {
  if (!room_for(now, sector_runs(line.sectors))) return Blocked::kQueue;
  if (const auto slot = tags_.find(line.line); slot != SectoredTags::kNoSlot) tags_.touch(slot);
  for (SectorMask rest = line.sectors; rest;) {
    const SectorMask run = take_sector_run(rest);
    Access& access = request(line.line, run);
    access.write = true;
    access.partial = (run & ~line.covered) != 0;
    send(now, access);
    client_.store_sent(head_.warp);
  }
  return Blocked::kNo;
}

/// Atomics are done at the L2: they pass the L1 by, whose copy goes stale.
LoadStoreUnit::Blocked LoadStoreUnit::serve_atomic(Cycle now, const LineAccess& line) {
  if (!room_for(now, sector_runs(line.sectors))) return Blocked::kQueue;
  if (const auto slot = tags_.find(line.line); slot != SectoredTags::kNoSlot) {
    tags_[slot].valid &= static_cast<SectorMask>(~line.sectors);
  }
  for (SectorMask rest = line.sectors; rest;) {
    Access& access = request(line.line, take_sector_run(rest));
    access.atomic = true;
    access.tag = head_load_;
    send(now, access);
    ++loads_[head_load_].parts;
  }
  return Blocked::kNo;
}

std::uint32_t LoadStoreUnit::new_load() {
  if (free_loads_.empty()) {
    loads_.emplace_back();
    free_loads_.push_back(static_cast<std::uint32_t>(loads_.size() - 1));
  }
  const std::uint32_t load = free_loads_.back();
  free_loads_.pop_back();
  loads_[load] = {head_.warp, head_.instruction, 1, 0};
  return load;
}

void LoadStoreUnit::part_done(std::uint32_t index, Cycle ready) {
  Load& load = loads_[index];
  load.ready = std::max(load.ready, ready);
  if (--load.parts > 0) return;
  free_loads_.push_back(index);
  client_.loaded(load.warp, *load.instruction, load.ready);
}

bool LoadStoreUnit::room_for(Cycle now, unsigned accesses) {
  if (to_port_.size() + accesses <= to_port_limit_) return true;
  drain(now + 1);
  return to_port_.size() + accesses <= to_port_limit_;
}

Access& LoadStoreUnit::request(std::uint64_t line, SectorMask run) {
  Access& access = accesses_.allocate();
  access.address = line * kLineBytes + sector_run_offset(run);
  access.bytes = static_cast<std::uint16_t>(sector_bytes(run));
  access.identity = client_.block_of(head_.warp).identity;
  access.identity.warp = static_cast<std::uint16_t>(head_.position.warp);
  access.slot = static_cast<std::uint16_t>(head_.warp);
  return access;
}

void LoadStoreUnit::send(Cycle now, Access& access) {
  network_.address(access);
  access.issued = now;
  BlockCounters& count = counters();
  count.request_flits += access.flits;
  ++count.memory_requests;
  to_port_.push({now, &access});
}

Cycle LoadStoreUnit::drain_next() const {
  return to_port_.empty() ? kNever : std::max(to_port_.front().at, port_.ready_at());
}

void LoadStoreUnit::drain(Cycle until) {
  while (true) {
    const Cycle at = drain_next();
    if (at >= until) return;
    port_.send(at, *to_port_.pop().access);
  }
}

void LoadStoreUnit::refresh() {
  if (blocked_ == Blocked::kQueue) next_ = std::max(blocked_since_ + 1, drain_next());
}

void LoadStoreUnit::reply(Cycle now, Access& access) {
  BlockCounters& count = client_.block_of(access.slot).counters;
  count.memory_latency += now - access.issued;
  count.reply_flits += access.flits;
  count.row_hits += access.row == RowOutcome::kHit;
  count.row_misses += access.row == RowOutcome::kMiss;
  count.row_conflicts += access.row == RowOutcome::kConflict;
  if (access.write) {
    ++(access.l2_hit ? count.l2_write_hits : count.l2_write_misses);
    const unsigned warp = access.slot;
    accesses_.release(access);
    client_.stored(warp, now);
    return;
  }
  ++(access.l2_hit ? count.l2_read_hits : count.l2_read_misses);
  const Cycle ready = now + config_.l1.fill_latency;
  if (access.atomic) {
    const std::uint32_t load = access.tag;
    accesses_.release(access);
    part_done(load, ready);
    return;
  }
  Mshr& mshr = mshrs_[access.tag];
  const SectorMask arrived = touched_sectors(access.address, access.bytes);
  SectoredTags::Slot slot = tags_.find(mshr.line);
  if (slot == SectoredTags::kNoSlot) {
    slot = tags_.victim(mshr.line);
    tags_.replace(slot, mshr.line);
  }
  tags_[slot].valid |= arrived;
  mshr.pending &= static_cast<SectorMask>(~arrived);
  for (std::uint32_t* link = &mshr.waiters; *link != kNone;) {
    const std::uint32_t index = *link;
    Waiter& waiter = waiters_[index];
    waiter.sectors &= static_cast<SectorMask>(~arrived);
    if (waiter.sectors) {
      link = &waiter.next;
      continue;
    }
    const std::uint32_t load = waiter.load;
    *link = waiter.next;
    waiter.next = free_waiter_;
    free_waiter_ = index;
    --mshr.waiting;
    part_done(load, ready);
  }
  if (!mshr.pending) remove_mshr(access.tag);
  accesses_.release(access);
  if (blocked_ == Blocked::kMshr) next_ = std::min(next_, now);
}

LoadStoreStatistics LoadStoreUnit::statistics(Cycle now) const {
  LoadStoreStatistics result = statistics_;
  if (blocked_ != Blocked::kNo && now > blocked_since_) waiting_cycles(result, blocked_) += now - blocked_since_;
  return result;
}

std::uint32_t LoadStoreUnit::find_mshr(std::uint64_t line) const {
  std::uint32_t index = buckets_[bucket_of(line)];
  while (index != kNone && mshrs_[index].line != line) index = mshrs_[index].next;
  return index;
}

void LoadStoreUnit::remove_mshr(std::uint32_t index) {
  std::uint32_t* link = &buckets_[bucket_of(mshrs_[index].line)];
  while (*link != index) link = &mshrs_[*link].next;
  *link = mshrs_[index].next;
  free_mshrs_.push_back(index);
}

}  // namespace gputlm
