// Commands that start processes: the processes end with the command, however it ends, and the failure of one does not end
// the others.

#include <cstdlib>

#include "tests/integration/environment.h"
#include "tests/integration/output_set.h"
#include "tests/integration/processes.h"

namespace gputlm {
namespace {

using Strings = std::vector<std::string>;

/// Two short runs and a long one, in this order.
Strings sweep_of(const TestFolder& folder, unsigned loops) {
  const auto workload = [&](const std::string& name, unsigned grid) {
    folder.write(name, "kernels:\n  k: {grid: " + std::to_string(grid) + ", block: 64, program: [loop: {count: " +
                           std::to_string(loops) + ", body: [fp32, int]}]}\n" +
                           "applications: [{name: a, streams: [{name: s, launches: [k]}]}]\n");
  };
  workload("a.yaml", 4);
  workload("b.yaml", 5);
  workload("long.yaml", loops > 1000 ? 2'000'000'000 : 600);
  const std::string file = folder.write("s.yaml", "gpus: [xavier]\nworkloads: [a.yaml, b.yaml, long.yaml]\n");
  return {"sweep", file, "--cache", folder.path("cache"), "--out", folder.path("out"), "--jobs", "2"};
}

std::size_t kept(const TestFolder& folder) {
  std::size_t count = 0;
  for (const std::string& name : folder.files("cache")) count += std::filesystem::path(name).extension() == ".run";
  return count;
}

void wait_until(const std::function<bool()>& there) {
  for (int i = 0; i < 6000 && !there(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

TEST(Sweep, EndsItsChildrenWhateverSignalEndsIt) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    const TestFolder folder;
    StartedProgram program(sweep_of(folder, 2000));
    wait_until([&] { return kept(folder) == 2 && processes_with(folder.path("s.yaml")).size() == 2; });
    ASSERT_EQ(processes_with(folder.path("s.yaml")).size(), 2u) << "the program and the long run";
    const auto before = std::chrono::steady_clock::now();
    program.signal(signal);
    EXPECT_EQ(program.wait().code, signal == SIGKILL ? -SIGKILL : 130);
    EXPECT_TRUE(all_end(folder.path("s.yaml"))) << strsignal(signal);
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10))
        << "a second where nothing else runs";
    EXPECT_EQ(kept(folder), 2u) << "what was finished is kept";
    if (signal != SIGKILL) {
      EXPECT_EQ(folder.files("out"), Strings{});
    }
  }
}

TEST(Sweep, RunsARunAgainThatWasKilledAndComesToTheSame) {
  const TestFolder folder;
  const Strings command = sweep_of(folder, 900);
  StartedProgram program(command);
  wait_until([&] {
    const auto children = children_of(program.pid());
    return !children.empty() && ::kill(children.back(), SIGKILL) == 0;
  });
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(run_program(command).out, outcome.out);
}

TEST(Nohup, LetsARunGoOnWithoutItsTerminal) {
  const TestFolder folder;
  const std::string workload = folder.write("w.yaml", busy_workload(2000, 200));
  StartedProgram program({"run", workload, "--out", folder.path("out")}, "", [] { ::signal(SIGHUP, SIG_IGN); });
  wait_until([&] { return !folder.files("out").empty(); });
  program.signal(SIGHUP);
  EXPECT_EQ(program.wait().code, 0);
}

/// yosys as a script that goes on for ever and has a child that does, too.
class EndlessTools {
 public:
  EndlessTools()
      : path_("PATH", folder_.path("bin") + ":" + std::getenv("PATH")), temporary_("TMPDIR", folder_.path("tmp")) {
    write_program("yosys", "[ \"$1\" = -V ] && { echo Yosys 9; exit; }\nsh " + folder_.path("bin/forever") +
                               " & touch " + folder_.path("started") + "; wait");
    write_program("forever", "while :; do sleep 1; done");
    write_program("sta", "case \"$*\" in *version*) echo 2;; *) exec " + real("sta") + " \"$@\";; esac");
    std::filesystem::create_directory(folder_.path("tmp"));
  }
  const TestFolder& folder() const { return folder_; }
  bool started() const { return std::filesystem::exists(folder_.path("started")); }
  /// Those of the program in TMPDIR; a test's own are there, too.
  std::size_t work_folders() const {
    const auto names = folder_.files("tmp");
    return std::count_if(names.begin(), names.end(),
                         [](const auto& name) { return name.rfind("gputlm-work-", 0) == 0; });
  }

 private:
  static std::string real(const std::string& name) {
    std::istringstream path(std::getenv("PATH"));
    for (std::string folder; std::getline(path, folder, ':');) {
      if (folder.find("gputlm_integration") == std::string::npos && std::filesystem::exists(folder + "/" + name)) {
        return folder + "/" + name;
      }
    }
    return "/bin/false";
  }
  void write_program(const std::string& name, const std::string& commands) const {
    std::filesystem::permissions(folder_.write("bin/" + name, "#!/bin/sh\n" + commands + "\n"),
                                 std::filesystem::perms::owner_all);
  }
  TestFolder folder_;
  Environment path_, temporary_;
};

class Cost : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v sta >/dev/null") != 0) GTEST_SKIP() << "sta is not installed (Debian: opensta)";
    if (!std::filesystem::exists("/usr/share/qflow/tech/osu018/osu018_stdcells.lib"))
      GTEST_SKIP() << "the library is not installed (Debian: qflow-tech-osu018)";
  }
};

TEST_F(Cost, EndsItsToolsAndTheirChildrenWhateverSignalEndsIt) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer delivers no signal to a process that was forked and waits for a child";
#endif
  for (const int signal : {SIGTERM, SIGKILL}) {
    const EndlessTools tools;
    const TestFolder& folder = tools.folder();
    const Strings command{"cost", "fr_fcfs_arbiter", "--entries", "8", "--jobs", "1", "--out", folder.path("out")};
    StartedProgram program(command);
    wait_until([&] { return tools.started(); });
    const std::string child = folder.path("bin/forever");
    wait_until([&] { return processes_with(child).size() == 1; });  // two while the shell starts what it runs
    const auto before = std::chrono::steady_clock::now();
    program.signal(signal);
    EXPECT_EQ(program.wait().code, signal == SIGKILL ? -SIGKILL : 130);
    EXPECT_TRUE(all_end(child)) << strsignal(signal);
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(10))
        << "a second where nothing else runs";
    EXPECT_EQ(tools.work_folders(), signal == SIGKILL ? 1u : 0u);
    if (signal != SIGKILL) continue;
    // The next program that makes such a folder finds it.
    std::filesystem::remove(folder.path("started"));
    StartedProgram next(command);
    wait_until([&] { return tools.started(); });
    next.signal(SIGTERM);
    next.wait();
    EXPECT_EQ(tools.work_folders(), 0u);
  }
}

}  // namespace
}  // namespace gputlm
