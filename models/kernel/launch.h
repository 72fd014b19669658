/// Messages from the host to the work distributor (a kernel launch) and from there to an SM (a block launch). Each is a
/// transaction whose response is the completion; results are filled in on the way back.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/kernel/block_counters.h"
#include "tlm/base/time.h"
#include "tlm/identity.h"

namespace tlm {
class tlm_generic_payload;
}

namespace gputlm {

/// A set of SMs, by id.
inline constexpr std::size_t kMaxSms = 256;
using SmSet = std::bitset<kMaxSms>;

class Kernel;     // models/kernel/kernel.h
class BlockCode;  // models/kernel/kernel.h

/// A cluster of blocks that has been placed.
struct PlacedCluster {
  struct Member {
    std::uint32_t block = 0;
    SmId sm = 0;  ///< number of its SM at the work distributor
  };
  std::vector<Member> members;  ///< indexed by rank
};

/// A thread block on its way to an SM and back.
struct BlockLaunch {
  std::uint16_t flits = 1;
  Identity identity;
  std::uint32_t command = 0;    ///< as in KernelLaunch
  std::uint32_t iteration = 0;  ///< as in KernelLaunch
  const Kernel* kernel = nullptr;
  std::uint8_t budget = 1;  ///< budget of its warps (qaws, section IV)
  std::unique_ptr<BlockCode> code;
  bool first_on_sm = false;     ///< no block of this launch was sent to the SM before
  bool waits_for_grid = false;  ///< when it was sent, the kernel on which its kernel depends had not ended
  std::shared_ptr<const PlacedCluster> cluster;  ///< null: no cluster, or placed without the others
  std::uint32_t rank = 0;                        ///< rank of the block in its cluster
  /// Shared memory's part of the SM's array; the rest is L1. None if they are separate arrays.
  std::optional<Bytes> carveout;

  // Results, in core cycles.
  std::uint16_t slot = 0;  ///< block slot of the SM
  Cycle start = 0;
  Cycle end = 0;
  bool let_go = false;  ///< the block let dependents begin before its end
  Cycle preempted = 0;  ///< time between start and end in which another application had its turn
  BlockCounters counters;
  tlm::tlm_generic_payload* transaction = nullptr;
};

/// A kernel's preferred division of an SM's memory (cudaFuncSetCacheConfig). Kernels with different preferences do not run
/// side by side. Where L1 and shared memory are one array, it sets the division (models/work_distributor/carveout.h).
enum class CacheConfig : std::uint8_t { kAny, kShared, kL1, kEqual };

/// A kernel on its way to the work distributor and back.
struct KernelLaunch {
  std::uint16_t flits = 1;
  Identity identity;            ///< its kernel is unique in the run
  std::uint32_t command = 0;    ///< index of the launch in Workload::launches
  std::uint32_t iteration = 0;  ///< number of earlier launches of its application
  int priority = 0;             ///< CUDA's convention: lower is more urgent
  std::uint8_t budget = 1;      ///< budget of its warps (qaws, section IV)
  SmSet sms = SmSet().set();    ///< SMs that its blocks may use
  CacheConfig cache_config = CacheConfig::kAny;
  std::optional<unsigned> shared_percent;  ///< preferred carve-out (cudaFuncAttributePreferredSharedMemoryCarveout)
  /// Duration when nothing else runs, in core cycles, at least 1, if given. Only oracle kernel orders use it (srtf,
  /// sections 6.2.1 and 6.2.2).
  std::optional<Cycle> alone_cycles;
  Kernel* kernel = nullptr;
  /// The kernel on which it depends: its blocks may be sent when all blocks of that kernel have ended or let dependents
  /// begin (CUDA C++ Programming Guide, "Programmatic Dependent Launch and Synchronization").
  std::optional<KernelId> after;
  /// Whether its application had further launches when it left the host, as PendingWork would say. Used where contexts take
  /// turns.
  bool more_pending = false;

  // Results, in core cycles.
  Cycle released = 0;   ///< cycle in which it was due, whether or not its stream was free
  Cycle submitted = 0;  ///< cycle in which it left the host
  Cycle arrived = 0;    ///< cycle in which it arrived at the work distributor
  std::uint64_t blocks_ended = 0;
  Cycle first_block = 0;
  Cycle end = 0;
  BlockCounters counters;
  tlm::tlm_generic_payload* transaction = nullptr;
};

}  // namespace gputlm
