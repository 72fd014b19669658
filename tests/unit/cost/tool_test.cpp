#include "testbench/cost/tool.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "testbench/cost/parallel.h"
#include "tests/unit/cost/test_folder.h"
#include "tlm/error.h"

namespace gputlm::cost {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// A script of the shell as a tool.
Tool script(const TestFolder& folder, const std::string& name, const std::string& commands) {
  const std::string path = folder.write(name, "#!/bin/sh\n" + commands + "\n");
  chmod(path.c_str(), 0755);
  return {name, path, ""};
}

TEST(Tool, RunsInTheFolderWithItsOutputInTheLog) {
  const TestFolder folder;
  const std::atomic<bool> stop{false};
  run_tool(script(folder, "t", "pwd; echo \"$1|$2\" >&2; echo \"$TMPDIR\"; cat"), {"a b", "$HOME;'"}, folder.path(""),
           "log", stop);
  const std::string here = std::filesystem::canonical(folder.path()).string();
  EXPECT_EQ(read_file(folder.path("log")), here + "\na b|$HOME;'\n" + folder.path("") + "\n");
}

TEST(Tool, AFailureSaysWhatTheToolSaid) {
  const TestFolder folder;
  const std::atomic<bool> stop{false};
  const auto running = [&](const std::string& commands) {
    return [&, commands] { run_tool(script(folder, "t", commands), {}, folder.path(), "log", stop); };
  };
  EXPECT_THAT(running("echo reading; echo 'ERROR: no such cell'; echo; exit 3"),
              ThrowsMessage<InputError>("t failed (exit code 3): ERROR: no such cell"));
  EXPECT_THAT(running("echo first; echo last; exit 1"), ThrowsMessage<InputError>("t failed (exit code 1): last"));
  EXPECT_THAT(running("exit 1"), ThrowsMessage<InputError>(HasSubstr("it said nothing")));
  EXPECT_THAT(running("kill -SEGV $$"), ThrowsMessage<InputError>(HasSubstr("signal Segmentation fault")));
  EXPECT_THAT(
      [&] {
        run_tool({"none", folder.path("none"), ""}, {}, folder.path(), "log", stop);
      },
      ThrowsMessage<InputError>(HasSubstr("cannot be started")));
}

TEST(Tool, StoppingEndsTheToolAndWhatItStarted) {
  const TestFolder folder;
  std::atomic<bool> stop{false};
  std::thread stopper([&] {
    while (!std::filesystem::exists(folder.path("child"))) std::this_thread::yield();
    stop = true;
  });
  const Tool tool = script(folder, "t", "sleep 60 & echo $! > part; mv part child; wait");
  EXPECT_THROW(run_tool(tool, {}, folder.path(), "log", stop), Stopped);
  stopper.join();
  const std::string stat = "/proc/" + std::to_string(std::stoi(read_file(folder.path("child")))) + "/stat";
  for (int i = 0; i < 200 && std::filesystem::exists(stat); ++i) {
    try {
      if (read_file(stat).find(") Z ") != std::string::npos) break;  // dead, and its new parent has not looked yet
    } catch (const std::runtime_error&) {
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_LT(i, 199) << "the tool's child runs on";
  }
}

TEST(Tool, OneThatIsNotThereIsNamedWithItsPackage) {
  EXPECT_THAT(
      [] { find_tool("no-such-tool", "--version", "a-package"); },
      ThrowsMessage<InputError>("no-such-tool is not in PATH, but needed here (Debian: apt-get install a-package)"));
}

TEST(WorkFolder, IsGoneAfterwardsUnlessItIsToBeKept) {
  std::string temporary;
  const TestFolder folder;
  {
    const WorkFolder work("");
    temporary = work.path();
    write_file(temporary + "/file", "text");
    const WorkFolder kept(folder.path("a/b"));
    write_file(kept.path() + "/file", "text");
  }
  EXPECT_FALSE(std::filesystem::exists(temporary));
  EXPECT_TRUE(std::filesystem::exists(folder.path("a/b/file")));
  EXPECT_THAT([&] { WorkFolder(folder.path("a")); }, ThrowsMessage<InputError>(HasSubstr("is not empty")));
  EXPECT_THAT([&] { WorkFolder(folder.path("a/b/file/c")); }, ThrowsMessage<InputError>(HasSubstr("cannot be made")));
  EXPECT_THAT([&] { WorkFolder(folder.path("a/b/file")); }, ThrowsMessage<InputError>(HasSubstr("file")));
}

TEST(Parallel, RunsEveryJobOnceWhateverTheNumberOfThreads) {
  for (const unsigned threads : {0u, 1u, 2u, 7u, 50u}) {
    std::vector<std::atomic<int>> runs(20);
    std::size_t last = 0;
    run_parallel(
        runs.size(), threads, [&](std::size_t i, const std::atomic<bool>&) { ++runs[i]; },
        [&](std::size_t done, std::size_t count) {
          EXPECT_GE(done, last);
          EXPECT_EQ(count, runs.size());
          last = done;
          return true;
        });
    for (const auto& count : runs) EXPECT_EQ(count, 1);
    EXPECT_EQ(last, runs.size());
  }
  run_parallel(
      0, 2, [](std::size_t, const std::atomic<bool>&) { FAIL(); }, [](std::size_t, std::size_t) { return true; });
}

TEST(Parallel, OneFailureEndsTheOthersAndIsTheOneThatIsThrown) {
  std::atomic<int> begun{0};
  const auto job = [&](std::size_t i, const std::atomic<bool>& stop) {
    ++begun;
    if (i == 1) throw InputError("job 1");
    while (!stop) std::this_thread::yield();
    throw Stopped();
  };
  EXPECT_THAT([&] { run_parallel(50, 2, job, [](std::size_t, std::size_t) { return true; }); },
              ThrowsMessage<InputError>("job 1"));
  EXPECT_EQ(begun, 2);
}

TEST(Parallel, TheCallerCanStopIt) {
  const auto job = [](std::size_t, const std::atomic<bool>& stop) {
    while (!stop) std::this_thread::yield();
    throw Stopped();
  };
  EXPECT_THROW(run_parallel(5, 2, job, [](std::size_t, std::size_t) { return false; }), Stopped);
}

}  // namespace
}  // namespace gputlm::cost
