// Runs that do not complete: deadlock, interrupt, cycle limit.

#include <chrono>
#include <thread>

#include "tests/integration/program.h"
#include "tests/integration/trace_files.h"

namespace gputlm {
namespace {

/// Far more blocks than any test waits for.
constexpr const char* kEndless = R"(
kernels:
  before: {grid: 4, block: 64, program: [int]}
  endless:
    grid: 900000
    block: 64
    program:
      - loop: {count: 100, body: [fp32, int]}
applications:
  - {name: a, streams: [{name: s, launches: [before, endless, before]}]}
)";

void expect_incomplete(const nlohmann::json& result, const std::string& state, std::size_t blocks) {
  EXPECT_EQ(result.at("complete"), false);
  EXPECT_EQ(result.at("state"), state);
  EXPECT_EQ(result.at("launches"), 3);
  EXPECT_EQ(result.at("launches_ended"), 1);
  ASSERT_EQ(result.at("unfinished").size(), 1u);
  const auto& unfinished = result.at("unfinished")[0];
  EXPECT_EQ(unfinished.at("kernel"), "endless");
  const auto ended = unfinished.at("blocks_ended").get<std::uint64_t>();
  EXPECT_GT(ended, 0u);
  EXPECT_EQ(ended + 4, blocks);
  const auto running = unfinished.at("blocks_running").get<std::uint64_t>();
  const auto instructions = unfinished.at("instructions").get<std::uint64_t>();
  EXPECT_GT(running, 0u);
  EXPECT_GT(instructions, ended * 2 * 201);
  EXPECT_LE(instructions, (ended + running) * 2 * 201);
  std::uint64_t issued = 0;
  for (const auto& sm : result.at("sms")) issued += sm.at("instructions").get<std::uint64_t>();
  EXPECT_EQ(issued, instructions + result.at("total").at("instructions").get<std::uint64_t>());
}

TEST(Interrupt, EndsTheRunWithWhatWasReachedMarkedIncomplete) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TestFolder folder;
    StartedProgram program({"run", folder.write("w.yaml", kEndless), "--out", folder.path("out")});
    // The output files are opened when the run begins, and stay unnamed until it ends.
    for (int i = 0; i < 1000 && folder.files("out").empty(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const auto before = std::chrono::steady_clock::now();
    program.signal(signal);
    const Outcome outcome = program.wait();
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(30));
    EXPECT_EQ(outcome.code, 130);
    EXPECT_NE(outcome.err.find("interrupted at cycle"), std::string::npos) << outcome.err;
    ASSERT_EQ(folder.files("out"), kRunFiles);
    expect_incomplete(nlohmann::json::parse(read_file(folder.path("out/result.json"))), "interrupted",
                      read_blocks(folder.path("out/blocks.csv")).size());
  }
}

/// Ends the run with `signal` when it has simulated for a while; how long it took to end.
std::chrono::duration<double> time_to_end(const std::vector<std::string>& arguments, int signal) {
  StartedProgram program(arguments);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const auto before = std::chrono::steady_clock::now();
  program.signal(signal);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  return std::chrono::steady_clock::now() - before;
}

constexpr std::chrono::seconds kSoon{10};  // a second on a machine with nothing else to do

std::string endless_from(const std::string& release_us) {
  return "kernels:\n  k: {grid: 2000000000, block: 64, program: [{loop: {count: 1000, body: [fp32, int]}}]}\n"
         "applications:\n  - {name: a, streams: [{name: s, launches: [{kernel: k, release_us: " +
         release_us + "}]}]}\n";
}

TEST(Interrupt, EndsARunThatHasWaitedForALateReleaseWithinASecond) {
  const TestFolder folder;
  EXPECT_LT(time_to_end({"run", folder.write("second.yaml", endless_from("1e6"))}, SIGTERM), kSoon);
  EXPECT_LT(time_to_end({"run", folder.write("hour.yaml", endless_from("3.6e9"))}, SIGINT), kSoon);
}

TEST(Interrupt, EndsARunOfManySmsThatWaitForMemoryWithinASecond) {
  const TestFolder folder;
  std::string text = read_file(workload_file("gups.yaml"));
  const std::string grid = "grid: 120";
  text.replace(text.find(grid), grid.size(), "grid: 20000000");
  EXPECT_LT(
      time_to_end({"run", folder.write("gups.yaml", text), "--gpu", "volta80", "--set", "mmu.enabled=true"}, SIGTERM),
      kSoon);
}

TEST(Interrupt, EndsAMemoryRunWhoseAccessesAreFarApartWithinASecond) {
  const TestFolder folder;
  EXPECT_LT(time_to_end({"mem", "random:1000000000", "--interval", "1000"}, SIGTERM), kSoon);
}

