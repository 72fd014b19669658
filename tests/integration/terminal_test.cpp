// Text that cannot be printed, and names that are not text: later errors do not lose a finished run.

#include <sys/stat.h>

#include <array>
#include <chrono>
#include <thread>

#include "tests/integration/output_set.h"
#include "tests/integration/processes.h"
#include "tests/integration/pseudo_terminal.h"

namespace gputlm {
namespace {

using Strings = std::vector<std::string>;

constexpr int kLostText = 74;

const std::string kWorkload = busy_workload(8, 20);

std::function<void()> closed(std::vector<int> streams) {
  return [streams] {
    for (const int stream : streams) ::close(stream);
  };
}

std::function<void()> full(int stream) {
  return [stream] { ::dup2(::open("/dev/full", O_WRONLY), stream); };
}

/// A pipe that nobody reads.
void unread(int stream) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) ::_exit(126);
  ::close(ends[0]);
  ::dup2(ends[1], stream);
}

struct LostTextCase {
  std::string name;
  std::function<void()> prepare;
  bool says_so;  ///< stderr can be read
};
void PrintTo(const LostTextCase& c, std::ostream* out) { *out << c.name; }

class LostText : public testing::TestWithParam<LostTextCase> {
 protected:
  void expect_told(const Outcome& outcome) const {
    EXPECT_EQ(outcome.code, kLostText) << outcome.err;
    if (GetParam().says_so) {
      EXPECT_NE(outcome.err.find("gputlm: text could not be written"), std::string::npos) << outcome.err;
    }
  }
  const TestFolder folder_;
};

