#include "models/contention/block_needs.h"

#include <algorithm>

namespace gputlm {
namespace {

double known(const KernelDemand::Count& count) { return count.value_or(0); }

}  // namespace

BlockNeeds needs_of(const KernelDemand& demand, const Kernel& kernel, double cycles, double blocks_alone,
                    double sms_alone, double l2_sectors) {
  const auto blocks = static_cast<double>(kernel.blocks());
  constexpr auto sector = static_cast<double>(kSectorBytes);
  BlockNeeds needs;
  needs.cycles = cycles;
  needs.blocks_alone = blocks_alone;
  needs.sms_alone = sms_alone;
  needs.warps = kernel.warps_per_block();
  needs.instructions = known(demand.instructions) / blocks;
  for (std::size_t pipe = 0; pipe < kPipes; ++pipe) needs.of_pipe[pipe] = known(demand.of_pipe[pipe]) / blocks;
  needs.l1_sectors = known(demand.l1_sectors) / blocks;
  needs.shared_wavefronts = known(demand.shared_wavefronts) / blocks;
  needs.dram_reads = known(demand.dram_read_bytes) / sector / blocks;
  needs.dram_writes = known(demand.dram_write_bytes) / sector / blocks;
  // If only DRAM was measured, the L2 has at least the reads and writes of DRAM.
  needs.reads = std::max(known(demand.l2_read_sectors) / blocks, needs.dram_reads);
  needs.writes = std::max(known(demand.l2_write_sectors) / blocks, needs.dram_writes);
  needs.hits = std::max(0.0, needs.reads - needs.dram_reads);
  // Written data stays in the L2 until other data replaces it, mostly after the measured launch; in the end DRAM takes all
  // of it that is not overwritten before. NVIDIA's profilers count every store as a hit (forums.developer.nvidia.com,
  // "L2 hit rate always at 100%", 257458); then only the writes that DRAM took during the launch are known.
  if (demand.l2_hit_rate) {
    const double hits = *demand.l2_hit_rate * (needs.reads + needs.writes);
    const double overwritten = std::min(std::max(0.0, hits - needs.hits), needs.writes);
    needs.dram_writes = std::max(needs.dram_writes, needs.writes - overwritten);
  }
  // Caches were flushed before the kernel was measured (Nsight Compute, --cache-control), so DRAM has read all data that the
  // kernel touches. If it fits, all of it may be read again; otherwise hits are on data that was read a short time before.
  const double touched = needs.dram_reads * blocks;
  needs.footprint = touched <= l2_sectors ? touched : 0;
  if (demand.l2_reused_sectors) needs.footprint = std::min(*demand.l2_reused_sectors, l2_sectors);
  if (needs.hits <= 0) needs.footprint = 0;
  if (demand.l2_reuse_us && demand.sm_mhz) {
    needs.reuse = *demand.l2_reuse_us * *demand.sm_mhz;
  } else if (needs.footprint > 0) {
    needs.reuse = needs.footprint * cycles / (blocks_alone * needs.hits);  // it reads the whole footprint in turn
  }
  needs.in_flight = known(demand.sectors_in_flight);
  return needs;
}

}  // namespace gputlm
