#include "models/kernel/address_range.h"

#include <algorithm>

namespace gputlm {
namespace {

using Wide = __int128;

/// The extent of sums of strides, each taken 0 to n - 1 times.
class Extent {
 public:
  Extent& add(std::int64_t stride, Wide n) {
    const Wide end = Wide{stride} * (n - 1);
    (end < 0 ? first_ : last_) += end;
    return *this;
  }
  /// Adds `n` units in rows of `row` (the last may be shorter), with one stride between rows and another within a row.
  Extent& add_rows(std::int64_t within_row, std::int64_t from_row, std::uint64_t n, std::uint64_t row) {
    const Wide rows = static_cast<Wide>((n + row - 1) / row);
    const auto corner = [&](Wide x, Wide y) { return x * within_row + y * from_row; };
    const Wide full = std::min<Wide>(row, n) - 1, rest = n - static_cast<std::uint64_t>(rows - 1) * row - 1;
    Wide first = 0, last = 0;  // the extremes are at corners: of the full rows, and of the last row
    for (const Wide end : {corner(full, 0), corner(0, std::max<Wide>(rows - 2, 0)),
                           corner(full, std::max<Wide>(rows - 2, 0)), corner(0, rows - 1), corner(rest, rows - 1)}) {
      first = std::min(first, end);
      last = std::max(last, end);
    }
    first_ += first;
    last_ += last;
    return *this;
  }
  /// The range after wrapping into the footprint, if there is one.
  AddressRange within(Bytes footprint, unsigned width) const {
    const Wide last = last_ + width - 1;
    if (footprint == 0) return {first_, last};
    return {0, first_ < 0 ? Wide{footprint} - 1 : std::min(last, Wide{footprint} - 1)};
  }

 private:
  Wide first_ = 0, last_ = 0;
};

/// Computes ranges relative to the pattern's base.
struct RangeOf {
  unsigned width;
  const LaunchShape& launch;
  Wide iterations;

  AddressRange grid_stride(std::int64_t stride, Bytes footprint) const {
    return Extent().add(stride, iterations * launch.threads()).within(footprint, width);
  }
  AddressRange operator()(const CoalescedPattern& p) const { return grid_stride(width, p.footprint); }
  AddressRange operator()(const StridedPattern& p) const { return grid_stride(p.stride, p.footprint); }
  AddressRange operator()(const AffinePattern& p) const {
    return Extent()
        .add_rows(p.lane_stride, p.warp_stride, launch.threads_per_block, kWarpSize)
        .add(p.block_stride, launch.blocks)
        .add(p.iteration_stride, iterations)
        .within(p.footprint, width);
  }
  AddressRange operator()(const IndexedPattern& p) const {
    return Extent()
        .add_rows(p.thread_x_stride, p.thread_y_stride, launch.threads_per_block, launch.block_x)
        .add_rows(p.block_x_stride, p.block_y_stride, launch.blocks, launch.grid_x)
        .add(p.iteration_stride, iterations)
        .within(p.footprint, width);
  }
  AddressRange operator()(const BroadcastPattern& p) const {
    return Extent().add(p.iteration_stride, iterations).within(0, width);
  }
  AddressRange operator()(const RandomPattern& p) const { return {0, Wide{p.footprint} - 1}; }
  AddressRange operator()(const SetConflictPattern& p) const {
    const Wide first = Wide{p.set} * p.line_bytes;
    return {first, first + Wide{p.touched_lines() - 1} * (p.cache_bytes / p.ways) + p.line_bytes - 1};
  }
  AddressRange operator()(const ReusePattern& p) const {
    const Wide owners = Wide{launch.blocks} * (p.per_warp ? launch.warps_per_block() : 1);
    const Wide working_sets = owners * p.bytes;
    if (p.cold == 0) return {0, working_sets - 1};
    return {0, working_sets + kLineBytes + iterations * launch.threads() * width - 1};
  }
};

}  // namespace

AddressRange address_range(const AddressPattern& pattern, unsigned width, std::int64_t offset,
                           const LaunchShape& launch, std::uint64_t iterations) {
  AddressRange range = std::visit(RangeOf{width, launch, Wide{iterations}}, pattern.shape);
  range.first += Wide{pattern.base} + offset;
  range.last += Wide{pattern.base} + offset;
  return range;
}

}  // namespace gputlm
