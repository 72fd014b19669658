// gputlm sweep for a user: its files, its errors, and that it continues after a kill.

#include <chrono>
#include <set>
#include <thread>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

/// Its blocks have random lengths, so that each seed is a different run.
constexpr const char* kPair = R"(
kernels:
  long: {grid: 64, block: 128, variation: {spread: 0.1}, program: [loop: {count: 4000, varies: true, body: [fp32, int]}]}
  short: {grid: 8, block: 64, variation: {spread: 0.1}, program: [loop: {count: 100, varies: true, body: [fp32, int]}]}
applications:
  - {name: a, streams: [{name: s, launches: [long]}]}
  - {name: b, streams: [{name: t, launches: [short, short]}]}
)";

std::string study(const std::string& more) {
  return "gpus: [xavier]\nvary:\n  sm.warp_scheduler: [lrr, gto]\nworkloads: [pair.yaml]\n" + more;
}

std::size_t kept(const TestFolder& folder) {
  std::size_t count = 0;
  for (const std::string& name : folder.files("cache")) count += std::filesystem::path(name).extension() == ".run";
  return count;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Sweep, WritesALineARunAndApplicationAndALineALaunch) {
  const TestFolder folder;
  folder.write("pair.yaml", kPair);
  const Outcome outcome = run_program({"sweep", folder.write("s.yaml", study("seeds: [1, 2]\nalone: true\n")), "--out",
                                       folder.path("out"), "--cache", folder.path("cache")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto applications = lines_of(read_file(folder.path("out/applications.csv")));
  ASSERT_EQ(applications.size(), 1 + 4 * 2u);
  EXPECT_EQ(
      applications[0],
      "run,gpu,sm.warp_scheduler,workload,seed,application,cycles,iterations,instructions,ipc,slowdown,run_cycles,"
      "stp,antt,strictf");
  EXPECT_NE(applications[1].find(",xavier,lrr,pair.yaml,1,"), std::string::npos) << applications[1];
  EXPECT_NE(applications[8].find(",xavier,gto,pair.yaml,2,"), std::string::npos) << applications[8];
  std::set<std::string> ids;
  for (std::size_t i = 1; i < applications.size(); ++i) ids.insert(applications[i].substr(0, 36));
  EXPECT_EQ(ids.size(), 4u);
  EXPECT_EQ(lines_of(read_file(folder.path("out/launches.csv"))).size(), 1 + 4 * 3u);
  EXPECT_NE(outcome.out.find("slowdown"), std::string::npos) << outcome.out;
  EXPECT_EQ(lines_of(read_file(folder.path("out/summary.csv"))).size(), 1 + 2 * (4 + 2 * 3u + 3))
      << "and the launch that is made twice";
  EXPECT_NE(outcome.out.find("Means of 2 seeds"), std::string::npos) << outcome.out;
  EXPECT_EQ(kept(folder), 4 * 3u) << "each application alone, too";
}

TEST(Sweep, RunsOnceWhatDoesNotDependOnTheSeedAndWritesALineASeed) {
  const TestFolder folder;
  folder.write("pair.yaml", busy_workload(8, 20));
  const Outcome outcome = run_program({"sweep", folder.write("s.yaml", study("seeds: [1, 2, 3]\n")), "--out",
                                       folder.path("out"), "--cache", folder.path("cache")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(kept(folder), 2u) << "one a scheduler";
  const auto lines = lines_of(read_file(folder.path("out/applications.csv")));
  ASSERT_EQ(lines.size(), 1 + 2 * 3u);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string seed = ",pair.yaml," + std::to_string((i - 1) % 3 + 1) + ",a,";
    EXPECT_NE(lines[i].find(seed), std::string::npos) << lines[i];
    EXPECT_EQ(lines[i].substr(0, lines[i].find(',')), lines[i - (i - 1) % 3].substr(0, lines[i].find(',')));
  }
}

/// Tasks with deadlines: what they are judged by.
constexpr const char* kTasks = R"(
kernels:
  k: {grid: 8, block: 64, variation: {spread: 0.3}, program: [loop: {count: 400, varies: true, body: [fp32]}]}
  hog: {grid: 400, block: 256, program: [loop: {count: 2000, body: [fp32]}]}
applications:
  - {name: a, streams: [{name: s, launches: [{kernel: k, repeat: 10, period_us: 20, deadline_us: 10}]}]}
  - {name: h, streams: [{name: s, launches: [hog]}]}
variants:
  beside: {}
  urgent: {applications: [{name: a, streams: [{name: s, priority: -1}]}]}
)";

TEST(Sweep, ComparesTasksWithABaselineByWhatTheyAreJudgedBy) {
  const TestFolder folder;
  folder.write("t.yaml", kTasks);
  const std::string file = folder.write(
      "s.yaml", "gpus: [xavier]\nworkloads: ['t.yaml#*']\nvary: {sm.warp_scheduler: [lrr, gto]}\nseeds: [1, 2, 3]\n");
  const Outcome outcome = run_program({"sweep", file, "--out", folder.path("out"), "--cache", folder.path("cache"),
                                       "--baseline", "sm.warp_scheduler=lrr"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("Response times of the tasks' jobs"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("Over sm.warp_scheduler=lrr, geometric means"), std::string::npos) << outcome.out;
  const auto lines = lines_of(read_file(folder.path("out/baseline.csv")));
  const auto has = [&](const std::string& start) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return line.rfind(start, 0) == 0; });
  };
  EXPECT_TRUE(has("xavier,gto,t.yaml#beside,task,k,a,p99_cycles,3,"));
  EXPECT_TRUE(has("xavier,gto,t.yaml#urgent,task,k,a,missed,3,"));
  EXPECT_TRUE(has("xavier,gto,geometric mean,task,k,a,p99_cycles,3,"));
  EXPECT_FALSE(has("xavier,lrr"));
  const Outcome other = run_program(
      {"sweep", file, "--cache", folder.path("cache"), "--baseline", "workload=t.yaml#beside", "--format", "latex"});
  ASSERT_EQ(other.code, 0) << other.err;
  EXPECT_NE(other.out.find("\\begin{tabular}{llllrrr}\n\\toprule\n"), std::string::npos) << other.out;
  EXPECT_NE(other.out.find("$\\pm$"), std::string::npos) << other.out;
  EXPECT_NE(other.out.find("& \\#urgent &"), std::string::npos) << other.out;
  EXPECT_EQ(other.out.find("geometric mean &"), std::string::npos);
  const Outcome wrong = run_program({"sweep", file, "--no-cache", "--baseline", "sm.warp_scheduler=qaws"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("--baseline: sm.warp_scheduler: found 'qaws', allowed: lrr, gto"), std::string::npos);
}

TEST(Sweep, SaysThatThereIsNoRandomness) {
  const TestFolder folder;
  folder.write("pair.yaml", busy_workload(8, 20));
  const Outcome same = run_program({"sweep", folder.write("s.yaml", study("seeds: [1, 2]\n")), "--no-cache"});
  EXPECT_NE(same.out.find("No randomness: seeds change nothing."), std::string::npos) << same.out;
  EXPECT_EQ(same.out.find("+-"), std::string::npos) << same.out;
}

TEST(Sweep, RunsEachVariantOfAWorkloadAndTellsItsResponseTimes) {
  const TestFolder folder;
  folder.write("pair.yaml", std::string(kPair) +
                                "variants:\n  both: {}\n  more:\n    applications:\n"
                                "      - {name: b, streams: [{name: t, launches: [{kernel: short, repeat: 5}]}]}\n");
  const Outcome outcome = run_program({"sweep", folder.write("s.yaml", "gpus: [xavier]\nworkloads: ['pair.yaml#*']\n"),
                                       "--out", folder.path("out"), "--no-cache"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = lines_of(read_file(folder.path("out/responses.csv")));
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0].substr(0, 47), "run,gpu,workload,seed,of,name,application,jobs,") << lines[0];
  const auto jobs_of = [&](const std::string& variant) {
    for (const std::string& line : lines) {
      const std::size_t at = line.find(",xavier,pair.yaml#" + variant + ",1,application,b,b,");
      if (at != std::string::npos) return line.substr(line.find(",b,b,") + 5, 2);
    }
    return std::string("none");
  };
  EXPECT_EQ(jobs_of("both"), "2,");
  EXPECT_EQ(jobs_of("more"), "5,");
}

TEST(Sweep, RefusesRunsThatTakeMoreMemoryThanTheyMay) {
  const TestFolder folder;
  folder.write("pair.yaml", kPair);
  const Outcome outcome = run_program({"sweep", folder.write("s.yaml", study("")), "--no-cache", "--max-memory", "0"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("allowed: 0 MiB of memory (--max-memory)"), std::string::npos) << outcome.err;
}

TEST(Sweep, RunsItsQuickForm) {
  const TestFolder folder;
  folder.write("pair.yaml", kPair);
  const std::string file = folder.write("s.yaml", study("seeds: [1, 2]\nquick: {vary: {sm.warp_scheduler: [gto]}}\n"));
  const Outcome outcome = run_program({"sweep", file, "--quick", "--out", folder.path("out"), "--no-cache"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<std::string> lines = lines_of(read_file(folder.path("out") + "/applications.csv"));
  ASSERT_EQ(lines.size(), 1 + 2 * 2u);
  EXPECT_NE(lines[1].find("gto"), std::string::npos);
}

TEST(Batch, WritesWhatEachRunWouldAndRepeatsNone) {
  const TestFolder folder;
  const std::string pair = folder.write("pair.yaml", kPair), cache = folder.path("cache");
  const std::string list =
      folder.write("runs.yaml", "- [" + pair + ", --gpu, xavier]\n- [" + pair + ", --gpu, tx2, --seed, 2]\n");
  const Outcome first = run_program({"batch", list, "--out", folder.path("first"), "--cache", cache});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.err.find("2 runs, 0 of them kept"), std::string::npos) << first.err;
  const Outcome second = run_program({"batch", list, "--out", folder.path("second"), "--cache", cache});
  EXPECT_NE(second.err.find("2 runs, 2 of them kept"), std::string::npos) << second.err;
  run_program({"run", pair, "--gpu", "tx2", "--seed", "2", "--out", folder.path("alone")});
  for (const char* name : {"result.json", "blocks.csv", "kernels.csv", "responses.csv", "timeline.json"}) {
    const std::string alone = read_file(folder.path("alone") + "/" + name);
    EXPECT_FALSE(alone.empty()) << name;
    EXPECT_EQ(read_file(folder.path("first") + "/2/" + name), alone) << name;
    EXPECT_EQ(read_file(folder.path("second") + "/2/" + name), alone) << name;
  }
  folder.write("pair.yaml", std::string(kPair) + "# another\n");
  const Outcome changed = run_program({"batch", list, "--out", folder.path("third"), "--cache", cache});
  EXPECT_NE(changed.err.find("2 runs, 0 of them kept"), std::string::npos) << changed.err;
}

TEST(Batch, RefusesStandardInputWhichIsOneForAll) {
  const TestFolder folder;
  const Outcome outcome = run_program({"batch", folder.write("runs.yaml", "- [-]\n"), "--out", folder.path("out")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("runs.yaml:1: [0][0]: found standard input"), std::string::npos) << outcome.err;
}

TEST(Batch, EndsAtTheFirstErrorAndNamesTheRun) {
  const TestFolder folder;
  const std::string endless =
      folder.write("endless.yaml",
                   "kernels: {k: {grid: 1000000, block: 64, program: [loop: {count: 1000000, body: [fp32, int]}]}}\n"
                   "applications: [{name: a, streams: [{name: s, launches: [k]}]}]\n");
  const std::string list = folder.write("runs.yaml", "- [" + endless + "]\n- [" + endless + ", --gpu, xavir]\n");
  const Outcome outcome = run_program({"batch", list, "--out", folder.path("out"), "--no-cache", "--jobs", "2"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("gputlm: run 2: --gpu xavir: no preset 'xavir'; did you mean 'xavier'"), std::string::npos)
      << outcome.err;
}

TEST(Sweep, GoesOnWhereItWasKilledAndComesToTheSameBytes) {
  const TestFolder folder;
  folder.write("pair.yaml", kPair);
  const std::string file = folder.write("s.yaml", study("seeds: [1, 2, 3, 4, 5, 6]\nalone: true\n"));
  {
    StartedProgram program({"sweep", file, "--jobs", "1", "--cache", folder.path("cache")});
    for (int i = 0; i < 12000 && kept(folder) < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    program.signal(SIGKILL);
    EXPECT_EQ(program.wait().code, -SIGKILL);
  }
  const std::size_t done = kept(folder);
  ASSERT_GE(done, 3u);
  ASSERT_LT(done, 36u) << "it was killed too late for this test to show anything";
  const Outcome rest = run_program({"sweep", file, "--out", folder.path("rest"), "--cache", folder.path("cache")});
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_NE(rest.err.find("36 runs, " + std::to_string(done) + " of them kept"), std::string::npos) << rest.err;
  const Outcome fresh = run_program({"sweep", file, "--out", folder.path("fresh"), "--no-cache"});
  ASSERT_EQ(fresh.code, 0) << fresh.err;
  EXPECT_NE(fresh.err.find("36 runs, 0 of them kept"), std::string::npos) << fresh.err;
  EXPECT_EQ(rest.out, fresh.out);
  for (const char* name : {"/applications.csv", "/launches.csv", "/responses.csv", "/summary.csv", "/results.sqlite"}) {
    EXPECT_EQ(read_file(folder.path("rest") + name), read_file(folder.path("fresh") + name));
  }
}

TEST(Sweep, SaysHowFarItCameWhenItIsInterrupted) {
  const TestFolder folder;
  folder.write("pair.yaml", kPair);
  StartedProgram program({"sweep", folder.write("s.yaml", study("seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9]\n")), "--jobs", "1",
                          "--cache", folder.path("cache")});
  for (int i = 0; i < 12000 && kept(folder) < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  program.signal(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_NE(outcome.err.find("of 18 runs are done, and the same command continues from there"), std::string::npos)
      << outcome.err;
}

TEST(Sweep, NamesFileAndLineOfWhatIsWrongBeforeItRunsAnything) {
  const TestFolder folder;
  folder.write("pair.yaml", kPair);
  folder.write("wide.yaml",
               "kernels: {k: {grid: 1, block: 64, shared_memory: 1GiB, program: [int]}}\n"
               "applications: [{name: a, streams: [{name: s, launches: [k]}]}]\n");
  struct Case {
    std::string text, place, message;
  };
  const std::vector<Case> cases{
      {"workloads: [pair.yaml]\ngups: xavier\n", "s.yaml:2", "did you mean 'gpus'"},
      {"gpus: [xavir]\nworkloads: [pair.yaml]\n", "s.yaml:1", "did you mean 'xavier'"},
      {"gpus: [xavier]\n", "s.yaml:1", "'workloads' is missing"},
      {"workloads: []\n", "s.yaml:1", "empty list"},
      {"workloads:\n  - pair.yaml\n  - none.yaml\n", "s.yaml:3", "none.yaml"},
      {"workloads: [pair.yaml]\nvary:\n  sm.warp_scheduler:\n    - lrr\n    - gtoo\n", "s.yaml:5", "found 'gtoo'"},
      {"workloads: [pair.yaml]\nvary:\n  sm.warp_scheduler: [lrr, lrr]\n", "s.yaml:3", "given twice"},
      {"workloads: [pair.yaml]\nset:\n  sm.warpz: 3\n", "s.yaml:3", "did you mean"},
      {"workloads: [pair.yaml]\nvary:\n  sm.warps: [64, 63]\n", "s.yaml:3", "multiple of sm.sub_cores"},
      {"workloads: [pair.yaml]\nseeds: [-1]\n", "s.yaml:2", "whole number"},
      {"workloads: [wide.yaml]\n", "wide.yaml", "shared"},
  };
  for (const Case& c : cases) {
    const Outcome outcome = run_program({"sweep", folder.write("s.yaml", c.text), "--cache", folder.path("cache")});
    EXPECT_EQ(outcome.code, 2) << c.text << outcome.err;
    EXPECT_NE(outcome.err.find(c.place), std::string::npos) << c.text << outcome.err;
    EXPECT_NE(outcome.err.find(c.message), std::string::npos) << c.text << outcome.err;
  }
  EXPECT_EQ(kept(folder), 0u);
}

TEST(Reproduce, FindsItsRunsTheSecondTime) {
  const TestFolder folder;
  const std::vector<std::string> command{"reproduce", "most-room/placement", "--json", "--cache", folder.path("cache")};
  const Outcome first = run_program(command);
  EXPECT_EQ(first.code, 0) << first.err;
  const std::string runs = std::to_string(kept(folder)) + " runs, ";
  EXPECT_NE(first.err.find(runs + "0 of them kept from before"), std::string::npos) << first.err;
  const Outcome second = run_program(command);
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(second.err.find(runs + "0 of them"), std::string::npos) << second.err;
  EXPECT_NE(second.err.find(runs), std::string::npos) << second.err;
}

}  // namespace
}  // namespace gputlm
