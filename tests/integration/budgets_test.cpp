// Memory budgets of applications: their traffic, and its effect on others.

#include <gmock/gmock.h>

#include "tests/integration/program.h"
#include "tests/integration/random_workload.h"

namespace gputlm {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;
using Options = std::vector<std::string>;

Options set(const Options& settings) {
  Options options;
  for (const std::string& setting : settings) options.insert(options.end(), {"--set", setting});
  return options;
}

Options operator+(Options a, const Options& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::string application(const std::string& name, const std::string& kernel, const std::string& keys) {
  return "  - {name: " + name + ", " + keys + "streams: [{name: s, launches: [" + kernel + "]}]}\n";
}

/// `hog` never ends; it reads as fast as it can, on as many SMs as its blocks fill. `small` reads a little.
const char* const kKernels = R"(kernels:
  hog: {grid: 432, block: 128, registers: 128, patterns: {r: {kind: random, footprint: 256MiB}},
        program: [{loop: {count: 100000, body: [{load: {pattern: r, dst: 4}}, {load: {pattern: r, dst: 5}}]}}]}
  small: {grid: 4, block: 64, patterns: {r: {kind: random, base: 0x7f5200000000, footprint: 64MiB}},
          program: [{loop: {count: 6, body: [{load: {pattern: r, dst: 4, src: 4}}]}}]}
  writes: {grid: 24, block: 128, patterns: {r: {kind: random, footprint: 256MiB}},
           program: [{loop: {count: 4, body: [{store: {pattern: r, src: 4}}, {load: {pattern: r, dst: 5}}]}}]}
applications:
)";

/// Result of a run that ends after `cycles`.
Json run_for(const std::string& applications, std::uint64_t cycles, const Options& options) {
  const TestFolder folder;
  const Outcome outcome = run_program(Options{"run", folder.write("w.yaml", kKernels + applications), "--out",
                                              folder.path("out"), "--max-cycles", std::to_string(cycles)} +
                                      options);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return Json::parse(read_file(folder.path("out/result.json")));
}

std::uint64_t taken(const Json& result, std::size_t application) {
  return result.at("applications").at(application).at("memory_budget").at("bytes");
}

TEST(MemoryBudget, IsWhatAHogTakesOnAnA100) {
  for (const char* place : {"sm_port", "l2"}) {
    const auto bytes_in = [&](unsigned us) {
      return taken(run_for(application("hog", "hog", "memory_budget: {bytes: 64KiB, period_us: 1}, "), us * 1410,
                           Options{"--gpu", "a100"} + set({std::string("noc.regulator_place=") + place})),
                   0);
    };
    const std::uint64_t in_ten = bytes_in(10), in_fifty = bytes_in(50);
    EXPECT_LE(in_fifty, 50u * 65536) << place;
    EXPECT_NEAR(static_cast<double>(in_fifty - in_ten) / (40 * 65536), 1, 0.02) << place;
  }
}

const Options kSmall = Options{"--gpu", "a100"} + set({"sms=8", "sms_per_gpc=2", "dram.channels=8", "l2.bytes=4MiB"});

// Two applications have budgets, and one uses little of its own. With reclaim the other also gets that rest, and no more.
TEST(MemoryBudget, ThatOneLeavesIsForOthersWithReclaim) {
  const std::string two = application("hog", "hog", "sms: 0-3, memory_budget: {bytes: 6000, period_us: 1}, ") +
                          application("idle", "small", "sms: 4-7, memory_budget: {bytes: 4000, period_us: 1}, ");
  const auto hog = [&](const char* policy) {
    const auto bytes_in = [&](unsigned us) {
      const Options options = set({"noc.regulator_place=l2", std::string("noc.regulator=") + policy});
      return static_cast<double>(taken(run_for(two, us * 1410, kSmall + options), 0));
    };
    return (bytes_in(50) - bytes_in(20)) / 30;  // when the other has ended
  };
  EXPECT_NEAR(hog("hard") / 6000, 1, 0.02);
  EXPECT_NEAR(hog("reclaim") / 10000, 1, 0.03);  // what is too little for a request lapses
}

TEST(MemoryBudget, OfAHogKeepsATaskFasterTheSmallerItIs) {
  std::vector<double> responses;
  for (const char* keys :
       {"", "memory_budget: {bytes: 16KiB, period_us: 1}, ", "memory_budget: {bytes: 2KiB, period_us: 1}, "}) {
    const Json result = run_for(
        application("task", "small", "sms: 0-3, ") + application("hog", "hog", std::string("sms: 4-7, ") + keys),
        100000, kSmall);
    const Json& task = result.at("kernels").at(0);
    EXPECT_EQ(task.at("kernel"), "small");
    responses.push_back(task.at("end_cycle").get<double>() - task.at("first_block_cycle").get<double>());
  }
  EXPECT_LT(responses[1], responses[0]);
  EXPECT_LT(responses[2], responses[1]);
}

TEST(MemoryBudget, CountsReadsOrWritesOrBoth) {
  const auto bytes = [](const std::string& keys) {
    const TestFolder folder;
    const FinishedRun run = run_workload(
        folder.write("w.yaml", kKernels + application("a", "writes",
                                                      "memory_budget: {bytes: 100KiB, period_us: 1" + keys + "}, ")),
        kSmall);
    EXPECT_EQ(run.outcome.code, 0);
    return taken(run.result, 0);
  };
  const std::uint64_t both = bytes(""), reads = bytes(", writes: false"), writes = bytes(", reads: false");
  EXPECT_GT(reads, 0u);
  EXPECT_EQ(writes, 24u * 128 * 4 * 32);  // a sector for each lane
  EXPECT_EQ(both, reads + writes);
  EXPECT_EQ(bytes(", reads: false, writes: false"), 0u);
}

/// All that is said of kernels, and the blocks.
std::string timeline(const FinishedRun& run) { return run.result.at("kernels").dump() + run.blocks_text; }

TEST(MemoryBudget, ThatNobodyExceedsChangesNothing) {
  const TestFolder folder;
  for (const char* place : {"sm_port", "l2"}) {
    const auto run = [&](const std::string& keys) {
      return run_workload(
          folder.write("w.yaml", kKernels + application("a", "writes", keys) + application("b", "small", "")),
          kSmall + set({std::string("noc.regulator_place=") + place}));
    };
    const FinishedRun with = run("memory_budget: {bytes: 1GiB, period_us: 1}, ");
    EXPECT_EQ(timeline(with), timeline(run("")));
    EXPECT_EQ(with.result.at("applications").at(0).at("memory_budget").at("delayed"), 0);
    EXPECT_FALSE(run("").result.at("applications").at(0).contains("memory_budget"));
  }
}

// Random programs of which some have budgets, by every policy, at every place, and with what moves requests of their own.
TEST(MemoryBudget, GivesTheSameBytesForEveryWindow) {
  const TestFolder folder;
  std::uint64_t delayed = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    RandomWorkload random(seed);
    std::string text = random.text();
    const std::string budgets[] = {"{bytes: 3000, period_us: 1}", "{bytes: 900, period_us: 1, writes: false}"};
    unsigned next = 0;
    for (std::size_t at = 0; (at = text.find("  - name: a", at)) != std::string::npos; ++at) {
      const std::size_t end = text.find('\n', at) + 1;
      text.insert(end, "    memory_budget: " + budgets[next++ % 2] + "\n");
    }
    const std::string input = folder.write("w.yaml", text), policy = seed % 2 ? "hard" : "reclaim";
    const Options options =
        random.settings() +
        set({std::string("noc.regulator_place=") + (seed % 4 < 2 ? "sm_port" : "l2"),
             "l2.applications=" + std::to_string(seed % 3 == 0 ? 1 : 2), "l2.queue=8", "l2.mshrs=8",
             "work_distributor.application=" + std::string(seed % 2 ? "partitioned" : "time_sliced"),
             "work_distributor.time_sliced.instruction_preemption=true",
             "mmu.enabled=" + std::string(seed % 5 ? "false" : "true")});
    const FinishedRun run =
        run_workload(input, options + set({"noc.regulator=" + policy}) + Options{"--check-protocol"});
    ASSERT_EQ(run.outcome.code, 0) << seed << run.outcome.err;
    for (const Json& one : run.result.at("applications"))
      delayed += one.value("memory_budget", Json::object()).value("delayed", std::uint64_t{0});
    for (const Options& other : {Options{"--window", "1"}, Options{"--window", "4"}, Options{"--threads", "2"}}) {
      EXPECT_TRUE(run_workload(input, options + set({"noc.regulator=" + policy}) + other).result_text ==
                  run.result_text)
          << seed << other.back();
    }
  }
  EXPECT_GT(delayed, 1000u);
}

