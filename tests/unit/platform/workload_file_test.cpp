#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <set>
#include <string>
#include <vector>

#include "platform/input/id_set.h"
#include "platform/input/nearest.h"
#include "platform/input/workload_file.h"
#include "platform/input/yaml_reader.h"
#include "tests/unit/kernel/program_walk.h"
#include "tests/unit/platform/workload_texts.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string example(const std::string& name) { return std::string(GPUTLM_SOURCE_DIR) + "/workloads/" + name; }

struct Counts {
  std::uint64_t instructions = 0, thread_instructions = 0;
  std::array<std::uint64_t, kPipes> pipe{};
  std::set<Op> ops;
  std::set<Space> spaces;
};

Counts count(Kernel& kernel) {
  Counts counts;
  walk_kernel(kernel, [&](const BlockCode&, const Instruction& instruction, const WarpPosition&) {
    ++counts.instructions;
    counts.thread_instructions += std::bitset<32>(instruction.mask).count();
    ++counts.pipe[static_cast<std::size_t>(instruction.pipe)];
    counts.ops.insert(instruction.op);
    if (instruction.op == Op::kLoad || instruction.op == Op::kStore) counts.spaces.insert(instruction.space);
  });
  return counts;
}

TEST(WorkloadExamples, HaveTheInstructionsTheyAreDocumentedWith) {
  struct Expected {
    const char* file;
    std::uint64_t total, fp32, integer, load_store, control;
  };
  for (const Expected& expected :
       {Expected{"compute.yaml", 1632000, 200, 214, 0, 11}, Expected{"stream.yaml", 449280, 16, 52, 32, 17},
        Expected{"gups.yaml", 112320, 0, 68, 32, 17}}) {
    const Workload workload = load_workload(example(expected.file), 1);
    ASSERT_EQ(workload.launches.size(), 1u);
    Kernel& kernel = *workload.launches[0].kernel;
    const Counts counts = count(kernel);
    const std::uint64_t warps = kernel.blocks() * 8;
    EXPECT_EQ(counts.instructions, expected.total) << expected.file;
    EXPECT_EQ(counts.thread_instructions, 32 * expected.total) << expected.file;
    EXPECT_EQ(counts.pipe[static_cast<std::size_t>(Pipe::kFp32)], warps * expected.fp32) << expected.file;
    EXPECT_EQ(counts.pipe[static_cast<std::size_t>(Pipe::kInt)], warps * expected.integer) << expected.file;
    EXPECT_EQ(counts.pipe[static_cast<std::size_t>(Pipe::kLoadStore)], warps * expected.load_store) << expected.file;
    EXPECT_EQ(counts.pipe[static_cast<std::size_t>(Pipe::kControl)], warps * expected.control) << expected.file;
  }
}

TEST(WorkloadExamples, StreamTouchesEveryElementOfBothArraysOnce) {
  const Workload workload = load_workload(example("stream.yaml"), 1);
  constexpr std::size_t kElements = 480 * 256 * 16;
  std::array<std::vector<bool>, 2> touched{std::vector<bool>(kElements), std::vector<bool>(kElements)};
  walk_kernel(*workload.launches[0].kernel,
              [&](const BlockCode& code, const Instruction& instruction, const WarpPosition& position) {
                if (instruction.op != Op::kLoad && instruction.op != Op::kStore) return;
                LaneAddresses out{};
                code.addresses(instruction, position, out);
                const bool store = instruction.op == Op::kStore;
                for (const Address address : out) {
                  const Address element = (address - (store ? 0x7f0100000000 : 0x7f0000000000)) / 4;
                  ASSERT_LT(element, kElements);
                  ASSERT_FALSE(touched[store][element]);
                  touched[store][element] = true;
                }
              });
  for (const auto& array : touched) EXPECT_EQ(std::count(array.begin(), array.end(), true), kElements);
}

TEST(WorkloadExamples, MixedHasEveryKindOfInstruction) {
  const Workload workload = load_workload(example("mixed.yaml"), 1);
  EXPECT_EQ(workload.streams.size(), 3u);
  Counts all;
  for (const LaunchCommand& launch : workload.launches) {
    const Counts counts = count(*launch.kernel);
    all.ops.insert(counts.ops.begin(), counts.ops.end());
    all.spaces.insert(counts.spaces.begin(), counts.spaces.end());
  }
  EXPECT_THAT(all.ops,
              ElementsAre(Op::kArithmetic, Op::kLoad, Op::kStore, Op::kAtomic, Op::kBarrier, Op::kSpin, Op::kExit));
  EXPECT_THAT(all.spaces, ElementsAre(Space::kGlobal, Space::kShared, Space::kConstant));
}

