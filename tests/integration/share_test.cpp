// `gputlm share`: the slowdowns of programs, by each way to share a GPU.

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <cmath>
#include <cstdio>
#include <map>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

/// A program whose blocks spin: `blocks` of them for `us` each, `times` kernels one after the other, or jobs of a task.
std::string spins(const std::string& name, unsigned blocks, double us, unsigned times, const std::string& task = "") {
  std::string launches = "k";
  for (unsigned i = 1; i < times; ++i) launches += ", k";
  if (!task.empty()) launches = "{kernel: k, repeat: " + std::to_string(times) + ", " + task + "}";
  return "settings: {sm.model: blocks}\n"
         "kernels: {k: {grid: " +
         std::to_string(blocks) + ", block: 1024, program: [{spin: {us: " + std::to_string(us) +
         "}}]}}\napplications:\n  - {name: " + name + ", streams: [{name: s, launches: [" + launches + "]}]}\n";
}

class Share : public testing::Test {
 protected:
  Json share(std::vector<std::string> arguments, const std::string& gpu = "h100_sxm") {
    const std::string out = folder_.path("out");
    arguments.insert(arguments.begin(), "share");
    arguments.insert(arguments.end(), {"--gpu", gpu, "--cache", folder_.path("cache"), "--out", out});
    outcome_ = run_program(arguments);
    if (outcome_.code != 0) {
      ADD_FAILURE() << outcome_.err;
      return {};
    }
    return Json::parse(read_file(out + "/share.json"));
  }
  static Json of(const Json& list, const std::string& way, const std::string& program) {
    for (const Json& entry : list) {
      if (entry.at("way") == way && entry.at("program") == program) return entry;
    }
    ADD_FAILURE() << way << " " << program;
    return {};
  }
  /// Checks that the parts of each loss add up to it.
  static void expect_parts_to_add_up(const Json& result) {
    std::map<std::pair<std::string, std::string>, double> sums, losses;
    for (const Json& part : result.at("losses")) {
      const std::pair<std::string, std::string> of{part.at("way"), part.at("program")};
      sums[of] += part.at("lost_us").get<double>();
      losses[of] = part.at("of_us").get<double>();
    }
    for (const auto& [of, loss] : losses) {
      EXPECT_NEAR(sums[of], loss, 1e-6 * std::max(1.0, std::abs(loss))) << of.first << " " << of.second;
      const double alone = Share::of(result.at("ways"), "alone", of.second).at("mean_us");
      const double together = Share::of(result.at("ways"), of.first, of.second).at("mean_us");
      EXPECT_NEAR(loss, together - alone, 0.01) << of.first << " " << of.second;
    }
  }

  TestFolder folder_;
  Outcome outcome_;
};

TEST_F(Share, AProgramBesideNothingLosesNothing) {
  const std::string a = folder_.write("a.yaml", spins("a", 264, 20, 5));
  const Json result = share({a});
  for (const Json& way : result.at("ways")) {
    EXPECT_EQ(way.at("throughput_over_alone"), 1) << way;
    EXPECT_EQ(way.at("p99_over_alone"), 1) << way;
  }
  EXPECT_TRUE(result.at("losses").empty()) << result.at("losses");
}

TEST_F(Share, AnInstanceEachLosesTheSmsOnlyAndAGreenContextOfEnoughNothing) {
  // 32 blocks fit the smaller part of each.
  const std::string a = folder_.write("a.yaml", spins("a", 32, 20, 5)),
                    b = folder_.write("b.yaml", spins("b", 36, 7, 40));
  const Json result = share({a, b, "--way", "green-contexts"});
  for (const char* way : {"green-64-68", "green-32-100", "green-96-36"}) {
    for (const char* program : {"a", "b"})
      EXPECT_NEAR(of(result.at("ways"), way, program).at("throughput_over_alone"), 1, 1e-3) << way << program;
  }
}

TEST_F(Share, TwoEqualProgramsLoseTheSame) {
  const std::string text = spins("a", 264, 20, 20);
  const std::string a = folder_.write("a.yaml", text), b = folder_.write("b.yaml", spins("b", 264, 20, 20));
  const Json result = share({a, b, "--way", "streams", "--way", "mps", "--way", "green-contexts"});
  for (const char* way : {"streams", "mps", "mps-50-50"}) {
    const double first = of(result.at("ways"), way, "a").at("throughput_over_alone");
    const double second = of(result.at("ways"), way, "b").at("throughput_over_alone");
    EXPECT_LT(first, 0.6) << way;
    EXPECT_NEAR(first, second, 0.03) << way;
  }
}

