/// The internal form of the instructions that a warp executes; programs (YAML) and SASS traces are both converted to it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace gputlm {

/// Execution pipelines of a sub-core. On architectures before Volta kFp32 and kInt name the same hardware
/// (SmConfig::fp_int_shared).
enum class Pipe : std::uint8_t { kFp32, kInt, kFp64, kSfu, kTensor, kLoadStore, kControl };
inline constexpr std::size_t kPipes = 7;

enum class Op : std::uint8_t {
  kArithmetic,  ///< issues to `pipe`, result after its latency
  kLoad,
  kStore,
  kAtomic,   ///< read-modify-write at the L2 (global) or in shared memory
  kBarrier,  ///< `operand`: barrier number; waits for all live warps of the block
  kSpin,     ///< waits until a time after the block's start (BlockCode::spin), not counting preemption
  kExit,     ///< ends the warp
  kLoopEnd,  ///< not an instruction: takes no issue slot; `operand`: loop number (BlockCode::loop)
  kMatrix,   ///< arithmetic that holds `pipe` for `operand` times its interval; its result is ready no earlier
  // Asynchronous copies (PTX ISA, cp.async), whose data go to shared memory, not to registers:
  kAsyncLoad,     ///< a load for which only kAwaitCopies and the end of the warp wait
  kCommitCopies,  ///< the warp's copies since the last kCommitCopies form a group
  kAwaitCopies,   ///< waits until at most `operand` of the warp's groups are in flight
  // Programmatic dependent launch (PTX ISA, griddepcontrol):
  kLaunchDependents,    ///< as far as this block is concerned, dependent kernels may begin
  kGridDependencyWait,  ///< waits until the kernel that this one depends on has ended, with its writes visible
  /// Waits until the warp's loads and stores so far have been performed with respect to the whole GPU (PTX ISA, membar and
  /// fence of scope cluster and wider).
  kFence,
  // Barriers of a cluster (PTX ISA, barrier.cluster), which all warps of its blocks pass together:
  kClusterArrive,  ///< the warp arrives
  kClusterWait,    ///< waits until all warps have arrived
  // Barriers in shared memory (PTX ISA, mbarrier). BlockCode::mbarrier() has the operands:
  kMbarrierInit,
  kMbarrierArrive,  ///< counts arrivals, and bytes that the phase also waits for
  /// The same, once the warp's asynchronous copies so far have ended (PTX ISA, cp.async.mbarrier.arrive).
  kMbarrierByCopies,
  kMbarrierWait,  ///< waits until the phase with a given parity has ended
  kBulkCopy,      ///< a TMA copy described by BlockCode::bulk_copy(); loaded bytes count at an mbarrier
  /// Stores or reduces in shared memory of blocks of the cluster; only an mbarrier there, at which its bytes count, waits
  /// for it (PTX ISA, st.async and red.async). BlockCode::mbarrier() has the parts, each in one line of one block.
  kAsyncStore,
};

/// kCluster: shared memory of a block of the same cluster, at addresses from cluster_address().
enum class Space : std::uint8_t { kGlobal, kLocal, kShared, kConstant, kCluster };

inline constexpr std::uint8_t kNoRegister = 255;  ///< R255/RZ: reads as zero, carries no dependence
inline constexpr std::size_t kRegisters = 256;
inline constexpr std::size_t kMaxSources = 5;  ///< maximum number that occurs in SASS traces
inline constexpr std::size_t kWarpSize = 32;
/// Operand of a control instruction whose branch is taken.
inline constexpr std::uint32_t kBranchTaken = 1;

struct Instruction {
  Op op = Op::kArithmetic;
  Pipe pipe = Pipe::kFp32;
  Space space = Space::kGlobal;
  std::uint8_t width = 4;                  ///< bytes each lane accesses: 1, 2, 4, 8 or 16
  std::uint8_t destination = kNoRegister;  ///< first destination register
  /// Number of consecutive destination registers (a 128-bit load writes four). None of them is kNoRegister.
  std::uint8_t destinations = 0;
  std::uint8_t sources = 0;
  std::array<std::uint8_t, kMaxSources> source{kNoRegister, kNoRegister, kNoRegister, kNoRegister, kNoRegister};
  std::uint32_t mask = 0xffffffffu;  ///< active lanes
  std::uint32_t operand = 0;         ///< number of a pattern, barrier, spin or loop, by `op`; or kBranchTaken

  /// Makes unused places repeat a used one, so that code can check all places without counting them and touch nothing else.
  /// Before this, unused places have kNoRegister, which is always ready.
  void fill_places() {
    const std::uint8_t other = destinations > 0 ? destination : source[0];
    destination = other;
    std::fill(source.begin() + sources, source.end(), other);
  }
};

}  // namespace gputlm