TEST(WorkloadFile, ReadsWhatItsHeaderShows) {
  const Workload workload = load_text(
      "kernels:\n"
      "  stream:\n"
      "    grid: 480\n"
      "    block: 256\n"
      "    shared_memory: 4KiB\n"
      "    variation: {spread: 0.1, distribution: uniform}\n"
      "    patterns:\n"
      "      in: {kind: coalesced, base: 0x10000000}\n"
      "    program:\n"
      "      - fp32\n"
      "      - int: 8\n"
      "      - fp32: {dst: 4, src: [4, 6, 7]}\n"
      "      - fp64: {distance: 2, count: 4}\n"
      "      - loop: {count: 16, varies: true, body: [int]}\n"
      "      - load: in\n"
      "      - load: {pattern: in, width: 8, dst: 4, src: 2, space: global, offset: 0}\n"
      "      - barrier\n"
      "      - barrier: 1\n"
      "      - spin: {us: 10, us_per_sm: 1}\n"
      "applications:\n"
      "  - name: a\n"
      "    sms: [0-29, 35]\n"
      "    relaunch: true\n"
      "    streams:\n"
      "      - name: s0\n"
      "        priority: -2\n"
      "        launches:\n"
      "          - stream\n"
      "          - {kernel: stream, release_us: 10, repeat: 3, phase: 1, grid: 60, block: [16, 16], label: x}\n");
  ASSERT_EQ(workload.applications.size(), 1u);
  EXPECT_EQ(workload.applications[0].name, "a");
  EXPECT_EQ(workload.applications[0].sms, sm_range(0, 29) | sm_range(35, 35));
  EXPECT_TRUE(workload.applications[0].relaunch);
  ASSERT_EQ(workload.streams.size(), 1u);
  EXPECT_EQ(workload.streams[0].priority, -2);
  ASSERT_EQ(workload.launches.size(), 4u);
  const LaunchCommand &first = workload.launches[0], &last = workload.launches[3];
  EXPECT_EQ(first.label, "stream");
  EXPECT_EQ(first.kernel->blocks(), 480u);
  EXPECT_EQ(first.kernel->shared_memory, 4096u);
  EXPECT_EQ(first.kernel->registers_per_thread, 32u);
  EXPECT_EQ(last.label, "x#3");
  EXPECT_EQ(last.phase, 1u);
  EXPECT_EQ(last.release, 10'000'000'000u);
  EXPECT_EQ(last.kernel->blocks(), 60u);
  EXPECT_EQ(last.kernel->block.y, 16u);
  EXPECT_EQ(last.kernel->name, "stream");
  const auto code = first.kernel->code(0);
  const WarpCode warp = code->warp(0);
  const Instruction& wide = warp.code[17];
  EXPECT_EQ(wide.op, Op::kLoad);
  EXPECT_EQ(wide.width, 8);
  EXPECT_EQ(wide.destination, 4);
  EXPECT_EQ(wide.destinations, 2);
  EXPECT_EQ(wide.source[0], 2);
}

TEST(WorkloadFile, LaunchesAreOrderedByPhaseThenByPlaceInTheirStreams) {
  const Workload workload = load_text(
      kKernels + std::string("applications:\n"
                             "  - name: a\n"
                             "    streams:\n"
                             "      - {name: s, launches: [{kernel: k, label: a0}, {kernel: k, label: a1, phase: 1}]}\n"
                             "      - {name: t, launches: [{kernel: k, label: b0}, {kernel: k, label: b1}, {kernel: k, "
                             "label: b2, phase: 2}, {kernel: k, label: b3}]}\n"));
  std::vector<std::string> labels;
  for (const LaunchCommand& launch : workload.launches) labels.push_back(launch.label);
  EXPECT_THAT(labels, ElementsAre("a0", "b0", "b1", "a1", "b2", "b3"));
  EXPECT_EQ(workload.launches.back().phase, 2u);
}

TEST(WorkloadFile, TellsLaunchesTheirRuntimesAlone) {
  const Workload workload =
      load_text(kKernels + std::string("applications: [{name: a, streams: [{name: s, launches: [{kernel: k, repeat: 2, "
                                       "alone_cycles: 24853}, k, {kernel: k, alone_cycles: 1000000000000000}]}]}]"));
  std::vector<std::optional<Cycle>> cycles;
  for (const LaunchCommand& launch : workload.launches) cycles.push_back(launch.alone_cycles);
  EXPECT_THAT(cycles, ElementsAre(24853u, 24853u, std::nullopt, 1000000000000000u));
}

TEST(WorkloadFile, LabelsAreUnique) {
  const Workload workload = load_text(
      kKernels +
      std::string("applications: [{name: a, streams: [{name: s, launches: [k, other, {kernel: k, repeat: 2}]}]}]"));
  std::vector<std::string> labels;
  for (const LaunchCommand& launch : workload.launches) labels.push_back(launch.label);
  EXPECT_THAT(labels, ElementsAre("k#1", "other", "k#2", "k#3"));
  EXPECT_THAT(launches_error("[k, k, {kernel: k, label: 'k#1'}]"), HasSubstr("labelled 'k#1'"));
  EXPECT_THAT(launches_error("[{kernel: k, label: x}, {kernel: k, label: x}]"), HasSubstr("labelled 'x'"));
}

TEST(WorkloadFile, PatternsWithoutABaseDoNotOverlap) {
  const Workload workload = load_text(
      "kernels:\n"
      "  k: {grid: 1, block: 32, patterns: {a: {kind: coalesced}, b: {kind: coalesced}}, program: [load: a, store: "
      "b]}\n"
      "  l: {grid: 1, block: 32, patterns: {c: {kind: coalesced}, d: {kind: coalesced}},\n"
      "      program: [load: c, store: {pattern: d, space: shared}]}\n"
      "applications: [{name: a, streams: [{name: s, launches: [k, l]}]}]\n");
  std::vector<Address> bases;
  for (const LaunchCommand& launch : workload.launches) {
    const auto code = launch.kernel->code(0);
    for (std::size_t i = 0; i < 2; ++i) {
      LaneAddresses out{};
      code->addresses(code->warp(0).code[i], {}, out);
      bases.push_back(out[0]);
    }
  }
  EXPECT_THAT(bases, ElementsAre(0x700000000000, 0x700100000000, 0x700200000000, 0));
}

TEST(WorkloadErrors, OfAKernelNameLineFoundAndAllowed) {
  const std::string head = "grid: 4\nblock: 64\n";
  const auto program = [&](const std::string& element) {
    return kernel_error(head + "program:\n  - " + element + "\n");
  };
  EXPECT_THAT(kernel_error("gird: 4\nblock: 64\nprogram: [int]"),
              AllOf(StartsWith("w.yaml:3: "), HasSubstr("'gird'"), HasSubstr("'grid'")));
  EXPECT_THAT(kernel_error("grid: 0\nblock: 64\nprogram: [int]"),
              AllOf(StartsWith("w.yaml:3: "), HasSubstr("'0'"), HasSubstr("from 1 to 2147483647")));
  EXPECT_THAT(kernel_error("grid: 4\nblock: [64, 32]\nprogram: [int]"),
              AllOf(StartsWith("w.yaml:4: "), HasSubstr("2048 threads"), HasSubstr("at most 1024")));
  EXPECT_THAT(kernel_error("grid: 4\nblock: [64, x]\nprogram: [int]"),
              AllOf(StartsWith("w.yaml:4: "), HasSubstr("'x'")));
  EXPECT_THAT(kernel_error("grid: [1, 1, 1, 1]\nblock: 64\nprogram: [int]"), HasSubstr("4 dimensions"));
  EXPECT_THAT(kernel_error("block: 64\nprogram: [int]"), HasSubstr("'grid' is missing"));
  EXPECT_THAT(kernel_error("grid: 4\ngrid: 4\nblock: 64\nprogram: [int]"),
              AllOf(StartsWith("w.yaml:4: "), HasSubstr("given twice, first in line 3")));
  EXPECT_THAT(kernel_error(head + "registers: 256\nprogram: [int]"),
              AllOf(StartsWith("w.yaml:5: "), HasSubstr("0 to 255")));
  EXPECT_THAT(kernel_error(head + "shared_memory: 4KB\nprogram: [int]"),
              AllOf(StartsWith("w.yaml:5: "), HasSubstr("KiB")));
  EXPECT_THAT(kernel_error(head + "variation: {spread: 0.6}\nprogram: [int]"),
              AllOf(StartsWith("w.yaml:5: "), HasSubstr("0.57")));
  EXPECT_THAT(kernel_error(head + "program: []"), AllOf(StartsWith("w.yaml:5: "), HasSubstr("empty")));
  EXPECT_THAT(program("fp23"), AllOf(StartsWith("w.yaml:6: "), HasSubstr("did you mean 'fp32'")));
  EXPECT_THAT(program("fp23: 4"), AllOf(StartsWith("w.yaml:6: "), HasSubstr("did you mean 'fp32'")));
  EXPECT_THAT(program("fp32: {dst: 255}"), AllOf(StartsWith("w.yaml:6: "), HasSubstr("0 to 254")));
  EXPECT_THAT(program("fp32: {dst: 2, distance: 1}"), HasSubstr("only one of the two forms"));
  EXPECT_THAT(program("fp32: {src: [1, 2, 3, 4, 5, 6]}"), HasSubstr("at most 5"));
  EXPECT_THAT(program("fp32: {distance: 2}"), AllOf(StartsWith("w.yaml:6: "), HasSubstr("at most 1 is allowed")));
  EXPECT_THAT(program("load"), HasSubstr("needs a value"));
  EXPECT_THAT(program("load: x"), AllOf(StartsWith("w.yaml:6: "), HasSubstr("'x'")));
  EXPECT_THAT(program("barrier: 16"), HasSubstr("0 to 15"));
  EXPECT_THAT(program("spin: {us: -1}"), HasSubstr("'-1'"));
  EXPECT_THAT(program("spin: {us: 1, ns: 1}"), HasSubstr("only one"));
  EXPECT_THAT(program("spin: {us: nan}"), HasSubstr("'nan'"));
  EXPECT_THAT(program("loop: {count: 0, body: [int]}"), HasSubstr("from 1"));
  EXPECT_THAT(program("loop: {count: 2, body: []}"), HasSubstr("empty"));
  EXPECT_THAT(program("loop: {count: 2, varies: maybe, body: [int]}"), HasSubstr("true or false"));
  EXPECT_THAT(program("warps: {first: 2, body: [int]}"),
              AllOf(StartsWith("w.yaml:6: "), HasSubstr("warps 2 to 1"), HasSubstr("0 to 1")));
  EXPECT_THAT(program("warps: {first: 32, body: [int]}"), HasSubstr("from 0 to 31"));
  EXPECT_THAT(program("warps: {first: 1, last: 0, body: [int]}"), HasSubstr("from 1 to 31"));
  EXPECT_THAT(program("warps: {first: 1, body: [barrier]}"), HasSubstr("all warps of the block"));
  EXPECT_THAT(program("warps: {last: 0}"), HasSubstr("'body' is missing"));
  std::string nested = "int";
  for (int i = 0; i < 5; ++i)
    nested = "loop: {count: 2, body: [" + std::string(i == 0 ? "" : "{") + nested + (i == 0 ? "" : "}") + "]}";
  EXPECT_THAT(program(nested), AllOf(StartsWith("w.yaml:6: "), HasSubstr("more than 4 deep")));
}

TEST(WorkloadErrors, OfAPatternNameLineFoundAndAllowed) {
  const auto pattern = [](const std::string& text) {
    return kernel_error("grid: 4\nblock: 64\npatterns:\n  in: " + text + "\nprogram: [load: in]");
  };
  EXPECT_THAT(pattern("{kind: coalesced}"), "");
  EXPECT_THAT(pattern("{base: 4}"),
              AllOf(StartsWith("w.yaml:6: "), HasSubstr("'kind' is missing"), HasSubstr("set_conflict")));
  EXPECT_THAT(pattern("{kind: coalesed}"), AllOf(StartsWith("w.yaml:6: "), HasSubstr("did you mean 'coalesced'")));
  EXPECT_THAT(pattern("{kind: coalesced, stride: 4}"),
              AllOf(StartsWith("w.yaml:6: "), HasSubstr("unknown key 'stride'")));
  EXPECT_THAT(pattern("{kind: random}"), HasSubstr("'footprint' is missing"));
  EXPECT_THAT(pattern("{kind: random, footprint: 2}"), HasSubstr("multiple of the access width"));
  EXPECT_THAT(pattern("{kind: reuse, bytes: 1KiB, owner: grid}"), HasSubstr("allowed: block, warp"));
  EXPECT_THAT(pattern("{kind: strided, stride: 12, base: 0x10000000000000000}"), HasSubstr("base"));
}

TEST(WorkloadErrors, OfLaunchesNameLineFoundAndAllowed) {
  EXPECT_THAT(launches_error("[kk]"),
              AllOf(StartsWith("w.yaml:4: "), HasSubstr("'kk'"), HasSubstr("did you mean 'k'")));
  EXPECT_THAT(launches_error("[]"), AllOf(StartsWith("w.yaml:4: "), HasSubstr("nothing is launched")));
  EXPECT_THAT(launches_error("[{kernel: k, grid: 0}]"), HasSubstr("from 1 to"));
  EXPECT_THAT(launches_error("[{kernel: k, repeat: 0}]"), HasSubstr("from 1 to"));
  EXPECT_THAT(launches_error("[{kernel: k, relase_us: 0}]"), HasSubstr("did you mean 'release_us'"));
  EXPECT_THAT(launches_error("[{kernel: k, period_us: 5}]"), HasSubstr("needs a 'repeat' of 2 or more"));
  EXPECT_THAT(launches_error("[{kernel: k, repeat: 1000000, period_us: 5000}]"),
              HasSubstr("the last release would be at 4999995000 us"));
  EXPECT_THAT(launches_error("[{kernel: k, deadline_us: -1}]"), HasSubstr("from 0 to"));
  EXPECT_THAT(launches_error("[{kernel: k, alone_cycles: 0}]"), HasSubstr("from 1 to 1000000000000000"));
  EXPECT_THAT(launches_error("[{kernel: k, phase: 2}, {kernel: k, phase: 1}]"), HasSubstr("from 2 to"));
  EXPECT_THAT(launches_error("k"), HasSubstr("allowed: a list"));
  const std::string stream = "{name: s, launches: [k]}";
  EXPECT_THAT(workload_error(kKernels + ("applications: [{name: a, streams: [" + stream + ", " + stream + "]}]")),
              HasSubstr("second stream"));
  EXPECT_THAT(workload_error(kKernels + ("applications: [{name: a, streams: [" + stream + "]}, {name: a, streams: [" +
                                         stream + "]}]")),
              HasSubstr("second application"));
  EXPECT_THAT(workload_error(kKernels + std::string("applications: [{name: a, streams: []}]")),
              HasSubstr("needs a stream"));
  EXPECT_THAT(workload_error(kKernels), HasSubstr("'applications' is missing"));
}

TEST(SmSets, AreReadAndWrittenAsIdsAndRanges) {
  const auto text_of = [](const std::string& text) { return to_text(read_sm_set(YamlNode::load_text(text, "t"))); };
  EXPECT_EQ(text_of("7"), "7");
  EXPECT_EQ(text_of("0-255"), "0-255");
  EXPECT_EQ(text_of("[5, 0-2, 3]"), "0-3,5");
  EXPECT_EQ(text_of("[4-4]"), "4");
  EXPECT_EQ(to_text(SmSet()), "");
  for (const char* wrong :
       {"256", "0-256", "3-1", "-1", "1-", "1 2", "all", "[]", "[1.5]", "0x1", "18446744073709551616"})
    EXPECT_THROW(text_of(wrong), InputError) << wrong;
  EXPECT_THROW(text_of("[0-3, 2]"), InputError);
}

TEST(WorkloadErrors, OfApplicationsNameLineFoundAndAllowed) {
  const auto application = [](const std::string& text) {
    return workload_error(kKernels +
                          ("applications:\n  - name: a\n    " + text + "\n    streams: [{name: s, launches: [k]}]"));
  };
  EXPECT_EQ(application("sms: [0-3]"), "");
  EXPECT_THAT(application("sms: [0-3, 2-5]"), AllOf(StartsWith("w.yaml:6: "), HasSubstr("SM 2-3 is given twice")));
  EXPECT_THAT(application("sms: 3-1"), AllOf(StartsWith("w.yaml:6: "), HasSubstr("'3-1'"), HasSubstr("0 to 255")));
  EXPECT_THAT(application("sms: []"), AllOf(StartsWith("w.yaml:6: "), HasSubstr("needs an SM")));
  EXPECT_THAT(application("relaunch: often"), AllOf(StartsWith("w.yaml:6: "), HasSubstr("true or false")));
  EXPECT_THAT(application("sm: 3"), HasSubstr("did you mean 'sms'"));
}

TEST(WorkloadErrors, OfTheFileSayWhichFile) {
  EXPECT_THAT(workload_error(""), "w.yaml: the file is empty");
  EXPECT_THAT(workload_error("a: [1\nb: 2\n"), StartsWith("w.yaml:2: not YAML"));
  EXPECT_THAT(workload_error("a: 1\n---\nb: 1\n"), HasSubstr("w.yaml:2: a second YAML document"));
  EXPECT_THAT(workload_error("- 1\n"), AllOf(StartsWith("w.yaml:1: "), HasSubstr("a list"), HasSubstr("a mapping")));
  EXPECT_THROW(load_workload("/nonexistent/w.yaml", 1), InputError);
}

TEST(NearestName, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("grid", "grid"), 0u);
  EXPECT_EQ(edit_distance("gird", "grid"), 1u);
  EXPECT_EQ(edit_distance("gid", "grid"), 1u);
  EXPECT_EQ(edit_distance("grids", "grid"), 1u);
  EXPECT_EQ(edit_distance("grad", "GRID"), 1u);
  EXPECT_EQ(edit_distance("", "grid"), 4u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(NamesMeant, AreThoseWithTheFewestEdits) {
  const auto meant = [](const std::string& found, const std::vector<std::string>& names) {
    return names_meant(found, names);
  };
  EXPECT_THAT(meant("blcok", {"grid", "block", "clock"}), testing::ElementsAre("block"));
  EXPECT_THAT(meant("xyzzy", {"grid", "block"}), testing::IsEmpty());
  EXPECT_THAT(meant("b", {"ab", "bc", "bcd"}), testing::ElementsAre("ab", "bc"));
}

TEST(NamesMeant, AreThoseWhoseDescriptionHasTheWordWhereLettersCannotTell) {
  const std::vector<KnownName> gpus{{"volta80", "Tesla V100 (Volta)"}, {"turing68", "GeForce RTX 2080 Ti"}};
  EXPECT_THAT(names_meant("V100", gpus), testing::ElementsAre("volta80"));
  EXPECT_THAT(names_meant("rtx-2080ti", gpus), testing::ElementsAre("turing68"));
  EXPECT_THAT(names_meant("volta", gpus), testing::ElementsAre("volta80"));
  EXPECT_THAT(names_meant("A100", gpus), testing::IsEmpty());
  const std::vector<KnownName> more{
      {"a100", "A100 SXM4"}, {"h100_pcie", "H100 PCIe"}, {"h100_sxm", "H100 SXM5"}, {"volta80", "Tesla V100 (Volta)"}};
  EXPECT_THAT(names_meant("V100", more), testing::ElementsAre("volta80"));  // not the nearest letters, a100
  EXPECT_THAT(names_meant("A100", more), testing::ElementsAre("a100"));
  EXPECT_THAT(names_meant("h100", more), testing::ElementsAre("h100_pcie", "h100_sxm"));
  EXPECT_THAT(names_meant("a101", more), testing::ElementsAre("a100"));
}

TEST(Suggestion, AsksAndNamesWhatIsAllowed) {
  EXPECT_EQ(suggestion("gtoo", std::vector<std::string>{"lrr", "gto"}), "; did you mean 'gto'? allowed: lrr, gto");
  EXPECT_EQ(suggestion("xyz", std::vector<std::string>{"lrr", "gto"}), "; allowed: lrr, gto");
  EXPECT_EQ(question({"a", "b", "c"}), "; did you mean 'a', 'b' or 'c'?");
}

TEST(ByteSuggestion, IsTheBinaryUnit) {
  EXPECT_EQ(byte_suggestion("48kB"), "; did you mean '48KiB'?");
  EXPECT_EQ(byte_suggestion("2 mb"), "; did you mean '2MiB'?");
  EXPECT_EQ(byte_suggestion("1G"), "; did you mean '1GiB'?");
  for (const char* text : {"48KiB", "48", "kB", "48tb", "48kBit", ""}) EXPECT_EQ(byte_suggestion(text), "") << text;
}

TEST(YamlNode, ReadsBytesWithTheirUnits) {
  const auto bytes = [](const std::string& text) { return YamlNode::load_text(text, "t").bytes(); };
  EXPECT_EQ(bytes("17"), 17u);
  EXPECT_EQ(bytes("0x20"), 32u);
  EXPECT_EQ(bytes("48KiB"), 49152u);
  EXPECT_EQ(bytes("2 MiB"), 2097152u);
  EXPECT_EQ(bytes("3GiB"), 3221225472u);
  for (const char* wrong : {"48KB", "-1", "1.5KiB", "KiB", "18014398509481984KiB", "1e3", "12 34"})
    EXPECT_THROW(bytes(wrong), InputError) << wrong;
}

}  // namespace
}  // namespace gputlm