TEST_F(Share, APriorityIsForTheProgramThatHasIt) {
  const std::string a = folder_.write("a.yaml", spins("a", 132, 20, 20)),
                    b = folder_.write("b.yaml", spins("b", 660, 20, 20));
  const Json result = share({a, b, "--way", "priorities", "--way", "streams"});
  const auto p99 = [&](const char* way) { return of(result.at("ways"), way, "a").at("p99_over_alone").get<double>(); };
  EXPECT_LT(p99("priority-a"), p99("streams"));
  EXPECT_LT(p99("streams"), p99("priority-b"));
}

TEST_F(Share, WhatWasLostIsSaidToBeWhatItWas) {
  const std::string a = folder_.write("a.yaml", spins("a", 132, 20, 20)),
                    b = folder_.write("b.yaml", spins("b", 660, 20, 20));
  const Json result = share({a, b});
  expect_parts_to_add_up(result);
  std::map<std::string, double> cause;  // of a, by way and cause
  for (const Json& part : result.at("losses")) {
    if (part.at("program") != "a") continue;
    const double share = part.at("lost_us").get<double>() / part.at("of_us").get<double>();
    cause[part.at("way").get<std::string>() + ": " + part.at("cause").get<std::string>()] += share;
  }
  EXPECT_GT(cause["time-slices: turn of others"], 0.95);
  EXPECT_GT(cause["mps: places"], 0.95);
  EXPECT_GT(cause["mps-50-50: places"], 0.95);
}

TEST_F(Share, ASearchFindsTheSplitThatMeetsTheConditions) {
  // a fits 40 SMs, b is the faster the more it has: the best green context of a has 40, the best share of MPS 31 %.
  const std::string a = folder_.write("a.yaml", spins("a", 80, 20, 10)),
                    b = folder_.write("b.yaml", spins("b", 1320, 20, 2));
  const Json result = share({a, b, "--way", "mps", "--find", "p99(a) < 1.001 max throughput(b)"});
  EXPECT_THAT(outcome_.out, testing::ContainsRegex("Found (mps-31-69|green-40-92): p99.a. 1"));
  EXPECT_NEAR(of(result.at("ways"), "green-40-92", "a").at("p99_over_alone"), 1, 1e-3);
  EXPECT_GT(of(result.at("ways"), "green-32-100", "a").at("p99_over_alone"), 1.5)
      << "the next smaller one is too small";
  EXPECT_THAT(outcome_.out, testing::Not(HasSubstr("green-32-100"))) << "what was only tried is in the files";
  share({a, b, "--way", "mps", "--find", "p99(a) < 0.5 max throughput(b)"});
  EXPECT_THAT(outcome_.out, HasSubstr("No way meets these conditions; the nearest is"));
}

TEST_F(Share, ASearchFindsHowLongSlicesAre) {
  // A job of a waits for a slice of b at most twice: with slices of 128 us it ends within 350 us of its begin.
  const std::string a = folder_.write("a.yaml", spins("a", 16, 20, 20, "period_us: 500")),
                    b = folder_.write("b.yaml", spins("b", 160, 30, 40));
  const Json result = share({a, b, "--way", "time-slices", "--find", "p99(a) < 350 us max throughput(b)"}, "orin");
  EXPECT_THAT(outcome_.out, testing::ContainsRegex("Found slices-[0-9]+-[0-9]+: p99.a. [123]"));
  EXPECT_GT(of(result.at("ways"), "slices-4096-4096", "a").at("p99_us"), 350);
}

TEST_F(Share, ADatabaseHasWhatTheTablesHave) {
  const std::string a = folder_.write("a.yaml", spins("a", 264, 20, 5)),
                    b = folder_.write("b.yaml", spins("b", 132, 7, 40));
  const Json result = share({a, b, "--way", "streams", "--way", "time-slices"});
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(folder_.path("out/share.sqlite").c_str(), &database), SQLITE_OK);
  const auto number = [&](const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr), SQLITE_OK) << sql;
    EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW) << sql;
    const double value = sqlite3_column_double(statement, 0);
    sqlite3_finalize(statement);
    return value;
  };
  EXPECT_EQ(number("SELECT COUNT(*) FROM ways"), 6) << "two alone, two ways of two programs";
  EXPECT_EQ(number("SELECT p99_us FROM ways WHERE way = 'streams' AND program = 'b'"),
            of(result.at("ways"), "streams", "b").at("p99_us").get<double>());
  EXPECT_EQ(number("SELECT COUNT(*) FROM losses"), static_cast<double>(result.at("losses").size()));
  EXPECT_NEAR(number("SELECT SUM(lost_us) FROM losses WHERE way = 'streams' AND program = 'a'"),
              number("SELECT of_us FROM losses WHERE way = 'streams' AND program = 'a'"), 1e-6);
  sqlite3_close(database);
}

