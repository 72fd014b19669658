#include "tlm/base/tools/tool.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "tests/support/test_folder.h"
#include "tlm/base/error.h"

namespace gputlm::tools {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// A script of the shell as a tool.
Tool script(const TestFolder& folder, const std::string& name, const std::string& commands) {
  const std::string path = folder.write(name, "#!/bin/sh\n" + commands + "\n");
  chmod(path.c_str(), 0755);
  return {name, path, ""};
}

/// Whether the process is there and no zombie.
bool runs(const std::string& pid) {
  try {
    return read_file("/proc/" + pid + "/stat").find(") Z ") == std::string::npos;
  } catch (const std::runtime_error&) {
    return false;
  }
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
  EXPECT_THAT(running("exit 255"), ThrowsMessage<InputError>(HasSubstr("exit code 255")));
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
  std::string pid = read_file(folder.path("child"));
  pid.pop_back();
  for (int i = 0; i < 200 && runs(pid); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(runs(pid)) << "the tool's child runs on";
}

TEST(Tool, EndsWithItsChildrenWhenTheProcessThatRunsItIsKilled) {
  const TestFolder folder;
  const Tool tool = script(folder, "t", "sleep 60 & echo $! > part; echo $$ >> part; mv part started; wait");
  const pid_t caller = fork();
  if (caller == 0) {
    run_tool(tool, {}, folder.path(), "log", std::atomic<bool>(false));
    _exit(0);
  }
  while (!std::filesystem::exists(folder.path("started"))) std::this_thread::yield();
  std::istringstream pids(read_file(folder.path("started")));
  std::string child, itself;
  pids >> child >> itself;
  EXPECT_TRUE(runs(child) && runs(itself));
  kill(caller, SIGKILL);
  waitpid(caller, nullptr, 0);
  for (int i = 0; i < 1000 && (runs(child) || runs(itself)); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(runs(child));
  EXPECT_FALSE(runs(itself));
}

TEST(Tool, LeavesNoChildRunningWhenItHasEnded) {
  const TestFolder folder;
  const Tool tool = script(folder, "t", "sleep 60 & echo $! > child");
  run_tool(tool, {}, folder.path(), "log", std::atomic<bool>(false));
  std::string pid = read_file(folder.path("child"));
  pid.pop_back();
  for (int i = 0; i < 1000 && runs(pid); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(runs(pid));
}

TEST(Tool, IgnoresNoSignalThatWeIgnore) {
  const TestFolder folder;
  signal(SIGPIPE, SIG_IGN);
  run_tool(script(folder, "t", "grep SigIgn /proc/self/status"), {}, folder.path(), "log", std::atomic<bool>(false));
  signal(SIGPIPE, SIG_DFL);
  EXPECT_EQ(read_file(folder.path("log")), "SigIgn:\t0000000000000000\n");
}

TEST(Tool, OneThatIsNotThereIsNamedWithItsPackage) {
  EXPECT_THAT(
      [] { find_tool("no-such-tool", "a-package"); },
      ThrowsMessage<InputError>("no-such-tool is not in PATH, but needed here (Debian: apt-get install a-package)"));
}

TEST(WorkFolder, OfAProcessThatWasKilledGoesWhenTheNextIsMadeAndNoOther) {
  const TestFolder folder;
  setenv("TMPDIR", folder.path().c_str(), 1);
  const pid_t killed = fork();
  if (killed == 0) {
    const WorkFolder work;
    write_file(work.path() + "/file", "text");
    raise(SIGKILL);
  }
  waitpid(killed, nullptr, 0);
  const auto count = [&] {
    return std::distance(std::filesystem::directory_iterator(folder.path()), std::filesystem::directory_iterator());
  };
  EXPECT_EQ(count(), 1);
  for (const char* others : {"gputlm-work-results", "gputlm-results", "gputlm-work-"})
    std::filesystem::create_directory(folder.path(others));
  std::filesystem::create_directory(folder.path("elsewhere"));
  std::filesystem::create_directory_symlink("elsewhere", folder.path("gputlm-work-abcdef"));
  const WorkFolder first, second;
  EXPECT_TRUE(std::filesystem::exists(first.path())) << "it is in use";
  EXPECT_EQ(count(), 5 + 2);
  unsetenv("TMPDIR");
}

TEST(WorkFolder, IsGoneAfterwardsUnlessItIsToBeKept) {
  std::string temporary;
  const TestFolder folder;
  {
    const WorkFolder work("");
    temporary = work.path();
    write_file(temporary + "/file", "text");
    const WorkFolder kept(folder.path("a/b"));
    EXPECT_THAT([&] { WorkFolder(folder.path("a/b")); }, ThrowsMessage<InputError>(HasSubstr("is in use")));
    write_file(kept.path() + "/file", "text");
  }
  EXPECT_FALSE(std::filesystem::exists(temporary));
  EXPECT_TRUE(std::filesystem::exists(folder.path("a/b/file")));
  EXPECT_THAT([&] { WorkFolder(folder.path("a")); }, ThrowsMessage<InputError>(HasSubstr("is not empty")));
  EXPECT_THAT([&] { WorkFolder(folder.path("a/b/file/c")); }, ThrowsMessage<InputError>(HasSubstr("cannot be made")));
  EXPECT_THAT([&] { WorkFolder(folder.path("a/b/file")); }, ThrowsMessage<InputError>(HasSubstr("file")));
}

}  // namespace
}  // namespace gputlm::tools
