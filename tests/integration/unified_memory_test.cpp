// Whole runs with an MMU: translation by walks, far faults, and pages over the link.

#include <gmock/gmock.h>

#include "tests/integration/program.h"
#include "tests/integration/random_numbers.h"

namespace gputlm {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

/// Blocks read and write regions of their own, one after the other, twice; the second time over may find them gone.
const char* const kSweeps = R"(
managed: {data: {bytes: 4MiB}}
kernels:
  k:
    grid: 32
    block: 128
    patterns: {p: {kind: affine, base: data, lane_stride: 4, warp_stride: 128, block_stride: 131072, iteration_stride: 4096, footprint: 4MiB}}
    program:
      - loop: {count: 32, body: [{load: {pattern: p, dst: 4}}, {store: {pattern: p, src: 4}}]}
applications:
  - {name: a, streams: [{name: s, launches: [{kernel: k, repeat: 2}]}]}
)";

std::uint64_t number(const Json& json, const std::string& pointer) {
  return json.at(Json::json_pointer(pointer)).get<std::uint64_t>();
}

/// Options with small pages and blocks, so that there are many of both.
std::vector<std::string> options(std::vector<std::string> more = {}) {
  std::vector<std::string> all{"--gpu", "rtx2060"};
  for (const char* setting : {"mmu.enabled=true", "mmu.block_bytes=256KiB", "mmu.batch_ns=2000"}) {
    all.emplace_back("--set");
    all.emplace_back(setting);
  }
  for (const std::string& setting : more) {
    all.emplace_back("--set");
    all.push_back(setting);
  }
  return all;
}

/// Where bytes of pages are counted must be the same everywhere.
void expect_conserved(const Json& result) {
  const std::uint64_t in = number(result, "/mmu/far_faults/migrated_in_bytes");
  const std::uint64_t out = number(result, "/mmu/far_faults/migrated_out_bytes");
  EXPECT_EQ(number(result, "/copying/engines/host_read_bytes"), in);
  EXPECT_EQ(number(result, "/copying/engines/device_written_bytes"), in);
  EXPECT_EQ(number(result, "/copying/link/to_device_bytes"), in);
  EXPECT_EQ(number(result, "/copying/host_memory/read_bytes"), in);
  EXPECT_EQ(number(result, "/copying/engines/host_written_bytes"), out);
  EXPECT_EQ(number(result, "/copying/engines/device_read_bytes"), out);
  EXPECT_EQ(number(result, "/copying/link/to_host_bytes"), out);
  EXPECT_EQ(number(result, "/copying/host_memory/written_bytes"), out);
}

TEST(UnifiedMemory, EveryAccessIsMadeOnceAndEveryPageGoesOverTheLinkOnce) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", kSweeps);
  const FinishedRun run = run_workload(input, options());
  const FinishedRun resident = run_workload(input, {"--gpu", "rtx2060"});
  expect_conserved(run.result);
  EXPECT_EQ(number(run.result, "/mmu/far_faults/migrated_in_bytes"), 4u << 20);
  EXPECT_EQ(number(run.result, "/mmu/far_faults/migrated_out_bytes"), 0u);
  for (const char* counter : {"/total/instructions", "/total/memory/global_loads", "/total/memory/global_stores"})
    EXPECT_EQ(number(run.result, counter), number(resident.result, counter)) << counter;
  EXPECT_EQ(number(run.result, "/mmu/sm_tlbs/hits") + number(run.result, "/mmu/sm_tlbs/replayed"), 2u * 32 * 4 * 32 * 2)
      << "a line a warp, twice an iteration, in both launches";
  EXPECT_FALSE(resident.result.contains("mmu"));
  EXPECT_THAT(run.outcome.out, HasSubstr("batches, 4.19 MB to the GPU, 0.00 MB back\n"));
  EXPECT_THAT(resident.outcome.out, testing::Not(HasSubstr("Unified memory")));
  EXPECT_THAT(resident.outcome.err,
              HasSubstr("managed memory is in the GPU's memory from the start: mmu.enabled=false"));
  EXPECT_GT(number(run.result, "/cycles"), 2 * number(resident.result, "/cycles"));
}