/// A load of 4 KiB of each of 64 blocks, as a tracer writes it.
std::string traced_kernel() {
  std::string text =
      "-kernel name = _Z9vectorAddPKfS0_Pfi\n-kernel id = 1\n-grid dim = (64,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n"
      "-nregs = 12\n-binary version = 70\n-cuda stream id = 0\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n";
  for (unsigned block = 0; block < 64; ++block) {
    text += "#BEGIN_TB\n\nthread block = " + std::to_string(block) + ",0,0\n\nwarp = 0\ninsts = 34\n";
    char line[128];
    for (unsigned i = 0; i < 32; ++i) {
      std::snprintf(line, sizeof line, "%04x ffffffff 1 R2 LDG.E 1 R4 4 1 0x%llx 4 0\n", 16 * i,
                    0x7fb0fc430000ull + (32ull * block + i) * 128);
      text += line;
    }
    text += "0200 ffffffff 1 R9 FADD 2 R2 R3 0 0\n0210 ffffffff 0 EXIT 0 0 0\n\n#END_TB\n\n";
  }
  return text;
}

TEST_F(Share, ATraceSharesWithAnApplicationOfAWorkloadFile) {
  folder_.write("add/kernel-1.traceg", traced_kernel());
  const std::string trace = folder_.write("add/kernelslist.g", "kernel-1.traceg\nkernel-1.traceg\n");
  const std::string workload = std::string(GPUTLM_SOURCE_DIR) + "/workloads/stream.yaml";
  const Json result = share({"add=" + trace, workload, "--way", "streams", "--way", "mps"});
  expect_parts_to_add_up(result);
  double slowest = 1;
  for (const char* way : {"streams", "mps"}) {
    const double throughput = of(result.at("ways"), way, "add").at("throughput_over_alone");
    EXPECT_GT(throughput, 0) << way;
    slowest = std::min(slowest, throughput);
  }
  EXPECT_LT(slowest, 0.9) << "a kernel that fills the memory is beside it";
}

TEST_F(Share, JobsHaveTheirTailsAndDeadlines) {
  const std::string a = folder_.write("a.yaml", spins("a", 132, 20, 50, "period_us: 200, deadline_us: 60")),
                    b = folder_.write("b.yaml", spins("b", 1320, 30, 20));
  const Json result = share({a, b, "--way", "streams", "--way", "priorities", "--way", "time-slices"});
  EXPECT_EQ(of(result.at("ways"), "alone", "a").at("jobs"), 50);
  EXPECT_EQ(of(result.at("ways"), "alone", "a").at("deadlines_missed"), 0);
  EXPECT_GT(of(result.at("ways"), "time-slices", "a").at("deadlines_missed"), 0);
  EXPECT_LT(of(result.at("ways"), "priority-a", "a").at("p99_us"), of(result.at("ways"), "streams", "a").at("p99_us"));
}

TEST_F(Share, RunsThatWereKeptAreNotRepeated) {
  const std::string a = folder_.write("a.yaml", spins("a", 264, 20, 5)),
                    b = folder_.write("b.yaml", spins("b", 132, 7, 40));
  const std::vector<std::string> arguments{a, b, "--way", "streams", "--way", "mps"};
  const Json first = share(arguments);
  EXPECT_THAT(outcome_.err, HasSubstr("7 runs, 0 of them kept"));
  const std::string csv = read_file(folder_.path("out/share.csv"));
  EXPECT_EQ(share(arguments), first);
  EXPECT_THAT(outcome_.err, HasSubstr("7 runs, 7 of them kept"));
  EXPECT_EQ(read_file(folder_.path("out/share.csv")), csv);
}

