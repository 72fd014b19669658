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

TEST(Trace, OfArithmeticRunsAsItsProgramToTheByte) {
  const TestFolder folder;
  const FinishedRun program = run_workload(folder.write("p.yaml", as_program("compute")));
  folder.write("kernel-1.traceg", compute_trace({"compute", 30}));
  const FinishedRun trace = run_workload(folder.write("kernelslist.g", "kernel-1.traceg\n"));
  EXPECT_EQ(trace.result.at("total").at("instructions"), 30 * 8 * 425);
  EXPECT_EQ(trace.result_text, program.result_text);
  EXPECT_EQ(trace.blocks_text, program.blocks_text);
}

TEST(Trace, OfMemoryAccessesRunsAsItsProgramToTheByte) {
  for (const char* gpu : {"rtx2060", "xavier", "gtx480"}) {
    const TestFolder folder;
    const FinishedRun program = run_workload(folder.write("p.yaml", as_program("stream")), {"--gpu", gpu});
    folder.write("kernel-1.traceg", stream_trace({"stream", 30}));
    const FinishedRun trace = run_workload(folder.write("kernelslist.g", "kernel-1.traceg\n"), {"--gpu", gpu});
    EXPECT_EQ(trace.result_text, program.result_text) << gpu;
    EXPECT_EQ(trace.blocks_text, program.blocks_text) << gpu;
  }
}

TEST(Trace, CompressedIsTheSame) {
  const TestFolder plain, packed;
  plain.write("kernel-1.traceg", stream_trace({"stream", 6}));
  packed.write("kernel-1.traceg.xz", xz(stream_trace({"stream", 6})));
  const FinishedRun one = run_workload(plain.write("kernelslist.g", "kernel-1.traceg\n"));
  const FinishedRun other = run_workload(packed.write("kernelslist.g", "kernel-1.traceg.xz\n"));
  EXPECT_EQ(one.result_text, other.result_text);
  EXPECT_EQ(one.blocks_text, other.blocks_text);
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
  EXPECT_GE(kernels[2].at("launch_cycle"), kernels[0].at("notified_cycle"));
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
  for (unsigned round = 0; round < 4; ++round) {
    list += "MemcpyHtoD,0x7f0000000000," + std::to_string(bytes[round]) + "\n";
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
    EXPECT_GE(command.at(left), known) << command.at("label");
    known = command.at("notified_cycle");
  };
  for (std::size_t i = 0; i < 16; ++i) {
    if (i % 4 != 0) {
      follows(result.at("kernels").at(i / 4 * 3 + i % 4 - 1), "launch_cycle");
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

TEST(Trace, KernelNamesWithCommasAreQuotedInBlocksCsv) {
  const TestFolder folder;
  folder.write("kernel-1.traceg", compute_trace({"add(int*, int)", 1}));
  const std::string list = folder.write("kernelslist.g", "kernel-1.traceg\n");
  ASSERT_EQ(run_program({"run", list, "--out", folder.path("out")}).code, 0);
  EXPECT_NE(read_file(folder.path("out/blocks.csv")).find("\n\"add(int*, int)\",0,"), std::string::npos);
}

}  // namespace
}  // namespace gputlm