TEST_P(LostText, CostsARunNothingButItsText) {
  const std::string workload = folder_.write("w.yaml", kWorkload);
  for (const Strings& more : {Strings{}, Strings{"--json"}}) {
    Strings arguments{"run", workload, "--out", folder_.path("out")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    expect_told(run_program(arguments, "", GetParam().prepare));
    EXPECT_NE(expect_whole_set_or_no_record(folder_.path("out"), "result.json"), "");
    std::filesystem::remove_all(folder_.path("out"));
  }
  expect_told(run_program({"mem", "random:100", "--out", folder_.path("mem")}, "", GetParam().prepare));
  EXPECT_NE(expect_whole_set_or_no_record(folder_.path("mem"), "memory.json"), "");
}

TEST_P(LostText, CostsASweepAndAnExperimentNothingButTheirText) {
  folder_.write("w.yaml", kWorkload);
  const std::string study = folder_.write("s.yaml", "gpus: [xavier]\nworkloads: [w.yaml]\n");
  expect_told(run_program({"sweep", study, "--no-cache", "--out", folder_.path("out")}, "", GetParam().prepare));
  EXPECT_EQ(folder_.files("out"),
            (Strings{"applications.csv", "launches.csv", "responses.csv", "results.sqlite", "summary.csv"}));
}

INSTANTIATE_TEST_SUITE_P(All, LostText,
                         testing::Values(LostTextCase{"StdoutClosed", closed({STDOUT_FILENO}), true},
                                         LostTextCase{"StderrClosed", closed({STDERR_FILENO}), false},
                                         LostTextCase{"AllClosed", closed({STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}),
                                                      false},
                                         LostTextCase{"StdoutFull", full(STDOUT_FILENO), true},
                                         LostTextCase{"StderrFull", full(STDERR_FILENO), false},
                                         LostTextCase{"NobodyReads", [] { unread(STDOUT_FILENO); }, false}),
                         [](const auto& c) { return c.param.name; });

/// Else a result would take their place, and text would be written into it.
TEST(ClosedStreams, AreTakenByNoFileOfARun) {
  const TestFolder folder;
  const std::string endless = folder.write("w.yaml", busy_workload(2'000'000'000, 1000));
  StartedProgram program({"run", endless, "--out", folder.path("out")}, "",
                         closed({STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}));
  for (int i = 0; i < 6000 && folder.files("out").size() < 4; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  for (const char* stream : {"0", "1", "2"}) {
    EXPECT_EQ(std::filesystem::read_symlink("/proc/" + std::to_string(program.pid()) + "/fd/" + stream), "/dev/null");
  }
}

TEST(LostText, IsToldByEveryCommand) {
  for (const Strings& arguments : {Strings{"list", "gpus"}, Strings{"list", "parameters", "--json"}, Strings{"--help"},
                                   Strings{"--version"}, Strings{"reproduce", "most-room/placement", "--no-cache"},
                                   Strings{"reproduce", "most-room/placement", "--no-cache", "--json"}}) {
    EXPECT_EQ(run_program(arguments, "", full(STDOUT_FILENO)).code, kLostText) << arguments[0];
    EXPECT_EQ(run_program(arguments).code, 0) << arguments[0];
  }
}

/// Takes a page of text and then no more, without an end.
std::function<void()> stuck(const TestFolder& folder) {
  const std::string fifo = folder.path("fifo");
  ::mkfifo(fifo.c_str(), 0600);
  return [fifo] {
    const int pipe = ::open(fifo.c_str(), O_RDWR);
    ::fcntl(pipe, F_SETPIPE_SZ, 4096);
    ::dup2(pipe, STDOUT_FILENO);
  };
}

void wait_for(const std::string& file) {
  for (int i = 0; i < 6000 && !std::filesystem::exists(file); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

/// The exit code of a program, which is killed if it hangs.
int code_within_ten_seconds(StartedProgram& program) {
  for (int i = 0; i < 1000 && program.running(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  program.signal(SIGKILL);
  return program.wait().code;
}

TEST(StuckText, EndsAtTheFirstSignalWithEverythingInPlace) {
  const TestFolder folder;
  StartedProgram program({"run", folder.write("w.yaml", kWorkload), "--json", "--out", folder.path("out")}, "",
                         stuck(folder));
  wait_for(folder.path("out/result.json"));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  program.signal(SIGTERM);
  EXPECT_EQ(code_within_ten_seconds(program), -SIGTERM);
  EXPECT_NE(expect_whole_set_or_no_record(folder.path("out"), "result.json"), "");
}

TEST(StuckText, OfAnInterruptedRunEndsAtASecondSignalASecondLaterAndNotBefore) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer delivers no signal in a call of the system that does not return";
#endif
  const TestFolder folder;
  const std::string endless = folder.write("w.yaml", busy_workload(2'000'000'000, 1000));
  StartedProgram program({"run", endless, "--json", "--out", folder.path("out")}, "", stuck(folder));
  for (int i = 0; i < 6000 && folder.files("out").empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  program.signal(SIGINT);
  program.signal(SIGTERM);  // as `timeout` does, at once
  wait_for(folder.path("out/result.json"));
  EXPECT_TRUE(program.running());
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  program.signal(SIGTERM);
  EXPECT_EQ(code_within_ten_seconds(program), -SIGTERM);
  EXPECT_NE(expect_whole_set_or_no_record(folder.path("out"), "result.json"), "");
}

TEST(StuckInput, EndsAtTheFirstSignal) {
  const TestFolder folder;
  stuck(folder);
  StartedProgram program({"run", folder.path("fifo"), "--out", folder.path("out")});
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  program.signal(SIGTERM);
  EXPECT_EQ(code_within_ten_seconds(program), -SIGTERM);
  EXPECT_FALSE(std::filesystem::exists(folder.path("out")));
}

TEST(LostText, DoesNotHideAnotherExitCode) {
  EXPECT_EQ(run_program({"run", "none.yaml"}, "", full(STDERR_FILENO)).code, 2);
  const TestFolder folder;
  EXPECT_EQ(run_program({"run", folder.write("w.yaml", "kernels: {"), "--out", folder.path("out")}, "",
                        closed({STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}))
                .code,
            2);
}

/// Short runs and one without an end.
std::string endless_study(const TestFolder& folder) {
  for (const char* name : {"a", "b", "c"}) folder.write(std::string(name) + ".yaml", busy_workload(8, 20));
  folder.write("endless.yaml", busy_workload(2'000'000'000, 1000));
  return folder.write("s.yaml", "gpus: [xavier]\nworkloads: [a.yaml, b.yaml, c.yaml, endless.yaml]\n");
}

TEST(Terminal, ShowsHowFarASweepIsAndWhatIsLeftUntilCtrlC) {
  const TestFolder folder;
  ProgramOnATerminal program({"sweep", endless_study(folder), "--jobs", "1", "--cache", folder.path("cache")});
  EXPECT_TRUE(program.shows("3 of 4 runs, 0 of them kept from before, ")) << program.shown();
  EXPECT_TRUE(program.shows(" s left")) << program.shown();
  program.type("\x03");
  EXPECT_EQ(program.wait(), 130);
  EXPECT_TRUE(all_end(folder.path("s.yaml")));
  EXPECT_NE(program.shown().find("interrupted: 3 of 4 runs are done, and the same command continues from there"),
            std::string::npos)
      << program.shown();
}

TEST(Terminal, ShowsWhichExperimentIsUnderWayUntilCtrlCAndItsRunsAreNotRepeated) {
  const TestFolder folder;
  const std::string cache = folder.path("cache");
  const auto kept = [&] {
    const auto names = folder.files("cache");
    return std::count_if(names.begin(), names.end(),
                         [](const std::string& name) { return std::filesystem::path(name).extension() == ".run"; });
  };
  ASSERT_EQ(run_program({"reproduce", "most-room/placement", "--cache", cache}).code, 0);
  const auto first = kept();
  ProgramOnATerminal program({"reproduce", "most-room/placement", "qaws/homogeneous", "--jobs", "1", "--cache", cache});
  EXPECT_TRUE(program.shows("qaws/homogeneous (2 of 2): ")) << program.shown();
  EXPECT_TRUE(program.shows(" left")) << program.shown();
  while (kept() <= first) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  program.type("\x03");
  EXPECT_EQ(program.wait(), 130);
  EXPECT_TRUE(all_end(cache));
  EXPECT_NE(program.shown().find("qaws/homogeneous (2 of 2): interrupted: "), std::string::npos) << program.shown();
  const std::string done = std::to_string(kept() - first);
  ProgramOnATerminal again({"reproduce", "most-room/placement", "qaws/homogeneous", "--jobs", "1", "--cache", cache});
  EXPECT_TRUE(again.shows(" of 63 runs, " + done + " of them kept from before")) << again.shown();
}

TEST(NamesThatAreNotUtf8, LoseNoResult) {
  const TestFolder folder;
  const std::string workload = folder.write("w\xff.yaml", R"(
kernels:
  "k)"
                                                          "\xff"
                                                          R"(": {grid: 4, block: 64, program: [int]}
applications:
  - {name: "a)"
                                                          "\xc3"
                                                          R"(", streams: [{name: s, launches: ["k)"
                                                          "\xff"
                                                          R"("]}]}
)");
  const Outcome outcome = run_program({"run", workload, "--json", "--out", folder.path("out\xfe")});
  EXPECT_TRUE(outcome.code == 0 || outcome.code == 2) << outcome.code << outcome.err;
  if (outcome.code == 0) {
    const std::string text = expect_whole_set_or_no_record(folder.path("out\xfe"), "result.json");
    EXPECT_EQ(outcome.out, text);
    EXPECT_EQ(nlohmann::json::parse(text).at("kernels")[0].at("kernel"), "k\xef\xbf\xbd") << "U+FFFD";
  }
  const std::string plain = folder.write("p\xff.yaml", kWorkload);
  const std::string gpu =
      folder.write("g\xff.yaml", read_file(std::string(GPUTLM_SOURCE_DIR) + "/platform/input/presets/xavier.yaml"));
  const Outcome named = run_program({"run", plain, "--gpu", gpu, "--out", folder.path("named")});
  EXPECT_EQ(named.code, 0) << named.err;
  EXPECT_NE(expect_whole_set_or_no_record(folder.path("named"), "result.json"), "");
  const std::string study = folder.write("s.yaml", "gpus: [\"g\xff.yaml\"]\nworkloads: [\"p\xff.yaml\"]\n");
  const Outcome sweep = run_program({"sweep", study, "--cache", folder.path("cache")});
  EXPECT_TRUE(sweep.code == 0 || sweep.code == 2) << sweep.code << sweep.err;
}

}  // namespace
}  // namespace gputlm