// A task that reads a table again and again, beside one that reads much: hits of the task in the L2.
TEST(L2Ways, OfATaskKeepItsLinesThere) {
  const std::string kernels = R"(kernels:
  table: {grid: 8, block: 128, patterns: {r: {kind: random, footprint: 128KiB}},
          program: [{loop: {count: 40, body: [{load: {pattern: r, dst: 4, src: 4}}]}}]}
  much: {grid: 64, block: 256, patterns: {c: {kind: coalesced, base: 0x7f5200000000, footprint: 32MiB}},
         program: [{loop: {count: 40, body: [{load: {pattern: c, dst: 4, width: 16}}]}}]}
applications:
)";
  const TestFolder folder;
  const auto hits = [&](const std::string& keys) {
    const FinishedRun run =
        run_workload(folder.write("w.yaml", kernels + application("task", "table", "sms: 0-3, " + keys) +
                                                application("other", "much", "sms: 4-7, ")),
                     kSmall + set({"l2.bytes=512KiB", "l2.partitions=1", "l2.copies=false", "sm.l1.bytes=32768",
                                   "sm.shared_memory=16384"}));
    EXPECT_EQ(run.outcome.code, 0) << run.outcome.err;
    const Json& l2 = run.result.at("l2").at("total").at("applications").at(0);
    return l2.at("read_hits").get<double>() / (l2.at("read_hits").get<double>() + l2.at("read_misses").get<double>());
  };
  EXPECT_GT(hits("l2_ways: 4, "), hits("") + 0.1);
}