TEST_F(Share, TheWorkloadThatWasRunCanBeRunByItself) {
  const std::string a = folder_.write("a.yaml", spins("a", 264, 20, 5)),
                    b = folder_.write("b.yaml", spins("b", 132, 7, 40));
  const Json result = share({a, b, "--way", "mps-50-50"});
  const Outcome run =
      run_program({"run", folder_.path("out/share.yaml") + "#mps-50-50", "--gpu", "h100_sxm", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const double us = Json::parse(run.out).at("cycles").get<double>() / 1980;
  EXPECT_NEAR(us, of(result.at("ways"), "mps-50-50", "a").at("run_us"), 0.01);
}

TEST_F(Share, AUserHasWaysOfTheirOwn) {
  const std::string a = folder_.write("a.yaml", spins("a", 200, 20, 5)),
                    b = folder_.write("b.yaml", spins("b", 132, 7, 40));
  const std::string ways = folder_.write(
      "ways.yaml", "variants: {apart: {applications: [{name: a, sms: 0-99}, {name: b, sms: 100-131}]}}\n");
  const Json result = share({a, b, "--ways", ways, "--way", "own"});
  EXPECT_NEAR(of(result.at("ways"), "apart", "a").at("throughput_over_alone"), 1, 1e-3);
  EXPECT_GT(of(result.at("ways"), "apart", "a").at("times_through"), 1) << "b has company until it has run through";
  const std::string wrong = folder_.write("wrong.yaml", "variants: {apart: {applications: [{name: a, sms: 0-999}]}}\n");
  const Outcome refused = run_program({"share", a, b, "--ways", wrong, "--gpu", "h100_sxm"});
  EXPECT_EQ(refused.code, 2);
  const Outcome left_out = run_program({"share", a, b, "--ways", ways, "--way", "mps", "--gpu", "h100_sxm"});
  EXPECT_EQ(left_out.code, 2);
  EXPECT_THAT(left_out.err, testing::HasSubstr("--way leaves out all ways of " + ways));
}

/// A host with events, jobs, copies and a thread that waits, beside a stream of its own.
constexpr const char* kHost = R"(
kernels:
  k: {grid: 64, block: 256, program: [{spin: {us: 3}}]}
  m: {grid: 32, block: 128, patterns: {p: {kind: coalesced}}, program: [{loop: {count: 8, body: [{load: p}]}}]}
applications:
  - {name: other, streams: [{name: o, launches: [m, k]}]}
  - name: host
    streams: [{name: s}, {name: t}, {name: own, launches: [m, m]}]
    threads:
      - name: main
        calls:
          - {malloc: buffer, bytes: 1MiB}
          - {stream: s, copy: host_to_device, to: buffer, bytes: 1MiB}
          - {stream: s, kernel: k}
          - {stream: s, record: e}
          - {stream: t, wait: e}
          - {stream: t, kernel: m}
          - {stream: t, record: f}
          - {synchronize: event, event: f}
          - {host_us: 5}
          - {job: j, repeat: 3, period_us: 20, deadline_us: 10, commands: [{stream: s, kernel: k}, {stream: s, synchronize: stream}]}
)";

TEST_F(Share, AnApplicationOfAnotherFileDoesWhatItDoesThere) {
  std::string alone = kHost;
  alone.erase(alone.find("  - {name: other"), alone.find("  - name: host") - alone.find("  - {name: other"));
  const std::string there = folder_.write("there.yaml", alone);
  folder_.write("two.yaml", kHost);
  const std::string here = folder_.write("here.yaml", "applications: [{workload: two.yaml, application: host}]\n");
  const auto result = [](const std::string& file) {
    const Outcome run = run_program({"run", file, "--gpu", "a100", "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    return Json::parse(run.out);
  };
  const Json expected = result(there), found = result(here);
  EXPECT_EQ(found.at("cycles"), expected.at("cycles"));
  EXPECT_EQ(found.at("copies"), expected.at("copies"));
  ASSERT_EQ(found.at("kernels").size(), 7u);
  for (std::size_t k = 0; k < 7; ++k) {  // labels are numbered over the whole of the other file
    for (const char* key : {"released_cycle", "first_block_cycle", "end_cycle", "notified_cycle", "instructions"})
      EXPECT_EQ(found.at("kernels")[k].at(key), expected.at("kernels")[k].at(key)) << k << key;
  }
  const std::string again = folder_.write("again.yaml", "applications: [{workload: here.yaml}]\n");
  EXPECT_THAT(run_program({"run", again}).err, HasSubstr("itself comes from another file"));
}

TEST_F(Share, RefusesWhatNoApplicationCanBe) {
  const std::string a = folder_.write("a.yaml", spins("a", 264, 20, 5));
  EXPECT_THAT(run_program({"share", a, "--way", "msp"}).err, HasSubstr("mps"));
  EXPECT_THAT(run_program({"share", a, "--key", "c.priority=-1"}).err, HasSubstr("no program 'c'"));
  EXPECT_THAT(run_program({"share", a, "--key", "a.colour=red"}).err, HasSubstr("colour"));
  EXPECT_EQ(run_program({"share", folder_.path("none.yaml")}).code, 2);
}

}  // namespace
}  // namespace gputlm
