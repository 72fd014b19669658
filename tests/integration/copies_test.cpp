// Whole runs with copies: the data goes over the link, and through crossbar, L2 and DRAM.

#include <gmock/gmock.h>

#include "tests/integration/program.h"
#include "tests/integration/trace_files.h"

namespace gputlm {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

/// Copies of all kinds, aligned and not, beside kernels that use the same memory.
const char* const kCopies = R"(
kernels:
  k: {grid: 24, block: 128, patterns: {p: {kind: coalesced, base: 0x10000000}}, program: [load: p, fp32: 20, store: p]}
applications:
  - name: a
    streams:
      - name: s
        commands:
          - {malloc: in, bytes: 64KiB, address: 0x10000000}
          - {copy: host_to_device, to: in, bytes: 64KiB, label: there}
          - k
          - {copy: device_to_host, from: in, bytes: 40001, pageable: true, label: back}
          - {memset: 5000, to: 0x20000011, label: clear}
      - name: t
        commands:
          - {copy: device_to_device, from: 0x30000000, to: 0x40000060, bytes: 33333, label: within}
          - {kernel: k, grid: 100}
  - name: b
    streams:
      - {name: u, commands: [{copy: host_to_device, to: 0x50000000, bytes: 100000, label: more}, k]}
)";

std::uint64_t number(const Json& json, const char* pointer) {
  return json.at(Json::json_pointer(pointer)).get<std::uint64_t>();
}

const Json& copy_named(const Json& result, const std::string& label) {
  for (const Json& copy : result.at("copies"))
    if (copy.at("copy") == label) return copy;
  throw std::runtime_error("no copy " + label);
}

TEST(Copies, EveryByteGoesOverTheLinkAndThroughTheL2Once) {
  const TestFolder folder;
  const FinishedRun run = run_workload(folder.write("w.yaml", kCopies), {"--gpu", "rtx2060", "--check-protocol"});
  const Json& copying = run.result.at("copying");
  EXPECT_EQ(run.result.at("copies").size(), 5u);
  EXPECT_EQ(number(copying, "/link/to_device_bytes"), 65536u + 100000u);
  EXPECT_EQ(number(copying, "/host_memory/read_bytes"), 65536u + 100000u);
  EXPECT_EQ(number(copying, "/link/to_host_bytes"), 40001u);
  EXPECT_EQ(number(copying, "/host_memory/written_bytes"), 40001u);
  EXPECT_EQ(number(copying, "/engines/copies_by_sms"), 2u) << "within, clear";
  EXPECT_EQ(number(copying, "/engines/device_read_bytes"), 40001u + 33333u);
  EXPECT_EQ(number(copying, "/engines/device_written_bytes"), 65536u + 100000u + 33333u + 5000u);
  EXPECT_EQ(number(run.result, "/applications/0/copies/bytes"), 65536u + 40001u + 5000u + 33333u);
  EXPECT_EQ(number(run.result, "/applications/1/copies/ended"), 1u);
}

TEST(Copies, WhatTheL2DoesNotHoldIsReadFromAndWrittenToTheDram) {
  const TestFolder folder;
  constexpr std::uint64_t kMiB = 1048576;
  const auto dram = [&](const std::string& command) {
    const std::string text =
        "kernels: {}\napplications: [{name: a, streams: [{name: s, commands: [{" + command + "}]}]}]\n";
    const FinishedRun run = run_workload(folder.write("w.yaml", text), {"--gpu", "gtx480"});
    const std::uint64_t l2 = number(run.result, "/configuration/l2/bytes");
    const Json& own = run.result.at("dram").at("applications").front();
    return std::tuple{number(own, "/read_bytes"), number(own, "/written_bytes"), l2};
  };
  const auto [read, written, l2] = dram("copy: device_to_host, from: 0x10000000, bytes: 4MiB");
  EXPECT_EQ(read, 4 * kMiB);
  EXPECT_EQ(written, 0u);
  for (const char* writes : {"memset: 4MiB, to: 0x10000000", "copy: host_to_device, to: 0x10000000, bytes: 4MiB"}) {
    const auto [fetched, written_back, bytes] = dram(writes);
    EXPECT_EQ(fetched, 0u) << "whole lines are written";
    EXPECT_LE(written_back, 4 * kMiB);
    EXPECT_GE(written_back, 4 * kMiB - bytes);
  }
}

TEST(Copies, StreamsAreInOrder) {
  const TestFolder folder;
  const FinishedRun run = run_workload(folder.write("w.yaml", kCopies), {"--gpu", "rtx2060"});
  for (const Json& kernel : run.result.at("kernels")) {
    if (kernel.at("stream") != "s") continue;
    EXPECT_GE(kernel.at("submitted_cycle"), copy_named(run.result, "there").at("notified_cycle"));
    EXPECT_LE(kernel.at("notified_cycle"), copy_named(run.result, "back").at("submitted_cycle"));
  }
  EXPECT_LE(copy_named(run.result, "back").at("notified_cycle"), copy_named(run.result, "clear").at("submitted_cycle"));
}

