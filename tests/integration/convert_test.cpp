// A converted workload gives the results of its input, byte for byte.

#include "tests/integration/program.h"
#include "tests/integration/trace_files.h"
#include "tests/support/nsight_export.h"

namespace gputlm {
namespace {

/// Runs the input and its conversion, and compares the files about launches and blocks.
/// `of_input`: options that only the input's format has.
void expect_the_same_run(const TestFolder& folder, const std::string& input, const std::vector<std::string>& options,
                         const std::vector<std::string>& of_input = {}) {
  std::vector<std::string> all = options;
  all.insert(all.end(), of_input.begin(), of_input.end());
  const auto run = [&](const std::string& what, const std::string& out, const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", what, "--out", folder.path(out)};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  };
  const Outcome direct = run(input, "direct", all);
  ASSERT_EQ(direct.code, 0) << direct.err;
  std::vector<std::string> words{"convert", input, "-o", folder.path("converted/w.yaml")};
  words.insert(words.end(), all.begin(), all.end());
  std::filesystem::create_directories(folder.path("converted"));
  const Outcome converted = run_program(words);
  ASSERT_EQ(converted.code, 0) << converted.err;
  const Outcome again = run(folder.path("converted/w.yaml"), "again", options);
  ASSERT_EQ(again.code, 0) << again.err << read_file(folder.path("converted/w.yaml"));
  for (const char* const file : {"blocks.csv", "kernels.csv"})
    EXPECT_EQ(read_file(folder.path(std::string("again/") + file)),
              read_file(folder.path(std::string("direct/") + file)))
        << input;
  std::filesystem::remove_all(folder.path("direct"));
  std::filesystem::remove_all(folder.path("again"));
}

TEST(Convert, AnExaminerConfigurationRunsTheSame) {
  const TestFolder folder;
  for (const char* const name :
       {"null_stream", "stream_priorities", "processes", "mps", "sm_masks", "iterations", "memory"}) {
    expect_the_same_run(folder, std::string(GPUTLM_SOURCE_DIR "/workloads/examiner/") + name + ".json",
                        {"--gpu", "titan_v"}, {"--time-scale", "1000"});
  }
}

TEST(Convert, ACaptureRunsTheSame) {
  const TestFolder folder;
  NsightExport e(NsightVersion::k2026_2);
  const auto t = e.gpu().thread(100);
  const auto a = e.stream(13), b = e.stream(14);
  e.copy(t, {500}, a, captured::host_to_device(65'536), {1'000, 8'000});
  e.launch(t, {5'000}, a, captured::kernel("one", {1}, {64}), {10'000, 60'000});
  e.launch(t, {8'000}, a, captured::kernel("void two<int>(char *)", {100}, {128}), {70'000, 90'000});
  e.launch(t, {11'000}, b, captured::kernel("waves", {2000}, {256}).with_shared_memory(0, 8'192), {100'000, 400'000});
  e.launch(t, {14'000}, a, captured::kernel("brief", {400}, {1024}).with_registers(64), {410'000, 411'000});
  e.write(folder.path("t.sqlite"));
  expect_the_same_run(folder, folder.path("t.sqlite"), {"--gpu", "volta80"}, {"--release", "launch"});
  expect_the_same_run(folder, folder.path("t.sqlite"), {"--gpu", "volta80"}, {"--release", "none"});
}

TEST(Convert, ATraceListRunsTheSame) {
  const TestFolder folder;
  folder.write("traces/kernel-1.traceg", compute_trace({"compute", 4, 64}));
  folder.write("traces/kernel-2.traceg", stream_trace({"stream", 6, 128}));
  folder.write("traces/kernelslist.g",
               "MemcpyHtoD,0x7f0000000000,4096\nkernel-1.traceg\nkernel-2.traceg\nkernel-1.traceg\n");
  expect_the_same_run(folder, folder.path("traces/kernelslist.g"), {"--gpu", "volta80"});
}

TEST(Convert, AWorkloadFileRunsTheSameWithAllThatIsDrawn) {
  const TestFolder folder;
  for (const char* const name : {"service", "mixed", "copies"}) {
    expect_the_same_run(folder, std::string(GPUTLM_SOURCE_DIR "/workloads/") + name + ".yaml", {"--seed", "7"});
  }
}

TEST(Convert, BadInputIsToldOfAndLeavesNoFile) {
  const TestFolder folder;
  folder.write("w.yaml", "applications: 3\n");
  const Outcome wrong = run_program({"convert", folder.path("w.yaml"), "-o", folder.path("out.yaml")});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder.path("out.yaml")));
}

}  // namespace
}  // namespace gputlm
