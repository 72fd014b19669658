#pragma once

#include "tlm/base/time.h"

namespace gputlm {

/// Address translation and unified memory. Sources of the defaults:
///   MASK     Ausavarungnirun et al., "MASK: Redesigning the GPU Memory Hierarchy to Support Multi-Application
///            Concurrency", ASPLOS 2018, table 1: shared L2 TLB, page-table walker
///   driver   NVIDIA, open-gpu-kernel-modules, kernel-open/nvidia-uvm: module parameters and their defaults
///   Ganguly  Ganguly et al., "Interplay between Hardware Prefetcher and Page Eviction Policy in CPU-GPU Unified Virtual
///            Memory", ISCA 2019: basic blocks of 64 KiB, tree of up to 2 MiB
///   Zheng    Zheng et al., "Towards High Performance Paged Memory for GPUs", HPCA 2016: a far fault takes 20 to 50 us
struct MmuConfig {
  bool enabled = false;  ///< off: every address is in the GPU's memory, and translation takes no time
  Bytes page_bytes = 4096;
  unsigned tlb_entries = 512;         ///< entries of the L2 TLB, shared by all SMs (MASK)
  unsigned tlb_ways = 16;             ///< ways of the L2 TLB (MASK)
  unsigned tlb_latency = 10;          ///< latency of the L2 TLB in core cycles (MASK)
  unsigned walkers = 64;              ///< maximum number of simultaneous page-table walks (MASK)
  unsigned levels = 4;                ///< levels of the page table (MASK)
  unsigned table_entries = 512;       ///< entries of a page-table page, 8 bytes each
  unsigned walk_cache_entries = 128;  ///< page-table pages cached; assumed
  unsigned fault_buffer = 4096;       ///< capacity for far faults; assumed
  unsigned batch_faults = 256;        ///< maximum faults of a batch (driver: uvm_perf_fault_batch_count)
  unsigned batch_ns = 20000;          ///< time from the interrupt until a batch is read (Zheng, the lower end)
  unsigned fault_ns = 500;            ///< host time for each fault of a batch; assumed
  Bytes prefetch_bytes = 65536;       ///< aligned unit of migration: the basic block (Ganguly)
  unsigned prefetch_percent = 51;     ///< threshold of ManagedMemory (driver: uvm_perf_prefetch_threshold)
  Bytes block_bytes = 2097152;        ///< limit of prefetching and unit of eviction (Ganguly, driver)
  Bytes device_memory = 8ull << 30;   ///< memory of the GPU for managed pages
};

}  // namespace gputlm
