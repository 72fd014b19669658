/// What a kernel is to the platform, whichever source it comes from.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "models/kernel/demand.h"
#include "models/kernel/instruction.h"
#include "tlm/access.h"
#include "tlm/time.h"

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

/// Where in its code a warp is, as far as addresses depend on it.
struct WarpPosition {
  std::uint32_t block = 0;
  std::uint32_t warp = 0;                           ///< of the block
  std::array<std::uint32_t, kMaxLoopDepth> loop{};  ///< finished iterations, outermost loop first
};

struct LoopInfo {
  std::uint32_t start = 0;       ///< index of the first instruction of the body
  std::uint32_t iterations = 1;  ///< at least 1; in WarpCode::loops also kAsk
  std::uint8_t depth = 0;        ///< 0 is outermost

  /// The block decides each time that a warp comes to the end, with an effect on others: BlockCode::loop() says how often.
  static constexpr std::uint32_t kAsk = 0;
};

/// Instructions of one warp. The last one is a kExit.
struct WarpCode {
  const Instruction* code = nullptr;
  std::uint32_t length = 0;
  const LoopInfo* loops = nullptr;  ///< by operand of kLoopEnd
};

/// How the lanes of a memory instruction lie to each other: lane l is `x` * column + `y` * row bytes, modulo 2^64, from a
/// place that they have in common, where column and row are those of thread `first` + l in rows of `width` threads.
struct LaneShape {
  std::uint64_t x = 0, y = 0;
  std::uint32_t width = kWarpSize;
  std::uint32_t first = 0;  ///< below `width`

  bool operator==(const LaneShape& other) const {
    return x == other.x && y == other.y && width == other.width && first == other.first;
  }
  /// Lane after lane, the lanes of a full warp access a run of bytes, `bytes` each.
  bool is_run(unsigned bytes) const { return x == bytes && first + kWarpSize <= width; }
  /// Of all lanes, from that place.
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

/// Where byte `offset` of the shared memory of the block with this rank in its cluster is for all of them: the rank stands in
/// bits 24 and up (CUTLASS, Sm100MmaPeerBitMask, which clears the lowest of them: include/cute/arch/copy_sm100_tma.hpp).
inline constexpr unsigned kClusterRankBit = 24;
constexpr Address cluster_address(std::uint32_t rank, Address offset) {
  return Address{rank} << kClusterRankBit | offset;
}
/// Stands for the rank of the block itself.
inline constexpr std::uint32_t kOwnRank = ~std::uint32_t{0};

/// What an instruction does at an mbarrier.
struct MbarrierUse {
  std::uint32_t barrier = 0;      ///< which of the block: its number, or its address in shared memory
  std::uint32_t rank = kOwnRank;  ///< of that block in the cluster
  std::uint32_t arrivals = 1;     ///< kMbarrierInit: that end a phase
  Bytes bytes = 0;                ///< kMbarrierArrive: that the phase waits for besides
  Bytes completes = 0;            ///< likewise: that it waits for no longer; kAsyncStore: that are stored and count
  std::uint32_t parity = 0;       ///< kMbarrierWait: of the phase
  bool alternates = false;        ///< likewise: each further wait of the warp there is for the other parity
};

/// What TMA moves for an instruction: rows, each of a run of bytes, of which BlockCode::bulk_row() says where they are.
struct BulkCopy {
  std::uint32_t first = 0;  ///< number of the first one
  std::uint32_t rows = 0;
  Bytes row_bytes = 0;
  Bytes bytes = 0;            ///< that it counts at the mbarrier: of all rows, and what is beyond a tensor's edges
  bool write = false;         ///< from shared memory
  std::uint32_t barrier = 0;  ///< of what is loaded: the mbarrier that it counts at, as in MbarrierUse
  std::uint64_t ranks = 0;    ///< likewise: blocks of the cluster that get it, a bit each; 0: the block itself
};

/// What the warps of one block execute. Lives from the block's launch to its completion.
class BlockCode {
 public:
  virtual ~BlockCode() = default;
  virtual WarpCode warp(std::uint32_t warp) const = 0;
  /// The loop that a kLoopEnd with this operand closes, of which a warp has come to the end.
  virtual LoopInfo loop(std::uint32_t operand) const = 0;
  /// How long after the block's start a kSpin with this operand ends, on SM `sm`.
  virtual Femtoseconds spin(std::uint32_t operand, SmId sm) const = 0;
  /// Byte address of each active lane of a load, store or atomic; inactive lanes are left alone.
  virtual void addresses(const Instruction& instruction, const WarpPosition& position, LaneAddresses& out) const = 0;
  /// How the lanes of the instruction lie to each other, if that is known without their addresses.
  virtual std::optional<LaneShape> lane_shape(const Instruction& /*instruction*/,
                                              const WarpPosition& /*position*/) const {
    return std::nullopt;
  }
  /// Of a kMbarrierInit, kMbarrierArrive, kMbarrierByCopies or kMbarrierWait, whose width is how many different mbarriers
  /// its lanes use: the one with this number among them. Of a kAsyncStore, whose width is how many parts it has: the part's.
  virtual MbarrierUse mbarrier(const Instruction& /*instruction*/, const WarpPosition& /*position*/,
                               std::uint32_t /*number*/) const {
    return {};
  }
  /// Of a kBulkCopy. `clustered`: the block is there with its cluster; else it gets what the others would bring by itself.
  virtual BulkCopy bulk_copy(const Instruction& /*instruction*/, const WarpPosition& /*position*/,
                             bool /*clustered*/) const {
    return {};
  }
  /// The first byte of a row of it.
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
  Bytes shared_memory = 0;  ///< per block, static and dynamic
  /// Blocks of a cluster, which are on one GPC at the same time (CUDA C++ Programming Guide, "Thread Block Clusters");
  /// divides the grid. 1 x 1 x 1: none.
  Dim3 cluster;
  /// It may be larger than what every GPU with clusters can hold (cudaFuncAttributeNonPortableClusterSizeAllowed).
  bool non_portable_cluster = false;
  /// Null: not known. SMs that run warps need none.
  std::shared_ptr<const KernelDemand> demand;

