#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>

#include "models/kernel/address_pattern.h"
#include "models/kernel/address_range.h"
#include "models/kernel/random.h"

namespace gputlm {
namespace {

constexpr std::uint32_t kFullMask = 0xffffffffu;
const LaunchShape kLaunch{10, 96};

LaneAddresses addresses(const AddressPattern& pattern, std::uint32_t block, std::uint32_t warp, std::uint64_t iteration,
                        unsigned width = 4, std::uint32_t mask = kFullMask) {
  EXPECT_EQ(pattern_error(pattern, width, 0), "");
  LaneAddresses out{};
  AddressGenerator(pattern, width, 0, kLaunch, 77)(block, warp, iteration, mask, out);
  return out;
}

/// Calls `check(block, warp, iteration, lane, address)` for a range of everything.
template <class F>
void for_all(const AddressPattern& pattern, unsigned width, F check) {
  for (std::uint32_t block : {0u, 1u, 7u, 9u})
    for (std::uint32_t warp = 0; warp < kLaunch.warps_per_block(); ++warp)
      for (std::uint64_t iteration : {0, 1, 2, 50, 1000003}) {
        const LaneAddresses out = addresses(pattern, block, warp, iteration, width);
        for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) check(block, warp, iteration, lane, out[lane]);
      }
}

std::uint64_t thread(std::uint64_t block, std::uint64_t warp, std::uint64_t lane) {
  return block * 96 + warp * 32 + lane;
}

TEST(AddressPattern, CoalescedIsAGridStrideLoop) {
  for (const unsigned width : {1u, 2u, 4u, 8u, 16u})
    for_all({"p", 0x1000, CoalescedPattern{}}, width, [&](auto b, auto w, auto i, auto l, Address found) {
      ASSERT_EQ(found, 0x1000 + (i * 960 + thread(b, w, l)) * width);
    });
}

TEST(AddressPattern, StridedKeepsItsDistanceBetweenThreadsAndWrapsInItsFootprint) {
  for_all({"p", 0x1000, StridedPattern{128, 4224}}, 4, [](auto b, auto w, auto i, auto l, Address found) {
    ASSERT_EQ(found, 0x1000 + (i * 960 + thread(b, w, l)) * 128 % 4224);
  });
}

TEST(AddressPattern, AffineIsItsFormulaForBothSignsAndAnyFootprint) {
  for (const std::int64_t sign : {1, -1})
    for (const Bytes footprint : {Bytes{0}, Bytes{4}, Bytes{100}, Bytes{4096}, Bytes{1} << 40}) {
      const AffinePattern shape{sign * 12, 400, sign * 5000, -64, footprint};
      for_all({"p", 1 << 30, shape}, 4,
              [&](std::int64_t b, std::int64_t w, std::int64_t i, std::int64_t l, Address found) {
                std::int64_t place = l * sign * 12 + w * 400 + b * sign * 5000 - i * 64;
                if (footprint != 0) {
                  const auto modulus = static_cast<std::int64_t>(footprint);
                  place = (place % modulus + modulus) % modulus;
                }
                ASSERT_EQ(found, (Address{1} << 30) + static_cast<Address>(place));
              });
    }
}

TEST(AddressPattern, IndexedIsItsFormulaForAnyShapeOfGridAndBlock) {
  for (const std::uint32_t grid_x : {1u, 3u, 10u})
    for (const std::uint32_t block_x : {1u, 4u, 16u, 31u, 32u, 96u})
      for (const Bytes footprint : {Bytes{0}, Bytes{100}, Bytes{1} << 40})
        for (const std::int64_t sign : {1, -1}) {
          const IndexedPattern shape{sign * 4, 4096, sign * 64, -65536, 12, footprint};
          LaunchShape launch = kLaunch;
          launch.grid_x = grid_x;
          launch.block_x = block_x;
          const AddressGenerator generator({"p", Address{1} << 40, shape}, 4, 0, launch, 77);
          for (std::uint32_t block = 0; block < kLaunch.blocks; ++block)
            for (std::uint32_t warp = 0; warp < kLaunch.warps_per_block(); ++warp) {
              LaneAddresses out{};
              generator(block, warp, 5, kFullMask, out);
              const auto lanes = generator.lane_shape(warp);
              ASSERT_EQ(lanes.has_value(), footprint == 0);  // where lanes wrap depends on where they are
              for (std::uint32_t lane = 0; lanes && lane < kWarpSize; ++lane) {
                const LaneAddresses distances = lanes->distances();
                ASSERT_EQ(out[lane] - out[0], distances[lane] - distances[0]) << block << " " << warp << " " << lane;
              }
              bool run = true;
              for (std::uint32_t lane = 1; lane < kWarpSize; ++lane) run = run && out[lane] == out[lane - 1] + 4;
              ASSERT_EQ(lanes && lanes->is_run(4), lanes && run) << block_x << " " << warp;
              for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
                const std::int64_t t = warp * kWarpSize + lane;
                std::int64_t place = sign * 4 * (t % block_x) + 4096 * (t / block_x) + sign * 64 * (block % grid_x) -
                                     65536 * static_cast<std::int64_t>(block / grid_x) + 5 * 12;
                if (footprint != 0) {
                  const auto modulus = static_cast<std::int64_t>(footprint);
                  place = (place % modulus + modulus) % modulus;
                }
                ASSERT_EQ(out[lane], (Address{1} << 40) + static_cast<Address>(place)) << block << " " << t;
              }
            }
        }
}

