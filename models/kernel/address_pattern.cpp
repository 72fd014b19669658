#include "models/kernel/address_pattern.h"

#include <limits>

#include "models/kernel/random.h"

namespace gputlm {
namespace {

/// Calls `address(lane)` for every active lane; the full warp is the common case and the one that vectorizes.
template <class F>
void for_each_lane(std::uint32_t mask, LaneAddresses& out, F address) {
  if (mask == 0xffffffffu) {
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) out[lane] = address(lane);
    return;
  }
  for (; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctz(mask));
    out[lane] = address(lane);
  }
}

/// A stride within the footprint, never negative.
std::uint64_t within(__int128 value, Bytes footprint) {
  if (footprint == 0) return static_cast<std::uint64_t>(value);
  const __int128 rest = value % static_cast<__int128>(footprint);
  return static_cast<std::uint64_t>(rest < 0 ? rest + footprint : rest);
}

std::uint64_t modulo(unsigned __int128 value, Bytes footprint) {
  const bool narrow = static_cast<std::uint64_t>(value >> 64) == 0;  // nearly always true, and ten times as fast
  return narrow ? static_cast<std::uint64_t>(value) % footprint : static_cast<std::uint64_t>(value % footprint);
}

/// Turns 0 .. 1 into a threshold on 64 uniform bits: a multiplication by a power of two, which no compiler rounds differently.
std::uint64_t threshold(double probability) {
  return probability >= 1.0 ? std::numeric_limits<std::uint64_t>::max()
                            : static_cast<std::uint64_t>(probability * 18446744073709551616.0);
}

/// Collects the first complaint about a pattern.
class Check {
 public:
  explicit Check(unsigned width) : width_(width) {}
  void aligned(const char* what, std::int64_t value) {
    if (value % static_cast<std::int64_t>(width_) != 0)
      complain(std::string(what) + " is " + std::to_string(value) + ", but must be a multiple of the access width of " +
               std::to_string(width_) + " bytes");
  }
  void size(const char* what, Bytes value) {
    if (value > kMaxAddress)
      complain(std::string(what) + " is " + std::to_string(value) + ", but at most 2^47 is allowed");
    aligned(what, static_cast<std::int64_t>(value & kMaxAddress));
  }
  void positive(const char* what, std::uint64_t value) {
    if (value == 0) complain(std::string(what) + " is 0, but must be positive");
  }
  void complain(const std::string& message) {
    if (error_.empty()) error_ = message;
  }
  const std::string& error() const { return error_; }

 private:
  unsigned width_;
  std::string error_;
};

struct ShapeCheck {
  Check& check;
  unsigned width;

  void operator()(const CoalescedPattern& p) const { check.size("footprint", p.footprint); }
  void operator()(const StridedPattern& p) const {
    check.aligned("stride", p.stride);
    check.size("footprint", p.footprint);
  }
  void operator()(const AffinePattern& p) const {
    check.aligned("lane_stride", p.lane_stride);
    check.aligned("warp_stride", p.warp_stride);
    check.aligned("block_stride", p.block_stride);
    check.aligned("iteration_stride", p.iteration_stride);
    check.size("footprint", p.footprint);
  }
  void operator()(const IndexedPattern& p) const {
    check.aligned("thread_x_stride", p.thread_x_stride);
    check.aligned("thread_y_stride", p.thread_y_stride);
    check.aligned("block_x_stride", p.block_x_stride);
    check.aligned("block_y_stride", p.block_y_stride);
    check.aligned("iteration_stride", p.iteration_stride);
    check.size("footprint", p.footprint);
  }
  void operator()(const BroadcastPattern& p) const { check.aligned("iteration_stride", p.iteration_stride); }
  void operator()(const RandomPattern& p) const {
    check.positive("footprint", p.footprint);
    check.size("footprint", p.footprint);
  }
  void operator()(const SetConflictPattern& p) const {
    check.positive("lines", p.touched_lines());
    check.positive("ways", p.ways);
    if (p.line_bytes < width || (p.line_bytes & (p.line_bytes - 1)) != 0)
      check.complain("line_bytes is " + std::to_string(p.line_bytes) + ", but must be a power of two of at least " +
                     std::to_string(width) + " (the access width)");
    else if (p.ways != 0 && (p.cache_bytes == 0 || p.cache_bytes % (p.line_bytes * p.ways) != 0))
      check.complain("cache_bytes is " + std::to_string(p.cache_bytes) +
                     ", but must be a multiple of ways * line_bytes = " + std::to_string(p.line_bytes * p.ways));
    else if (p.ways != 0 && p.set >= p.cache_bytes / (p.line_bytes * p.ways))
      check.complain("set is " + std::to_string(p.set) + ", but the cache has " +
                     std::to_string(p.cache_bytes / (p.line_bytes * p.ways)) + " sets (0 is the first)");
  }
  void operator()(const ReusePattern& p) const {
    check.positive("bytes", p.bytes);
    check.size("bytes", p.bytes);
    if (!(p.cold >= 0 && p.cold <= 1)) check.complain("cold is outside 0 to 1");
  }
};

}  // namespace

