// The attacks of kill_test.cpp and children_test.cpp by the hundred: any command, any signal, any time.

#include <chrono>
#include <random>
#include <thread>

#include "tests/integration/environment.h"
#include "tests/integration/output_set.h"
#include "tests/integration/processes.h"
#include "tests/integration/slurm_attack.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

constexpr unsigned kAttacks = 200;  // of a fifth of a second

struct Command {
  Strings words;
  std::string record;  ///< empty: its files are no set
};

class Attacks : public testing::Test {
 protected:
  Attacks() : temporary_("TMPDIR", folder_.path("tmp")) {
    fs::create_directory(folder_.path("tmp"));
    const std::string workload = folder_.write("w.yaml", busy_workload(400, 100));
    const std::string sweep =
        folder_.write("s.yaml", "gpus: [xavier]\nworkloads: [w.yaml]\nseeds: [1, 2, 3, 4, 5, 6]\n");
    const std::string out = folder_.path("out"), cache = folder_.path("cache");
    commands_ = {{{"run", workload, "--out", out, "--force", "--probe", "slices"}, "result.json"},
                 {{"run", workload, "--out", out, "--force", "--gpu", "xavier"}, "result.json"},
                 {{"mem", "random:50000", "--out", out, "--probe", "commands"}, "memory.json"},
                 {{"sweep", sweep, "--out", out, "--cache", cache}, ""},
                 {{"reproduce", "most-room/placement", "--out", out, "--cache", cache}, ""}};
  }
  /// What must hold after every command, however it ended, for the next to begin.
  void expect_order(const std::string& record) {
    EXPECT_TRUE(all_end(folder_.path("")));
    for (const char* name : {"result.json", "memory.json"}) {
      if (record == name || record.empty()) expect_whole_set_or_no_record(folder_.path("out"), name);
    }
  }

  TestFolder folder_;
  Environment temporary_;
  std::vector<Command> commands_;
};

TEST_F(Attacks, OfAnySignalAtAnyTimeLeaveOrder) {
  std::mt19937 random(1);
  const std::vector<int> signals{SIGINT, SIGTERM, SIGHUP, SIGKILL};
  for (unsigned i = 0; i < kAttacks && !HasFailure(); ++i) {
    const Command& command = commands_[random() % commands_.size()];
    const int signal = signals[random() % signals.size()];
    SCOPED_TRACE("attack " + std::to_string(i) + ": " + command.words[0] + ", signal " + std::to_string(signal));
    StartedProgram program(command.words);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 200'000));
    program.signal(signal);
    const Outcome outcome = program.wait();
    EXPECT_TRUE(outcome.code == 0 || outcome.code == 130 || outcome.code == -signal) << outcome.code << outcome.err;
    expect_order(command.record);
    if (signal != SIGKILL) {
      EXPECT_EQ(parts_of(folder_, "out"), Strings{});
    }
  }
  for (const Command& command : commands_) {
    const Outcome outcome = run_program(command.words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expect_order(command.record);
    EXPECT_EQ(parts_of(folder_, "out"), Strings{});
  }
  EXPECT_EQ(parts_of(folder_, "cache"), Strings{});
}

TEST_F(Attacks, OfManyProgramsOnOneFolderLeaveOneWholeSet) {
  std::mt19937 random(2);
  for (unsigned i = 0; i < kAttacks / 10 && !HasFailure(); ++i) {
    std::vector<std::unique_ptr<StartedProgram>> programs;
    for (unsigned p = 0; p < 8; ++p) {
      programs.push_back(std::make_unique<StartedProgram>(commands_[random() % 2].words));
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 30'000));
    }
    unsigned done = 0;
    for (const auto& program : programs) {
      const Outcome outcome = program->wait();
      EXPECT_TRUE(outcome.code == 0 || outcome.code == 2) << outcome.err;
      done += outcome.code == 0 ? 1 : 0;
    }
    EXPECT_GE(done, 1u);
    EXPECT_NE(expect_whole_set_or_no_record(folder_.path("out"), "result.json"), "");
    EXPECT_EQ(parts_of(folder_, "out"), Strings{});
  }
}

TEST(SlurmAttacks, OfFortyKillsLeaveTheDatabaseOfTwoHundredRuns) {
  if (!SlurmCluster::possible()) GTEST_SKIP() << "Slurm is not installed (slurmctld slurmd slurm-client munge)";
  expect_nothing_lost_or_repeated(2, 100, 40);
}

}  // namespace
}  // namespace gputlm