TEST(L2Ways, ThatCannotBeAreRefused) {
  const auto refusal = [](const std::string& ways, const Options& options, const std::string& other) {
    const TestFolder folder;
    const Outcome outcome =
        run_program(Options{"run", folder.write("w.yaml", kKernels + other +
                                                              application("a", "small", "l2_ways: " + ways + ", "))} +
                    kSmall + options);
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_THAT(refusal("0", {}, ""), HasSubstr("found '0', allowed: a whole number from 1 to 64"));
  EXPECT_THAT(refusal("17", {}, ""), HasSubstr("w.yaml:9: application a: found l2_ways 17, allowed: at most 16"));
  EXPECT_THAT(refusal("9", {}, application("b", "small", "l2_ways: 8, ")),
              HasSubstr("allowed: at most 8: a100 has l2.ways=16, and other applications have 8 of them"));
  EXPECT_THAT(refusal("16", {}, application("b", "small", "")), HasSubstr("those without l2_ways need one"));
  EXPECT_THAT(refusal("1", set({"l2.enabled=false"}), ""), HasSubstr("none, since l2.enabled=false"));
}

/// Requests at each L2 slice, by application.
std::vector<std::vector<std::uint64_t>> requests_of_slices(const Json& result) {
  std::vector<std::vector<std::uint64_t>> all;
  for (const Json& slice : result.at("l2").at("slices")) {
    all.emplace_back();
    for (const Json& of : slice.at("applications")) {
      std::uint64_t requests = 0;
      for (const char* kind : {"read_hits", "read_misses", "write_hits", "write_misses"})
        requests += of.at(kind).get<std::uint64_t>();
      all.back().push_back(requests);
    }
    all.back().resize(2);
  }
  return all;
}

// All that is for an application: what its blocks read and write, their state, its copies and its page walks.
TEST(PageColours, OfAnApplicationAreWhereItsRequestsGo) {
  const TestFolder folder;
  const auto copies = [](const char* to) {
    return std::string("commands: [{copy: host_to_device, to: ") + to +
           ", bytes: 40001}, writes, {copy: device_to_device, from: " + to + ", to: 0x30000000, bytes: 20000}]";
  };
  const auto text = [&](const std::string& a, const std::string& b) {
    return kKernels + ("  - {name: a, " + a + "streams: [{name: s, " + copies("0x10000000") + "}]}\n  - {name: b, " +
                       b + "streams: [{name: s, " + copies("0x10000000") + "}]}\n");
  };
  const auto requests = [&](const std::string& a, const std::string& b) {
    const FinishedRun run =
        run_workload(folder.write("w.yaml", text(a, b)),
                     kSmall +
                         set({"l2.slices_per_channel=2", "mmu.enabled=true", "work_distributor.application=time_sliced",
                              "work_distributor.time_sliced.instruction_preemption=true"}) +
                         Options{"--check-protocol"});
    EXPECT_EQ(run.outcome.code, 0) << run.outcome.err;
    return requests_of_slices(run.result);
  };
  const auto coloured = requests("dram_channels: [0, 3-4], ", "l2_slices: [2, 5-7], ");
  ASSERT_EQ(coloured.size(), 16u);
  for (unsigned slice = 0; slice < 16; ++slice) {
    const bool of_a = slice <= 1 || (slice >= 6 && slice <= 9), of_b = slice == 2 || (slice >= 5 && slice <= 7);
    EXPECT_EQ(coloured[slice][0] > 0, of_a) << slice;
    EXPECT_EQ(coloured[slice][1] > 0, of_b) << slice;
  }
  for (const auto& slice : requests("", "")) EXPECT_TRUE(slice[0] > 0 && slice[1] > 0);
}

// A task that reads a table again and again, beside one that reads much: with other channels it has the hits that it has
// alone, and waits for nobody but in the crossbar.
TEST(PageColours, OfTwoKeepATaskAsItIsAlone) {
  const std::string kernels = R"(kernels:
  table: {grid: 8, block: 128, patterns: {r: {kind: random, footprint: 128KiB}},
          program: [{loop: {count: 40, body: [{load: {pattern: r, dst: 4, src: 4}}]}}]}
  much: {grid: 64, block: 256, patterns: {c: {kind: coalesced, base: 0x7f5200000000, footprint: 32MiB}},
         program: [{loop: {count: 40, body: [{load: {pattern: c, dst: 4, width: 16}}]}}]}
applications:
)";
  const TestFolder folder;
  struct Seen {
    double hits, cycles;
  };
  const auto seen = [&](const std::string& task, const std::string& other) {
    const FinishedRun run =
        run_workload(folder.write("w.yaml", kernels + application("task", "table", "sms: 0-3, " + task) + other),
                     kSmall + set({"l2.bytes=512KiB", "l2.partitions=1", "l2.copies=false", "sm.l1.bytes=32768",
                                   "sm.shared_memory=16384"}));
    EXPECT_EQ(run.outcome.code, 0) << run.outcome.err;
    const Json& l2 = run.result.at("l2").at("total").at("applications").at(0);
    const Json& kernel = run.result.at("kernels").at(0);
    return Seen{
        l2.at("read_hits").get<double>() / (l2.at("read_hits").get<double>() + l2.at("read_misses").get<double>()),
        kernel.at("end_cycle").get<double>() - kernel.at("first_block_cycle").get<double>()};
  };
  const std::string four = "dram_channels: 0-3, ";
  const Seen alone = seen(four, ""), apart = seen(four, application("other", "much", "sms: 4-7, dram_channels: 4-7, ")),
             together = seen(four, application("other", "much", "sms: 4-7, dram_channels: 0-3, "));
  EXPECT_NEAR(apart.hits, alone.hits, 0.002);
  EXPECT_NEAR(apart.cycles / alone.cycles, 1, 0.02);
  EXPECT_LT(together.hits, alone.hits - 0.1);
  EXPECT_GT(together.cycles, alone.cycles * 1.1);
}

