#include "models/memory_map/memory_map.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "tlm/access.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// Address bits of a GPU, including page tables (models/mmu/page_walker.cpp). With kMaxColourings, distributed over
/// kMaxSlicesOfChannel, 64 bits suffice for an address within a channel.
constexpr Address kAddresses = Address{1} << 48;
static_assert((MemoryMap::kMaxColourings + 2) * kMaxSlicesOfChannel <= Address{1} << 16);

}  // namespace

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

MemoryMap::MemoryMap(const MemoryMapConfig& config, unsigned slices, unsigned slices_per_channel,
                     const std::vector<std::vector<unsigned>>& colours, const std::vector<ColouredRange>& ranges)
    : MemoryMap(config, slices, slices_per_channel) {
  std::map<std::vector<unsigned>, std::uint16_t> numbers;  // numbers of colourings, from 1 on
  const auto number = [&](const std::vector<unsigned>& own) {
    const auto [found, is_new] = numbers.emplace(own, static_cast<std::uint16_t>(numbers.size() + 1));
    if (is_new) {
      if (numbers.size() > kMaxColourings)
        throw InputError("page colours: found another set of L2 slices, allowed: " + std::to_string(kMaxColourings));
      colourings_.push_back({MemoryMap(config, static_cast<unsigned>(own.size())),
                             std::vector<std::uint16_t>(own.begin(), own.end()), found->second * kAddresses});
    }
    return found->second;
  };
  for (std::size_t application = 0; application < colours.size(); ++application) {
    if (colours[application].empty()) continue;
    colouring_of_.resize(colours.size());
    colouring_of_[application] = number(colours[application]);
  }
  for (const ColouredRange& range : ranges) {
    ranges_.push_back({range.application, range.first, range.first + range.bytes - 1, number(range.slices)});
    colouring_of_.resize(std::max<std::size_t>(colouring_of_.size(), range.application + std::size_t{1}));
  }
  std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) {
    return std::tie(a.application, a.first) < std::tie(b.application, b.first);
  });
}

const MemoryMap::Range* MemoryMap::range_of(Address address, ApplicationId application) const {
  const auto behind = std::partition_point(ranges_.begin(), ranges_.end(), [&](const Range& range) {
    return std::tie(range.application, range.first) <= std::tie(application, address);
  });
  if (behind == ranges_.begin()) return nullptr;
  const Range& range = *(behind - 1);
  return range.application == application && address <= range.last ? &range : nullptr;
}

Address MemoryMap::global(unsigned slice, Address local) const {
  const std::uint64_t round = local >> shift_;
  const unsigned begin = rotation(round);
  const unsigned place = slice >= begin ? slice - begin : slice + slices_ - begin;
  return (round * slices_ + place) << shift_ | (local & offset_mask_);
}

}  // namespace gputlm
