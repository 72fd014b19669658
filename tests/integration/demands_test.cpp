// Demands of kernels on the hardware: `gputlm demand`, `demand:` of a kernel, `--profile` of a capture.
#include <gmock/gmock.h>

#include <sstream>

#include "tests/integration/program.h"
#include "tests/support/ncu_table.h"
#include "tests/support/nsight_export.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// 16 blocks of 8 warps; each warp reads 4 KiB that nobody else reads, and writes 1 KiB, 64 of its 128 instructions FP32.
constexpr const char* kStream = R"(
kernels:
  stream:
    grid: 16
    block: 256
    patterns: {in: {kind: coalesced}, out: {kind: coalesced}}
    program:
      - loop: {count: 8, body: [{load: {pattern: in, width: 16, dst: 4}}, {fp32: {dst: 8, src: [4, 8]}}]}
      - store: {pattern: out, width: 16, src: 8}
)";
const std::string kLaunched = "applications: [{name: a, streams: [{name: s, launches: [stream, stream]}]}]\n";

/// The first row, by column.
std::map<std::string, std::string> row_of(const std::string& csv) {
  std::istringstream lines(csv);
  std::string header, row;
  std::getline(lines, header);
  std::getline(lines, row);
  std::map<std::string, std::string> cells;
  std::istringstream names(header), values(row);
  std::string name, value;
  while (std::getline(names, name, ',') && std::getline(values, value, ',')) cells[name] = value;
  return cells;
}

class Demands : public testing::Test {
 protected:
  Outcome demand(const std::string& workload) {
    folder.write("w.yaml", workload);
    return run_program({"demand", folder.path("w.yaml"), "--gpu", "rtx2060", "--no-cache", "--csv",
                        folder.path("d.csv"), "--yaml", folder.path("d.yaml")});
  }

  TestFolder folder;
};

TEST_F(Demands, OfAKernelAreWhatItsCodeSays) {
  const Outcome outcome = demand(kStream + kLaunched);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto row = row_of(read_file(folder.path("d.csv")));
  const double warps = 16 * 8;
  const auto count = [&](const char* name) { return std::stod(row.at(name)); };
  EXPECT_EQ(row.at("kernel"), "stream");
  EXPECT_EQ(count("fp32_instructions"), warps * 8);
  EXPECT_EQ(count("load_store_instructions"), warps * 9);
  double pipes = 0;
  for (const char* pipe : {"fp32", "int", "fp64", "sfu", "tensor", "load_store", "control"})
    pipes += count((std::string(pipe) + "_instructions").c_str());
  EXPECT_EQ(count("instructions"), pipes) << "that were issued, and that the code has";
  EXPECT_EQ(count("l2_read_sectors"), warps * 8 * 512 / 32);
  EXPECT_EQ(count("l2_write_sectors"), warps * 512 / 32);
  EXPECT_EQ(count("l1_sectors"), warps * 9 * 512 / 32);
  EXPECT_EQ(count("l1_hit_rate"), 0);
  EXPECT_EQ(count("dram_read_bytes"), warps * 8 * 512) << "each byte once";
  EXPECT_EQ(count("sm_mhz"), 1365);
  EXPECT_GT(count("sectors_in_flight"), 0);
  EXPECT_GT(count("warps_active"), 0);
  EXPECT_LE(count("warps_active"), 1);
}

TEST_F(Demands, CountAtomicsAsWritesAndConflictsOfBanks) {
  const Outcome outcome = demand(R"(
settings: {sm.model: blocks}   # of which nothing could be counted
kernels:
  k:
    grid: 2
    block: 32
    patterns: {bins: {kind: coalesced}, column: {kind: affine, lane_stride: 128, footprint: 4KiB}, in: {kind: broadcast}}
    program:
      - load: {pattern: in, dst: 4}
      - load: {pattern: in, dst: 5, src: 4}
      - atomic: {pattern: bins, src: 5}
      - store: {pattern: column, space: shared, src: 5}
applications: [{name: a, streams: [{name: s, launches: [k]}]}]
)");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto row = row_of(read_file(folder.path("d.csv")));
  EXPECT_EQ(row.at("l2_write_sectors"), "8") << "128 bytes of each block";
  EXPECT_EQ(row.at("l2_read_sectors"), "2") << "on each SM the second load hits";
  EXPECT_EQ(row.at("l1_sectors"), "12");
  EXPECT_NEAR(std::stod(row.at("l1_hit_rate")), 2.0 / 12, 1e-6);
  EXPECT_EQ(row.at("shared_wavefronts"), "64") << "32 lanes of one bank";
}

