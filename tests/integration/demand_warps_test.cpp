// Kernels with warps in the place of demands: `gputlm convert --demand warps`.
#include <gmock/gmock.h>

#include <sstream>

#include "models/kernel/demand.h"
#include "tests/integration/program.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// A stream, a kernel that reads 128 KiB again and again, and one that computes with what its L1 has, and stores.
constexpr const char* kKernels = R"(
kernels:
  stream:
    grid: 60
    block: 256
    patterns: {in: {kind: coalesced}}
    program: [loop: {count: 24, body: [{load: {pattern: in, width: 4, dst: 4}}, {fp32: {count: 10, distance: 4}}, {int: {dst: 8, src: [4, 8]}}]}]
  again:
    grid: 30
    block: 256
    patterns: {in: {kind: affine, lane_stride: 8, warp_stride: 256, block_stride: 12288, iteration_stride: 24832, footprint: 128KiB}}
    program: [loop: {count: 24, body: [{load: {pattern: in, width: 8, dst: 4}}, {int: {count: 6, distance: 1}}, {int: {dst: 8, src: [4, 8]}}]}]
  near:
    grid: 60
    block: 128
    patterns: {in: {kind: reuse, bytes: 512}, out: {kind: coalesced}}
    program:
      - loop: {count: 40, body: [{load: {pattern: in, dst: 4}}, {fp32: {count: 12, distance: 2}}, {fp32: {dst: 8, src: [4, 8]}}]}
      - store: {pattern: out, src: 8}
applications: [{name: a, streams: [{name: s, launches: [stream, again, near]}]}]
)";

class DemandWarps : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--gpu", "rtx2060"});
    return run_program(arguments);
  }
  /// What kernels ask for, by name.
  std::map<std::string, Json> demands(const std::string& workload) {
    const Outcome outcome = run({"demand", workload, "--no-cache", "--csv", folder.path("d.csv")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::map<std::string, Json> all;
    std::istringstream lines(read_file(folder.path("d.csv")));
    std::string line;
    std::getline(lines, line);
    const auto names = cells_of(line);
    while (std::getline(lines, line)) {
      const auto cells = cells_of(line);
      for (std::size_t c = 1; c < cells.size(); ++c) all[cells[0]][names[c]] = cells[c];
    }
    return all;
  }
  static std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells{""};
    for (const char c : line) {
      if (c == ',')
        cells.emplace_back();
      else
        cells.back() += c;
    }
    return cells;
  }

  TestFolder folder;
};

TEST_F(DemandWarps, HaveAloneTheCountersAndTheTimeThatWereAskedFor) {
  const auto asked = demands(folder.write("w.yaml", kKernels));
  std::string described = "kernels:\n", launches;
  for (const auto& [name, demand] : asked) {
    described += "  " + name + ":\n    grid: " + demand.at("grid").get<std::string>() +
                 "\n    block: " + demand.at("block").get<std::string>() +
                 "\n    program: [{spin: {us: 5}}]\n    demand:\n";
    for (const auto& [key, value] : demand.items()) {
      // What no profiler has, nobody asks for.
      if (key != "grid" && key != "block" && profilers_have(key))
        described += "      " + key + ": " + value.get<std::string>() + "\n";
    }
    launches += (launches.empty() ? "" : ", ") + name;
  }
  described +=
      "applications: [{name: a, streams: [{name: s, launches: [" + launches + "]}]}]\nsettings: {sm.model: blocks}\n";
  const std::string file = folder.write("described.yaml", described), made = folder.path("made.yaml");
  const Outcome outcome = run({"convert", file, "--demand", "warps", "-o", made, "--no-cache"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read_file(made), Not(HasSubstr("sm.model")));
  const auto has = demands(made);
  ASSERT_EQ(has.size(), asked.size());
  for (const auto& [name, demand] : asked) {
    for (const char* key :
         {"duration_us", "instructions", "fp32_instructions", "int_instructions", "load_store_instructions",
          "l1_sectors", "l2_read_sectors", "l2_write_sectors", "dram_read_bytes"}) {
      const double wanted = std::stod(demand.at(key).get<std::string>());
      EXPECT_NEAR(std::stod(has.at(name).at(key).get<std::string>()), wanted, 0.05 * wanted) << name << ' ' << key;
    }
    for (const char* key : {"l1_hit_rate", "l2_hit_rate", "warps_active"}) {  // or it says so
      const double off =
          std::stod(has.at(name).at(key).get<std::string>()) - std::stod(demand.at(key).get<std::string>());
      if (std::abs(off) > 0.05) {
        EXPECT_THAT(outcome.err, HasSubstr(std::string(key) + ' ')) << name << ' ' << off;
      }
    }
    EXPECT_NEAR(std::stod(has.at(name).at("l1_hit_rate").get<std::string>()),
                std::stod(demand.at("l1_hit_rate").get<std::string>()), 0.05)
        << name;
  }
  EXPECT_EQ(run({"run", made}).code, 0);
}

TEST_F(DemandWarps, WhatCannotBeHadIsNamed) {
  const std::string file = folder.write("w.yaml", R"(
kernels:
  k: {grid: 30, block: 256, program: [spin: {us: 5}], demand: {duration_us: 500, instructions: 2400, l2_read_sectors: 960}}
  none: {grid: 30, block: 256, program: [spin: {us: 5}]}
applications: [{name: a, streams: [{name: s, launches: [k, none]}]}]
)");
  const Outcome outcome = run({"convert", file, "--demand", "warps", "--no-cache"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, testing::ContainsRegex("duration_us [0-9.]+ for 500"));
  EXPECT_THAT(outcome.out, HasSubstr("spin")) << "a kernel without a demand stays as it is";
}

TEST_F(DemandWarps, ProgramsOfWarpsAreKept) {
  const std::string file = folder.write("w.yaml", R"(
kernels:
  k: {grid: 30, block: 256, program: [spin: {us: 5}], demand: {duration_us: 5, instructions: 2400}}
  own: {grid: 30, block: 256, program: [fp32: {count: 77}], demand: {duration_us: 5, instructions: 2400}}
applications: [{name: a, streams: [{name: s, launches: [k, own, own]}]}]
)");
  const Outcome outcome = run({"convert", file, "--demand", "warps", "--no-cache"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("kept, since their programs define what warps do: own\n"));
  EXPECT_THAT(outcome.out, HasSubstr("program: [{fp32: 77}]"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("spin")));
}

TEST_F(DemandWarps, WithoutADemandAreRefused) {
  const std::string file = folder.write("w.yaml", kKernels);
  const Outcome outcome = run({"convert", file, "--demand", "warps", "--no-cache"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("no kernel that only spins has a demand with a duration; allowed: --profile FILE"));
  const Outcome other = run({"convert", file, "--demand", "blocks"});
  EXPECT_EQ(other.code, 2);
}

}  // namespace
}  // namespace gputlm
