#include "models/mmu/managed_memory.h"

#include <algorithm>

namespace gputlm {

ManagedMemory::ManagedMemory(const MmuConfig& config, const std::vector<AddressRange>& managed)
    : block_pages_(static_cast<unsigned>(config.block_bytes / config.page_bytes)),
      basic_pages_(static_cast<unsigned>(config.prefetch_bytes / config.page_bytes)), percent_(config.prefetch_percent),
      capacity_(config.device_memory / config.page_bytes) {
  std::vector<PageRun> ranges;
  for (const AddressRange& range : managed) {
    const std::uint64_t first = range.address / config.page_bytes;
    const std::uint64_t end = (range.address + range.bytes + config.page_bytes - 1) / config.page_bytes;
    ranges.push_back({first, end - first});
  }
  std::sort(ranges.begin(), ranges.end(), [](const PageRun& a, const PageRun& b) { return a.first < b.first; });
  for (const PageRun& range : ranges) {
    for (std::uint64_t page = range.first; page < range.first + range.pages; ++page) {
      const std::uint64_t first = page / block_pages_ * block_pages_;
      if (blocks_.empty() || blocks_.back().first != first) blocks_.push_back({first, {}, {}, {}, 0});
      blocks_.back().managed.set(page - first);
    }
  }
}

const ManagedMemory::Block* ManagedMemory::find(std::uint64_t page) const {
  const auto above = std::upper_bound(blocks_.begin(), blocks_.end(), page,
                                      [](std::uint64_t p, const Block& block) { return p < block.first; });
  if (above == blocks_.begin()) return nullptr;
  const Block& block = *(above - 1);
  return page < block.first + block_pages_ ? &block : nullptr;
}

bool ManagedMemory::far(std::uint64_t page) const {
  const Block* const block = find(page);
  return block && block->managed[page - block->first] && !block->resident[page - block->first];
}

ManagedMemory::Pages ManagedMemory::wanted(const Block& block, unsigned page) const {
  const auto region_of = [&](unsigned pages) {
    Pages region;
    for (unsigned p = page / pages * pages, end = p + pages; p < end; ++p) region.set(p);
    return region & block.managed;
  };
  Pages region = region_of(basic_pages_);
  const Pages present = block.present() | region;
  for (unsigned pages = 2 * basic_pages_; pages <= block_pages_; pages *= 2) {
    const Pages larger = region_of(pages);
    if ((present & larger).count() * 100 > larger.count() * percent_) region = larger;
  }
  return region & ~block.present();
}

bool ManagedMemory::make_room(std::uint64_t pages, const Block& keep, MigrationPlan& plan) {
  while (used_ + pages > capacity_) {
    Block* oldest = nullptr;
    for (Block& block : blocks_) {
      if (&block == &keep || block.fetched == plans_ || block.resident.none()) continue;
      if (!oldest || block.fetched < oldest->fetched) oldest = &block;
    }
    if (!oldest) return false;
    plan.evicted.push_back({oldest->first, block_pages_});
    add_runs(oldest->first, oldest->resident, plan.out);
    used_ -= oldest->resident.count();
    oldest->resident.reset();
  }
  return true;
}

MigrationPlan ManagedMemory::plan(const std::vector<std::uint64_t>& faults) {
  MigrationPlan plan;
  ++plans_;
  for (const std::uint64_t page : faults) {
    Block& block = blocks_[static_cast<std::size_t>(find(page) - blocks_.data())];
    const auto place = static_cast<unsigned>(page - block.first);
    if (block.present()[place]) continue;  // another fault of the batch fetches it
    Pages pages = wanted(block, place);
    if (!make_room(pages.count(), block, plan)) {
      pages = Pages().set(place);
      if (!make_room(1, block, plan)) continue;
    }
    block.coming |= pages;
    block.fetched = plans_;
    used_ += pages.count();
    plan.prefetched += pages.count();
    add_runs(block.first, pages, plan.in);
  }
  for (const std::uint64_t page : faults) plan.prefetched -= find(page)->coming[page - find(page)->first];
  return plan;
}

void ManagedMemory::arrived() {
  for (Block& block : blocks_) {
    block.resident |= block.coming;
    block.coming.reset();
  }
}

void ManagedMemory::add_runs(std::uint64_t first, const Pages& pages, std::vector<PageRun>& runs) {
  bool open = false;
  for (unsigned p = 0; p < kMaxPages; ++p) {
    if (pages[p] && open) {
      ++runs.back().pages;
    } else if (pages[p]) {
      runs.push_back({first + p, 1});
    }
    open = pages[p];
  }
}

}  // namespace gputlm
