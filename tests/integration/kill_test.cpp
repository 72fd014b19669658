// If the program is killed while it writes, if the disk is full, or if others write there too, an output folder has all files
// of one run or says that it has none, and the next run can write to it.

#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <thread>

#include "tests/integration/killer.h"
#include "tests/integration/output_set.h"
#include "tests/integration/processes.h"

namespace gputlm {
namespace {

using Strings = std::vector<std::string>;
namespace fs = std::filesystem;

const std::string kSmall = busy_workload(8, 20);

/// Runs that write into the same folder, one after the other.
struct Case {
  std::string name, record;
  Strings first, second;
  Strings files;  ///< of the second
};

/// Kills the second run before each of its calls in turn, and once more where it is not killed any more.
class KilledAnywhere {
 public:
  KilledAnywhere(const TestFolder& folder, Case what) : folder_(folder), case_(std::move(what)) {
    EXPECT_EQ(run(case_.first, "first").code, 0);
    first_ = expect_whole_set_or_no_record(folder_.path("first"), case_.record);
    EXPECT_NE(first_, "");
    EXPECT_EQ(run(case_.second, "second").code, 0);
    second_ = expect_whole_set_or_no_record(folder_.path("second"), case_.record);
    EXPECT_NE(second_, first_);
  }

  /// Returns how many kills there were.
  unsigned run_all() {
    for (unsigned call = 0;; ++call) {
      begin();
      auto code = run_and_kill_before(call, arguments(case_.second, "out"));
      if (!code) return run_at_random();
      SCOPED_TRACE(case_.name + ", killed before call " + std::to_string(call));
      check();
      if (*code == 0) return call;
      EXPECT_EQ(*code, -SIGKILL);
      if (testing::Test::HasFailure()) return call;
    }
  }

 private:
  unsigned run_at_random() {
    std::cout << "ptrace is not allowed here: killed at random times instead\n";
    std::mt19937 random(1);
    for (unsigned kill = 0; kill < 40; ++kill) {
      begin();
      StartedProgram program(arguments(case_.second, "out"));
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
      program.signal(SIGKILL);
      program.wait();
      check();
    }
    return 40;
  }
  void begin() const {
    fs::remove_all(folder_.path("out"));
    fs::copy(folder_.path("first"), folder_.path("out"));
  }
  void check() const {
    const std::string record = expect_whole_set_or_no_record(folder_.path("out"), case_.record);
    EXPECT_TRUE(record.empty() || record == first_ || record == second_);
    EXPECT_EQ(run(case_.second, "out").code, 0);
    EXPECT_EQ(expect_whole_set_or_no_record(folder_.path("out"), case_.record), second_);
    // A file of the first run may stay where it was killed between the two sets: no record names it then.
    for (const std::string& name : case_.files) EXPECT_TRUE(fs::exists(folder_.path("out/" + name))) << name;
    EXPECT_EQ(parts_of(folder_, "out"), Strings{});
  }
  Strings arguments(Strings words, const std::string& out) const {
    words.insert(words.end(), {"--out", folder_.path(out)});
    return words;
  }
  Outcome run(const Strings& words, const std::string& out) const { return run_program(arguments(words, out)); }