std::string pattern_error(const AddressPattern& pattern, unsigned width, std::int64_t offset) {
  Check check(width);
  check.size("base", pattern.base);
  check.aligned("offset", offset);
  std::visit(ShapeCheck{check, width}, pattern.shape);
  return check.error();
}

void AddressGenerator::make_affine(const AffinePattern& pattern) {
  make_linear(pattern.lane_stride, pattern.warp_stride, pattern.block_stride, pattern.iteration_stride,
              pattern.footprint);
}

void AddressGenerator::make_linear(Stride lane, Stride warp, Stride block, Stride iteration, Bytes footprint) {
  footprint_ = footprint;
  mode_ = footprint_ == 0 ? Mode::kLinear : Mode::kWrapped;
  strides_ = {within(lane, footprint_), within(warp, footprint_), within(block, footprint_),
              within(iteration, footprint_)};
}

void AddressGenerator::make_indexed(const IndexedPattern& pattern, const LaunchShape& launch) {
  mode_ = Mode::kIndexed;
  footprint_ = pattern.footprint;
  strides_ = {within(pattern.thread_x_stride, footprint_), 0, within(pattern.block_x_stride, footprint_),
              within(pattern.iteration_stride, footprint_)};
  y_ = {within(pattern.thread_y_stride, footprint_), 0, within(pattern.block_y_stride, footprint_), 0};
  grid_x_ = launch.grid_x;
  block_x_ = launch.block_x;
}

void AddressGenerator::make_grid_stride(std::int64_t stride, Bytes footprint, const LaunchShape& launch) {
  make_linear(stride, Stride{stride} * Stride{kWarpSize}, Stride{stride} * launch.threads_per_block,
              Stride{stride} * launch.threads(), footprint);
}

void AddressGenerator::make_reuse(const ReusePattern& pattern, const LaunchShape& launch) {
  const std::int64_t width = width_;
  const std::int64_t warp_bytes = width * static_cast<std::int64_t>(kWarpSize);
  if (pattern.per_warp) {
    make_affine({width, 0, 0, warp_bytes, pattern.bytes});
    owner_.warp = pattern.bytes;
    owner_.block = pattern.bytes * launch.warps_per_block();
  } else {
    make_affine({width, warp_bytes, 0, width * std::int64_t{launch.threads_per_block}, pattern.bytes});
    owner_.block = pattern.bytes;
  }
  const Bytes working_sets = owner_.block * launch.blocks;
  cold_threshold_ = threshold(pattern.cold);
  cold_base_ = (base_ + working_sets + kLineBytes - 1) / kLineBytes * kLineBytes;
  cold_strides_ = {width_, width_ * kWarpSize, std::uint64_t{width_} * launch.threads_per_block,
                   width_ * launch.threads()};
}

