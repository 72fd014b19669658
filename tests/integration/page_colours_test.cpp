// Page colours of a part of an application's memory: the slices of its requests and copies, and refused inputs.

#include <gmock/gmock.h>

#include <set>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

const std::vector<std::string> kEightChannels{"--gpu",         "a100",  "--set",         "sms=8", "--set",
                                              "sms_per_gpc=2", "--set", "l2.bytes=4MiB", "--set", "dram.channels=8"};

/// Reads 64 KiB from `base` on, and copies 64 KiB to 1 MiB behind it; `keys` of the application.
std::string reads_at(const std::string& base, const std::string& keys) {
  return R"(kernels:
  k: {grid: 8, block: 64, patterns: {p: {kind: coalesced, footprint: 64KiB, base: )" +
         base + R"(}},
      program: [{loop: {count: 32, body: [{load: {pattern: p, dst: 4}}]}}]}
applications:
  - name: a
    )" + keys +
         R"(
    streams: [{name: s, commands: [{kernel: k}, {copy: host_to_device, to: 0x20000000, bytes: 64KiB}]}]
)";
}

/// Slices that the application has sent requests to.
std::set<std::size_t> slices_asked(const std::string& workload) {
  const TestFolder folder;
  const FinishedRun run = run_workload(folder.write("w.yaml", workload), kEightChannels);
  std::set<std::size_t> slices;
  const Json& all = run.result.at("l2").at("slices");
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].at("reads").get<std::uint64_t>() + all[i].at("writes").get<std::uint64_t>() > 0) slices.insert(i);
  }
  return slices;
}

TEST(PageColours, OfAnAllocationAreItsOwnAndCopiesFollow) {
  using Slices = std::set<std::size_t>;
  const std::string two = R"(allocations: [{base: 0x10000000, bytes: 64KiB, dram_channels: 2-3},
                  {base: 0x20000000, bytes: 64KiB, l2_slices: 6}])";
  EXPECT_EQ(slices_asked(reads_at("0x10000000", two)), (Slices{2, 3, 6}));
  EXPECT_EQ(slices_asked(reads_at("0x10000000", "dram_channels: 0\n    " + two)), (Slices{2, 3, 6}));
  EXPECT_EQ(slices_asked(reads_at("0x30000000", "dram_channels: 0\n    " + two)), (Slices{0, 6}))
      << "the rest as before";
  EXPECT_EQ(slices_asked(reads_at("0x10000000", "dram_channels: 0-1")), (Slices{0, 1}));
}

TEST(PageColours, OfAllocationsThatCannotBeAreRefused) {
  const TestFolder folder;
  const auto said = [&](const std::string& keys) {
    std::vector<std::string> all{"run", folder.write("w.yaml", reads_at("0x10000000", "allocations: [" + keys + "]"))};
    all.insert(all.end(), kEightChannels.begin(), kEightChannels.end());
    const Outcome outcome = run_program(all);
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_THAT(
      said("{base: 0, bytes: 1KiB, dram_channels: 8}"),
      HasSubstr("w.yaml:6: allocation of application a: found dram_channels 8, allowed: channels of a100, 0 to 7"));
  EXPECT_THAT(said("{base: 64, bytes: 1KiB, dram_channels: 1}"), HasSubstr("found base 64, allowed: multiples of 128"));
  EXPECT_THAT(said("{base: 0, bytes: 100, dram_channels: 1}"), HasSubstr("found bytes 100, allowed: multiples of 128"));
  EXPECT_THAT(said("{base: 4KiB, bytes: 4KiB, l2_slices: 1}, {base: 0, bytes: 4224, l2_slices: 2}"),
              HasSubstr("found 4224 bytes from 0x0 on, allowed: none that another one has, 4096 bytes from 0x1000 on"));
  EXPECT_THAT(said("{base: 0, bytes: 4KiB}"), HasSubstr("has neither 'dram_channels' nor 'l2_slices'"));
  EXPECT_THAT(said("{base: 0, bytes: 4KiB, dram_channels: 0, l2_slices: 0}"), HasSubstr("not both"));
}

}  // namespace
}  // namespace gputlm