TEST(UnifiedMemory, WhatDoesNotFitGoesBackAndForthAndTheRunEnds) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", kSweeps);
  const FinishedRun whole = run_workload(input, options());
  const FinishedRun half = run_workload(input, options({"mmu.device_memory=2MiB"}));
  const FinishedRun least = run_workload(input, options({"mmu.device_memory=256KiB"}));
  for (const FinishedRun* run : {&half, &least}) {
    expect_conserved(run->result);
    EXPECT_TRUE(run->result.at("complete").get<bool>());
    EXPECT_EQ(number(run->result, "/total/instructions"), number(whole.result, "/total/instructions"));
    EXPECT_LE(number(run->result, "/mmu/far_faults/migrated_in_bytes"),
              number(run->result, "/mmu/far_faults/migrated_out_bytes") + (run == &half ? 2u << 20 : 256u << 10));
    EXPECT_GT(number(run->result, "/mmu/far_faults/evicted_blocks"), 0u);
  }
  EXPECT_GT(number(half.result, "/mmu/far_faults/migrated_in_bytes"), (4u << 20) + (2u << 20))
      << "the second launch finds at most half of it";
  EXPECT_GT(number(half.result, "/cycles"), number(whole.result, "/cycles"));
}

TEST(UnifiedMemory, IsTheSameForEveryWindow) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", kSweeps);
  const auto run = [&](const char* window) {
    std::vector<std::string> all =
        options({"mmu.device_memory=1MiB", "mmu.batch_faults=16", "mmu.fault_buffer=8", "sm.tlb.misses=1",
                 "sm.tlb.miss_merges=2", "sm.tlb.entries=4", "sm.tlb.ways=4"});
    for (const char* more : {"--check-protocol", "--window", window}) all.emplace_back(more);
    return run_workload(input, all);
  };
  const FinishedRun first = run("1");
  EXPECT_GT(number(first.result, "/mmu/sm_tlbs/full_cycles"), 0u);
  EXPECT_GT(number(first.result, "/mmu/far_faults/lost"), 0u);
  for (const char* window : {"4", "0"}) EXPECT_EQ(run(window).result_text, first.result_text) << window;
}

/// Lines of faults.csv, without its head.
std::size_t faults_of(const std::string& input, const TestFolder& folder, std::vector<std::string> all) {
  for (const std::string& more :
       {std::string("--probe"), std::string("faults"), std::string("--out"), folder.path("f"), std::string("--force")})
    all.push_back(more);
  std::vector<std::string> arguments{"run", input};
  arguments.insert(arguments.end(), all.begin(), all.end());
  EXPECT_EQ(run_program(arguments).code, 0);
  const std::string csv = read_file(folder.path("f/faults.csv"));
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "cycle,batch,page,sm,application,kernel,block,warp");
  return static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) - 1;
}

TEST(UnifiedMemory, FaultsCoalesceWithinABlockAndLieApartBetweenBlocks) {
  const auto workload = [](const char* block_stride) {
    return std::string(
               "managed: {data: {bytes: 64MiB}}\nkernels:\n  k:\n    grid: 8\n    block: 1024\n    patterns: {p: {") +
           "kind: affine, base: data, lane_stride: 4, warp_stride: 128, block_stride: " + block_stride +
           "}}\n    program: [load: p]\n" + "applications: [{name: a, streams: [{name: s, launches: [k]}]}]\n";
  };
  const TestFolder folder;
  const std::string apart = folder.write("apart.yaml", workload("4194304"));
  const std::string together = folder.write("together.yaml", workload("0"));
  EXPECT_EQ(faults_of(apart, folder, options()), 8u) << "32 warps of a block use one page: one fault a block";
  EXPECT_EQ(faults_of(together, folder, options()), 1u);
}

