/// Named rules for the addresses of loads, stores and atomics in a kernel program.
///
/// Notation: t = block * threads_per_block + warp * 32 + lane is the thread of the grid, T the number of threads of the
/// grid, w the access width in bytes, i the iteration: the linear number of the iteration over all loops that enclose the
/// access (outermost loop slowest; 0 outside loops). All sizes and strides are in bytes and must be multiples of w (the
/// hardware requires aligned accesses). An access may add a constant offset.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "models/kernel/kernel.h"
#include "tlm/base/record.h"
#include "tlm/base/time.h"

namespace gputlm {

inline constexpr Address kMaxAddress = (Address{1} << 47) - 1;  ///< user addresses of a GPU have 47 bits
inline constexpr Signed kStride{-static_cast<std::int64_t>(kMaxAddress), static_cast<std::int64_t>(kMaxAddress),
                                "bytes"};
inline constexpr Size kFootprint{1, kMaxAddress};

/// Grid-stride loop over an array: base + ((i * T + t) * w mod footprint).
struct CoalescedPattern {
  Bytes footprint = 0;  ///< 0: unlimited

  static constexpr const char* kName = "coalesced";
  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.field(&CoalescedPattern::footprint, "footprint", kFootprint,
            "Number of bytes within which addresses wrap around");
  }
};

/// The same with a stride of `stride` bytes between threads: base + ((i * T + t) * stride mod footprint).
struct StridedPattern {
  std::int64_t stride = 0;
  Bytes footprint = 0;  ///< 0: unlimited

  static constexpr const char* kName = "strided";
  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.required(&StridedPattern::stride, "stride", kStride, "Bytes from one thread to the next");
    v.field(&StridedPattern::footprint, "footprint", kFootprint, "Number of bytes within which addresses wrap around");
  }
};

/// base + ((lane * lane_stride + warp * warp_stride + block * block_stride + i * iteration_stride) mod footprint).
/// The modulus is never negative, for all signs of the strides.
struct AffinePattern {
  std::int64_t lane_stride = 0, warp_stride = 0, block_stride = 0, iteration_stride = 0;
  Bytes footprint = 0;  ///< 0: unlimited

  static constexpr const char* kName = "affine";
  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = AffinePattern;
    v.field(&S::lane_stride, "lane_stride", kStride, "Bytes from one lane to the next");
    v.field(&S::warp_stride, "warp_stride", kStride, "Bytes from one warp to the next");
    v.field(&S::block_stride, "block_stride", kStride, "Bytes from one block to the next");
    v.field(&S::iteration_stride, "iteration_stride", kStride, "Bytes from one iteration of the loops to the next");
    v.field(&S::footprint, "footprint", kFootprint, "Number of bytes within which addresses wrap around");
  }
};

/// CUDA's two-dimensional indices, for tiles of matrices and volumes: base + ((threadIdx.x * thread_x_stride + threadIdx.y
/// * thread_y_stride + blockIdx.x * block_x_stride + blockIdx.y * block_y_stride + i * iteration_stride) mod footprint). z
/// extends y (y + z * size of y). The modulus is never negative, for all signs of the strides.
struct IndexedPattern {
  std::int64_t thread_x_stride = 0, thread_y_stride = 0, block_x_stride = 0, block_y_stride = 0, iteration_stride = 0;
  Bytes footprint = 0;  ///< 0: unlimited

  static constexpr const char* kName = "indexed";
  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = IndexedPattern;
    v.field(&S::thread_x_stride, "thread_x_stride", kStride, "Bytes per step of threadIdx.x");
    v.field(&S::thread_y_stride, "thread_y_stride", kStride, "Bytes per step of threadIdx.y");
    v.field(&S::block_x_stride, "block_x_stride", kStride, "Bytes per step of blockIdx.x");
    v.field(&S::block_y_stride, "block_y_stride", kStride, "Bytes per step of blockIdx.y");
    v.field(&S::iteration_stride, "iteration_stride", kStride, "Bytes from one iteration of the loops to the next");
    v.field(&S::footprint, "footprint", kFootprint, "Number of bytes within which addresses wrap around");
  }
};

/// All lanes of all warps read one address: base + i * iteration_stride.
struct BroadcastPattern {
  std::int64_t iteration_stride = 0;

  static constexpr const char* kName = "broadcast";
  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.field(&BroadcastPattern::iteration_stride, "iteration_stride", kStride,
            "Bytes from one iteration of the loops to the next");
  }
};

/// base + w * r, r uniform in 0 .. footprint / w - 1: a hash of (seed, kernel, pattern, block, warp, i, lane). Accesses
/// of the same width that name the same pattern in the same iteration get the same addresses: a load and the store
/// after it make a read-modify-write.
struct RandomPattern {
  Bytes footprint = 0;

  static constexpr const char* kName = "random";
  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.required(&RandomPattern::footprint, "footprint", kFootprint, "Number of bytes within which addresses lie");
  }
};

/// Lines that all fall into set `set` of a cache that indexes its sets with address bits (no hash): base + set * line_bytes
/// + ((warp + i) mod lines) * (cache_bytes / ways) + (lane * w mod line_bytes). One line per access; with more lines than
/// ways, an LRU cache evicts each line before its next use.
struct SetConflictPattern {
  Bytes cache_bytes = 0;
  unsigned ways = 1;
  Bytes line_bytes = 128;  ///< a power of two, at least w
  std::optional<unsigned> lines = std::nullopt;
  unsigned set = 0;

  unsigned touched_lines() const { return lines.value_or(2 * ways); }

