#include "models/sm/sm_tlb.h"

#include <algorithm>

#include "tlm/counter_table.h"

namespace gputlm {

SmTlb::SmTlb(const SmTlbConfig& config, Bytes page_bytes, ItemSource<Translation>& translations)
    : lines_of_page_(page_bytes / kLineBytes), source_(translations), tlb_(config.entries, config.ways),
      misses_(config.misses, config.miss_merges), replays_(std::size_t{config.misses} * config.miss_merges),
      requests_(1, config.misses), answers_(config.misses), shootdowns_(1), shootdown_ends_(1, 1) {}

SmTlb::Result SmTlb::translate(Cycle now, const LineRequest& line) {
  const std::uint64_t page = line.line.line / lines_of_page_;
  if (tlb_.lookup(page)) return Result::kHit;
  Misses::Index miss = misses_.find(page);
  const bool merges = miss != Misses::kNone;
  if (merges ? misses_.merges_full(miss) : misses_.full()) return wait_for_room(now);
  if (merges) {
    ++statistics_.merged;
  } else {
    miss = misses_.open(page);
    misses_.ask(miss, kPage);
    Translation& item = source_.allocate();
    item.page = page;
    item.identity = line.requester.identity;
    // The link takes one per cycle, and has room for all misses. TMA also sends requests, beside the load/store unit.
    requests_.send(std::max(now, requests_.ready_at()), item);
    ++statistics_.misses;
  }
  misses_.wait(miss, {line, now}, kPage);
  return Result::kMiss;
}

SmTlb::Result SmTlb::wait_for_room(Cycle now) {
  if (!full_) full_since_ = now;
  full_ = true;
  return Result::kFull;
}

void SmTlb::replayed(Cycle now) {
  statistics_.waited += now - replays_.pop().since;
  ++statistics_.replayed;
}

void SmTlb::step(Cycle now) {
  // The order matters: an answer that was sent before its page left the GPU's memory has arrived by now.
  while (answers_.ready(now)) {
    Translation& item = answers_.pop(now);
    tlb_.insert(item.page);
    misses_.arrived(misses_.find(item.page), kPage, [this](const Waiting& line) { replays_.push(line); });
    source_.release(item);
    if (full_) statistics_.full += now - full_since_;
    full_ = false;
  }
  while (shootdowns_.ready(now)) {
    Shootdown& shootdown = shootdowns_.pop(now);
    for (std::uint64_t p = shootdown.first_page; p < shootdown.first_page + shootdown.pages; ++p) tlb_.erase(p);
    shootdown_ends_.send(now, shootdown);
  }
}

GPUTLM_REGISTER { add_counter_table<SmTlbStatistics>("SM's TLB", {"mmu.sm_tlbs"}); }

}  // namespace gputlm