TEST(UnifiedMemory, PrefetchingMoreOfTheNeighbourhoodMakesFewerFaults) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", kSweeps);
  const auto faults = [&](const char* bytes, const char* percent) {
    const FinishedRun run = run_workload(
        input, options({std::string("mmu.prefetch_bytes=") + bytes, std::string("mmu.prefetch_percent=") + percent}));
    EXPECT_EQ(number(run.result, "/mmu/far_faults/migrated_in_bytes"), 4u << 20);
    return number(run.result, "/mmu/far_faults/handled");
  };
  const std::uint64_t pages = faults("4KiB", "100"), basic = faults("64KiB", "100"), tree = faults("64KiB", "49");
  EXPECT_EQ(pages, 1024u);
  EXPECT_EQ(basic, 64u);
  EXPECT_LT(tree, basic);
}

TEST(UnifiedMemory, PagesBeyondTheReachOfTheTlbsSlowAKernelDown) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", R"(
kernels:
  k: {grid: 60, block: 256, patterns: {p: {kind: random, footprint: 64MiB}}, program: [{loop: {count: 16, body: [{load: {pattern: p, dst: 4}}]}}]}
applications: [{name: a, streams: [{name: s, launches: [k]}]}]
)");
  const auto cycles = [&](const char* page) {
    return number(run_workload(input, options({std::string("mmu.page_bytes=") + page, "mmu.prefetch_bytes=2MiB",
                                               "mmu.block_bytes=2MiB"}))
                      .result,
                  "/cycles");
  };
  const std::uint64_t off = number(run_workload(input, {"--gpu", "rtx2060"}).result, "/cycles");
  const std::uint64_t in_reach = cycles("2MiB"), beyond = cycles("4KiB");
  EXPECT_LT(in_reach, off + off / 2);
  EXPECT_GT(beyond, 2 * in_reach);
}

TEST(UnifiedMemory, WhereCpuAndGpuShareTheDramNothingFaults) {
  const TestFolder folder;
  std::vector<std::string> all = options();
  all[1] = "xavier";
  const FinishedRun run = run_workload(folder.write("w.yaml", kSweeps), all);
  EXPECT_GT(number(run.result, "/mmu/walks"), 0u);
  EXPECT_EQ(number(run.result, "/mmu/far_faults/handled"), 0u);
  EXPECT_THAT(run.outcome.err, HasSubstr("host_link.lanes=0"));
}

TEST(UnifiedMemory, CopiesOfTheHostAndPagesShareTheEnginesAndTheLink) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", R"(
managed: {data: {bytes: 1MiB}}
kernels:
  k: {grid: 16, block: 256, patterns: {p: {kind: affine, base: data, lane_stride: 4, block_stride: 65536}}, program: [load: p]}
applications:
  - {name: a, streams: [{name: s, launches: [k]}]}
  - {name: b, streams: [{name: t, commands: [{copy: host_to_device, to: 0x1000, bytes: 1MiB}, {copy: device_to_host, from: 0x1000, bytes: 100000}]}]}
)");
  std::vector<std::string> all = options();
  all.emplace_back("--check-protocol");
  const FinishedRun run = run_workload(input, all);
  EXPECT_EQ(number(run.result, "/copying/link/to_device_bytes"), 2u << 20);
  EXPECT_EQ(number(run.result, "/copying/link/to_host_bytes"), 100000u);
  EXPECT_EQ(run.result.at("copies").size(), 2u) << "those of pages are no commands";
}

/// Kernels that use managed and other memory at random, copies beside them, and applications that are taken off the SMs
/// while their accesses wait for pages; of a small GPU in which everything is scarce.
class RandomPages : private RandomNumbers {
 public:
  explicit RandomPages(std::uint64_t seed) : RandomNumbers(seed) {}

