#include "models/memory_map/memory_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tlm/access.h"
#include "tlm/base/error.h"

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

/// Some of the slices, in rising order, and none or more of them.
std::vector<unsigned> some_of(unsigned slices, std::mt19937_64& random) {
  std::vector<unsigned> some;
  for (unsigned slice = 0; slice < slices; ++slice) {
    if (random() % 2) some.push_back(slice);
  }
  return some;
}

TEST(MemoryMapWithColours, DealsTheMemoryOfAnApplicationOutAsThatOfAGpuOfItsSlices) {
  std::mt19937_64 random(5);
  for (const unsigned slices : {1u, 2u, 5u, 24u, 80u}) {
    for (const bool hash : {false, true}) {
      const std::vector<std::vector<unsigned>> colours{some_of(slices, random), {}, some_of(slices, random)};
      const MemoryMap map({512, hash}, slices, 1, colours), plain({512, hash}, slices);
      for (const ApplicationId application : {0, 1, 2, 3}) {
        const std::vector<unsigned> own = application < colours.size() ? colours[application] : std::vector<unsigned>();
        const MemoryMap small({512, hash}, own.empty() ? slices : static_cast<unsigned>(own.size()));
        const Address first = map.local(0, application);
        for (int i = 0; i < 300; ++i) {
          const Address address = random() >> 16;
          const unsigned slice = small.slice(address);
          ASSERT_EQ(map.slice(address, application), own.empty() ? slice : own[slice]);
          ASSERT_EQ(map.local(address, application), first + small.local(address));
          ASSERT_EQ(map.slice(address), plain.slice(address));
          ASSERT_EQ(map.local(address), plain.local(address));
        }
        EXPECT_EQ(first == 0, own.empty());
      }
    }
  }
}

TEST(MemoryMapWithColours, KeepsMemoriesApartUnlessTheyHaveTheSameSlices) {
  constexpr unsigned kSlices = 12, kPerChannel = 4;
  const std::vector<std::vector<unsigned>> colours{{0, 1, 2, 3}, {2, 3, 4}, {}, {0, 1, 2, 3}, {3}};
  const MemoryMap map({256, true}, kSlices, kPerChannel, colours);
  const Address last = (Address{1} << 48) - 128;
  std::vector<std::set<Address>> channels(kSlices / kPerChannel);
  for (const ApplicationId application : {0, 1, 2, 4}) {
    for (const Address first : {Address{0}, last - 199 * 128}) {
      for (Address a = first; a < first + 200 * 128; a += 128) {
        const unsigned slice = map.slice(a, application);
        const Address local = map.local(a, application);
        ASSERT_TRUE(channels[slice / kPerChannel].insert(map.channel_address(slice, local)).second) << application;
      }
    }
  }
  for (Address a = 0; a < 100 * 128; a += 128) {
    ASSERT_EQ(map.slice(a, 3), map.slice(a, 0));
    ASSERT_EQ(map.local(a, 3), map.local(a, 0));
  }
}

TEST(MemoryMapWithColours, HasAddressesOfChannelsForSoManyOfThem) {
  std::vector<std::vector<unsigned>> colours;
  for (unsigned i = 0; i < MemoryMap::kMaxColourings; ++i) {
    colours.emplace_back();
    for (unsigned slice = 0; slice < 12; ++slice) {
      if ((i + 1) >> slice & 1) colours.back().push_back(slice);
    }
  }
  const Address last = (Address{1} << 48) - 128;
  const MemoryMap map({256, true}, 16, 16, colours);
  std::set<Address> channel;
  for (ApplicationId application = 0; application <= MemoryMap::kMaxColourings; ++application) {
    for (const Address a : {Address{0}, last}) {
      const unsigned slice = map.slice(a, application);
      ASSERT_TRUE(channel.insert(map.channel_address(slice, map.local(a, application))).second) << application;
    }
  }
  colours.push_back({12});
  EXPECT_THROW(MemoryMap({256, true}, 16, 16, colours), InputError);
}

TEST(MemoryMapWithColours, GivesARangeOfAnApplicationItsOwn) {
  std::mt19937_64 random(7);
  constexpr unsigned kSlices = 12;
  for (unsigned round = 0; round < 50; ++round) {
    std::vector<std::vector<unsigned>> colours{some_of(kSlices, random), {}, some_of(kSlices, random)};
    std::vector<ColouredRange> ranges;
    for (unsigned i = 0; i < 6; ++i) {
      std::vector<unsigned> slices = some_of(kSlices, random);
      if (slices.empty()) slices = {i};
      const Address first = (Address{i} << 40) + (1 + random() % 1000) * kLineBytes;
      ranges.push_back({static_cast<ApplicationId>(random() % 4), first, (1 + random() % 300) * kLineBytes, slices});
    }
    std::shuffle(ranges.begin(), ranges.end(), random);
    const MemoryMap map({256, true}, kSlices, 1, colours, ranges), without({256, true}, kSlices, 1, colours);
    for (unsigned r = 0; r < ranges.size(); ++r) {
      const ColouredRange& range = ranges[r];
      // As that of an application that has these slices for all that it has.
      const MemoryMap whole({256, true}, kSlices, 1, {range.slices});
      for (const Address line : {range.first, range.first + (random() % range.bytes) / kLineBytes * kLineBytes,
                                 range.first + range.bytes - kLineBytes}) {
        ASSERT_EQ(map.slice(line, range.application), whole.slice(line, 0));
        ASSERT_EQ(map.slice(line + 127, range.application), whole.slice(line, 0));
        ASSERT_EQ(map.local(line, range.application) % (Address{1} << 48), whole.local(line, 0) % (Address{1} << 48));
        const auto other = static_cast<ApplicationId>(range.application + 1);
        ASSERT_EQ(map.slice(line, other), without.slice(line, other)) << "nobody else's";
      }
      for (const Address line : {range.first - kLineBytes, range.first + range.bytes}) {
        ASSERT_EQ(map.slice(line, range.application), without.slice(line, range.application));
        ASSERT_EQ(map.local(line, range.application), without.local(line, range.application));
      }
    }
  }
}

TEST(MemoryMapWithColours, KeepsARangeApartFromTheRestOfTheMemory) {
  constexpr unsigned kSlices = 6;
  const std::vector<ColouredRange> ranges{{0, 64 * kLineBytes, 64 * kLineBytes, {1, 4}},
                                          {1, 0, 100 * kLineBytes, {0, 1, 2}}};
  const MemoryMap map({256, true}, kSlices, 1, {{}, {0, 1, 2}}, ranges);
  std::vector<std::set<Address>> slices(kSlices);
  for (Address a = 0; a < 200 * kLineBytes; a += kLineBytes)
    ASSERT_TRUE(slices[map.slice(a, 0)].insert(map.local(a, 0)).second);
  for (Address a = 0; a < 200 * kLineBytes; a += kLineBytes)  // in and beyond the range, the same slices: one memory
    ASSERT_TRUE(slices[map.slice(a, 1)].insert(map.local(a, 1)).second);
}

TEST(MemoryMap, RefusesWhatCannotBeDealtOut) {
  EXPECT_THROW(MemoryMap({96, true}, 4), InputError);
  EXPECT_THROW(MemoryMap({384, true}, 4), InputError);
  EXPECT_THROW(MemoryMap({256, true}, 0), InputError);
  EXPECT_THROW(MemoryMap({256, true}, 5, 2), InputError);
}

}  // namespace
}  // namespace gputlm
