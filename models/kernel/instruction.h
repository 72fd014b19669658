/// The one internal form of what a warp executes: programs (YAML) and SASS traces are both turned into it.
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
  kSpin,     ///< waits until a time after the block's start (BlockCode::spin), during which it was not preempted
  kExit,     ///< ends the warp
  kLoopEnd,  ///< not an instruction: takes no issue slot; `operand`: loop number (BlockCode::loop)
  kMatrix,   ///< arithmetic that holds `pipe` for `operand` times its interval, and has its result then at the earliest
  // Asynchronous copies (PTX ISA, cp.async), whose data go to shared memory and not to registers:
  kAsyncLoad,     ///< a load that nothing waits for but kAwaitCopies and the end of the warp
  kCommitCopies,  ///< those of the warp since the last kCommitCopies become a group
  kAwaitCopies,   ///< waits until at most `operand` of the warp's groups are under way
  // Programmatic dependent launch (PTX ISA, griddepcontrol):
  kLaunchDependents,    ///< as far as this block goes, a kernel that depends on this one may begin
  kGridDependencyWait,  ///< waits until the kernel that this one depends on has ended, with its writes visible
  /// Waits until what the warp has loaded and stored so far has been performed for all of the GPU (PTX ISA, membar and fence
  /// of scope cluster and wider).
  kFence,
  // Barriers of a cluster (PTX ISA, barrier.cluster), which all warps of its blocks pass together:
  kClusterArrive,  ///< the warp has come there
  kClusterWait,    ///< waits until all have
  // Barriers in shared memory (PTX ISA, mbarrier). BlockCode::mbarrier() says which, and with what:
  kMbarrierInit,
  kMbarrierArrive,  ///< counts arrivals, and bytes that the phase waits for besides
  /// The same, when the asynchronous copies of the warp so far have ended (PTX ISA, cp.async.mbarrier.arrive).
  kMbarrierByCopies,
  kMbarrierWait,  ///< waits until the phase of a parity has ended
  kBulkCopy,      ///< TMA moves what BlockCode::bulk_copy() says; what it loads counts at an mbarrier
  /// Stores or reduces in shared memory of blocks of the cluster, and nothing waits for it but an mbarrier there, at which its
  /// bytes count (PTX ISA, st.async and red.async). BlockCode::mbarrier() has the parts: each is of one line of one block.
  kAsyncStore,
};

/// kCluster: shared memory of a block of the same cluster, by addresses from cluster_address().
enum class Space : std::uint8_t { kGlobal, kLocal, kShared, kConstant, kCluster };

inline constexpr std::uint8_t kNoRegister = 255;  ///< R255/RZ: reads as zero, carries no dependence
inline constexpr std::size_t kRegisters = 256;
inline constexpr std::size_t kMaxSources = 5;  ///< as many as occur in SASS traces
inline constexpr std::size_t kWarpSize = 32;
/// Operand of a control instruction behind which its warp goes on elsewhere.
inline constexpr std::uint32_t kBranchTaken = 1;

struct Instruction {
  Op op = Op::kArithmetic;
  Pipe pipe = Pipe::kFp32;
  Space space = Space::kGlobal;
  std::uint8_t width = 4;                  ///< bytes each lane accesses: 1, 2, 4, 8 or 16
  std::uint8_t destination = kNoRegister;  ///< first destination register
  /// How many consecutive ones (a 128-bit load writes four). None of them is kNoRegister.
  std::uint8_t destinations = 0;
  std::uint8_t sources = 0;
  std::array<std::uint8_t, kMaxSources> source{kNoRegister, kNoRegister, kNoRegister, kNoRegister, kNoRegister};
  std::uint32_t mask = 0xffffffffu;  ///< active lanes
  std::uint32_t operand = 0;         ///< by op: address pattern, barrier, spin or loop number, kBranchTaken

  /// Who waits for the registers of all places needs not know how many there are: those without one have kNoRegister, which
  /// is always there. After this they repeat one of the others, so that they touch nothing else either.
  void fill_places() {
    const std::uint8_t other = destinations > 0 ? destination : source[0];
    destination = other;
    std::fill(source.begin() + sources, source.end(), other);
  }
};

}  // namespace gputlm
