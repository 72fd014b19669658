/// Managed memory: which of its pages are in the GPU's memory, what is fetched with a missing page, and what is evicted, as
/// decided by the host's driver. Plain C++.
///
/// Managed memory is divided into aligned blocks (2 MiB in NVIDIA's driver). A fault fetches the basic block around its
/// page. It also fetches the largest aligned region around that, of a power-of-two multiple in size and at most a block, of
/// which more than MmuConfig::prefetch_percent would then be on the GPU (tree-based prefetching: Ganguly et al., ISCA 2019;
/// nvidia-uvm, uvm_perf_prefetch.c). When the GPU's memory is full, the block with the least recent fetch is evicted with
/// all its pages. The driver does not see accesses without a fault, nor writes, so it writes all pages back.
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

/// The migrations for a batch of faults.
struct MigrationPlan {
  std::vector<PageRun> evicted;  ///< evicted blocks, whose pages leave,
  std::vector<PageRun> out;      ///< pages written back,
  std::vector<PageRun> in;       ///< and pages fetched, in the order of the faults
  std::uint64_t prefetched = 0;  ///< pages fetched without a fault
};

class ManagedMemory {
 public:
  /// Initially every page is at the host.
  ManagedMemory(const MmuConfig& config, const std::vector<AddressRange>& managed);

  /// Whether the page is managed and not on the GPU.
  bool far(std::uint64_t page) const;
  /// Decides for a batch, in the order of its faults; `page`s are managed. Evictions take effect at once, fetches when
  /// arrived() is called. Pages for which there is no room besides others of the batch are left out.
  MigrationPlan plan(const std::vector<std::uint64_t>& faults);
  /// The pages fetched by the last plan have arrived.
  void arrived();

  /// Pages on the GPU or on their way.
  std::uint64_t used() const { return used_; }

 private:
  static constexpr unsigned kMaxPages = 512;  ///< pages of a block: 2 MiB of 4 KiB each
  using Pages = std::bitset<kMaxPages>;
  struct Block {
    std::uint64_t first = 0;  ///< number of the first page
    Pages managed, resident, coming;
    std::uint64_t fetched = 0;  ///< number of the plan that last fetched one of its pages

    Pages present() const { return resident | coming; }
  };

  const Block* find(std::uint64_t page) const;
  /// The pages that a fault on the page fetches.
  Pages wanted(const Block& block, unsigned page) const;
  /// Evicts until `pages` more fit. Blocks of the running plan and `keep` stay; false if they leave too little room.
  bool make_room(std::uint64_t pages, const Block& keep, MigrationPlan& plan);
  static void add_runs(std::uint64_t first, const Pages& pages, std::vector<PageRun>& runs);

  unsigned block_pages_;
  unsigned basic_pages_;  ///< pages of a basic block
  unsigned percent_;
  std::uint64_t capacity_;  ///< pages that the GPU's memory holds
  std::uint64_t used_ = 0;
  std::uint64_t plans_ = 0;
  std::vector<Block> blocks_;  ///< ordered by address
};

}  // namespace gputlm
