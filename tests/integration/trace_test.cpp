// SASS traces end to end, against the same kernels as programs.

#include "tests/integration/program.h"
#include "tests/integration/trace_files.h"

namespace gputlm {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

/// A workload of the project with 30 blocks, named as a trace's kernels and streams are.
std::string as_program(const std::string& name) {
  std::string text = read_file(workload_file(name + ".yaml"));
  text = replaced(text, "grid: 480", "grid: 30");
  text = replaced(text, "- name: " + name, "- name: trace");
  return replaced(text, "name: s0", "name: stream 0");
}

/// What a run says, but for the files that it is of.
std::string without_input(const FinishedRun& run) {
  nlohmann::ordered_json result = nlohmann::ordered_json::parse(run.result_text);
  result.erase("input");
  result.erase("files");  // their digests; what matters of them is compared
  return result.dump(1);
}

/// PCs of these traces go on through all passes of a loop, as if it were unrolled: no branch is taken.
const std::vector<std::string> kUnrolled{"--set", "sm.branch_latency=0"};

TEST(Trace, OfArithmeticRunsAsItsProgramToTheByte) {
  const TestFolder folder;
  const FinishedRun program = run_workload(folder.write("p.yaml", as_program("compute")), kUnrolled);
  folder.write("kernel-1.traceg", compute_trace({"compute", 30}));
  const FinishedRun trace = run_workload(folder.write("kernelslist.g", "kernel-1.traceg\n"), kUnrolled);
  EXPECT_EQ(trace.result.at("total").at("instructions"), 30 * 8 * 425);
  EXPECT_EQ(without_input(trace), without_input(program));
  EXPECT_EQ(trace.blocks_text, program.blocks_text);
}

TEST(Trace, OfMemoryAccessesRunsAsItsProgramToTheByte) {
  for (const char* gpu : {"rtx2060", "xavier", "gtx480"}) {
    const TestFolder folder;
    const FinishedRun program =
        run_workload(folder.write("p.yaml", as_program("stream")), {"--gpu", gpu, kUnrolled[0], kUnrolled[1]});
    folder.write("kernel-1.traceg", stream_trace({"stream", 30}));
    const FinishedRun trace =
        run_workload(folder.write("kernelslist.g", "kernel-1.traceg\n"), {"--gpu", gpu, kUnrolled[0], kUnrolled[1]});
    EXPECT_EQ(without_input(trace), without_input(program)) << gpu;
    EXPECT_EQ(trace.blocks_text, program.blocks_text) << gpu;
  }
}

TEST(Trace, CompressedIsTheSame) {
  const TestFolder plain, packed;
  plain.write("kernel-1.traceg", stream_trace({"stream", 6}));
  packed.write("kernel-1.traceg.xz", xz(stream_trace({"stream", 6})));
  const FinishedRun one = run_workload(plain.write("kernelslist.g", "kernel-1.traceg\n"));
  const FinishedRun other = run_workload(packed.write("kernelslist.g", "kernel-1.traceg.xz\n"));
  EXPECT_EQ(without_input(one), without_input(other));
  EXPECT_EQ(one.blocks_text, other.blocks_text);
}

TEST(Trace, OfTheTracersOwnCompressedFormRuns) {
  const FinishedRun run = run_workload(GPUTLM_SOURCE_DIR "/tests/data/fuzz/sass/seed-tracez");
  EXPECT_EQ(run.result.at("kernels").at(0).at("name"), "add");
  EXPECT_EQ(run.blocks.size(), 2u);
  EXPECT_EQ(run.result.at("warnings").size(), 0u);
}

TEST(Trace, StreamsOverlapAndKernelsOfAStreamDoNot) {
  const TestFolder folder;
  folder.write("kernel-1.traceg", compute_trace({"a", 10, 256, 32, 0, 3}));
  folder.write("kernel-2.traceg", stream_trace({"b", 5, 256, 32, 0, 7}));
  folder.write("kernel-3.traceg", compute_trace({"c", 10, 256, 32, 0, 3}));
  const std::string list = folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n");
  const FinishedRun run = run_workload(list, {"--window", "1"});
  const auto& kernels = run.result.at("kernels");
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_LT(kernels[1].at("first_block_cycle"), kernels[0].at("end_cycle"));
  EXPECT_GE(kernels[2].at("submitted_cycle"), kernels[0].at("notified_cycle"));
  EXPECT_EQ(kernels[1].at("stream"), "stream 7");
  EXPECT_EQ(run.blocks.size(), 25u);
  EXPECT_EQ(run_workload(list).result_text, run.result_text);
}

/// Twelve launches and four copies between them, all in stream 0, as a Rodinia program makes them.
TEST(Trace, OfKernelsAndCopiesRunsThemInTheOrderOfTheListAndSaysWhatEachTook) {
  const TestFolder folder;
  folder.write("kernel-1.traceg", compute_trace({"compute", 4}));
  folder.write("kernel-2.traceg", stream_trace({"stream", 4}));
  std::string list, kernels;
  const std::uint64_t bytes[] = {65536, 65536, 4, 100000};
  for (const std::uint64_t copied : bytes) {
    list += "MemcpyHtoD,0x7f0000000000," + std::to_string(copied) + "\n";
    for (const char* kernel : {"kernel-1.traceg\n", "kernel-2.traceg\n", "kernel-1.traceg\n"}) {
      list += kernel;
      kernels += kernel;
    }
  }
  const FinishedRun run = run_workload(folder.write("kernelslist.g", list), {"--check-protocol"});
  const auto& result = run.result;
  ASSERT_EQ(result.at("kernels").size(), 12u);
  ASSERT_EQ(result.at("copies").size(), 4u);
  std::uint64_t known = 0, copying = 0, moved = 0;  // known: the host knew of the end of the command before
  const auto follows = [&](const nlohmann::json& command, const char* left) {
    EXPECT_GE(command.at(left), known) << command;
    known = command.at("notified_cycle");
  };
  for (std::size_t i = 0; i < 16; ++i) {
    if (i % 4 != 0) {
      follows(result.at("kernels").at(i / 4 * 3 + i % 4 - 1), "submitted_cycle");
      continue;
    }
    const auto& copy = result.at("copies").at(i / 4);
    follows(copy, "submitted_cycle");
    EXPECT_EQ(copy.at("bytes"), bytes[i / 4]);
    moved += bytes[i / 4];
    copying += copy.at("notified_cycle").get<std::uint64_t>() - copy.at("submitted_cycle").get<std::uint64_t>();
  }
  EXPECT_EQ(result.at("copying").at("link").at("to_device_bytes"), moved);
  EXPECT_EQ(result.at("warnings").size(), 0u);
  // What the copies take is what the run is longer by, but for what the kernels find in the L2 then.
  const FinishedRun without = run_workload(folder.write("kernels.g", kernels));
  const double longer =
      static_cast<double>(known) - without.result.at("kernels").back().at("notified_cycle").get<double>();
  EXPECT_NEAR(longer, static_cast<double>(copying), 0.1 * static_cast<double>(copying));
  EXPECT_EQ(std::count(run.copies_text.begin(), run.copies_text.end(), '\n'), 5);
}

/// Two programs, each with two streams, as folders a and b.
class TwoTraces : public testing::Test {
 protected:
  TwoTraces() {
    folder.write("a/kernel-1.traceg", compute_trace({"_Z5sweepPfi", 60, 256, 32, 0, 0}));
    folder.write("a/kernel-2.traceg", stream_trace({"_Z4copyPf", 20, 256, 32, 0, 3}));
    folder.write("a/kernelslist.g",
                 "MemcpyHtoD,0x7f0000000000,64\nkernel-1.traceg\nkernel-2.traceg\nkernel-1.traceg\n");
    folder.write("b/kernel-1.traceg", stream_trace({"_Z4copyPf", 30, 256, 32, 0, 0}));
    folder.write("b/kernel-2.traceg", compute_trace({"_Z5sweepPfi", 40, 256, 32, 0, 9}));
    folder.write("b/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  }
  FinishedRun run(const std::string& applications, const std::vector<std::string>& options = {}) {
    return run_workload(folder.write("w.yaml", "applications:\n" + applications), options);
  }

  TestFolder folder;
};

/// Whether the times of two blocks overlap.
bool overlap(const BlockRow& a, const BlockRow& b) { return a.start < b.end && b.start < a.end; }

TEST_F(TwoTraces, RunAtOnceEachInItsOwnAddresses) {
  const FinishedRun both = run("  - trace: a\n  - trace: b\n", {"--check-protocol"});
  ASSERT_EQ(both.result.at("kernels").size(), 5u);
  const auto in = [](const BlockRow& block, const char* application) {
    return block.kernel.rfind(application, 0) == 0;
  };
  bool met = false;
  for (const BlockRow& x : both.blocks) {
    for (const BlockRow& y : both.blocks) met = met || (in(x, "a/") && in(y, "b/") && overlap(x, y));
  }
  EXPECT_TRUE(met);
  // The same kernel reads the same addresses in both; it finds nothing of the other's in the L2.
  EXPECT_LE(both.result.at("applications").at(1).at("l2").at("read_hits"),
            run("  - trace: b\n").result.at("applications").at(0).at("l2").at("read_hits"));
  EXPECT_EQ(both.result.at("kernels").at(0).at("name"), "_Z4copyPf");
  EXPECT_EQ(both.result.at("kernels").at(0).at("kernel"), "b/copy");
}

TEST_F(TwoTraces, UnderTimeSlicesAreNeverOnTheGpuTogether) {
  const FinishedRun sliced = run("  - {trace: a, time_slice_us: 5}\n  - {trace: b, time_slice_us: 2}\n",
                                 {"--set", "work_distributor.application=time_sliced"});
  for (const BlockRow& x : sliced.blocks) {
    for (const BlockRow& y : sliced.blocks) {
      if (x.kernel[0] != y.kernel[0]) {
        EXPECT_FALSE(overlap(x, y)) << x.kernel << " " << y.kernel;
      }
    }
  }
  for (const auto& application : sliced.result.at("applications"))
    EXPECT_GE(application.at("engine").at("slices"), 2) << application.at("name");
}

TEST_F(TwoTraces, InPartitionsKeepToTheirSms) {
  const FinishedRun parted = run("  - {trace: a, sms: 0-19}\n  - {trace: b, sms: 20-29}\n");
  for (const BlockRow& block : parted.blocks) EXPECT_EQ(block.sm < 20, block.kernel[0] == 'a') << block.kernel;
  EXPECT_EQ(parted.blocks.size(), 60u + 20 + 60 + 30 + 40);
}

TEST_F(TwoTraces, AreTheSameWhateverTheWindowWarningsAndAll) {
  folder.write("a/kernel-2.traceg", [] {
    std::string text = stream_trace({"_Z4copyPf", 20, 256, 32, 0, 3});
    for (std::size_t at = 0; (at = text.find("FADD", at)) != std::string::npos;) text.replace(at, 4, "QUUX");
    return text;
  }());
  const std::string applications = "  - {trace: a, repeat: 2}\n  - {trace: b, release_us: 2}\n";
  const FinishedRun one = run(applications, {"--window", "1", "--max-cycles", "20000"});
  EXPECT_EQ(run(applications, {"--max-cycles", "20000"}).result_text, one.result_text);
  ASSERT_EQ(one.result.at("warnings").size(), 1u);
  EXPECT_NE(one.outcome.err.find("unknown opcode QUUX; taken as an integer instruction"), std::string::npos);
}

TEST_F(TwoTraces, OfTheCommandLineAreThoseOfAWorkloadFile) {
  const TestFolder out;
  ASSERT_EQ(run_program({"run", folder.path("a"), folder.path("b"), "--out", out.path("out")}).code, 0);
  EXPECT_EQ(read_file(out.path("out/blocks.csv")), run("  - trace: a\n  - trace: b\n").blocks_text);
}

TEST_F(TwoTraces, ThatAreRepeatedAreJobsWithResponseTimes) {
  const FinishedRun jobs =
      run("  - {trace: b, name: camera, repeat: 3, period_us: 40, deadline_us: 30}\n  - {trace: a, relaunch: true}\n");
  const auto& task = jobs.result.at("responses").at("tasks").at(0);
  EXPECT_EQ(task.at("name"), "camera");
  EXPECT_EQ(task.at("jobs"), 3);
  std::vector<std::uint64_t> starts;
  for (const auto& kernel : jobs.result.at("kernels")) {
    if (kernel.at("application") == "camera" && kernel.at("name") == "_Z4copyPf")
      starts.push_back(kernel.at("first_block_cycle").get<std::uint64_t>());
  }
  ASSERT_EQ(starts.size(), 3u);
  EXPECT_GE(starts[1] - starts[0], 40u * 1300);
}

TEST(Trace, KernelNamesWithCommasAreQuotedInBlocksCsv) {
  const TestFolder folder;
  folder.write("kernel-1.traceg", compute_trace({"add(int*, int)", 1}));
  const std::string list = folder.write("kernelslist.g", "kernel-1.traceg\n");
  ASSERT_EQ(run_program({"run", list, "--out", folder.path("out")}).code, 0);
  EXPECT_NE(read_file(folder.path("out/blocks.csv")).find("\n\"add(int*, int)\",0,"), std::string::npos);
}

}  // namespace
}  // namespace gputlm