TEST(PageColours, GiveASliceItsPartOfABudget) {
  const auto bytes_in = [](const std::string& keys, unsigned us) {
    return static_cast<double>(
        taken(run_for(application("hog", "hog", keys + "memory_budget: {bytes: 6000, period_us: 1}, "), us * 1410,
                      kSmall + set({"noc.regulator_place=l2"})),
              0));
  };
  for (const char* keys : {"", "dram_channels: 2, ", "l2_slices: [0-6], "})
    EXPECT_NEAR((bytes_in(keys, 30) - bytes_in(keys, 10)) / 20 / 6000, 1, 0.02) << keys;
}

TEST(PageColours, GiveTheSameBytesForEveryWindow) {
  const TestFolder folder;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RandomWorkload random(seed);
    std::string text = random.text();
    const std::string colours[] = {"dram_channels: 1", "l2_slices: [0, 2]"};
    unsigned next = static_cast<unsigned>(seed);
    for (std::size_t at = 0; (at = text.find("  - name: a", at)) != std::string::npos; ++at)
      text.insert(text.find('\n', at) + 1, "    " + colours[next++ % 2] + "\n");
    const std::string input = folder.write("w.yaml", text);
    const Options options = random.settings() + set({"dram.channels=2", "l2.slices_per_channel=2",
                                                     "mmu.enabled=" + std::string(seed % 2 ? "false" : "true")});
    const FinishedRun run = run_workload(input, options + Options{"--check-protocol"});
    ASSERT_EQ(run.outcome.code, 0) << seed << run.outcome.err;
    for (const Options& other : {Options{"--window", "1"}, Options{"--window", "4"}, Options{"--threads", "2"}})
      EXPECT_TRUE(run_workload(input, options + other).result_text == run.result_text) << seed << other.back();
  }
}