  std::uint64_t blocks() const { return grid.count(); }
  /// Whether clusters of this shape fill the grid.
  bool divides_grid(const Dim3& shape) const {
    return shape.count() > 0 && grid.x % shape.x == 0 && grid.y % shape.y == 0 && grid.z % shape.z == 0;
  }
  /// The block that is sent after `place` others: clusters come in the order of their numbers, the blocks of each by their
  /// rank, both with x fastest (PTX ISA, %clusterid and %cluster_ctarank). Without clusters block `place`.
  std::uint64_t block_at(std::uint64_t place) const;
  std::uint32_t threads_per_block() const { return static_cast<std::uint32_t>(block.count()); }
  std::uint32_t warps_per_block() const { return (threads_per_block() + kWarpSize - 1) / kWarpSize; }

  /// Code of block `index` (x fastest). Called once a launch and block, in the order of block_at().
  /// Throws InputError (platform-visible) if the source of the code is malformed.
  virtual std::unique_ptr<BlockCode> code(std::uint64_t index) = 0;
  /// Its blocks may have barriers of a cluster or in shared memory, reach the shared memory of others, or have copies by TMA.
  virtual bool is_asynchronous() const { return false; }
  /// All blocks do the same, at addresses of their own.
  virtual bool blocks_are_alike() const { return false; }
  /// The launch is over; a later launch of the same kernel starts again at block 0.
  virtual void rewind() {}

  /// All that decides what code() returns, as text: kernels with the same text, name, shape and resources are the same.
  /// Empty: that is not known.
  virtual std::string source() const { return {}; }
  /// The same without what does not decide how long a block takes: where its memory lies, and of how many it is one.
  virtual std::string work() const { return source(); }
};

}  // namespace gputlm
