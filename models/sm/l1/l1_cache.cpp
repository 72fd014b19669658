#include "models/sm/l1/l1_cache.h"

#include <algorithm>

namespace gputlm {

namespace {

SectoredTags tags_of(const L1Config& config, const PolicyOptions& options) {
  const auto sets = static_cast<unsigned>(config.bytes / (kLineBytes * config.ways));
  return {sets, config.ways, l1_set_indices().at(config.set_index).make,
          make_replacement(l1_replacements(), config.replacement, {sets, config.ways, options})};
}

}  // namespace

L1Cache::L1Cache(const L1Config& config, const PolicyOptions& options, const NetworkInterface& network,
                 AccessSource& accesses)
    : network_(network), accesses_(accesses), fill_sectors_(config.fill_bytes / kSectorBytes), bytes_(config.bytes),
      stores_(l1_stores().at(config.stores).make), tags_(tags_of(config, options)),
      mshrs_(config.mshrs, config.mshr_merges), queue_limit_(config.queue), queue_(config.queue),
      port_(1, network.link.request.queue) {}

void L1Cache::divide(const std::optional<Bytes>& shared) {
  const auto sets = static_cast<unsigned>((bytes_ - shared.value_or(0)) / (kLineBytes * tags_.ways()));
  if (sets == tags_.sets()) return;
  tags_.resize(sets);
}

template <class Kind>
[[gnu::always_inline]] inline void L1Cache::send(Cycle now, const L1Requester& requester, std::uint64_t line,
                                                 SectorMask run, Kind kind) {
  Access& access = accesses_.allocate();
  access.address = line * kLineBytes + sector_run_offset(run);
  access.bytes = static_cast<std::uint16_t>(sector_bytes(run));
  access.identity = requester.identity;
  access.slot = requester.slot;
  kind(access);
  network_.address(access);
  access.issued = now;
  requester.counters->request_flits += access.flits;
  ++requester.counters->memory_requests;
  queue_.push({now, &access});
}

L1Cache::LoadResult L1Cache::load(Cycle now, const L1Requester& requester, const LineAccess& line) {
  if (line.line == absent_) {
    if (mshrs_.full()) return {L1Stall::kMshr};
    if (!miss(now, requester, line.line, line.sectors, 0, Mshrs::kNone)) return {L1Stall::kQueue};
    count(requester, 0, line.sectors);
    return {L1Stall::kNone, 0, line.sectors};
  }
  LoadResult result;
  const SectoredTags::Slot slot = tags_.find(line.line);
  const SectorMask valid = slot == SectoredTags::kNoSlot ? SectorMask{0} : tags_[slot].valid;
  result.hits = valid & line.sectors;
  result.missing = static_cast<SectorMask>(line.sectors & ~valid);
  if (result.missing) {
    const Mshrs::Index mshr = mshrs_.find(line.line);
    if (mshr == Mshrs::kNone ? mshrs_.full() : mshrs_.merges_full(mshr)) {
      if (mshr == Mshrs::kNone && !valid) absent_ = line.line;
      return {L1Stall::kMshr};
    }
    if (!miss(now, requester, line.line, result.missing, valid, mshr)) return {L1Stall::kQueue};
  }
  if (result.hits) tags_.touch(slot);
  count(requester, result.hits, result.missing);
  return result;
}

inline void L1Cache::count(const L1Requester& requester, SectorMask hit, SectorMask missed) {
  const unsigned hits = sector_count(hit), misses = sector_count(missed);
  requester.counters->l1_sector_hits += hits;
  requester.counters->l1_sector_misses += misses;
  statistics_.l1_sector_hits += hits;
  statistics_.l1_sector_misses += misses;
}

bool L1Cache::miss(Cycle now, const L1Requester& requester, std::uint64_t line, SectorMask missing, SectorMask valid,
                   Mshrs::Index mshr) {
  const bool merges = mshr != Mshrs::kNone;
  const SectorMask known = merges ? valid | mshrs_.pending(mshr) : valid;
  auto fetch = static_cast<SectorMask>(widened(missing, fill_sectors_) & ~known);
  if (!room_for(now, sector_runs(fetch))) return false;
  if (!merges) {
    mshr = mshrs_.open(line);
    absent_ = SectoredTags::kNoLine;
  }
  mshrs_.ask(mshr, fetch);
  // Includes sectors fetched in addition, which may be a separate access: the block must not end before all replies.
  mshrs_.wait(mshr, requester.load, static_cast<SectorMask>(missing | fetch));
  statistics_.mshr_merges += merges;
  while (fetch) {
    send(now, requester, line, take_sector_run(fetch), [mshr](Access& access) { access.tag = mshr; });
  }
  return true;
}

L1Stall L1Cache::store(Cycle now, const L1Requester& requester, const LineAccess& line) {
  if (!room_for(now, sector_runs(line.sectors))) return L1Stall::kQueue;
  leave(line);
  for (SectorMask rest = line.sectors; rest;) {
    const SectorMask run = take_sector_run(rest);
    send(now, requester, line.line, run, [&](Access& access) {
      access.write = true;
      access.partial = (run & ~line.covered) != 0;
    });
  }
  return L1Stall::kNone;
}

/// Updates the cache for a store.
inline void L1Cache::leave(const LineAccess& line) {
  const SectoredTags::Slot slot = tags_.find(line.line);
  if (slot == SectoredTags::kNoSlot) {
    if (stores_ == L1Stores::kAllocate) tags_[tags_.find_or_replace(line.line)].valid = line.covered;
    if (stores_ == L1Stores::kAllocate && absent_ == line.line) absent_ = SectoredTags::kNoLine;
  } else if (stores_ == L1Stores::kEvict) {
    tags_[slot].valid &= static_cast<SectorMask>(~line.sectors);
  } else {
    tags_.touch(slot);
    if (stores_ == L1Stores::kAllocate) tags_[slot].valid |= line.covered;
  }
}

L1Stall L1Cache::atomic(Cycle now, const L1Requester& requester, const LineAccess& line) {
  if (!room_for(now, sector_runs(line.sectors))) return L1Stall::kQueue;
  if (const auto slot = tags_.find(line.line); slot != SectoredTags::kNoSlot) {
    tags_[slot].valid &= static_cast<SectorMask>(~line.sectors);
  }
  for (SectorMask rest = line.sectors; rest;) {
    send(now, requester, line.line, take_sector_run(rest), [&](Access& access) {
      access.atomic = true;
      access.tag = requester.load;
    });
  }
  return L1Stall::kNone;
}

L1Stall L1Cache::pass_by(Cycle now, const L1Requester& requester, const LineAccess& line, bool write) {
  if (!room_for(now, 1)) return L1Stall::kQueue;
  send(now, requester, line.line, line.sectors, [&](Access& access) {
    access.write = write;
    access.tag = requester.load;
  });
  return L1Stall::kNone;
}

bool L1Cache::room_for(Cycle now, unsigned accesses) {
  if (queue_.size() + accesses <= queue_limit_) return true;
  drain(now + 1);
  return queue_.size() + accesses <= queue_limit_;
}

SectorMask L1Cache::take_in(const Access& reply) {
  const SectorMask sectors = touched_sectors(reply.address, reply.bytes);
  tags_[tags_.find_or_replace(reply.address / kLineBytes)].valid |= sectors;
  return sectors;
}

void L1Cache::drain(Cycle until) {
  while (true) {
    const Cycle at = drain_next();
    if (at >= until) return;
    port_.send(at, *queue_.pop().access);
  }
}

}  // namespace gputlm
