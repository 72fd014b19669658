// Whole runs of workloads in which the host does more than launch: events, synchronization, priorities, default streams.

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "tests/integration/program.h"
#include "tlm/base/time.h"

namespace gputlm {
namespace {

using testing::HasSubstr;

const char* const kKernels =
    "kernels:\n"
    "  k: {grid: 24, block: 128, patterns: {p: {kind: coalesced}}, program: [load: p, fp32: 20, store: p]}\n"
    "  long: {grid: 60, block: 256, program: [loop: {count: 50, body: [fp32: {distance: 1, count: 8}]}]}\n";

std::map<std::string, nlohmann::json> kernels_of(const FinishedRun& run) {
  std::map<std::string, nlohmann::json> kernels;
  for (const nlohmann::json& kernel : run.result.at("kernels")) kernels[kernel.at("kernel")] = kernel;
  return kernels;
}

std::string everything() {
  return kKernels +
         std::string(
             "applications:\n"
             "  - name: a\n"
             "    streams:\n"
             "      - {name: low, commands: [{kernel: long, label: l0}, {record: done}, k, {host_us: 3.3}, k]}\n"
             "      - {name: high, priority: -1, commands: [{host_us: 2}, {kernel: long, label: h0}]}\n"
             "      - {name: zero, default: true, commands: [{host_us: 4}, {kernel: k, label: n0}]}\n"
             "      - {name: aside, non_blocking: true, commands: [{wait: done}, {kernel: k, label: w0},\n"
             "                    {synchronize: stream}, {kernel: k, label: w1}]}\n"
             "  - name: b\n"
             "    streams: [{name: s}, {name: t, default: true}]\n"
             "    threads:\n"
             "      - name: main\n"
             "        calls: [{stream: s, kernel: k, label: b0}, {stream: t, kernel: k, label: b1},\n"
             "                {synchronize: device}, {stream: s, kernel: long, label: b2, repeat: 2}]\n");
}

TEST(HostProgram, IsTheSameForEveryWindow) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", everything());
  const auto run = [&](const char* window) {
    return run_workload(input,
                        {"--gpu", "xavier", "--set", "host.call_cycles=137", "--check-protocol", "--window", window});
  };
  const FinishedRun first = run("1");
  for (const char* window : {"4", "0"}) {
    const FinishedRun other = run(window);
    EXPECT_EQ(other.result_text, first.result_text) << window;
    EXPECT_EQ(other.blocks_text, first.blocks_text) << window;
  }
}

TEST(HostProgram, OfPeriodicTasksIsTheSameForEveryWindow) {
  const TestFolder folder;
  const std::string input = folder.write(
      "w.yaml", kKernels + std::string("applications:\n"
                                       "  - name: camera\n"
                                       "    streams:\n"
                                       "      - name: frames\n"
                                       "        commands:\n"
                                       "          - {malloc: f, bytes: 4KiB}\n"
                                       "          - job: frame\n"
                                       "            repeat: 5\n"
                                       "            period_us: 10\n"
                                       "            jitter_us: 2\n"
                                       "            commands: [{copy: host_to_device, to: f, bytes: 4KiB}, k]\n"
                                       "  - name: control\n"
                                       "    streams: [{name: s, launches: [{kernel: long, repeat: 4, period_us: 8,\n"
                                       "               sporadic_us: 4, deadline_us: 9}]}]\n"));
  const auto run = [&](const char* window) {
    return run_workload(input, {"--gpu", "xavier", "--check-protocol", "--window", window});
  };
  const FinishedRun first = run("1");
  std::map<std::string, std::uint64_t> jobs;
  for (const nlohmann::json& task : first.result.at("responses").at("tasks")) jobs[task.at("name")] = task.at("jobs");
  EXPECT_EQ(jobs, (std::map<std::string, std::uint64_t>{{"frame", 5}, {"long", 4}}));
  for (const char* window : {"4", "0"}) EXPECT_EQ(run(window).result_text, first.result_text) << window;
}

TEST(HostProgram, KeepsTheOrderThatItsCallsAskFor) {
  const TestFolder folder;
  const FinishedRun run = run_workload(folder.write("w.yaml", everything()), {"--gpu", "xavier"});
  auto kernels = kernels_of(run);
  const auto after = [&](const char* later, const char* earlier) {
    EXPECT_GE(kernels.at(later).at("submitted_cycle"), kernels.at(earlier).at("notified_cycle"))
        << later << " " << earlier;
  };
  EXPECT_EQ(kernels.size(), 11u);
  after("n0", "l0");  // issued after it, in the default stream
  after("n0", "h0");
  after("w0", "l0");  // by the event
  after("w1", "w0");
  after("b1", "b0");
  after("b2#1", "b1");
  EXPECT_LT(kernels.at("w0").at("submitted_cycle"), kernels.at("n0").at("notified_cycle"));  // is not blocked
  EXPECT_EQ(run.result.at("streams")[2].at("default"), true);
  EXPECT_EQ(run.result.at("streams")[3].at("non_blocking"), true);
}

TEST(HostProgram, ACommandGoesToTheGpuItsDelayAfterWhatHeldItUp) {
  const TestFolder folder;
  const FinishedRun run = run_workload(
      folder.write("w.yaml", kKernels + std::string("applications:\n"
                                                    "  - name: a\n"
                                                    "    streams:\n"
                                                    "      - name: s\n"
                                                    "        commands:\n"
                                                    "          - {kernel: k, label: first, delay_us: 3}\n"
                                                    "          - {kernel: k, label: second, delay_us: 7.25}\n"
                                                    "          - {memset: 4KiB, to: 0, label: third, delay_us: 2}\n"
                                                    "          - {kernel: k, label: last}\n")),
      {"--gpu", "xavier"});
  const Clock clock = Clock::from_mhz(run.result.at("configuration").at("core_mhz").get<double>());
  const auto cycles = [&](double us) { return clock.at_or_after(static_cast<Femtoseconds>(us * 1e9)); };
  auto commands = kernels_of(run);
  commands["third"] = run.result.at("copies")[0];
  const auto gap = [&](const char* later, const char* earlier) {
    return commands.at(later).at("submitted_cycle").get<std::uint64_t>() -
           commands.at(earlier).at("notified_cycle").get<std::uint64_t>();
  };
  EXPECT_EQ(commands.at("first").at("submitted_cycle"), cycles(3));
  EXPECT_EQ(gap("second", "first"), cycles(7.25));
  EXPECT_EQ(gap("third", "second"), cycles(2));
  EXPECT_EQ(gap("last", "third"), 0u);
}

TEST(HostProgram, BlocksOfAnUrgentStreamGoFirst) {
  const TestFolder folder;
  const std::string text = kKernels + std::string(
                                          "applications:\n"
                                          "  - name: a\n"
                                          "    streams:\n"
                                          "      - {name: low, launches: [{kernel: long, grid: 600, label: low}]}\n"
                                          "      - {name: high, priority: PRIORITY, launches: [{kernel: long, label: "
                                          "high, release_us: 5}]}\n");
  const auto with = [&](const std::string& priority) {
    std::string copy = text;
    return folder.write("w.yaml", copy.replace(copy.find("PRIORITY"), 8, priority));
  };
  const FinishedRun urgent = run_workload(with("-1"), {"--gpu", "xavier"});
  const FinishedRun equal = run_workload(with("0"), {"--gpu", "xavier"});
  EXPECT_LT(kernels_of(urgent).at("high").at("end_cycle"), kernels_of(urgent).at("low").at("end_cycle"));
  EXPECT_LT(kernels_of(urgent).at("high").at("end_cycle").get<double>(),
            0.7 * kernels_of(equal).at("high").at("end_cycle").get<double>());
  const Outcome refused = run_program({"run", with("-2"), "--gpu", "xavier"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("w.yaml:8: stream high: found priority -2, allowed: -1 to 0"));
  EXPECT_EQ(run_program({"run", with("-2"), "--gpu", "xavier", "--set", "work_distributor.priorities=3"}).code, 0);
}

TEST(HostProgram, ThatCannotGoOnEndsAsADeadlockWithWhoWaitsForWhat) {
  const TestFolder folder;
  const std::string input =
      folder.write("w.yaml", kKernels + std::string("applications:\n"
                                                    "  - name: a\n"
                                                    "    streams:\n"
                                                    "      - {name: s, commands: [{wait: e}, k]}\n"
                                                    "      - {name: zero, default: true,\n"
                                                    "         commands: [{host_us: 1}, {record: e}, {synchronize: "
                                                    "device}]}\n"));
  const Outcome outcome = run_program({"run", input, "--gpu", "xavier"});
  EXPECT_EQ(outcome.code, 3);
  for (const char* line : {"stream s: 0 of 1 launches ended, waiting for event e",
                           "stream zero: 0 of 0 launches ended, waiting for stream s (default stream)",
                           "thread zero: waiting for all its application's streams in line 9"}) {
    EXPECT_THAT(outcome.err, HasSubstr(line));
  }
}

}  // namespace
}  // namespace gputlm