  std::string text() {
    std::string text = "managed: {m: {bytes: 777KiB}, n: {bytes: 300000, address: 0x40000100}}\nkernels:\n";
    for (unsigned k = 0; k < 4; ++k) {
      const std::string name = std::to_string(k);
      text += "  k" + name + ":\n    grid: " + std::to_string(number(1, 9)) +
              "\n    block: " + std::to_string(32 * number(1, 5)) + "\n    patterns:\n";
      text += "      p: {kind: random, base: " + one_of({"m", "n"}) + ", footprint: 256KiB}\n";
      text += "      q: {kind: affine, base: " + one_of({"m", "n", "0x50000000"}) +
              ", lane_stride: " + one_of({"4", "128", "4096"}) + ", block_stride: 20000, iteration_stride: 8192}\n";
      text += "    program: [{loop: {count: " + std::to_string(number(1, 6)) + ", body: [{load: p}, {int: 3}, {" +
              one_of({"store", "atomic", "load"}) + ": q}, barrier]}}]\n";
    }
    text += "applications:\n";
    for (unsigned a = 0; a < 2; ++a) {
      text += "  - name: a" + std::to_string(a) + "\n    time_slice_us: 20\n    streams:\n";
      for (unsigned s = 0; s < 2; ++s) {
        text += "      - name: s" + std::to_string(s) + "\n        commands:\n";
        for (unsigned c = 0, count = number(1, 4); c < count; ++c) {
          text += number(0, 3) > 0 ? "          - k" + std::to_string(number(0, 3)) + "\n"
                                   : "          - {copy: host_to_device, to: 0x50000000, bytes: " +
                                         std::to_string(copied(number(1, 30000))) + "}\n";
        }
        text += "          - k0\n";
      }
    }
    return text;
  }
  std::vector<std::string> options() {
    std::vector<std::string> all{"--gpu", "rtx2060", "--check-protocol"};
    const auto set = [&](const std::string& key, const std::vector<std::string>& values) {
      all.emplace_back("--set");
      all.push_back(key + "=" + one_of(values));
    };
    set("mmu.enabled", {"true"});
    set("sms", {"3"});
    set("sms_per_gpc", {"2"});
    set("work_distributor.application", {"concurrent", "exclusive", "time_sliced"});
    set("work_distributor.time_sliced.instruction_preemption", {"false", "true"});
    set("mmu.page_bytes", {"4KiB", "16KiB"});
    set("mmu.prefetch_bytes", {"16KiB", "64KiB"});
    set("mmu.prefetch_percent", {"20", "51", "100"});
    set("mmu.block_bytes", {"64KiB", "256KiB"});
    set("mmu.device_memory", {"256KiB", "512KiB", "2MiB"});
    set("mmu.batch_ns", {"0", "3000"});
    set("mmu.fault_ns", {"0", "200"});
    set("mmu.batch_faults", {"1", "7", "256"});
    set("mmu.fault_buffer", {"1", "9", "4096"});
    set("mmu.walkers", {"1", "64"});
    set("mmu.levels", {"1", "4"});
    set("mmu.walk_cache_entries", {"1", "128"});
    all.insert(all.end(), {"--set", "mmu.tlb_entries=32", "--set", "mmu.tlb_ways=8"});
    all.insert(all.end(), {"--set", "sm.tlb.entries=4", "--set", "sm.tlb.ways=2"});
    set("sm.tlb.misses", {"1", "3", "32"});
    set("sm.tlb.miss_merges", {"1", "64"});
    set("copy_engine.engines", {"1", "2"});
    set("noc.queue", {"2", "56"});
    set("sm.l1.mshrs", {"2", "64"});
    return all;
  }
  std::uint64_t bytes_copied = 0;

 private:
  unsigned copied(unsigned bytes) {
    bytes_copied += bytes;
    return bytes;
  }
};