TEST(AddressPattern, IndexedLeavesInactiveLanesAlone) {
  LaneAddresses out{};
  AddressGenerator({"p", 64, IndexedPattern{4, 0, 0, 0, 0, 0}}, 4, 0, kLaunch, 77)(0, 0, 0, 0x80000001u, out);
  EXPECT_EQ(out[0], 64u);
  EXPECT_EQ(out[1], 0u);
}

TEST(AddressPattern, AffineDoesNotOverflowForManyIterationsOfALargeStride) {
  const AddressPattern pattern{"p", 0, AffinePattern{4, 0, 0, (std::int64_t{1} << 46) + 4, (Bytes{1} << 46) + 12}};
  // Each iteration moves 8 bytes back in the footprint.
  EXPECT_EQ(addresses(pattern, 0, 0, std::uint64_t{1} << 20)[0], (Bytes{1} << 46) + 12 - (Bytes{8} << 20));
}

TEST(AddressPattern, BroadcastGivesAllThreadsOneAddress) {
  for_all({"p", 64, BroadcastPattern{8}}, 4,
          [](auto, auto, auto i, auto, Address found) { ASSERT_EQ(found, 64 + i * 8); });
}

TEST(AddressPattern, SetConflictLinesShareASetAndComeAgainAfterAllOthers) {
  const AddressPattern pattern{"p", 1 << 20, SetConflictPattern{32768, 4, 128, 8, 5}};
  std::set<Address> lines;
  for (std::uint64_t i = 0; i < 16; ++i) {
    const LaneAddresses out = addresses(pattern, 3, 0, i, 8);
    for (const Address address : out) {
      ASSERT_EQ(address / 128 % 64, 5u) << "the cache has 64 sets";
      ASSERT_EQ(address / 128, out[0] / 128) << "one line an access";
    }
    ASSERT_EQ(lines.insert(out[0] / 128).second, i < 8);
  }
}

TEST(AddressPattern, ReuseSweepsTheWorkingSetOfItsBlockOrWarp) {
  for (const bool per_warp : {false, true})
    for_all({"p", 4096, ReusePattern{1280, per_warp, 0}}, 4, [&](auto b, auto w, auto i, auto l, Address found) {
      const std::uint64_t owner = per_warp ? b * 3 + w : b;
      const std::uint64_t step = per_warp ? i * 32 + l : i * 96 + w * 32 + l;
      ASSERT_EQ(found, 4096 + owner * 1280 + step * 4 % 1280);
    });
}

TEST(AddressPattern, ReuseIsColdAsOftenAsItSaysAndNeverTwiceInOnePlace) {
  const AddressPattern pattern{"p", 0, ReusePattern{1280, false, 0.25}};
  std::set<Address> seen;
  unsigned cold = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const Address first = addresses(pattern, 2, 1, i)[0];
    if (first < 12800) continue;
    ++cold;
    EXPECT_TRUE(seen.insert(first).second);
  }
  EXPECT_NEAR(cold / 20000.0, 0.25, 0.015);
}

