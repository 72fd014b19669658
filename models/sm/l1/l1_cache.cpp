#include "models/sm/l1/l1_cache.h"

#include <algorithm>

namespace gputlm {

L1Cache::L1Cache(const L1Config& config, const NetworkInterface& network, AccessSource& accesses)
    : network_(network), accesses_(accesses), fill_sectors_(config.fill_bytes / kSectorBytes),
      tags_(static_cast<unsigned>(config.bytes / (kLineBytes * config.ways)), config.ways, SetIndex::kModulo),
      mshrs_(config.mshrs, config.mshr_merges), queue_limit_(config.queue), queue_(config.queue),
      port_(1, network.link.request.queue) {}

L1Cache::LoadResult L1Cache::load(Cycle now, const L1Requester& requester, const LineAccess& line) {
  const bool absent = line.line == absent_;
  const SectoredTags::Slot slot = absent ? SectoredTags::kNoSlot : tags_.find(line.line);
  const SectorMask valid = slot == SectoredTags::kNoSlot ? SectorMask{0} : tags_[slot].valid;
  LoadResult result;
  result.hits = valid & line.sectors;
  result.missing = static_cast<SectorMask>(line.sectors & ~valid);
  if (result.missing) {
    Mshrs::Index mshr = absent ? Mshrs::kNone : mshrs_.find(line.line);
    const bool merges = mshr != Mshrs::kNone;
    if (merges ? mshrs_.merges_full(mshr) : mshrs_.full()) {
      if (!merges && !valid) absent_ = line.line;
      return {L1Stall::kMshr};
    }
    const SectorMask known = merges ? valid | mshrs_.pending(mshr) : valid;
    auto fetch = static_cast<SectorMask>(widened(result.missing, fill_sectors_) & ~known);
    if (!room_for(now, sector_runs(fetch))) return {L1Stall::kQueue};
    if (!merges) {
      mshr = mshrs_.open(line.line);
      absent_ = SectoredTags::kNoLine;
    }
    mshrs_.ask(mshr, fetch);
    // With what it made come along, where that is an access of its own: its block must not end before all replies.
    mshrs_.wait(mshr, requester.load, static_cast<SectorMask>(result.missing | fetch));
    statistics_.mshr_merges += merges;
    while (fetch) {
      Access& access = request(requester, line.line, take_sector_run(fetch));
      access.tag = mshr;
      send(now, requester, access);
    }
  }
  if (result.hits) tags_.touch(slot);
  const unsigned hits = sector_count(result.hits), misses = sector_count(result.missing);
  requester.counters->l1_sector_hits += hits;
  requester.counters->l1_sector_misses += misses;
  statistics_.l1_sector_hits += hits;
  statistics_.l1_sector_misses += misses;
  return result;
}

L1Stall L1Cache::store(Cycle now, const L1Requester& requester, const LineAccess& line) {
  if (!room_for(now, sector_runs(line.sectors))) return L1Stall::kQueue;
  if (const auto slot = tags_.find(line.line); slot != SectoredTags::kNoSlot) tags_.touch(slot);
  for (SectorMask rest = line.sectors; rest;) {
    const SectorMask run = take_sector_run(rest);
    Access& access = request(requester, line.line, run);
    access.write = true;
    access.partial = (run & ~line.covered) != 0;
    send(now, requester, access);
  }
  return L1Stall::kNone;
}

L1Stall L1Cache::atomic(Cycle now, const L1Requester& requester, const LineAccess& line) {
  if (!room_for(now, sector_runs(line.sectors))) return L1Stall::kQueue;
  if (const auto slot = tags_.find(line.line); slot != SectoredTags::kNoSlot) {
    tags_[slot].valid &= static_cast<SectorMask>(~line.sectors);
  }
  for (SectorMask rest = line.sectors; rest;) {
    Access& access = request(requester, line.line, take_sector_run(rest));
    access.atomic = true;
    access.tag = requester.load;
    send(now, requester, access);
  }
  return L1Stall::kNone;
}

bool L1Cache::room_for(Cycle now, unsigned accesses) {
  if (queue_.size() + accesses <= queue_limit_) return true;
  drain(now + 1);
  return queue_.size() + accesses <= queue_limit_;
}

Access& L1Cache::request(const L1Requester& requester, std::uint64_t line, SectorMask run) {
  Access& access = accesses_.allocate();
  access.address = line * kLineBytes + sector_run_offset(run);
  access.bytes = static_cast<std::uint16_t>(sector_bytes(run));
  access.identity = requester.identity;
  access.slot = requester.slot;
  return access;
}

void L1Cache::send(Cycle now, const L1Requester& requester, Access& access) {
  network_.address(access);
  access.issued = now;
  requester.counters->request_flits += access.flits;
  ++requester.counters->memory_requests;
  queue_.push({now, &access});
}

SectorMask L1Cache::take_in(const Access& reply) {
  const SectorMask sectors = touched_sectors(reply.address, reply.bytes);
  tags_[tags_.find_or_replace(reply.address / kLineBytes)].valid |= sectors;
  return sectors;
}

Cycle L1Cache::drain_next() const { return queue_.empty() ? kNever : std::max(queue_.front().at, port_.ready_at()); }

void L1Cache::drain(Cycle until) {
  while (true) {
    const Cycle at = drain_next();
    if (at >= until) return;
    port_.send(at, *queue_.pop().access);
  }
}

}  // namespace gputlm
