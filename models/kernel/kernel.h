/// A kernel as the platform sees it, independent of its source.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "models/kernel/demand.h"
#include "models/kernel/instruction.h"
#include "tlm/access.h"
#include "tlm/base/time.h"

namespace gputlm {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3& other) const { return x == other.x && y == other.y && z == other.z; }

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.structure(&Dim3::x, "x");
    v.structure(&Dim3::y, "y");
    v.structure(&Dim3::z, "z");
  }
};

/// "4 x 2 x 1"
inline std::string to_text(const Dim3& shape) {
  return std::to_string(shape.x) + " x " + std::to_string(shape.y) + " x " + std::to_string(shape.z);
}

inline constexpr std::size_t kMaxLoopDepth = 4;
using LaneAddresses = std::array<Address, kWarpSize>;

/// A warp's position in its code, as far as addresses depend on it.
struct WarpPosition {
  std::uint32_t block = 0;
  std::uint32_t warp = 0;                           ///< number of the warp in its block
  std::array<std::uint32_t, kMaxLoopDepth> loop{};  ///< finished iterations, outermost loop first
};

struct LoopInfo {
  std::uint32_t start = 0;       ///< index of the first instruction of the body
  std::uint32_t iterations = 1;  ///< number of iterations, at least 1; in WarpCode::loops also kAsk
  std::uint8_t depth = 0;        ///< 0 is outermost

  /// The block decides each time a warp reaches the end of the loop, which affects other warps: BlockCode::loop() returns
  /// the count.
  static constexpr std::uint32_t kAsk = 0;
};

/// Instructions of one warp. The last one is a kExit.
struct WarpCode {
  const Instruction* code = nullptr;
  std::uint32_t length = 0;
  const LoopInfo* loops = nullptr;  ///< indexed by operand of kLoopEnd
};

/// The relative addresses of the lanes of a memory instruction: lane l is at `x` * column + `y` * row bytes, modulo 2^64,
/// from a common base, where column and row are those of thread `first` + l in rows of `width` threads.
struct LaneShape {
  std::uint64_t x = 0, y = 0;
  std::uint32_t width = kWarpSize;
  std::uint32_t first = 0;  ///< column of lane 0's thread, below `width`

  bool operator==(const LaneShape& other) const {
    return x == other.x && y == other.y && width == other.width && first == other.first;
  }
  /// Whether consecutive lanes of a full warp access consecutive bytes, `bytes` per lane.
  bool is_run(unsigned bytes) const { return x == bytes && first + kWarpSize <= width; }
  /// Distances of all lanes from the base.
  LaneAddresses distances() const {
    LaneAddresses out;
    std::uint64_t column = first, row = 0;
    for (Address& lane : out) {
      lane = x * column + y * row;
      if (++column == width) column = 0, ++row;
    }
    return out;
  }
};

/// Cluster-wide address of byte `offset` in the shared memory of the block with this rank: the rank is in bits 24 and up
/// (CUTLASS, Sm100MmaPeerBitMask, which clears the lowest of them: include/cute/arch/copy_sm100_tma.hpp).
inline constexpr unsigned kClusterRankBit = 24;
constexpr Address cluster_address(std::uint32_t rank, Address offset) {
  return Address{rank} << kClusterRankBit | offset;
}
/// Stands for the rank of the block itself.
inline constexpr std::uint32_t kOwnRank = ~std::uint32_t{0};

/// The operands of an instruction at an mbarrier.
struct MbarrierUse {
  std::uint32_t barrier = 0;      ///< number within the block, or address in shared memory
  std::uint32_t rank = kOwnRank;  ///< rank of that block in the cluster
  std::uint32_t arrivals = 1;     ///< kMbarrierInit: arrivals that end a phase
  Bytes bytes = 0;                ///< kMbarrierArrive: bytes that the phase also waits for
  Bytes completes = 0;            ///< kMbarrierArrive: bytes that have arrived; kAsyncStore: bytes stored and counted
  std::uint32_t parity = 0;       ///< kMbarrierWait: parity of the phase
  bool alternates = false;        ///< kMbarrierWait: successive waits of the warp at this mbarrier alternate in parity
};

/// A TMA copy: rows of contiguous bytes, whose addresses BlockCode::bulk_row() returns.
struct BulkCopy {
  std::uint32_t first = 0;  ///< number of the first row
  std::uint32_t rows = 0;
  Bytes row_bytes = 0;
  Bytes bytes = 0;            ///< bytes counted at the mbarrier: all rows, including parts beyond a tensor's edges
  bool write = false;         ///< the copy is from shared memory
  std::uint32_t barrier = 0;  ///< for a load: the mbarrier at which it counts, as in MbarrierUse
  std::uint64_t ranks = 0;    ///< for a load: blocks of the cluster that receive it, one bit each; 0: the block itself
};