TEST(AddressPattern, RandomIsAlignedAndUniformOverItsFootprint) {
  const AddressPattern pattern{"p", 0x8000, RandomPattern{8000}};
  std::array<unsigned, 1000> count{};
  for (std::uint32_t block = 0; block < 50; ++block)
    for (std::uint32_t warp = 0; warp < 3; ++warp)
      for (std::uint64_t i = 0; i < 50; ++i)
        for (const Address address : addresses(pattern, block, warp, i, 8)) {
          ASSERT_EQ(address % 8, 0u);
          ASSERT_LT(address - 0x8000, 8000u);
          ++count[(address - 0x8000) / 8];
        }
  double chi_squared = 0;
  for (const unsigned n : count) chi_squared += (n - 240.0) * (n - 240.0) / 240.0;
  EXPECT_NEAR(chi_squared, 999, 5 * std::sqrt(2 * 999.0));
}

TEST(AddressPattern, RandomDiffersBetweenBlocksWarpsIterationsAndKeys) {
  const AddressPattern pattern{"p", 0, RandomPattern{Bytes{1} << 40}};
  std::set<Address> first;
  for (std::uint32_t block = 0; block < 8; ++block)
    for (std::uint32_t warp = 0; warp < 8; ++warp)
      for (std::uint64_t i = 0; i < 8; ++i)
        for (std::uint64_t key = 0; key < 4; ++key) {
          LaneAddresses out{};
          AddressGenerator(pattern, 4, 0, kLaunch, key)(block, warp, i, kFullMask, out);
          first.insert(out.begin(), out.end());
        }
  EXPECT_EQ(first.size(), 8u * 8 * 8 * 4 * 32);
}

TEST(AddressPattern, InactiveLanesAreLeftAlone) {
  for (const PatternShape& shape :
       std::initializer_list<PatternShape>{CoalescedPattern{}, CoalescedPattern{64}, RandomPattern{4096},
                                           SetConflictPattern{32768, 4}, BroadcastPattern{}}) {
    const AddressPattern pattern{"p", 4096, shape};
    const LaneAddresses all = addresses(pattern, 1, 1, 1);
    const LaneAddresses some = addresses(pattern, 1, 1, 1, 4, 0x80000005u);
    for (std::size_t lane = 0; lane < kWarpSize; ++lane)
      EXPECT_EQ(some[lane], lane == 0 || lane == 2 || lane == 31 ? all[lane] : 0);
  }
}

TEST(AddressPattern, WhatIsNotAlignedToTheAccessIsAnError) {
  EXPECT_NE(pattern_error({"p", 2, CoalescedPattern{}}, 4, 0), "");
  EXPECT_NE(pattern_error({"p", 0, CoalescedPattern{}}, 4, 2), "");
  EXPECT_NE(pattern_error({"p", 0, StridedPattern{4}}, 8, 0), "");
  EXPECT_NE(pattern_error({"p", 0, RandomPattern{100}}, 8, 0), "");
  EXPECT_NE(pattern_error({"p", 0, RandomPattern{0}}, 8, 0), "");
  EXPECT_NE(pattern_error({"p", 0, SetConflictPattern{32768, 4, 96}}, 4, 0), "");
  EXPECT_NE(pattern_error({"p", 0, SetConflictPattern{32768, 4, 128, 8, 64}}, 4, 0), "");
  EXPECT_NE(pattern_error({"p", 0, ReusePattern{1024, false, 1.5}}, 4, 0), "");
  EXPECT_EQ(pattern_error({"p", 0, SetConflictPattern{32768, 4, 128, 8, 63}}, 4, 0), "");
}

TEST(Random, EveryBitIsSetHalfOfTheTimeWhateverChanges) {
  for (int changing = 0; changing < 5; ++changing) {
    std::array<int, 64> ones{};
    for (std::uint64_t n = 0; n < 4096; ++n) {
      std::array<std::uint64_t, 5> at{1, 2, 3, 4, 5};
      at[static_cast<std::size_t>(changing)] = n;
      const std::uint64_t bits = random_bits(at[0], at[1], at[2], at[3], at[4]);
      for (std::size_t bit = 0; bit < 64; ++bit) ones[bit] += static_cast<int>(bits >> bit & 1);
    }
    for (const int n : ones) EXPECT_NEAR(n, 2048, 5 * 32);
  }
}