TEST_F(Demands, SayHowLongLinesHaveToStay) {
  const auto reuse_us = [this](unsigned spin) {
    const Outcome outcome = demand(R"(
kernels:
  k:
    grid: 2
    block: 32
    patterns: {own: {kind: coalesced}}
    program: [{store: {pattern: own, src: 4}}, {spin: {us: )" +
                                   std::to_string(spin) + R"(}}, {load: {pattern: own, dst: 4}}]
applications: [{name: a, streams: [{name: s, launches: [k]}]}]
)");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto row = row_of(read_file(folder.path("d.csv")));
    EXPECT_EQ(row.at("l2_reused_sectors"), "8");
    return std::stod(row.at("l2_reuse_us"));
  };
  const double short_time = reuse_us(5);
  EXPECT_NEAR(short_time, 5, 0.5) << "the store takes its time to get there";
  EXPECT_NEAR(reuse_us(15) - short_time, 10, 0.01);
}

TEST_F(Demands, LeaveOutWhatTheCodeDoesNotSay) {
  const Outcome outcome = demand(R"(
kernels: {k: {grid: 2, block: 32, program: [{work: {units: 4, body: [fp32: 3]}}]}}
applications: [{name: a, streams: [{name: s, launches: [k]}]}]
)");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(row_of(read_file(folder.path("d.csv"))).at("fp32_instructions"), "") << "its blocks share their work";
  EXPECT_THAT(read_file(folder.path("d.yaml")), Not(HasSubstr("fp32_instructions")));
}

TEST_F(Demands, OfATraceAreWhatItHas) {
  folder.write("kernelslist.g", "kernel-1.traceg\n");
  folder.write("kernel-1.traceg", R"(-kernel name = _Z9vectorAddPKfS0_Pfi
-kernel id = 1
-grid dim = (1,1,1)
-block dim = (32,1,1)
-shmem = 0
-nregs = 12
-binary version = 70
-cuda stream id = 0
-accelsim tracer version = 5
-enable lineinfo = 0

#BEGIN_TB

thread block = 0,0,0

warp = 0
insts = 6
0000 ffffffff 1 R1 MOV 0 0 0
00a0 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7fb0fc430e00 4 0
00b0 ffffffff 1 R3 LDG.E 1 R6 4 1 0x7fb0fc431e00 4 0
00d0 ffffffff 1 R9 FADD 2 R2 R3 0 0
00f0 ffffffff 0 STG.E 2 R8 R9 4 1 0x7fb0fc461c00 4 0
0100 ffffffff 0 EXIT 0 0 0

#END_TB
)");
  const Outcome outcome =
      run_program({"demand", folder.path("kernelslist.g"), "--gpu", "volta80", "--no-cache", "--csv", "-"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto row = row_of(outcome.out);
  EXPECT_EQ(row.at("instructions"), "6");
  EXPECT_EQ(row.at("fp32_instructions"), "1");
  EXPECT_EQ(row.at("load_store_instructions"), "3");
  EXPECT_EQ(row.at("l2_read_sectors"), "8");
  EXPECT_EQ(row.at("l2_write_sectors"), "4");
}

TEST_F(Demands, CanBePastedIntoAWorkload) {
  ASSERT_EQ(demand(kStream + kLaunched).code, 0);
  std::string pasted = kStream;  // the line of the demand goes behind that of the block
  const std::string yaml = read_file(folder.path("d.yaml"));
  const std::size_t demand = yaml.find("    demand:");
  ASSERT_NE(demand, std::string::npos) << yaml;
  pasted.insert(pasted.find("    patterns:"), yaml.substr(demand));
  folder.write("pasted.yaml", pasted + kLaunched);
  const Outcome converted = run_program({"convert", folder.path("pasted.yaml")});
  ASSERT_EQ(converted.code, 0) << converted.err;
  EXPECT_THAT(converted.out, HasSubstr("dram_read_bytes: 524288"));
  // It changes nothing on SMs that run the kernel's code, and the run says so.
  const Outcome with = run_program({"run", folder.path("pasted.yaml"), "--gpu", "rtx2060"}),
                without = run_program({"run", folder.path("w.yaml"), "--gpu", "rtx2060"});
  ASSERT_EQ(with.code, 0) << with.err;
  EXPECT_EQ(with.out, without.out);
  EXPECT_THAT(with.err, HasSubstr("demands of kernels have no effect: sm.model=warps"));
  EXPECT_THAT(without.err, Not(HasSubstr("demands of kernels")));
}

TEST_F(Demands, OfACaptureComeFromAProfile) {
  NsightExport e(NsightVersion::k2026_2);
  e.gpu();
  const auto t = e.thread(100);
  const auto s = e.stream(13);
  e.launch(t, {1'000}, s, captured::kernel("gemm(float*, int)", {60}, {256}), {9'000, 29'000});
  e.launch(t, {5'000}, s, captured::kernel("norm(float*)", {30}, {128}), {30'000, 40'000});
  e.write(folder.path("t.sqlite"));
  NcuTable ncu;
  ncu.launch("gemm(float *, int)", "(256, 1, 1)", "(60, 1, 1)",
             {{"gpu__time_duration.sum", "us", "24.10"}, {"dram__bytes_read.sum", "Mbyte", "2.50"}});
  NcuTable::write(folder.path("ncu.csv"), ncu.wide_text());
  folder.write("w.yaml", "applications: [{capture: t.sqlite, profile: ncu.csv}]\n");
  for (const std::vector<std::string>& input :
       {std::vector<std::string>{folder.path("t.sqlite"), "--profile", folder.path("ncu.csv")},
        {folder.path("w.yaml"), "--set", "sm.model=blocks"}}) {
    std::vector<std::string> arguments{"run", "--gpu", "rtx2060", "--out", folder.path("out"), "--force"};
    arguments.insert(arguments.end(), input.begin(), input.end());
    const Outcome outcome = run_program(arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("; 1 of its kernels have a demand"));
    EXPECT_THAT(outcome.err, HasSubstr("1 kernels have no launch of their name, grid and block in the profile"));
    const Json replay = Json::parse(read_file(folder.path("out/result.json"))).at("replay").at(0);
    EXPECT_EQ(replay.at("with_demand"), 1);
    std::map<std::string, Json> checks;
    for (const Json& check : replay.at("checks")) checks[check.at("name")] = check;
    EXPECT_EQ(checks.at("no demand").at("first"), "norm");
    EXPECT_THAT(checks.at("partly measured").at("meaning").get<std::string>(), HasSubstr("dram_write_bytes"));
  }
  const Outcome converted = run_program({"convert", folder.path("w.yaml")});
  EXPECT_THAT(converted.out, HasSubstr("demand: {duration_us: 24.1, dram_read_bytes: 2500000.0}"));
}

TEST_F(Demands, AProfileWithoutACaptureSaysWhereItBelongs) {
  NcuTable ncu;
  ncu.launch("k", "(1, 1, 1)", "(1, 1, 1)", {{"gpu__time_duration.sum", "us", "1"}});
  NcuTable::write(folder.path("ncu.csv"), ncu.long_text());
  const Outcome outcome = run_program({"run", folder.path("ncu.csv")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("gputlm run CAPTURE --profile FILE"));
}

}  // namespace
}  // namespace gputlm