TEST(Copies, AreTheSameForEveryWindow) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", kCopies);
  for (const char* gpu : {"rtx2060", "xavier"}) {
    const auto run = [&](const char* window) {
      return run_workload(input,
                          {"--gpu", gpu, "--set", "copy_engine.engines=2", "--check-protocol", "--window", window});
    };
    const FinishedRun first = run("1");
    for (const char* window : {"4", "0"}) EXPECT_EQ(run(window).result_text, first.result_text) << gpu << window;
  }
}

TEST(Copies, AreTheSameForEveryNumberOfThreads) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", kCopies);
  const auto run = [&](const char* threads) {
    return run_workload(input, {"--gpu", "rtx3070", "--threads", threads}).result_text;
  };
  EXPECT_EQ(run("3"), run("1"));
}

/// That a copy takes which is alone on the GPU.
double microseconds(const std::string& command, const std::vector<std::string>& options) {
  const TestFolder folder;
  const std::string text =
      "kernels: {}\napplications: [{name: a, streams: [{name: s, commands: [{" + command + "}]}]}]\n";
  const FinishedRun run = run_workload(folder.write("w.yaml", text), options);
  const Json& copy = run.result.at("copies").at(0);
  return (copy.at("end_cycle").get<double>() - copy.at("start_cycle").get<double>()) /
         run.result.at("configuration").at("core_mhz").get<double>();
}

/// docs/gpu.md has these GPUs, and what was measured on real ones.
TEST(Copies, WithinTheDeviceRunNearTheBandwidthOfTheDramUnlessAnEngineMakesThem) {
  const std::string command = "copy: device_to_device, from: 0x10000000, to: 0x20000000, bytes: 64MiB";
  const auto gb_per_s = [&](const std::string& gpu, const std::string& sm_bytes) {
    return 2 * 67108.864 / microseconds(command, {"--gpu", gpu, "--set", "copy_engine.sm_bytes=" + sm_bytes});
  };
  for (const auto& [gpu, peak] : {std::pair{"volta80", 898.}, std::pair{"rtx3070", 448.}, std::pair{"pascal5", 112.}}) {
    const double by_sms = gb_per_s(gpu, "6144");
    // The V100's 739 to 750 GB/s are a known miss of silicon/copies.
    EXPECT_GT(by_sms, (gpu == std::string("volta80") ? 0.6 : 0.7) * peak) << gpu;
    EXPECT_LT(by_sms, peak) << gpu;
  }
  EXPECT_LT(gb_per_s("volta80", "0"), 0.3 * 898);
}

TEST(Copies, WithinTheDeviceTakeTheSmsAMicrosecondHoweverSmall) {
  const double copy =
      microseconds("copy: device_to_device, from: 0x10000000, to: 0x20000000, bytes: 1KiB", {"--gpu", "a100"});
  EXPECT_NEAR(copy, 1.2, 0.2);
  EXPECT_LT(microseconds("memset: 1KiB, to: 0x20000000", {"--gpu", "a100"}), copy);
}

TEST(Copies, WithinTheDeviceAndAKernelThatStreamsSlowEachOtherDown) {
  const TestFolder folder;
  const auto run = [&](bool kernel, bool copy) {
    std::string text = R"(
kernels:
  k: {grid: 640, block: 256, patterns: {p: {kind: coalesced, base: 0x10000000}, q: {kind: coalesced, base: 0x30000000}},
      program: [{loop: {count: 8, body: [load: p, store: q]}}]}
applications:
  - name: a
    streams:
)";
    if (kernel) text += "      - {name: s, commands: [k]}\n";
    if (copy) {
      text +=
          "      - {name: t, commands: [{copy: device_to_device, from: 0x50000000, to: 0x60000000, bytes: 8MiB}]}\n";
    }
    return run_workload(folder.write("w.yaml", text), {"--gpu", "rtx2060"}).result;
  };
  const auto time = [](const Json& result, const char* what, const char* begin) {
    const Json& of = result.at(what).at(0);
    return of.at("end_cycle").get<double>() - of.at(begin).get<double>();
  };
  const Json both = run(true, true);
  EXPECT_GT(time(both, "kernels", "first_block_cycle"), 1.2 * time(run(true, false), "kernels", "first_block_cycle"));
  EXPECT_GT(time(both, "copies", "start_cycle"), 1.2 * time(run(false, true), "copies", "start_cycle"));
}

TEST(Copies, OnAGpuWithoutALinkGoThroughTheDramAlone) {
  const TestFolder folder;
  const FinishedRun run = run_workload(folder.write("w.yaml", kCopies), {"--gpu", "xavier"});
  const Json& copying = run.result.at("copying");
  EXPECT_FALSE(copying.contains("link"));
  EXPECT_EQ(number(copying, "/engines/device_read_bytes"), 65536u + 100000u + 40001u + 33333u);
}

