#include "models/memory_map/memory_map.h"

#include <algorithm>
#include <string>

#include "tlm/access.h"
#include "tlm/error.h"

namespace gputlm {

MemoryMap::MemoryMap(const MemoryMapConfig& config, unsigned slices, unsigned slices_per_channel)
    : slices_(slices), slices_per_channel_(std::max(1u, slices_per_channel)), offset_mask_(config.interleave - 1),
      hash_(config.channel_hash), by_slices_{slices, slices == 0 ? 0 : kNever / slices} {
  if (config.interleave < kLineBytes || (config.interleave & offset_mask_) != 0) {
    throw InputError("address_map.interleave: found " + std::to_string(config.interleave) +
                     ", allowed are powers of two from " + std::to_string(kLineBytes));
  }
  if (slices == 0 || slices_per_channel == 0 || slices % slices_per_channel != 0) {
    throw InputError("L2 slices: found " + std::to_string(slices) + " with " + std::to_string(slices_per_channel) +
                     " a channel, allowed is a multiple of the slices of a channel, at least one");
  }
  while (config.interleave >> shift_ > 1) ++shift_;
}

Address MemoryMap::global(unsigned slice, Address local) const {
  const std::uint64_t round = local >> shift_;
  const unsigned begin = rotation(round);
  const unsigned place = slice >= begin ? slice - begin : slice + slices_ - begin;
  return (round * slices_ + place) << shift_ | (local & offset_mask_);
}

}  // namespace gputlm
