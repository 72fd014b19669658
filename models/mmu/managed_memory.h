/// Managed memory: which pages of it are in the GPU's memory, what is fetched along with a page that is not, and what has
/// to leave. The host's driver decides all of it. Plain C++.
///
/// Managed memory is divided into aligned blocks (2 MiB in NVIDIA's driver). A fault fetches the basic block around its
/// page; and of the aligned regions around that, each twice as large as the one before and none larger than a block, the
/// largest of which more than MmuConfig::prefetch_percent would then be on the GPU (tree-based prefetching: Ganguly et
/// al., ISCA 2019; nvidia-uvm, uvm_perf_prefetch.c). When the GPU's memory is full, the block of which a page was fetched
/// least recently leaves it, with all its pages: what kernels use without a fault, and whether they have written, the
/// driver does not see, so all of them are written back.
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "models/mmu/config.h"

namespace gputlm {

struct AddressRange {
  Address address = 0;
  Bytes bytes = 0;
};

/// Consecutive pages.
struct PageRun {
  std::uint64_t first = 0;
  std::uint64_t pages = 0;
  bool operator==(const PageRun& other) const { return first == other.first && pages == other.pages; }
};

/// What is to be moved for a batch of faults.
struct MigrationPlan {
  std::vector<PageRun> evicted;  ///< blocks; their pages leave, and are
  std::vector<PageRun> out;      ///< written back
  std::vector<PageRun> in;       ///< fetched, in the order in which faults asked for them
  std::uint64_t prefetched = 0;  ///< pages among them that no fault asked for
};

class ManagedMemory {
 public:
  /// Every page is at the host at first.
  ManagedMemory(const MmuConfig& config, const std::vector<AddressRange>& managed);

  /// The page is managed, and not on the GPU.
  bool far(std::uint64_t page) const;
  /// Decides for a batch, in the order of its faults; `page`s are managed. What leaves does so at once; what comes does
  /// so when arrived() is called. Pages for which there is no room beside those of the same batch are left out.
  MigrationPlan plan(const std::vector<std::uint64_t>& faults);
  /// What the last plan fetches is there.
  void arrived();

  /// Pages on the GPU or on their way.
  std::uint64_t used() const { return used_; }

 private:
  static constexpr unsigned kMaxPages = 512;  ///< of a block: 2 MiB of 4 KiB
  using Pages = std::bitset<kMaxPages>;
  struct Block {
    std::uint64_t first = 0;  ///< page
    Pages managed, resident, coming;
    std::uint64_t fetched = 0;  ///< number of the plan that last fetched one of its pages

    Pages present() const { return resident | coming; }
  };

  const Block* find(std::uint64_t page) const;
  /// What a fault on the page fetches.
  Pages wanted(const Block& block, unsigned page) const;
  /// Evicts until `pages` more have room. Blocks of the running plan and `keep` stay; false if they leave too little.
  bool make_room(std::uint64_t pages, const Block& keep, MigrationPlan& plan);
  static void add_runs(std::uint64_t first, const Pages& pages, std::vector<PageRun>& runs);

  unsigned block_pages_;
  unsigned basic_pages_;  ///< of a basic block
  unsigned percent_;
  std::uint64_t capacity_;  ///< pages
  std::uint64_t used_ = 0;
  std::uint64_t plans_ = 0;
  std::vector<Block> blocks_;  ///< by address
};

}  // namespace gputlm