TEST(UnifiedMemory, RandomProgramsLoseNoAccessAndNoByteWhateverIsScarceAndTheWindow) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const TestFolder folder;
    RandomPages random(seed);
    const std::string input = folder.write("w.yaml", random.text());
    const std::vector<std::string> common = random.options();
    const auto run = [&](const std::string& window) {
      std::vector<std::string> all = common;
      all.insert(all.end(), {"--window", window});
      return run_workload(input, all);
    };
    const FinishedRun first = run("1");
    ASSERT_EQ(first.outcome.code, 0);
    for (const char* window : {"4", "0"}) EXPECT_EQ(run(window).result_text, first.result_text) << window;
    EXPECT_TRUE(first.result.at("complete").get<bool>());
    const Json& result = first.result;
    const std::uint64_t in = number(result, "/mmu/far_faults/migrated_in_bytes");
    const std::uint64_t out = number(result, "/mmu/far_faults/migrated_out_bytes");
    EXPECT_EQ(number(result, "/copying/link/to_device_bytes"), in + random.bytes_copied);
    EXPECT_EQ(number(result, "/copying/host_memory/read_bytes"), in + random.bytes_copied);
    EXPECT_EQ(number(result, "/copying/engines/device_written_bytes"), in + random.bytes_copied);
    EXPECT_EQ(number(result, "/copying/link/to_host_bytes"), out);
    EXPECT_EQ(number(result, "/copying/engines/device_read_bytes"), out);
    // The same kernels with everything on the GPU make the same instructions.
    std::vector<std::string> resident = common;
    resident.insert(resident.end(), {"--set", "mmu.enabled=false"});
    const FinishedRun without = run_workload(input, resident);
    for (const char* counter : {"/total/instructions", "/total/memory/global_loads", "/total/memory/global_stores"})
      EXPECT_EQ(number(result, counter), number(without.result, counter)) << counter;
  }
}

TEST(UnifiedMemory, BadInputNamesFileLineFoundAndAllowed) {
  const TestFolder folder;
  const auto outcome = [&](const std::string& pattern, std::vector<std::string> more = {}) {
    const std::string text =
        "managed: {data: {bytes: 1MiB}}\nkernels:\n  k: {grid: 1, block: 32, patterns: {p: {" + pattern +
        "}}, program: [load: p]}\napplications: [{name: a, streams: [{name: s, launches: [k]}]}]\n";
    std::vector<std::string> arguments{"run", folder.write("w.yaml", text)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome result = run_program(arguments);
    EXPECT_EQ(result.code, 2) << result.err;
    return result.err;
  };
  EXPECT_THAT(outcome("kind: coalesced, base: dat"),
              HasSubstr("w.yaml:3: kernels.k.patterns.p.base: no managed memory is named 'dat'; did you mean"));
  EXPECT_THAT(outcome("kind: coalesced, base: data, footprint: 2MiB"),
              HasSubstr("w.yaml:3: kernels.k.patterns.p.footprint: found 2MiB, but 'data' has 1048576 bytes"));
  EXPECT_THAT(outcome("kind: coalesced, base: data", {"--set", "mmu.page_bytes=5000"}),
              HasSubstr("mmu.page_bytes: found '5000', allowed: 4096 to 2097152 bytes, a power of two"));
  EXPECT_THAT(outcome("kind: coalesced, base: data", {"--set", "mmu.page_bytes=2MiB"}),
              HasSubstr("mmu.prefetch_bytes"));
  EXPECT_THAT(outcome("kind: coalesced, base: data", {"--set", "mmu.tlb_ways=7"}),
              HasSubstr("mmu.tlb_entries must be a multiple of mmu.tlb_ways; found 512 entries and 7 ways"));
  EXPECT_THAT(outcome("kind: coalesced, base: data", {"--probe", "faults", "--out", folder.path("o")}),
              HasSubstr("mmu.enabled=true"));
}

}  // namespace
}  // namespace gputlm
