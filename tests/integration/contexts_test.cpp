// Applications on the execution engine: when the blocks of each run, and messages about workloads that cannot share it so.

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "tests/integration/program.h"
#include "tests/integration/random_workload.h"
#include "tests/integration/trace_files.h"

namespace gputlm {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;
using Options = std::vector<std::string>;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

Options set(const Options& settings) {
  Options options;
  for (const std::string& setting : settings) options.insert(options.end(), {"--set", setting});
  return options;
}

Options operator+(Options a, const Options& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Two applications that compute, each more than the GPU holds at once; one of them copies too.
const char* const kTwo = R"(
kernels:
  k: {grid: 60, block: 512, program: [{loop: {count: 40, body: [fp32: 20]}}]}
applications:
  - name: a
    streams: [{name: s, launches: [{kernel: k, repeat: 3}]}]
  - name: b
    streams:
      - {name: t, launches: [{kernel: k, repeat: 3}]}
      - {name: u, commands: [{copy: host_to_device, to: 0x10000000, bytes: 512KiB}]}
)";

const Options kSmall = set({"sms=4", "sms_per_gpc=2"});

/// Application of each launch, by label.
std::map<std::string, std::string> applications_of(const FinishedRun& run) {
  std::map<std::string, std::string> map;
  for (const Json& kernel : run.result.at("kernels")) map[kernel.at("kernel")] = kernel.at("application");
  return map;
}

/// No block of an application runs while one of another does.
void expect_apart(const FinishedRun& run) {
  const auto application = applications_of(run);
  std::vector<BlockRow> rows = run.blocks;
  std::sort(rows.begin(), rows.end(), [](const BlockRow& a, const BlockRow& b) { return a.start < b.start; });
  std::map<std::string, std::uint64_t> ends;
  for (const BlockRow& row : rows) {
    const std::string& own = application.at(row.kernel);
    for (const auto& [other, end] : ends) {
      if (other == own) continue;
      EXPECT_LE(end, row.start);
    }
    ends[own] = std::max(ends[own], row.end);
  }
}

void expect_every_block_once(const FinishedRun& run) {
  std::map<std::string, std::set<std::uint64_t>> seen;
  for (const BlockRow& row : run.blocks) EXPECT_TRUE(seen[row.kernel].insert(row.block).second);
  for (const Json& kernel : run.result.at("kernels")) {
    const Json& grid = kernel.at("grid");
    EXPECT_EQ(seen[kernel.at("kernel")].size(),
              grid[0].get<std::size_t>() * grid[1].get<std::size_t>() * grid[2].get<std::size_t>());
  }
}

FinishedRun run_two(const std::string& application, const Options& more = {}) {
  const TestFolder folder;
  return run_workload(folder.write("w.yaml", kTwo), set({"work_distributor.application=" + application,
                                                         "work_distributor.time_sliced.time_slice_us=2"}) +
                                                        kSmall + more);
}

// cuda-hierarchy, section V-A.
TEST(Contexts, TakeTurnsOnTheExecutionEngineWhileCopiesOfAnotherGoOn) {
  for (const char* application : {"exclusive", "time_sliced"}) {
    const FinishedRun run = run_two(application);
    expect_apart(run);
    expect_every_block_once(run);
    const Json& copy = run.result.at("copies").at(0);
    const auto overlaps = [&](const BlockRow& row) {
      return applications_of(run).at(row.kernel) == "a" && row.start < copy.at("end_cycle") &&
             row.end > copy.at("start_cycle");
    };
    EXPECT_TRUE(std::any_of(run.blocks.begin(), run.blocks.end(), overlaps)) << application;
  }
}

TEST(Contexts, OfAllApplicationsRunSideBySideWhereTheEngineIsPartitioned) {
  const FinishedRun run = run_two("partitioned");
  expect_every_block_once(run);
  std::map<std::string, std::uint64_t> first;
  for (const BlockRow& row : run.blocks) {
    const auto [entry, is_new] = first.emplace(applications_of(run).at(row.kernel), row.start);
    if (!is_new) entry->second = std::min(entry->second, row.start);
  }
  EXPECT_LT(std::max(first["a"], first["b"]), run.result.at("kernels").at(0).at("end_cycle"));
}

TEST(Contexts, SayHowTheyShared) {
  EXPECT_FALSE(run_two("concurrent").result.at("applications").at(0).contains("engine"));
  const FinishedRun run = run_two("time_sliced");
  std::uint64_t on = 0;
  for (const Json& application : run.result.at("applications")) {
    const Json& engine = application.at("engine");
    EXPECT_GT(engine.at("slices"), 1);
    on += engine.at("on_cycles").get<std::uint64_t>() + engine.at("switch_cycles").get<std::uint64_t>();
  }
  EXPECT_LE(on, run.result.at("cycles"));
  EXPECT_GT(on, run.result.at("cycles").get<std::uint64_t>() / 2);
}

/// Slices that an application had of twenty small kernels beside an application that always has work.
std::uint64_t slices_of_chain(const std::string& policy, const std::string& commands, const Options& more = {}) {
  const TestFolder folder;
  const std::string text = R"(
kernels:
  small: {grid: 4, block: 64, program: [spin: {us: 2}]}
  large: {grid: 64, block: 512, program: [spin: {us: 3}]}
applications:
  - {name: chain, streams: [{name: c, commands: [)" +
                           commands + R"(]}]}
  - {name: hog, relaunch: true, streams: [{name: h, launches: [{kernel: large, repeat: 5}]}]}
)";
  const FinishedRun run = run_workload(folder.write("w.yaml", text),
                                       set({"work_distributor.application=" + policy, "sms=4", "sms_per_gpc=2",
                                            "work_distributor.time_sliced.time_slice_us=20"}) +
                                           more);
  expect_apart(run);
  return run.result.at("applications").at(0).at("engine").at("slices");
}

// The time from one kernel to the next is a microsecond: twenty kernels are some sixty.
TEST(Contexts, KeepTheEngineFromOneKernelToTheNextThatTheHostHasSubmitted) {
  const std::string chain = "{kernel: small, repeat: 20}";
  std::string one_by_one, copies;
  for (unsigned k = 0; k < 5; ++k) {
    one_by_one += "{kernel: small, label: k" + std::to_string(k) + "}, {synchronize: stream}, ";
    copies += "{kernel: small, label: k" + std::to_string(k) + "}, {memset: 4KiB, to: 0x10000000}, ";
  }
  EXPECT_EQ(slices_of_chain("exclusive", chain), 1u);
  EXPECT_EQ(slices_of_chain("exclusive", one_by_one), 5u);
  const std::uint64_t slices = slices_of_chain("time_sliced", chain);
  EXPECT_GE(slices, 3u);
  EXPECT_LE(slices, 5u);
  EXPECT_EQ(slices_of_chain("time_sliced", one_by_one), 5u);
  EXPECT_EQ(slices_of_chain("time_sliced", copies), 5u);
  EXPECT_LE(slices_of_chain("time_sliced", copies, set({"work_distributor.time_sliced.switch_when_waiting=false"})),
            3u);
}

TEST(Contexts, HaveAnAllowanceOfKernelsInFlightEach) {
  const std::string text = replaced(kTwo, "streams: [{name: s,",
                                    "streams: [{name: r1, launches: [k]}, {name: r2, launches: [k]}, {name: s,");
  const TestFolder folder;
  const FinishedRun run =
      run_workload(folder.write("w.yaml", text),
                   set({"work_distributor.application=time_sliced", "work_distributor.kernels_in_flight=1"}) + kSmall);
  // What the first application has launched is off the engine for long; the second one's kernel is there at once.
  for (const Json& kernel : run.result.at("kernels")) {
    if (kernel.at("application") != "b" || kernel.at("kernel") != "k#4") continue;
    EXPECT_LT(kernel.at("submitted_cycle"), 10);
  }
}

TEST(Contexts, SlicesAreWrittenDown) {
  const TestFolder folder;
  const Outcome outcome = run_program({"run", folder.write("w.yaml", kTwo), "--out", folder.path("out"), "--probe",
                                       "slices", "--set", "work_distributor.application=time_sliced", "--set",
                                       "work_distributor.time_sliced.time_slice_us=2"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string csv = read_file(folder.path("out/slices.csv"));
  EXPECT_EQ(csv.rfind("application,come_cycle,", 0), 0u);
  EXPECT_THAT(csv, HasSubstr(",time,"));
  EXPECT_THAT(csv, HasSubstr(",no work,"));
}

std::uint64_t sum(const FinishedRun& run, const char* counter) {
  std::uint64_t total = 0;
  for (const Json& application : run.result.at("applications"))
    total += application.at("engine").at(counter).get<std::uint64_t>();
  return total;
}

/// What was taken off came back; its traffic is that of the memory system beside the kernels' own.
void expect_state_conserved(const FinishedRun& run) {
  EXPECT_EQ(sum(run, "preempted_blocks"), sum(run, "resumed_blocks"));
  EXPECT_EQ(sum(run, "saved_bytes"), sum(run, "restored_bytes"));
  const std::uint64_t requests = run.result.at("total").at("memory").at("requests");
  const std::uint64_t state = (sum(run, "saved_bytes") + sum(run, "restored_bytes")) / 128;
  for (const char* network : {"gpc_requests", "gpc_replies"})
    EXPECT_EQ(run.result.at("noc").at(network).at("packets"), requests + state);
}

// Every policy, with and without preemption of instructions, under every kernel order.
TEST(ContextsNightly, RunEveryBlockOnceAndTheSameForEveryWindow) {
  const Options orders{"leftover", "srtf", "mpmax", "srtf_adaptive", "sjf", "srtf_zero_sampling", "ljf", "fifo"};
  const std::vector<Options> policies{
      {"work_distributor.application=exclusive"},
      {"work_distributor.application=time_sliced"},
      {"work_distributor.application=partitioned"},
      {"work_distributor.application=time_sliced", "work_distributor.time_sliced.instruction_preemption=true"}};
  const TestFolder folder;
  std::uint64_t preempted = 0;
  for (unsigned seed = 0; seed < policies.size() * orders.size(); ++seed) {
    RandomWorkload random(seed);
    const std::string input = folder.write("w.yaml", random.text());
    const unsigned policy = seed % policies.size();
    const Options options =
        random.settings() +
        set(policies[policy] + Options{"work_distributor.kernel_order=" + orders[seed / policies.size()]}) +
        set({seed % 5 ? "mmu.enabled=false" : "mmu.enabled=true"}) + Options{"--check-protocol"};
    const FinishedRun longest = run_workload(input, options);
    ASSERT_EQ(longest.outcome.code, 0) << seed;
    expect_every_block_once(longest);
    if (policy < 2) expect_apart(longest);
    expect_state_conserved(longest);
    preempted += sum(longest, "preempted_blocks");
    for (const char* window : {"1", "4"})
      EXPECT_EQ(run_workload(input, options + Options{"--window", window}).result_text, longest.result_text) << seed;
  }
  EXPECT_GT(preempted, 20u);
}

/// A line of slices.csv.
struct SliceRow {
  std::string application, ended_by;
  std::uint64_t come = 0, start = 0, end = 0, off = 0;
};

std::vector<SliceRow> read_slices(const std::string& path) {
  std::istringstream lines(read_file(path));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line,
            "application,come_cycle,start_cycle,end_cycle,off_cycle,ended_by,resumed_blocks,restored_bytes,"
            "preempted_blocks,saved_bytes");
  std::vector<SliceRow> rows;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    SliceRow row;
    char comma = 0;
    std::getline(fields, row.application, ',');
    fields >> row.come >> comma >> row.start >> comma >> row.end >> comma >> row.off >> comma;
    std::getline(fields, row.ended_by, ',');
    rows.push_back(row);
  }
  return rows;
}

TEST(Contexts, AreNeverOnTheEngineTogetherWhereBlocksArePreempted) {
  const TestFolder folder;
  const Outcome outcome = run_program(
      Options{"run", folder.write("w.yaml", kTwo), "--out", folder.path("out"), "--probe", "slices"} + kSmall +
      set({"work_distributor.application=time_sliced", "work_distributor.time_sliced.time_slice_us=2",
           "work_distributor.time_sliced.instruction_preemption=true"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<SliceRow> slices = read_slices(folder.path("out/slices.csv"));
  ASSERT_GT(slices.size(), 10u);
  std::uint64_t lost = 0;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    EXPECT_LE(slices[i].start, slices[i].end);
    EXPECT_LE(slices[i].end, slices[i].off);
    EXPECT_EQ(slices[i].come, i > 0 ? slices[i - 1].off : slices[i].start);  // somebody always has work
    lost += slices[i].off - slices[i].end + slices[i].start - slices[i].come;
  }
  EXPECT_GT(lost, 0u);
  FinishedRun run;
  run.result = Json::parse(read_file(folder.path("out/result.json")));
  EXPECT_EQ(lost, sum(run, "switch_cycles"));
  EXPECT_GT(sum(run, "preempted_blocks"), 50u);
  const auto applications = applications_of(run);
  for (const BlockRow& row : read_blocks(folder.path("out/blocks.csv"))) {
    EXPECT_TRUE(std::any_of(slices.begin(), slices.end(), [&](const SliceRow& slice) {
      return slice.application == applications.at(row.kernel) && slice.start < row.start && row.start < slice.off;
    }));
  }
}

TEST(Contexts, ThatCannotGoOnEndAsADeadlockUnderEveryPolicy) {
  const TestFolder folder;  // with a block whose warps wait at different barriers
  folder.write("kernel-1.traceg",
               trace_header({"stuck", 1, 64}) +
                   trace_block(0, {{"0 BAR.SYNC 0 0 0", "0 EXIT 0 0 0"}, {"0 BAR.SYNC 0 0 5", "0 EXIT 0 0 0"}}));
  const std::string input = folder.write("kernelslist.g", "kernel-1.traceg\n");
  for (const char* policy : {"exclusive", "time_sliced", "partitioned"}) {
    const Options options =
        set({std::string("work_distributor.application=") + policy, "work_distributor.time_sliced.time_slice_us=1",
             "work_distributor.time_sliced.instruction_preemption=true"});
    const Outcome outcome = run_program(Options{"run", input} + options);
    EXPECT_EQ(outcome.code, 3) << policy;
    EXPECT_THAT(outcome.err, HasSubstr("1 at barrier 5")) << policy;
  }
}

// docs/contexts.md goes through what comes out.
TEST(Contexts, ExampleHasAPolicyOfItsOwnForEveryDecision) {
  const FinishedRun run = run_workload(
      workload_file("time_slices.yaml"),
      Options{"--gpu", "rtx2060"} +
          set({"work_distributor.application=time_sliced", "work_distributor.time_sliced.instruction_preemption=true",
               "work_distributor.kernel_order=srtf", "sm.warp_scheduler=qaws", "dram.scheduler=fr_rr_fcfs"}));
  expect_every_block_once(run);
  EXPECT_GT(sum(run, "preempted_blocks"), 100u);
  EXPECT_EQ(sum(run, "preempted_blocks"), sum(run, "resumed_blocks"));
  const Json& policies = run.result.at("policies");
  EXPECT_GT(policies.at("work_distributor.kernel_order").at("counters").at("samples"), 0);
  EXPECT_GT(policies.at("sm.warp_scheduler").at("counters").at("turns"), 0);
  EXPECT_GT(policies.at("dram.scheduler").at("counters").at("turns"), 0);
  const Json& copy = run.result.at("copies").at(0);
  EXPECT_TRUE(std::any_of(run.blocks.begin(), run.blocks.end(), [&](const BlockRow& row) {
    return row.kernel == "detect" && row.start < copy.at("end_cycle") && row.end > copy.at("start_cycle");
  }));
}

TEST(Contexts, SharesThatCannotBeAreRefusedWithFoundAndAllowed) {
  struct Share {
    std::string key;
    Options options, parts;
  };
  const std::vector<Share> cases{
      {"thread_percent: 101", {}, {"w.yaml:6: ", "'101'", "1 to 100"}},
      {"sm_percent: 0", {}, {"w.yaml:6: ", "'0'", "1 to 100"}},
      {"time_slice_us: 0", {}, {"w.yaml:6: ", "'0'"}},
      {"time_slice_us: -3", {}, {"w.yaml:6: ", "'-3'"}},
      {"timeslice_priority: urgent", {}, {"w.yaml:6: ", "'urgent'", "low, medium, high"}},
      {"sms: [0], sm_percent: 50", {}, {"w.yaml:6: ", "not both"}},
      {"sms: [0], active_thread_percentage: 50", {}, {"w.yaml:6: ", "'sms' or 'active_thread_percentage', not both"}},
      {"sm_percent: 9, green_context_sms: 4", {}, {"w.yaml:6: ", "not both"}},
      {"active_thread_percentage: 0", {}, {"w.yaml:6: ", "'0'", "1 to 100"}},
      {"green_context_sms: 257", {}, {"w.yaml:6: ", "'257'", "1 to 256"}},
      {"green_context_sms: 5",
       set({"work_distributor.application=partitioned"}) + kSmall,
       {"w.yaml:6: ", "application a", "green_context_sms 5", "at most 4 of the 4 SMs of rtx2060"}},
      {"green_context_sms: 90",
       set({"work_distributor.application=partitioned"}) + Options{"--gpu", "h100_sxm", "--set", "sms=92"},
       {"found green_context_sms 90, allowed: at most 88, or 92, the remainder, of the 92 SMs of h100_sxm"}},
      {"mps_priority: 2", {}, {"w.yaml:6: ", "'2'", "0 to 1"}},
      {"sm_percent: 20",
       set({"work_distributor.application=partitioned"}) + kSmall,
       {"w.yaml:6: ", "application a", "sm_percent 20", "25 to 100"}},
      {"thread_percent: 10",
       set({"work_distributor.application=partitioned"}) + kSmall,
       {"w.yaml:6: ", "16 warps", "thread_percent 10"}},
  };
  for (const Share& c : cases) {
    const TestFolder folder;
    const std::string text = "\nkernels:\n  k: {grid: 4, block: 512, program: [int]}\napplications:\n\n  - {name: a, " +
                             c.key + ", streams: [{name: s, launches: [k]}]}\n";
    const Outcome outcome = run_program(Options{"run", folder.write("w.yaml", text)} + c.options);
    EXPECT_EQ(outcome.code, 2) << c.key;
    for (const std::string& part : c.parts) EXPECT_THAT(outcome.err, HasSubstr(part)) << c.key;
  }
}

/// The SMs on which the blocks of each application ran.
std::map<std::string, std::set<unsigned>> sms_of(const FinishedRun& run) {
  const auto application = applications_of(run);
  std::map<std::string, std::set<unsigned>> sms;
  for (const BlockRow& row : run.blocks) sms[application.at(row.kernel)].insert(static_cast<unsigned>(row.sm));
  return sms;
}

TEST(Contexts, AreGreenOrThoseOfMpsAndToldWhereTheDriverRounds) {
  const TestFolder folder;
  const std::string text = replaced(replaced(kTwo, "- name: a\n", "- name: a\n    active_thread_percentage: 5\n"),
                                    "- name: b\n", "- name: b\n    green_context_sms: 3\n");
  const Options options = Options{"--gpu", "a100"} + set({"work_distributor.application=partitioned", "sms=12"});
  const FinishedRun run = run_workload(folder.write("w.yaml", text), options);
  EXPECT_THAT(sms_of(run).at("b"), testing::ElementsAre(0, 1, 2, 3));  // 4 at least
  EXPECT_THAT(sms_of(run).at("a"), testing::ElementsAre(4, 5));        // 0.6: a TPC
  const auto warnings = run.result.at("warnings").dump();
  EXPECT_THAT(warnings, HasSubstr("application a: active_thread_percentage 5 is 0.6 of the 12 SMs of a100"));
  EXPECT_THAT(warnings, HasSubstr("rounds it up to 2: whole TPCs of 2"));
  EXPECT_THAT(warnings, HasSubstr("application b: green_context_sms 3 "));
  EXPECT_THAT(warnings, HasSubstr("rounds it up to 4: at least 4, in multiples of 2"));
  const std::string whole = replaced(replaced(text, "percentage: 5", "percentage: 50"), "sms: 3", "sms: 4");
  EXPECT_EQ(run_workload(folder.write("v.yaml", whole), options).result.at("warnings"), Json::array());
}

TEST(Contexts, AreToldWhoseSharesOverlap) {
  const TestFolder folder;
  const auto warnings = [&](const std::string& a, const std::string& b, const std::string& c) {
    std::string text = "kernels:\n  k: {grid: 1, block: 32, program: [int]}\napplications:\n";
    for (const auto& [name, key] : {std::pair("a", a), {"b", b}, {"c", c}})
      text += std::string("  - {name: ") + name + ", " + key +
              ", streams: [{name: s, launches: [{kernel: k, label: " + name + "}]}]}\n";
    const Options options = Options{"--gpu", "orin"} + set({"work_distributor.application=partitioned"});
    return run_program(Options{"run", folder.write("w.yaml", text)} + options).err;
  };
  const auto percent = [](int of_all) { return "active_thread_percentage: " + std::to_string(of_all); };
  EXPECT_THAT(warnings(percent(50), percent(40), percent(20)),  // 8, 8 and 4 of 16
              HasSubstr("warning: shares of the 16 SMs of orin overlap: a and c have SMs 0-3\n"));
  EXPECT_THAT(warnings(percent(100), percent(25), percent(25)),
              HasSubstr("overlap: a and b have SMs 0-3; a and c have SMs 4-7\n"));
  EXPECT_THAT(warnings("sms: 2-5", percent(25), "sms: 3-9"),
              HasSubstr("overlap: a and b have SMs 2-3; b and c have SMs 3\n"));
  EXPECT_THAT(warnings(percent(50), percent(25), percent(25)), testing::Not(HasSubstr("overlap")));
}

TEST(Contexts, OfMpsAreInTheOrderOfTheirPriorities) {
  const TestFolder folder;
  const auto ends = [&](const std::string& urgent, const std::string& other, const std::string& policy) {
    const std::string text =
        "kernels:\n  k: {grid: 240, block: 1024, program: [spin: {us: 10}]}\napplications:\n  - {name: a" + other +
        ", streams: [{name: s, launches: [{kernel: k, label: a}]}]}\n  - {name: b" + urgent +
        ", launches: [{kernel: k, label: b, release_us: 5}]}]}\n";
    const FinishedRun run = run_workload(folder.write("w.yaml", text), set({"work_distributor.application=" + policy}));
    return std::pair(run.result.at("kernels")[0].at("end_cycle").get<std::uint64_t>() <
                         run.result.at("kernels")[1].at("end_cycle").get<std::uint64_t>(),
                     run.outcome.err);
  };
  const std::string plain = ", streams: [{name: s", high = plain + ", priority: -1";
  EXPECT_FALSE(ends(high, "", "partitioned").first) << "a stream of a client is more urgent than another client's";
  EXPECT_FALSE(ends(plain, ", mps_priority: 1", "partitioned").first);
  EXPECT_TRUE(ends(", mps_priority: 1" + high, "", "partitioned").first);
  EXPECT_THAT(
      ends(", mps_priority: 1" + plain, "", "concurrent").second,
      HasSubstr("priorities of clients (mps_priority) have no effect: work_distributor.application=concurrent"));
}

TEST(Contexts, SharesThatThePolicyDoesNotLookAtMakeAWarning) {
  const TestFolder folder;
  const std::string text =
      replaced(kTwo, "  - name: a\n", "  - name: a\n    time_slice_us: 3\n    thread_percent: 50\n");
  const std::string input = folder.write("w.yaml", text);
  const auto warnings = [&](const char* application) {
    return run_program({"run", input, "--set", std::string("work_distributor.application=") + application}).err;
  };
  EXPECT_THAT(warnings("concurrent"), HasSubstr("time slices and their priorities have no effect"));
  EXPECT_THAT(warnings("concurrent"), HasSubstr("partitioned do"));
  EXPECT_THAT(warnings("time_sliced"), HasSubstr("shares of SMs and threads have no effect"));
  EXPECT_THAT(warnings("time_sliced"), testing::Not(HasSubstr("time slices and")));
}

}  // namespace
}  // namespace gputlm