TEST(Random, DoesNotChangeFromReleaseToRelease) {
  EXPECT_EQ(random_bits(0, 0, 0, 0, 0), 0x2130748aaac80268ull);
  EXPECT_EQ(hash_name(""), 0xcbf29ce484222325ull);      // from the definition of FNV-1a
  EXPECT_EQ(hash_name("a"), 0xaf63dc4c8601ec8cull);     // its published test vector
  EXPECT_EQ(mix(kGoldenGamma), 0xe220a8397b1dcdafull);  // SplitMix64's first output for seed 0
}

TEST(AddressRange, IsThatOfAllAddressesThatAreGenerated) {
  const std::vector<PatternShape> shapes = {CoalescedPattern{},
                                            CoalescedPattern{4096},
                                            StridedPattern{128, 0},
                                            StridedPattern{-12, 0},
                                            StridedPattern{-12, 360},
                                            AffinePattern{4, 128, 1000, 64, 0},
                                            AffinePattern{-4, 200, -1000, 64, 0},
                                            AffinePattern{4, -400, 8, 0, 0},
                                            IndexedPattern{4, 64, 512, 4096, 12, 0},
                                            IndexedPattern{-4, 64, 512, -4096, 12, 0},
                                            BroadcastPattern{256},
                                            SetConflictPattern{4096, 4, 128, 8, 3}};
  for (const std::uint32_t threads : {1u, 20u, 32u, 72u})
    for (const std::uint32_t block_x : {1u, 8u, 50u})
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        LaunchShape launch{10, threads, 3, block_x};
        const AddressPattern pattern{"p", Address{1} << 40, shapes[i]};
        const AddressGenerator generator(pattern, 4, 8, launch, 77);
        Address first = ~Address{0}, last = 0;
        for (std::uint32_t block = 0; block < launch.blocks; ++block)
          for (std::uint32_t warp = 0; warp < launch.warps_per_block(); ++warp)
            for (std::uint64_t iteration = 0; iteration < 7; ++iteration) {
              const std::uint32_t lanes = std::min(32u, threads - 32 * warp);
              const std::uint32_t mask = lanes == 32 ? kFullMask : (1u << lanes) - 1;
              LaneAddresses out{};
              generator(block, warp, iteration, mask, out);
              for (std::uint32_t lane = 0; lane < lanes; ++lane) {
                first = std::min(first, out[lane]);
                last = std::max(last, out[lane] + 3);
              }
            }
        const AddressRange range = address_range(pattern, 4, 8, launch, 7);
        const bool wraps = std::holds_alternative<StridedPattern>(shapes[i]) ||
                           std::holds_alternative<SetConflictPattern>(shapes[i]) || i == 1;
        EXPECT_LE(static_cast<Address>(range.first), first) << i << " " << threads << " " << block_x;
        EXPECT_GE(static_cast<Address>(range.last), last) << i << " " << threads << " " << block_x;
        if (wraps) continue;  // not all of the footprint need be met
        EXPECT_EQ(static_cast<Address>(range.first), first) << i << " " << threads << " " << block_x;
        EXPECT_EQ(static_cast<Address>(range.last), last) << i << " " << threads << " " << block_x;
      }
}

TEST(AddressRange, OfTheRandomPatternsIsTheirFootprint) {
  const LaunchShape launch{10, 96};
  const auto bytes = [&](const PatternShape& shape) {
    const AddressRange range = address_range({"p", 0, shape}, 4, 0, launch, 5);
    EXPECT_EQ(static_cast<std::int64_t>(range.first), 0);
    return static_cast<std::int64_t>(range.last) + 1;
  };
  EXPECT_EQ(bytes(RandomPattern{4096}), 4096);
  EXPECT_EQ(bytes(ReusePattern{1024, false, 0}), 10 * 1024);
  EXPECT_EQ(bytes(ReusePattern{1024, true, 0}), 30 * 1024);
  EXPECT_EQ(bytes(ReusePattern{1024, false, 0.5}), 10 * 1024 + 128 + 5 * 960 * 4);
}

}  // namespace
}  // namespace gputlm