  static constexpr const char* kName = "set_conflict";
  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = SetConflictPattern;
    v.required(&S::cache_bytes, "cache_bytes", Size{1, Bytes{1} << 30}, "Size of the cache");
    v.required(&S::ways, "ways", Whole{1, 1024, "ways"}, "Associativity of the cache");
    v.field(&S::line_bytes, "line_bytes", Size{1, Bytes{1} << 20}, "Line size of the cache");
    v.field(&S::lines, "lines", Whole{1, 1u << 20, "lines"}, "Number of lines accessed; default: twice the ways");
    v.field(&S::set, "set", Whole{0, 1u << 30, kPlain}, "Set that they map to");
  }
};

/// A working set of `bytes` that its owner, a block or a warp, sweeps repeatedly: base + owner * bytes + ((i * n + thread
/// of the owner) * w mod bytes), where n is the number of threads of the owner (32 for a warp). With probability `cold`,
/// drawn for each warp and iteration, the warp instead reads fresh data: first line after all working sets + (i * T + t) *
/// w.
struct ReusePattern {
  Bytes bytes = 0;
  bool per_warp = false;
  double cold = 0;  ///< probability, 0 to 1

  static constexpr const char* kName = "reuse";
  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = ReusePattern;
    v.required(&S::bytes, "bytes", Size{1, kMaxAddress}, "Working set, swept repeatedly");
    v.field(&S::per_warp, "owner", OneOf{"block", "warp"}, "Owner of the working set");
    v.field(&S::cold, "cold", Real{0, 1, kPlain}, "Share of accesses outside the working set");
  }
};

using PatternShape = std::variant<CoalescedPattern, StridedPattern, AffinePattern, IndexedPattern, BroadcastPattern,
                                  RandomPattern, SetConflictPattern, ReusePattern>;

struct AddressPattern {
  std::string name;
  Address base = 0;
  PatternShape shape;
  std::size_t line = 0;  ///< line in its source file, for messages

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = AddressPattern;
    v.structure(&S::name, "name");
    v.structure(&S::base, "base");
    v.structure(&S::shape, "kind");
    v.origin(&S::line);
  }
};

/// The launch parameters on which addresses depend.
struct LaunchShape {
  std::uint64_t blocks = 1;
  std::uint32_t threads_per_block = 1;
  std::uint32_t grid_x = 1, block_x = 1;  ///< blocks and threads in x, for IndexedPattern
  std::uint32_t warps_per_block() const { return (threads_per_block + kWarpSize - 1) / kWarpSize; }
  std::uint64_t threads() const { return blocks * threads_per_block; }
};

/// Returns what is wrong with the pattern for accesses of this width and offset; empty if it is valid.
std::string pattern_error(const AddressPattern& pattern, unsigned width, std::int64_t offset);

/// A pattern prepared for one width, offset and launch shape. Hot: a few nanoseconds per lane, no allocation.
class AddressGenerator {
 public:
  /// `key`, derived from seed, kernel and pattern, determines the random values. Requires that pattern_error() is empty.
  AddressGenerator(const AddressPattern& pattern, unsigned width, std::int64_t offset, const LaunchShape& launch,
                   std::uint64_t key);

  /// Writes the address of each lane in `mask`; leaves the others unchanged.
  void operator()(std::uint32_t block, std::uint32_t warp, std::uint64_t iteration, std::uint32_t mask,
                  LaneAddresses& out) const;

  /// BlockCode::lane_shape() of a warp of the block.
  std::optional<LaneShape> lane_shape(std::uint32_t warp) const {
    if (mode_ == Mode::kLinear) return LaneShape{strides_.lane, 0, kWarpSize, 0};
    if (mode_ != Mode::kIndexed || footprint_ != 0) return std::nullopt;
    return LaneShape{strides_.lane, y_.lane, block_x_, static_cast<std::uint32_t>(warp * kWarpSize % block_x_)};
  }

 private:
  enum class Mode : std::uint8_t { kLinear, kWrapped, kIndexed, kRandom, kSetConflict };

  /// Byte strides modulo 2^64 (linear) or modulo the footprint (wrapped).
  struct Strides {
    std::uint64_t lane = 0, warp = 0, block = 0, iteration = 0;
  };

  using Stride = __int128;  // a stride of 47 bits times all threads of a grid

  void make_affine(const AffinePattern& pattern);
  void make_linear(Stride lane, Stride warp, Stride block, Stride iteration, Bytes footprint);
  void make_indexed(const IndexedPattern& pattern, const LaunchShape& launch);
  void make_grid_stride(std::int64_t stride, Bytes footprint, const LaunchShape& launch);
  void make_reuse(const ReusePattern& pattern, const LaunchShape& launch);

  Mode mode_ = Mode::kLinear;
  unsigned width_ = 4;
  Address base_ = 0;
  Strides strides_;
  Bytes footprint_ = 0;
  std::uint64_t key_ = 0;
  // Indexed: strides_ has the strides of thread x, block x and the iteration; y_ has those of thread y and block y.
  Strides y_;
  std::uint32_t grid_x_ = 1, block_x_ = 1;
  Strides owner_;               // strides of the working set's first byte, outside the modulus
  std::uint64_t elements_ = 0;  // random: number of elements to draw from
  std::uint64_t lines_ = 0;     // set conflict: number of lines
  Bytes line_bytes_ = 0;
  std::uint64_t cold_threshold_ = 0;  // threshold for 64 uniform bits; 0: never cold
  Address cold_base_ = 0;
  Strides cold_strides_;
};

}  // namespace gputlm