  const TestFolder& folder_;
  Case case_;
  std::string first_, second_;
};

TEST(KilledBetweenAnyTwoCalls, RunLeavesTheOldFilesOrTheNewOnesOrNoResult) {
  const TestFolder folder;
  const std::string workload = folder.write("w.yaml", kSmall);
  const unsigned kills = KilledAnywhere(folder, {"run",
                                                 "result.json",
                                                 {"run", workload, "--probe", "slices", "--probe", "commands"},
                                                 {"run", workload, "--seed", "2", "--set", "dram.queue=64", "--force"},
                                                 kRunFiles})
                             .run_all();
  EXPECT_GE(kills, 20u) << "they are made, locked, synced and put in place";
}

TEST(KilledBetweenAnyTwoCalls, MemLeavesTheOldFilesOrTheNewOnesOrNoResult) {
  const TestFolder folder;
  const unsigned kills = KilledAnywhere(folder, {"mem",
                                                 "memory.json",
                                                 {"mem", "random:100", "--probe", "commands"},
                                                 {"mem", "random:100", "--probe", "commands", "--seed", "2"},
                                                 {"commands.csv", "memory.json"}})
                             .run_all();
  EXPECT_GE(kills, 12u);
}

TEST(FullDisk, LeavesTheOldFilesAndAnErrorAtWhateverByteItIsFull) {
  const TestFolder folder;
  const std::string workload = folder.write("w.yaml", kSmall);
  const Strings run{"run", workload, "--out", folder.path("out"), "--probe", "commands"};
  ASSERT_EQ(run_program(run).code, 0);
  const std::string before = expect_whole_set_or_no_record(folder.path("out"), "result.json");
  ASSERT_EQ(run_program({"run", workload, "--out", folder.path("whole"), "--seed", "2"}).code, 0);
  const rlim_t whole = fs::file_size(folder.path("whole/result.json"));  // the largest
  unsigned failed = 0;
  for (const rlim_t most : std::vector<rlim_t>{1'000, 4'095, 4'096, 5'000, 8'192, 20'000, whole - 1, whole}) {
    // Files that may not grow stand for a disk that is full; the test's own files of text are smaller than any of these.
    const Outcome outcome =
        run_program({"run", workload, "--out", folder.path("out"), "--seed", "2", "--force"}, "", [most] {
          const rlimit limit{most, most};
          ::setrlimit(RLIMIT_FSIZE, &limit);
        });
    const std::string record = expect_whole_set_or_no_record(folder.path("out"), "result.json");
    if (outcome.code == 0) {
      EXPECT_NE(record, before);
      continue;
    }
    ++failed;
    EXPECT_EQ(outcome.code, 2) << most << ": " << outcome.err;
    EXPECT_NE(outcome.err.find("cannot be written: File too large"), std::string::npos) << outcome.err;
    EXPECT_EQ(record, before) << most;
    EXPECT_EQ(parts_of(folder, "out"), Strings{}) << most;
  }
  EXPECT_EQ(failed, 7u);
}

const std::string kEndless = busy_workload(2'000'000'000, 1000);

TEST(SameFolder, IsWrittenByOneOfManyAndTheOthersSaySo) {
  const TestFolder folder;
  const std::string workload = folder.write("w.yaml", kEndless);
  std::vector<std::unique_ptr<StartedProgram>> programs;
  for (const char* seed : {"1", "2", "3", "4", "5", "6"}) {
    programs.push_back(
        std::make_unique<StartedProgram>(Strings{"run", workload, "--seed", seed, "--out", folder.path("out")}));
  }
  const auto running = [&] {
    return std::count_if(programs.begin(), programs.end(), [](const auto& program) { return program->running(); });
  };
  for (int i = 0; i < 6000 && running() > 1; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_EQ(running(), 1);
  std::size_t winner = 0;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (programs[i]->running()) {
      winner = i;
      programs[i]->signal(SIGINT);
      EXPECT_EQ(programs[i]->wait().code, 130);
    } else {
      const Outcome refused = programs[i]->wait();
      EXPECT_EQ(refused.code, 2);
      EXPECT_NE(refused.err.find("is being written to by another program"), std::string::npos) << refused.err;
    }
  }
  const std::string record = expect_whole_set_or_no_record(folder.path("out"), "result.json");
  ASSERT_NE(record, "");
  EXPECT_EQ(nlohmann::json::parse(record).at("seed"), winner + 1);
  EXPECT_EQ(parts_of(folder, "out"), Strings{});
}

TEST(PlantedLink, IsNotWrittenThrough) {
  const TestFolder folder;
  folder.write("victim", "precious");
  fs::create_directory(folder.path("out"));
  for (const std::string& name : kRunFiles) {
    fs::create_symlink("../victim", folder.path("out/" + name));
  }
  ASSERT_EQ(run_program({"run", folder.write("w.yaml", kSmall), "--out", folder.path("out")}).code, 0);
  EXPECT_EQ(read_file(folder.path("victim")), "precious");
  EXPECT_NE(expect_whole_set_or_no_record(folder.path("out"), "result.json"), "");
}

/// A signal at any time: the exit code says what became of the run, and the folder has all of it or nothing.
TEST(Sigterm, AtRandomTimesEndsARunWithAWholeResultOrNone) {
  const TestFolder folder;
  const std::string workload = folder.write("w.yaml", busy_workload(400, 200));
  std::mt19937 random(7);
  for (unsigned i = 0; i < 15; ++i) {
    fs::remove_all(folder.path("out"));
    StartedProgram program({"run", workload, "--out", folder.path("out")});
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 80'000));
    program.signal(SIGTERM);
    const Outcome outcome = program.wait();
    const std::string record = expect_whole_set_or_no_record(folder.path("out"), "result.json");
    SCOPED_TRACE(outcome.err);
    if (outcome.code == 130) {
      EXPECT_EQ(nlohmann::json::parse(record).at("state"), "interrupted");
    } else if (outcome.code == 0) {
      EXPECT_EQ(nlohmann::json::parse(record).at("state"), "complete");
    } else {
      EXPECT_EQ(outcome.code, -SIGTERM);  // before the run, or when its files were there
    }
    EXPECT_EQ(parts_of(folder, "out"), Strings{});
  }
}

}  // namespace
}  // namespace gputlm
