#include "models/memory_map/memory_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tlm/error.h"

namespace gputlm {
namespace {

TEST(MemoryMap, IsABijectionForAnyNumberOfSlices) {
  std::mt19937_64 random(3);
  for (unsigned slices = 1; slices <= 64; ++slices) {
    for (const bool hash : {false, true}) {
      const MemoryMap map({256, hash}, slices);
      std::set<std::pair<unsigned, Address>> seen;
      const Address rounds = 16;
      for (Address a = 0; a < rounds * slices * 256; a += 128) {
        ASSERT_LT(map.slice(a), slices);
        ASSERT_LT(map.local(a), rounds * 256);  // without holes
        ASSERT_TRUE(seen.emplace(map.slice(a), map.local(a)).second);
        ASSERT_EQ(map.global(map.slice(a), map.local(a)), a);
      }
      for (int i = 0; i < 500; ++i) {
        const Address a = random();
        ASSERT_EQ(map.local(a), (a / 256 / slices) * 256 + a % 256);
        ASSERT_EQ(map.global(map.slice(a), map.local(a)), a);
      }
    }
  }
}

TEST(MemoryMap, TheChannelAddressesOfTheSlicesOfAChannelDoNotOverlap) {
  for (const unsigned per_channel : {1u, 2u, 3u, 4u}) {
    const unsigned slices = 6 * per_channel;
    const MemoryMap map({256, true}, slices, per_channel);
    std::vector<std::set<Address>> channels(6);
    for (Address a = 0; a < 32 * slices * 256; a += 128) {
      const unsigned slice = map.slice(a);
      const Address address = map.channel_address(slice, map.local(a));
      ASSERT_LT(address, 32 * per_channel * 256);
      ASSERT_TRUE(channels[slice / per_channel].insert(address).second);
    }
  }
}

/// The fullest slice's share, as a multiple of the even share.
double imbalance(const MemoryMap& map, unsigned stride_bits) {
  constexpr unsigned kAccesses = 8192;
  std::vector<unsigned> count(map.slices());
  for (Address i = 0; i < kAccesses; ++i) ++count[map.slice(i << stride_bits)];
  return double(*std::max_element(count.begin(), count.end())) * map.slices() / kAccesses;
}

TEST(MemoryMap, TheHashEndsPartitionCamping) {
  for (const unsigned slices : {8u, 12u, 16u, 22u, 24u, 32u, 48u, 64u}) {
    double worst_hashed = 0, worst_plain = 0;
    for (unsigned bits = 7; bits < 32; ++bits) {
      worst_hashed = std::max(worst_hashed, imbalance(MemoryMap({256, true}, slices), bits));
      worst_plain = std::max(worst_plain, imbalance(MemoryMap({256, false}, slices), bits));
    }
    EXPECT_LT(worst_hashed, 1.5) << slices;
    if ((slices & (slices - 1)) == 0) {
      EXPECT_EQ(worst_plain, slices) << "all on one slice";
    }
  }
}

TEST(MemoryMap, RefusesWhatCannotBeDealtOut) {
  EXPECT_THROW(MemoryMap({96, true}, 4), InputError);
  EXPECT_THROW(MemoryMap({384, true}, 4), InputError);
  EXPECT_THROW(MemoryMap({256, true}, 0), InputError);
  EXPECT_THROW(MemoryMap({256, true}, 5, 2), InputError);
}

}  // namespace
}  // namespace gputlm