TEST(SimulatedTime, EndsAfterFiveHoursWithWhatWasReached) {
  const TestFolder folder;
  const std::string hour = "{host_us: 3.6e9}, ";
  const std::string path =
      folder.write("w.yaml",
                   "kernels:\n  k: {grid: 4, block: 64, program: [int]}\napplications:\n  - name: a\n    streams:\n"
                   "      - {name: s, commands: [{kernel: k}, " +
                       hour + hour + hour + "{kernel: k}, " + hour + hour + hour + "{kernel: k}]}\n");
  const FinishedRun run = run_workload(path, {}, 4);
  EXPECT_NE(run.outcome.err.find("simulated time ended at cycle"), std::string::npos) << run.outcome.err;
  EXPECT_EQ(run.result.at("state"), "end of simulated time reached");
  EXPECT_EQ(run.result.at("complete"), false);
  EXPECT_EQ(run.result.at("launches_ended"), 2);
}

TEST(SimulatedTime, EndsAfterFiveHoursOfSpinning) {
  const TestFolder folder;
  const std::string path = folder.write("w.yaml", R"(
kernels:
  k: {grid: 1, block: 32, program: [{spin: {us: 3.6e9}}]}
applications:
  - {name: a, streams: [{name: s, launches: [k, k, k, k, k, k]}]}
)");
  const FinishedRun run = run_workload(path, {}, 4);
  EXPECT_EQ(run.result.at("launches_ended"), 4);
}

TEST(SimulatedTime, EndsAfterFiveHoursOfAccessesFarApart) {
  const Outcome outcome = run_program({"mem", "stream:3000", "--interval", "10000000000", "--set",
                                       "dram.timing.tREFI=0", "--set", "dram.timing.tRFC=0", "--json"});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out).at("state"), "end of simulated time reached");
}

TEST(CycleLimit, BeyondTheEndOfSimulatedTimeIsRefused) {
  const Outcome outcome =
      run_program({"run", workload_file("compute.yaml"), "--set", "core_mhz=1", "--max-cycles", "1000000000000"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("--max-cycles: found 1000000000000, allowed: up to 18000000000, five hours of"),
            std::string::npos)
      << outcome.err;
}

TEST(LateRelease, LetsTimePassInSilence) {
  const TestFolder folder;
  const std::string late = folder.write("w.yaml", R"(
kernels:
  s: {grid: 4, block: 32, program: [{spin: {us: 10}}]}
applications:
  - {name: a, streams: [{name: s, launches: [{kernel: s, release_us: 100}]}]}
)");
  const Outcome whole = StartedProgram({"run", late, "--json"}).wait();
  EXPECT_EQ(whole.code, 0);
  const auto result = nlohmann::json::parse(whole.out);  // only JSON on stdout
  EXPECT_EQ(result.at("complete"), true);
  EXPECT_EQ(result.at("kernels")[0].at("released_cycle"), result.at("kernels")[0].at("submitted_cycle"));
  const Outcome cut = StartedProgram({"run", late, "--json", "--max-cycles", "5000"}).wait();
  EXPECT_EQ(cut.code, 0);
  EXPECT_EQ(nlohmann::json::parse(cut.out).at("cycles"), 5000);
}

TEST(CycleLimit, EndsTheRunThere) {
  const TestFolder folder;
  const FinishedRun run = run_workload(folder.write("w.yaml", kEndless), {"--max-cycles", "50000", "--window", "1"});
  expect_incomplete(run.result, "cycle limit reached", run.blocks.size());
  EXPECT_EQ(run.result.at("cycles"), 50000);
  for (const BlockRow& row : run.blocks) EXPECT_LE(row.end, 50000u);
}

TEST(CycleLimit, BeyondTheEndChangesNothing) {
  const std::vector<std::string> limit{"--max-cycles", "100000000"};
  EXPECT_EQ(run_workload(workload_file("compute.yaml")).result_text,
            run_workload(workload_file("compute.yaml"), limit).result_text);
}

TEST(Deadlock, IsReportedWithWhoWaitsForWhat) {
  const TestFolder folder;
  TraceHeader header{"stuck", 3, 64};
  std::string trace = trace_header(header);
  for (unsigned block = 0; block < 3; ++block) {
    std::vector<TraceWarp> warps;
    for (const std::string& barrier : {std::string("0"), std::string(block == 1 ? "5" : "0")})
      warps.push_back({"0 BAR.SYNC 0 0 " + barrier, "0 EXIT 0 0 0"});
    trace += trace_block(block, warps);
  }
  folder.write("kernel-1.traceg", trace);
  const FinishedRun run = run_workload(folder.write("kernelslist.g", "kernel-1.traceg\n"), {}, 3);
  for (const char* part : {"deadlock at cycle", "block 1 of kernel stuck", "1 at barrier 0", "1 at barrier 5",
                           "stream stream 0: 0 of 1 launches ended, waiting for stuck"})
    EXPECT_NE(run.outcome.err.find(part), std::string::npos) << part << " is not in " << run.outcome.err;
  EXPECT_EQ(run.result.at("complete"), false);
  EXPECT_EQ(run.result.at("state"), "deadlocked");
  EXPECT_FALSE(run.result.at("waiting").empty());
  EXPECT_EQ(run.result.at("unfinished")[0].at("blocks_ended"), 2);
  EXPECT_EQ(run.blocks.size(), 2u);
}

}  // namespace
}  // namespace gputlm