TEST(Copies, APinnedCopyReachesTheShareOfTheLinkThatHeadersLeave) {
  const TestFolder folder;
  const auto gb_per_s = [&](const std::string& more) {
    const std::string text =
        std::string("kernels: {}\napplications: [{name: a, streams: [{name: s, commands: [{copy: ") +
        "host_to_device, to: 0x10000000, bytes: 4MiB" + more + "}]}]}]\n";
    const FinishedRun run = run_workload(folder.write("w.yaml", text), {"--gpu", "rtx2060"});
    const Json& copy = run.result.at("copies").at(0);
    const double cycles = copy.at("end_cycle").get<double>() - copy.at("start_cycle").get<double>();
    return 4 * 1048576.0 / (cycles / run.result.at("configuration").at("core_mhz").get<double>() * 1e3);
  };
  const double pinned = gb_per_s("");
  EXPECT_NEAR(pinned, 15.754 * 128 / (128 + 24), 0.5);
  EXPECT_LT(gb_per_s(", pageable: true"), 0.6 * pinned);
  EXPECT_DOUBLE_EQ(gb_per_s(", pageable: true, staged: true"), pinned);
}

/// docs/speed.md says that.
TEST(CopiesNightly, WhatIsPassedOverOfALargeOneIsOffByLittle) {
  struct Large {
    std::string gpu, command;
    std::uint64_t mib, detail_mib;
    double off_by;
  };
  const TestFolder folder;
  const auto cycles = [&](const Large& copy, std::uint64_t detail_mib) {
    const std::string text =
        "kernels: {}\napplications: [{name: a, streams: [{name: s, commands: [{" + copy.command + "}]}]}]\n";
    const FinishedRun run =
        run_workload(folder.write("w.yaml", text),
                     {"--gpu", copy.gpu, "--set", "copy_engine.detail=" + std::to_string(detail_mib) + "MiB"});
    const std::uint64_t passed_over = copy.mib > 2 * detail_mib ? copy.mib - 2 * detail_mib : 0;
    EXPECT_EQ(number(run.result, "/copying/engines/passed_over_bytes"), passed_over << 20);
    return static_cast<double>(number(run.result, "/copies/0/end_cycle"));
  };
  for (const Large& copy :
       {Large{"rtx2060", "copy: host_to_device, to: 0x10000000, bytes: 64MiB", 64, 8, 0.003},
        Large{"volta80", "copy: device_to_device, from: 0x10000000, to: 0x80000000, bytes: 176MiB", 176, 64, 0.015},
        Large{"tx2", "memset: 64MiB, to: 0x10000000", 64, 8, 0.003}}) {
    const double whole = cycles(copy, 1024);
    EXPECT_NEAR(cycles(copy, copy.detail_mib), whole, copy.off_by * whole) << copy.gpu << ": " << copy.command;
  }
}

TEST(Copies, TheExampleOverlapsACopyWithAKernelAndPageableMemoryKeepsItFromThat) {
  const std::string text = read_file(workload_file("copies.yaml"));
  std::string pageable = text;
  for (std::size_t at = 0; (at = pageable.find(", label: ", at)) != std::string::npos; at += 25)
    pageable.insert(at, ", pageable: true");
  const TestFolder folder;
  const auto overlap = [&](const std::string& workload) {
    const FinishedRun run = run_workload(folder.write("w.yaml", workload));
    const Json& kernel = run.result.at("kernels").at(0);
    const Json& copy = copy_named(run.result, "second in");
    return copy.at("start_cycle") < kernel.at("end_cycle") && copy.at("end_cycle") > kernel.at("first_block_cycle");
  };
  EXPECT_TRUE(overlap(text));
  EXPECT_FALSE(overlap(pageable));
}

TEST(Copies, NeedAnInputOfTheCrossbar) {
  const TestFolder folder;
  const Outcome outcome = run_program(
      {"run", folder.write("w.yaml", kCopies), "--gpu", "volta80", "--set", "sms=256", "--set", "sms_per_gpc=1"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("found 513 inputs, 256 GPCs, the copy engines, 256 for copies by SMs, allowed: 256"));
}

TEST(Copies, BeyondAnAllocationAreRefusedWithFoundAndAllowed) {
  const TestFolder folder;
  const std::string text =
      "kernels: {}\napplications: [{name: a, streams: [{name: s, commands: [{malloc: m, bytes: 100},\n"
      "  {copy: host_to_device, to: m, bytes: 101}]}]}]\n";
  const Outcome outcome = run_program({"run", folder.write("w.yaml", text)});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("w.yaml:3: "));
  EXPECT_THAT(outcome.err, HasSubstr("found 101 bytes, but 'm' has 100"));
}

TEST(Copies, AndPagesCrossACrossbarWhoseRequestsAndRepliesAreOfDifferentWidths) {
  for (const char* input : {"copies.yaml", "unified_memory.yaml"}) {
    const FinishedRun run =
        run_workload(workload_file(input), {"--gpu", "rtx2060", "--set", "mmu.enabled=true", "--set",
                                            "noc.gpc_request_flits=3", "--set", "noc.gpc_reply_flits=5"});
    EXPECT_GT(run.result.at("copying").at("link").at("to_device_bytes"), 0u) << input;
  }
}

}  // namespace
}  // namespace gputlm