/// The code that the warps of one block execute. Lives from the block's launch to its completion.
class BlockCode {
 public:
  virtual ~BlockCode() = default;
  virtual WarpCode warp(std::uint32_t warp) const = 0;
  /// The loop that a kLoopEnd with this operand closes; called when a warp reaches its end.
  virtual LoopInfo loop(std::uint32_t operand) const = 0;
  /// Time from the block's start to the end of a kSpin with this operand, on SM `sm`.
  virtual Femtoseconds spin(std::uint32_t operand, SmId sm) const = 0;
  /// Byte address of each active lane of a load, store or atomic; inactive lanes are left unchanged.
  virtual void addresses(const Instruction& instruction, const WarpPosition& position, LaneAddresses& out) const = 0;
  /// The relative addresses of the instruction's lanes, if known without their addresses.
  virtual std::optional<LaneShape> lane_shape(const Instruction& /*instruction*/,
                                              const WarpPosition& /*position*/) const {
    return std::nullopt;
  }
  /// The operands of an instruction at an mbarrier. The width of a kMbarrierInit, kMbarrierArrive, kMbarrierByCopies or
  /// kMbarrierWait is the number of different mbarriers that its lanes use, that of a kAsyncStore its number of parts; the
  /// last argument selects one of them.
  virtual MbarrierUse mbarrier(const Instruction& /*instruction*/, const WarpPosition& /*position*/,
                               std::uint32_t /*number*/) const {
    return {};
  }
  /// The copy of a kBulkCopy. `clustered`: the block runs with its cluster; otherwise it also loads what the others would
  /// deliver.
  virtual BulkCopy bulk_copy(const Instruction& /*instruction*/, const WarpPosition& /*position*/,
                             bool /*clustered*/) const {
    return {};
  }
  /// Address of the first byte of a row of the copy.
  virtual Address bulk_row(const Instruction& /*instruction*/, const WarpPosition& /*position*/,
                           std::uint32_t /*row*/) const {
    return 0;
  }
};

/// A kernel: its launch shape, its resources, and the code of its blocks.
class Kernel {
 public:
  virtual ~Kernel() = default;
  std::string name;
  Dim3 grid;
  Dim3 block;
  std::uint32_t registers_per_thread = 0;
  Bytes shared_memory = 0;  ///< bytes per block, static and dynamic
  /// Shape of a cluster, whose blocks are on one GPC at the same time (CUDA C++ Programming Guide, "Thread Block
  /// Clusters"); divides the grid. 1 x 1 x 1: none.
  Dim3 cluster;
  /// Whether a cluster may be larger than every GPU with clusters can hold
  /// (cudaFuncAttributeNonPortableClusterSizeAllowed).
  bool non_portable_cluster = false;
  /// The kernel's demand on the hardware; null: unknown. SMs that run warps need none.
  std::shared_ptr<const KernelDemand> demand;

  std::uint64_t blocks() const { return grid.count(); }
  /// Whether clusters of this shape fill the grid.
  bool divides_grid(const Dim3& shape) const {
    return shape.count() > 0 && grid.x % shape.x == 0 && grid.y % shape.y == 0 && grid.z % shape.z == 0;
  }
  /// The block that is sent after `place` others: clusters in order of their numbers, blocks of a cluster by rank, both
  /// with x fastest (PTX ISA, %clusterid and %cluster_ctarank). Without clusters, block `place`.
  std::uint64_t block_at(std::uint64_t place) const;
  std::uint32_t threads_per_block() const { return static_cast<std::uint32_t>(block.count()); }
  std::uint32_t warps_per_block() const { return (threads_per_block() + kWarpSize - 1) / kWarpSize; }

  /// Code of block `index` (x fastest). Called once per launch and block, in the order of block_at(). Throws InputError
  /// (platform-visible) if the source of the code is malformed.
  virtual std::unique_ptr<BlockCode> code(std::uint64_t index) = 0;
  /// Whether its blocks may use cluster barriers or mbarriers, the shared memory of other blocks, or TMA copies.
  virtual bool is_asynchronous() const { return false; }
  /// Whether all blocks do the same, at different addresses.
  virtual bool blocks_are_alike() const { return false; }
  /// Called at the end of the launch; a later launch of the same kernel starts again at block 0.
  virtual void rewind() {}

  /// Everything that determines code(), as text: kernels with the same text, name, shape and resources are the same. Empty:
  /// unknown.
  virtual std::string source() const { return {}; }
  /// The same without what does not affect a block's duration: where its memory lies, and the number of blocks.
  virtual std::string work() const { return source(); }
};

}  // namespace gputlm
