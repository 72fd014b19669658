// Every wrong input gives exit code 2, a message with the place, the value found and the allowed ones, nothing on stdout,
// and no files.

#include <gmock/gmock.h>

#include "tests/integration/program.h"
#include "tests/integration/trace_files.h"

namespace gputlm {
namespace {

using Strings = std::vector<std::string>;

void expect_rejected(const Outcome& outcome, const Strings& parts) {
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  for (const std::string& part : parts)
    EXPECT_NE(outcome.err.find(part), std::string::npos) << "`" << part << "` is not in: " << outcome.err;
}

/// Runs `input` and expects a message with these parts, and an output folder that is empty or not there.
void expect_rejected_run(const TestFolder& folder, const std::string& input, const Strings& options,
                         const Strings& parts) {
  Strings arguments{"run", input, "--out", folder.path("out")};
  arguments.insert(arguments.end(), options.begin(), options.end());
  expect_rejected(run_program(arguments), parts);
  EXPECT_EQ(folder.files("out"), Strings{});
}

struct Case {
  std::string name;
  std::string what, by;  ///< edit of kWorkload
  Strings options;
  Strings parts;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

constexpr const char* kWorkload = R"(kernels:
  k:
    grid: 4
    block: 64
    registers: 32
    shared_memory: 0
    patterns: {p: {kind: coalesced}}
    program:
      - int
      - load: {pattern: p, dst: 4}
applications:
  - name: a
    streams:
      - name: s
        launches:
          - k
)";

class BadWorkload : public testing::TestWithParam<Case> {};

TEST_P(BadWorkload, IsRejected) {
  const Case& c = GetParam();
  const TestFolder folder;
  std::string text = kWorkload;
  if (!c.what.empty()) {
    const std::size_t at = text.find(c.what);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, c.what.size(), c.by);
  }
  expect_rejected_run(folder, folder.write("w.yaml", text), c.options, c.parts);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadWorkload,
    testing::Values(
        Case{"NoBlocks", "grid: 4", "grid: 0", {}, {"w.yaml:3: ", "'0'", "from 1 to"}},
        Case{"SmsThatTheGpuDoesNotHave",
             "  - name: a\n",
             "  - name: a\n    sms: [0-3, 28-33]\n",
             {"--gpu", "rtx2060"},
             {"w.yaml:13: ", "application a", "SM 30-33", "0 to 29"}},
        Case{"NoSms", "  - name: a\n", "  - name: a\n    sms: []\n", {}, {"w.yaml:13: ", "needs an SM"}},
        Case{"SmsThatAreNone", "  - name: a\n", "  - name: a\n    sms: [7-3]\n", {}, {"w.yaml:13: ", "'7-3'", "0-29"}},
        Case{"RelaunchWithPhases",
             "  - name: a\n    streams:\n      - name: s\n        launches:\n          - k\n",
             "  - name: a\n    relaunch: true\n    streams:\n      - name: s\n        launches:\n          - k\n"
             "          - {kernel: k, phase: 1}\n",
             {},
             {"w.yaml:18: ", "phase 1", "relaunch"}},
        Case{"LabelOfARelaunch",
             "  - name: a\n    streams:\n      - name: s\n        launches:\n          - k\n",
             "  - name: a\n    relaunch: true\n    streams:\n      - name: s\n        launches:\n          - k\n"
             "          - {kernel: k, label: k@2}\n",
             {},
             {"w.yaml:18: ", "k@2", "relaunch of k"}},
        Case{"NegativeGrid", "grid: 4", "grid: -4", {}, {"w.yaml:3: ", "'-4'", "from 1 to"}},
        Case{"TooManyThreadsForAnyGpu", "block: 64", "block: 1025", {}, {"w.yaml:4: ", "'1025'", "from 1 to 1024"}},
        Case{"TooManyThreads",
             "block: 64",
             "block: 1024",
             {"--set", "sm.max_threads_per_block=512", "--set", "sm.threads=512"},
             {"w.yaml:16: ", "launch k", "1024 threads", "allows 512"}},
        Case{"TooManyWarps",
             "block: 64",
             "block: 513",
             {"--set", "sm.max_threads_per_block=512"},
             {"w.yaml:16: ", "513 threads", "allows 512"}},
        Case{"TooManyRegisters",
             "registers: 32\n",
             "registers: 254\n",
             {"--set", "sm.registers=1024"},
             {"w.yaml:16: ", "registers", "allows 1024"}},
        Case{"TooMuchSharedMemory",
             "shared_memory: 0",
             "shared_memory: 1MiB",
             {},
             {"w.yaml:16: ", "1048576 bytes of shared memory", "allows 65536"}},
        Case{"UnknownKey", "block: 64", "blok: 64", {}, {"w.yaml:4: ", "unknown key 'blok'", "did you mean 'block'"}},
        Case{"MissingKey", "    grid: 4\n", "", {}, {"w.yaml:3: ", "key 'grid' is missing"}},
        Case{"DoubleKey", "grid: 4", "block: 4", {}, {"w.yaml:4: ", "'block' is given twice"}},
        Case{"WrongType", "block: 64", "block: many", {}, {"w.yaml:4: ", "'many'", "a whole number"}},
        Case{"ListForNumber", "registers: 32", "registers: [32]", {}, {"w.yaml:5: ", "a list", "a whole number"}},
        Case{"NoYaml", "block: 64", "block: [64", {}, {"w.yaml:", "not YAML"}},
        Case{"UnknownInstruction", "- int", "- itn", {}, {"w.yaml:9: ", "'itn'", "did you mean 'int'"}},
        Case{"UnknownPattern", "pattern: p", "pattern: pp", {}, {"w.yaml:10: ", "'pp'", "did you mean 'p'"}},
        Case{"UnknownPatternKind",
             "coalesced",
             "coalesed",
             {},
             {"w.yaml:7: ", "'coalesed'", "did you mean 'coalesced'"}},
        Case{"UnknownKernel", "          - k", "          - kk", {}, {"w.yaml:16: ", "'kk'", "did you mean 'k'"}},
        Case{"NothingLaunched", "\n          - k", " []", {}, {"w.yaml:", "nothing is launched"}},
        Case{"UnknownParameter", "", "", {"--set", "sm.warp=3"}, {"no parameter 'sm.warp'", "did you mean 'sm.warps'"}},
        Case{"ParameterOutOfRange", "", "", {"--set", "sm.warps=1000"}, {"sm.warps", "'1000'", "1 to 128"}},
        Case{"ParameterOfWrongType", "", "", {"--set", "sms=some"}, {"sms", "'some'", "1 to 256"}},
        Case{"ParameterWithoutValue", "", "", {"--set", "sms"}, {"--set sms", "KEY=VALUE"}},
        Case{"UnknownPolicy",
             "",
             "",
             {"--set", "work_distributor.placement=most_rom"},
             {"'most_rom'", "round_robin, most_room"}},
        Case{"UnknownPreset", "", "", {"--gpu", "rtx2061"}, {"'rtx2061'", "did you mean 'rtx2060'"}},
        Case{"MissingGpuFile", "", "", {"--gpu", "/nowhere/gpu.yaml"}, {"/nowhere/gpu.yaml", "cannot be opened"}},
        Case{"WindowTooLarge", "", "", {"--window", "21"}, {"--window", "found 21", "1 to 20 cycles"}},
        Case{"NegativeWindow", "", "", {"--window", "-1"}, {"--window", "'-1'", "from 0"}},
        Case{"NegativeSeed", "", "", {"--seed", "-1"}, {"--seed", "'-1'", "from 0"}},
        Case{"NoCycles", "", "", {"--max-cycles", "0"}, {"--max-cycles", "found '0'", "from 1 to"}},
        Case{"ContradictionOfSettings",
             "",
             "",
             {"--set", "sm.sub_cores=2", "--set", "sm.warps=31"},
             {"--set sm.warps=31: ", "sm.warps set at --set sm.warps=31, sm.sub_cores set at --set sm.sub_cores=2"}},
        Case{"ContradictionWithThePreset",
             "",
             "",
             {"--gpu", "rtx2060", "--set", "sm.warps=30"},
             {"--set sm.warps=30: ", "sm.sub_cores set at platform/input/presets/rtx2060.yaml:"}},
        Case{"CachesBeyondTheMemory",
             "",
             "",
             {"--set", "sm.l1.bytes=1GiB", "--max-memory", "1024"},
             {"--set sm.l1.bytes=1GiB: ", "1073741824", "about 5", "allowed: 1024 MiB of memory (--max-memory)"}},
        Case{"LaunchesBeyondTheMemory",
             "          - k\n",
             "          - {kernel: k, repeat: 100000}\n",
             {"--max-memory", "128"},
             {"w.yaml:16: ", "found 100000 launches", "about 133 MiB", "allowed: 128 MiB"}},
        Case{"RepetitionsWithoutEnd",
             "        launches:\n          - k\n",
             "        commands:\n          - {job: j, repeat: 1000000, commands: [k, k, k, k, k, k, k, k, k, k]}\n",
             {},
             {"w.yaml:16: ", "more than 10000000 values, counting each repetition"}},
        Case{"AddressesBeyond47Bits",
             "kind: coalesced",
             "kind: coalesced, base: 0x7fffffffff80",
             {},
             {"w.yaml:10: ", "'p'", "beyond 2^47"}},
        Case{"StrideThatWraps",
             "kind: coalesced",
             "kind: strided, stride: 140737488355324",
             {},
             {"w.yaml:10: ", "'p'", "beyond 2^47"}},
        Case{"GridWhoseProductWraps",
             "grid: 4",
             "grid: [2147483647, 65535, 65535]",
             {},
             {"w.yaml:3: ", "at most 2^32 - 1"}},
        Case{"TextBehindTheDocument",
             "- k\n",
             "- k\n...\nmore",
             {},
             {"w.yaml:18: ", "did not find expected <document start>"}},
        Case{"AliasToItself",
             "program:",
             "program: &p\n      - loop: {count: 2, body: *p}",
             {},
             {"w.yaml:9: ", "alias"}},
        Case{"NestedTooDeep",
             "grid: 4",
             "grid: " + std::string(5000, '[') + std::string(5000, ']'),
             {},
             {"w.yaml:3: ", "nested too deep"}},
        Case{"NameWithAControlCharacter", "name: a", R"(name: "a\0b")", {}, {"w.yaml:12: ", "control character"}},
        Case{"NameThatIsNotUtf8", "name: a", "name: a\xff", {}, {"w.yaml:12: ", "not UTF-8"}},
        Case{"CycleLimitThatIsNone", "", "", {"--max-cycles", "soon"}, {"--max-cycles", "'soon'", "a whole number"}},
        Case{"UnknownOption", "", "", {"--frob"}, {"--frob"}}),
    [](const auto& instance) { return instance.param.name; });

TEST(BadInput, NoMessageIsLong) {
  const TestFolder folder;
  const std::string name(200000, 'n');
  std::string text = kWorkload;
  text.replace(text.find("pattern: p"), 10, "pattern: " + name);
  const Outcome outcome = run_program({"run", folder.write("w.yaml", text)});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_LE(outcome.err.size(), 2048u);
  EXPECT_EQ(outcome.err.rfind("gputlm: " + folder.path("w.yaml") + ":10: ", 0), 0u) << outcome.err;
}

TEST(BadInput, WhatIsSaidInVainIsWarnedOf) {
  const TestFolder folder;
  const auto warnings = [&](const std::string& what, const std::string& by, const Strings& options = {}) {
    std::string text = kWorkload;
    text.replace(text.find(what), what.size(), by);
    Strings arguments{"run", folder.write("w.yaml", text)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  };
  const auto has = [](const std::string& part) { return testing::HasSubstr(part); };
  EXPECT_THAT(warnings("dst: 4", "dst: 4"), testing::Not(has("warning")));
  EXPECT_THAT(warnings("dst: 4", "dst: 4, space: shared"), has("w.yaml:10: kernel 'k': its accesses to shared memory"));
  EXPECT_THAT(warnings("dst: 4", "dst: 44"), has("w.yaml:10: kernel 'k': it names register 44, but registers is 32"));
  EXPECT_THAT(warnings("- int", "- spin: {ns: 10}\n      - spin: {ns: 9}"),
              has("w.yaml:10: kernel 'k': the spin takes no"));
  EXPECT_THAT(warnings("registers: 32", "variation: {spread: 0.1}"), has("w.yaml:5: kernel 'k': its variation has no"));
  EXPECT_THAT(warnings("- k\n", "- {kernel: k, budget: 4}\n"), has("budgets of launches have no effect"));
  EXPECT_THAT(warnings("- k\n", "- {kernel: k, budget: 4}\n", {"--set", "sm.warp_scheduler=qaws"}),
              has("budgets of launches have no effect: all are the same"));
  EXPECT_THAT(warnings("name: s", "name: s\n        priority: -1"),
              has("stream priorities have no effect: all are the"));
}

TEST(BadInput, MissingEmptyOrUnreadableFilesAreRejected) {
  const TestFolder folder;
  for (const std::string name : {"none.yaml", "none.g"})
    expect_rejected_run(folder, folder.path(name), {}, {name, "cannot be opened"});
  expect_rejected_run(folder, folder.write("empty.yaml", ""), {}, {"empty.yaml: the file is empty"});
  expect_rejected_run(folder, folder.write("comment.yaml", "# nothing\n"), {}, {"comment.yaml: the file is empty"});
  expect_rejected_run(folder, folder.write("comma.yaml", "\"a\", b"), {},
                      {"comma.yaml:1: not YAML: did not find expected <document start>"});
  expect_rejected_run(folder, folder.write("empty.g", "\n"), {}, {"empty.g", "at least one"});
  std::filesystem::create_directory(folder.path("none"));
  expect_rejected_run(folder, folder.path("none"), {}, {folder.path("none"), "has neither a launch list"});
}

TEST(BadInput, GpuFilesAreCheckedLikePresets) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", kWorkload);
  const auto expect = [&](const std::string& text, const Strings& parts) {
    expect_rejected_run(folder, input, {"--gpu", folder.write("g.yaml", text)}, parts);
  };
  expect("extends: tx2\nsm:\n  warsp: 32\n", {"g.yaml:3: ", "'sm.warsp'", "did you mean 'sm.warps'"});
  expect("extends: tx2\nsms: 1000\n", {"g.yaml:2: ", "'1000'", "1 to 256"});
  expect("extends: tx22\n", {"g.yaml:1: ", "'tx22'", "did you mean 'tx2'"});
  expect("extends: tx2\nsms: [", {"g.yaml:", "not YAML"});
  expect("", {"g.yaml", "empty"});
}

TEST(BadInput, OutputThatCannotBeWrittenIsFoundBeforeTheRun) {
  const TestFolder folder;
  const std::string input = folder.write("w.yaml", kWorkload);
  folder.write("file", "");
  expect_rejected(run_program({"run", input, "--out", folder.path("file")}), {folder.path("file")});
  expect_rejected(run_program({"run", input, "--out", folder.path("file/below")}), {folder.path("file/below")});
  for (const std::string& name : kRunFiles) {
    std::filesystem::create_directories(folder.path(name + "_taken/" + name));
    expect_rejected(run_program({"run", input, "--out", folder.path(name + "_taken")}), {name, "cannot be written"});
    EXPECT_EQ(folder.files(name + "_taken"), Strings{name});
  }
}

TEST(BadInput, FailureLeavesEarlierResultsAlone) {
  const TestFolder folder;
  const std::string good = folder.write("w.yaml", kWorkload);
  ASSERT_EQ(run_program({"run", good, "--out", folder.path("out")}).code, 0);
  const std::string before = read_file(folder.path("out/result.json"));
  const Strings files = folder.files("out");
  expect_rejected(run_program({"run", good, "--out", folder.path("out"), "--set", "sms=0"}), {"sms"});
  EXPECT_EQ(read_file(folder.path("out/result.json")), before);
  EXPECT_EQ(folder.files("out"), files);
}

TEST(BadInput, CommandsWithUnknownNamesAreRejected) {
  expect_rejected(run_program({}), {"a command is missing", "calibrate, convert, demand, mem, reproduce"});
  expect_rejected(run_program({"rnu"}), {"'rnu'", "did you mean 'run'"});
  expect_rejected(run_program({"list", "gpu"}), {"'gpu'", "did you mean 'gpus'", "parameters"});
  expect_rejected(run_program({"list", "parameters", "--gpu", "tx3"}), {"'tx3'", "did you mean 'tx2'"});
  expect_rejected(run_program({"reproduce", "no-such-paper"}), {"'no-such-paper'"});
}

TEST(BadInput, SettingsOfAGpuForRunsWithoutOneAreRejected) {
  expect_rejected(run_program({"reproduce", "dram/simulators", "--no-cache", "--set", "sm.count=1"}),
                  {"--set", "'sm.count=1'", "whole GPU"});
}

/// Expects that a trace of this text is rejected, with a message that begins with the place.
void expect_bad_trace(const std::string& text, const Strings& parts, const std::string& name = "kernel-1.traceg") {
  const TestFolder folder;
  folder.write(name, text);
  expect_rejected_run(folder, folder.write("kernelslist.g", name + "\n"), {}, parts);
}

TEST(BadTrace, IsRejectedWithItsLine) {
  const std::string good = compute_trace({"k", 2, 64});
  const auto edited = [&](const std::string& what, const std::string& by) {
    std::string text = good;
    return text.replace(text.find(what), what.size(), by);
  };
  expect_bad_trace("", {"kernel-1.traceg"});
  expect_bad_trace("hello\n", {"kernel-1.traceg:1"});
  expect_bad_trace(edited("(2,1,1)", "(0,1,1)"), {"kernel-1.traceg:3"});
  expect_bad_trace(edited("(64,1,1)", "(64,64,1)"), {"kernel-1.traceg:", "(64,64,1)", "at most 1024 threads"});
  expect_bad_trace(edited("-shmem = 0", "-shmem = 200000"), {"kernel-1.traceg", "shared memory", "allows 65536"});
  expect_bad_trace(edited("1 R4 FFMA", "1 R999 FFMA"), {"kernel-1.traceg:28"});
  expect_bad_trace(edited("ffffffff 1 R4 FFMA", "what 1 R4 FFMA"), {"kernel-1.traceg:28"});
  expect_bad_trace(edited("(2,1,1)", "(3,1,1)"), {"kernel-1.traceg", "block"});
  expect_bad_trace(edited("(2,1,1)", "(1,1,1)"), {"kernel-1.traceg", "block"});
}

TEST(BadTrace, AStoreWithADestinationIsNoDeadlock) {
  std::string text = stream_trace({"k", 1, 32});
  const std::size_t at = text.find(" 0 STG");
  ASSERT_NE(at, std::string::npos);
  expect_bad_trace(text.replace(at, 6, " 1 R4 STG"), {"kernel-1.traceg:", "has a destination register"});
}

TEST(BadTrace, AListIsText) {
  const TestFolder folder;
  expect_rejected_run(folder, folder.write("kernelslist.g", std::string("\nker\0nel-9.traceg\n", 18)), {},
                      {"kernelslist.g:2: found a NUL byte"});
  expect_rejected_run(folder, folder.write("kernelslist.g", "\xff\xfe\n"), {}, {"kernelslist.g:1: ", "no text"});
  expect_rejected_run(folder, folder.write("kernelslist.g", "MemcpyHtoD,0x7f00,9999999999999999\n"), {},
                      {"kernelslist.g:1: ", "2^40 bytes"});
}

TEST(BadTrace, CutOffAnywhereIsRejected) {
  const std::string good = stream_trace({"k", 40, 64});
  for (const double part : {0.01, 0.3, 0.7, 0.999})
    expect_bad_trace(good.substr(0, static_cast<std::size_t>(part * static_cast<double>(good.size()))),
                     {"kernel-1.traceg"});
  const std::string packed = xz(good);
  expect_bad_trace(packed.substr(0, packed.size() / 2), {"kernel-1.traceg.xz"}, "kernel-1.traceg.xz");
}

TEST(BadTrace, ThatIsMissingIsRejectedWithTheLineOfTheList) {
  const TestFolder folder;
  expect_rejected_run(folder, folder.write("kernelslist.g", "MemcpyHtoD,0x7f00,64\nkernel-9.traceg\n"), {},
                      {"kernelslist.g:2: ", "kernel-9.traceg"});
  expect_rejected_run(folder, folder.write("kernelslist.g", "MemcpyHtoD,64\nkernel-9.traceg\n"), {},
                      {"kernelslist.g:1: ", "MemcpyHtoD,dstDevice,ByteCount`, hexadecimal with 0x and decimal"});
}

}  // namespace
}  // namespace gputlm