AddressGenerator::AddressGenerator(const AddressPattern& pattern, unsigned width, std::int64_t offset,
                                   const LaunchShape& launch, std::uint64_t key)
    : width_(width), base_(pattern.base + static_cast<std::uint64_t>(offset)), key_(key) {
  if (const auto* coalesced = std::get_if<CoalescedPattern>(&pattern.shape)) {
    make_grid_stride(width, coalesced->footprint, launch);
  } else if (const auto* strided = std::get_if<StridedPattern>(&pattern.shape)) {
    make_grid_stride(strided->stride, strided->footprint, launch);
  } else if (const auto* affine = std::get_if<AffinePattern>(&pattern.shape)) {
    make_affine(*affine);
  } else if (const auto* indexed = std::get_if<IndexedPattern>(&pattern.shape)) {
    make_indexed(*indexed, launch);
  } else if (const auto* broadcast = std::get_if<BroadcastPattern>(&pattern.shape)) {
    make_affine({0, 0, 0, broadcast->iteration_stride, 0});
  } else if (const auto* random = std::get_if<RandomPattern>(&pattern.shape)) {
    mode_ = Mode::kRandom;
    elements_ = random->footprint / width;
  } else if (const auto* conflict = std::get_if<SetConflictPattern>(&pattern.shape)) {
    mode_ = Mode::kSetConflict;
    base_ += conflict->set * conflict->line_bytes;
    strides_.iteration = conflict->cache_bytes / conflict->ways;
    lines_ = conflict->touched_lines();
    line_bytes_ = conflict->line_bytes;
  } else if (const auto* reuse = std::get_if<ReusePattern>(&pattern.shape)) {
    make_reuse(*reuse, launch);
  }
}

void AddressGenerator::operator()(std::uint32_t block, std::uint32_t warp, std::uint64_t iteration, std::uint32_t mask,
                                  LaneAddresses& out) const {
  const auto linear = [&](Address base, const Strides& s) {
    const Address first = base + block * s.block + warp * s.warp + iteration * s.iteration;
    const std::uint64_t stride = s.lane;
    for_each_lane(mask, out, [=](std::size_t lane) { return first + lane * stride; });
  };
  const auto warp_key = [&] { return derive(derive(derive(key_, block), warp), iteration); };
  switch (mode_) {
    case Mode::kLinear: linear(base_, strides_); return;
    case Mode::kWrapped: {
      if (cold_threshold_ != 0 && warp_key() <= cold_threshold_) {
        linear(cold_base_, cold_strides_);
        return;
      }
      using Wide = unsigned __int128;
      const Wide distance =
          Wide{block} * strides_.block + Wide{warp} * strides_.warp + Wide{iteration} * strides_.iteration;
      const Address base = base_ + block * owner_.block + warp * owner_.warp;
      std::uint64_t place = modulo(distance, footprint_);
      for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        if ((mask >> lane & 1) != 0) out[lane] = base + place;
        place += strides_.lane;
        if (place >= footprint_) place -= footprint_;
      }
      return;
    }
    case Mode::kIndexed: {
      using Wide = unsigned __int128;
      const Wide origin = Wide{block % grid_x_} * strides_.block + Wide{block / grid_x_} * y_.block +
                          Wide{iteration} * strides_.iteration;
      std::uint32_t x = warp * kWarpSize % block_x_, y = warp * kWarpSize / block_x_;
      if (footprint_ == 0) {
        Address row = base_ + static_cast<Address>(origin) + y * y_.lane, place = row + x * strides_.lane;
        for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
          if ((mask >> lane & 1) != 0) out[lane] = place;
          place += strides_.lane;
          if (++x == block_x_) x = 0, place = row += y_.lane;
        }
        return;
      }
      for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        if ((mask >> lane & 1) != 0) {
          out[lane] = base_ + modulo(origin + Wide{x} * strides_.lane + Wide{y} * y_.lane, footprint_);
        }
        if (++x == block_x_) x = 0, ++y;
      }
      return;
    }
    case Mode::kRandom: {
      const std::uint64_t key = warp_key();
      for_each_lane(mask, out, [this, key](std::size_t lane) {
        return base_ + width_ * uniform_below(derive(key, lane), elements_);
      });
      return;
    }
    case Mode::kSetConflict: {
      const Address line = base_ + (warp + iteration) % lines_ * strides_.iteration;
      for_each_lane(mask, out, [this, line](std::size_t lane) { return line + (lane * width_ & (line_bytes_ - 1)); });
      return;
    }
  }
}

}  // namespace gputlm
