/// Descriptions of what the warps of an SM wait for in a deadlock.
#include <array>
#include <string>
#include <vector>

#include "models/sm/sm_core.h"

namespace gputlm {
namespace {

/// ", warps 0, 2 at mbarrier 1 for phase 4: 1 of 2 arrivals and 16384 bytes are missing"; empty if none waits.
std::string waiting_at(const Mbarrier& barrier) {
  if (!barrier.waiting()) return {};
  std::string text;
  for (std::uint32_t left = barrier.waiting(); left; left &= left - 1)
    text += (text.empty() ? "" : ", ") + std::to_string(__builtin_ctz(left));
  text = ", warps " + text + " at mbarrier " + std::to_string(barrier.number()) + " for phase " +
         std::to_string(barrier.phase()) + ": " + std::to_string(barrier.missing_arrivals()) + " of " +
         std::to_string(barrier.expected_arrivals()) + " arrivals";
  if (barrier.missing_bytes() > 0) text += " and " + std::to_string(barrier.missing_bytes()) + " bytes";
  return text + " missing";
}

}  // namespace

std::vector<std::string> SmCore::waiting() const {
  std::vector<std::string> lines;
  for (const Block& block : blocks_) {
    if (!block.launch) continue;
    std::array<unsigned, kPlacesToWait> at_barrier{};
    unsigned on_memory = 0, other = 0;
    for (const unsigned index : block.warps) {
      const SubCore& sub = sub_cores_[index / slots_];
      const Warp& warp = sub.warps[index % slots_];
      if (&blocks_[warp.block] != &block || sub.free >> (index % slots_) & 1) continue;
      if (warp.at_barrier) {
        ++at_barrier[warp.barrier];
      } else if (warp.waits_for_load() || load_store_.settled(index) == kNever) {
        ++on_memory;
      } else {
        ++other;
      }
    }
    std::string line = "SM " + std::to_string(id_) + ": block " + std::to_string(block.launch->identity.block) +
                       " of kernel " + block.launch->kernel->name + ": " + std::to_string(block.live) + " live warps";
    for (unsigned b = 0; b < kBarriers; ++b) {
      if (at_barrier[b]) line += ", " + std::to_string(at_barrier[b]) + " at barrier " + std::to_string(b);
    }
    if (at_barrier[kGridDependency])
      line += ", " + std::to_string(at_barrier[kGridDependency]) + " waiting for the end of the kernel before theirs";
    if (at_barrier[kClusterBarrier])
      line += ", " + std::to_string(at_barrier[kClusterBarrier]) + " at the barrier of the cluster" +
              (block.cluster.told ? "" : ", where " + std::to_string(block.cluster.arrived) + " have arrived");
    for (const Mbarrier& barrier : block.mbarriers) line += waiting_at(barrier);
    if (on_memory) line += ", " + std::to_string(on_memory) + " waiting for memory";
    if (other) line += ", " + std::to_string(other) + " able to run";
    lines.push_back(line);
  }
  if (preemption_ && preemption_->command) {
    lines.push_back("SM " + std::to_string(id_) +
                    (preemption_->stopping ? ": lets accesses end before blocks of an application are taken off"
                                           : ": moves the state of an application's blocks"));
  }
  if (preemption_) {
    for (const Off& off : preemption_->off) {
      lines.push_back("SM " + std::to_string(id_) + ": " + std::to_string(off.blocks.size()) +
                      " blocks of application " + std::to_string(off.application) + " have been taken off" +
                      (off.stuck ? ", all their warps wait at barriers" : ""));
    }
  }
  if (l1_.mshrs_in_use() || l1_.queued_accesses()) {
    lines.push_back("SM " + std::to_string(id_) + ": " + std::to_string(l1_.mshrs_in_use()) + " MSHRs in use, " +
                    std::to_string(l1_.queued_accesses()) + " accesses waiting for the GPC port");
  }
  if (tlb_ && tlb_->misses()) {
    lines.push_back("SM " + std::to_string(id_) + ": " + std::to_string(tlb_->misses()) +
                    " pages waiting for their translation");
  }
  return lines;
}

}  // namespace gputlm