TEST(PageColours, ThatCannotBeAreRefused) {
  const auto refusal = [](const std::string& keys) {
    const TestFolder folder;
    const Outcome outcome =
        run_program(Options{"run", folder.write("w.yaml", kKernels + application("a", "small", keys + ", "))} + kSmall +
                    set({"l2.slices_per_channel=2"}));
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_THAT(refusal("dram_channels: 6-9"),
              HasSubstr("w.yaml:9: application a: found dram_channels 8-9, allowed: channels of a100, 0 to 7"));
  EXPECT_THAT(refusal("l2_slices: [3, 16]"), HasSubstr("found l2_slices 16, allowed: slices of a100, 0 to 15"));
  EXPECT_THAT(refusal("dram_channels: all"), HasSubstr("allowed: the id of a DRAM channel, 0 to 255, or a range"));
  EXPECT_THAT(refusal("l2_slices: []"), HasSubstr("an application needs an L2 slice"));
  EXPECT_THAT(refusal("dram_channels: 0, l2_slices: 1"), HasSubstr("l2_slices"));
}

TEST(MemoryBudget, ThatCannotBeIsRefused) {
  const auto refusal = [](const std::string& budget, const Options& options, const std::string& other = "") {
    const TestFolder folder;
    const Outcome outcome = run_program(
        Options{"run", folder.write("w.yaml",
                                    kKernels + other + application("a", "small", "memory_budget: " + budget + ", "))} +
        kSmall + options);
    EXPECT_EQ(outcome.code, 2);
    return outcome.err;
  };
  EXPECT_THAT(refusal("{bytes: 0, period_us: 1}", {}), HasSubstr("w.yaml:9: "));
  EXPECT_THAT(refusal("{bytes: 1KiB}", {}), HasSubstr("period_us"));
  EXPECT_THAT(refusal("{bytes: 1KiB, period_us: 0}", {}), HasSubstr("found '0'"));
  EXPECT_THAT(refusal("{bytes: 1KiB, period_us: 1, share: 3}", {}), HasSubstr("share"));
  EXPECT_THAT(
      refusal("{bytes: 7, period_us: 1}", {}),
      HasSubstr("w.yaml:9: application a: found memory_budget.bytes 7, allowed: 8 or more, a byte for each SM"));
  EXPECT_THAT(refusal("{bytes: 7, period_us: 1}", set({"noc.regulator_place=l2"})),
              HasSubstr("a byte for each L2 slice"));
  EXPECT_THAT(refusal("{bytes: 1KiB, period_us: 1}", set({"noc.regulator=reclaim"}),
                      application("b", "small", "memory_budget: {bytes: 1KiB, period_us: 2}, ")),
              HasSubstr("found memory_budget.period_us 1, allowed: 2, that of application b"));
}

}  // namespace
}  // namespace gputlm
