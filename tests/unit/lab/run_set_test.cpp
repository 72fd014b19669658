// Runs by key, results by key; and that a run is not carried out twice.

#include "platform/lab/experiment_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <thread>

#include "platform/lab/jobs.h"
#include "platform/lab/run_store.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;

class RunSetTest : public testing::Test {
 protected:
  RunSetTest() {
    std::string name = (fs::temp_directory_path() / "gputlm_run_set_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~RunSetTest() override { fs::remove_all(folder_); }
  std::string folder_;
};

std::size_t lines(const std::string& path) {
  std::ifstream file(path);
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) ++count;
  return count;
}

/// Notes in a file that it was carried out, whichever process does it.
struct Note {
  std::string id, text, file;
  using Result = std::string;
  Job job() const {
    return {id, [this](const Execution&) {
              std::ofstream(file, std::ios::app) << text << '\n';
              if (text == "bad input") throw InputError("line 7");
              if (text == "bad") throw std::runtime_error("no");
              if (text == "killed" || (text == "killed once" && lines(file) == 1)) raise(SIGKILL);
              return "did " + text;
            }};
  }
  static std::string result(std::string_view bytes) { return std::string(bytes); }
};

TEST_F(RunSetTest, GivesEveryKeyItsOwnResultWhateverTheOrder) {
  for (const unsigned parallel : {1u, 3u}) {
    RunSet<std::pair<std::string, int>, Note> runs;
    for (const char* name : {"z", "a"}) {
      for (const int n : {2, 1}) runs.add({name, n}, {"", name + std::to_string(n), folder_ + "/notes"});
    }
    JobOptions options;
    options.parallel = parallel;
    runs.run(options);
    EXPECT_EQ(runs.size(), 4u);
    EXPECT_EQ(runs.keys().front(), std::pair(std::string("z"), 2)) << "in the order in which they were added";
    for (const auto& [name, n] : runs.keys()) EXPECT_EQ(runs.result({name, n}), "did " + name + std::to_string(n));
  }
}

TEST_F(RunSetTest, RefusesAKeyThatIsTakenOrUnknown) {
  RunSet<int, Note> runs;
  runs.add(1, {"", "one", folder_ + "/notes"});
  EXPECT_THROW(runs.add(1, {"", "another", folder_ + "/notes"}), std::logic_error);
  EXPECT_THROW(runs.result(1), std::logic_error) << "it has not run";
  runs.run({});
  EXPECT_EQ(runs.result(1), "did one");
  EXPECT_THROW(runs.result(2), std::logic_error);
  EXPECT_FALSE(runs.has(2));
}

TEST_F(RunSetTest, CarriesOutWhatWasAddedLaterAndNothingTwice) {
  RunSet<int, Note> runs;
  runs.add(1, {"", "one", folder_ + "/notes"});
  runs.run({});
  runs.add(2, {"", "two", folder_ + "/notes"});
  runs.run({});
  EXPECT_EQ(runs.result(2), "did two");
  EXPECT_EQ(lines(folder_ + "/notes"), 2u);
}

TEST_F(RunSetTest, CarriesOutOneOfTheJobsWithTheSameId) {
  RunSet<int, Note> runs;
  for (const int key : {1, 2, 3}) runs.add(key, {"same", "it", folder_ + "/notes"});
  runs.run({});
  for (const int key : {1, 2, 3}) EXPECT_EQ(runs.result(key), "did it");
  EXPECT_EQ(lines(folder_ + "/notes"), 1u);
}

TEST_F(RunSetTest, FindsInTheStoreWhatWasDoneBefore) {
  const RunStore store(folder_ + "/store");
  std::vector<JobProgress> told;
  const auto run = [&](const std::vector<std::string>& ids) {
    RunSet<std::string, Note> runs;
    for (const std::string& id : ids) runs.add(id, {id, id, folder_ + "/notes"});
    JobOptions options;
    options.store = &store;
    options.progress = [&](const JobProgress& p) { told.push_back(p); };
    runs.run(options);
    for (const std::string& id : ids) EXPECT_EQ(runs.result(id), "did " + id);
  };
  run({"a", "b"});
  EXPECT_EQ(lines(folder_ + "/notes"), 2u);
  told.clear();
  run({"a", "c", "b"});
  EXPECT_EQ(lines(folder_ + "/notes"), 3u);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0].done, 2u);
  EXPECT_EQ(told[0].kept, 2u);
  EXPECT_EQ(told[1].done, 3u);
  EXPECT_EQ(told[1].of, 3u);
}

TEST_F(RunSetTest, KeepsNothingOfAJobWithoutAnId) {
  const RunStore store(folder_ + "/store");
  JobOptions options;
  options.store = &store;
  for (int i = 0; i < 2; ++i) {
    RunSet<int, Note> runs;
    runs.add(1, {"", "it", folder_ + "/notes"});
    runs.run(options);
  }
  EXPECT_EQ(lines(folder_ + "/notes"), 2u);
}

TEST_F(RunSetTest, KeepsWhatWasDoneBeforeAJobFailed) {
  const RunStore store(folder_ + "/store");
  JobOptions options;
  options.parallel = 1;
  options.store = &store;
  RunSet<int, Note> runs;
  runs.add(1, {"good", "good", folder_ + "/notes"});
  runs.add(2, {"bad", "bad input", folder_ + "/notes"});
  runs.add(3, {"after", "after", folder_ + "/notes"});
  EXPECT_THROW(runs.run(options), InputError);
  EXPECT_TRUE(store.find("good"));
  EXPECT_FALSE(store.find("bad"));
  EXPECT_EQ(lines(folder_ + "/notes"), 2u) << "no other is begun";
}

TEST_F(RunSetTest, RunsAJobThatWasKilledOnceMoreAndThenNamesItWithItsSignal) {
  RunSet<int, Note> once;
  once.add(1, {"", "killed once", folder_ + "/once"});
  once.run({});
  EXPECT_EQ(once.result(1), "did killed once");
  EXPECT_EQ(lines(folder_ + "/once"), 2u);

  RunSet<int, Note> twice;
  twice.add(1, {"", "good", folder_ + "/others"});
  twice.add(2, {"", "killed", folder_ + "/twice"});
  EXPECT_THAT([&] { twice.run({}); },
              testing::ThrowsMessage<std::runtime_error>(testing::AllOf(
                  testing::HasSubstr("run 2"), testing::HasSubstr("killed twice, by signal 9 (Killed)"))));
  EXPECT_EQ(lines(folder_ + "/twice"), 2u);
}

TEST_F(RunSetTest, GoesOnWithoutTheJobsThatFailWhereSomebodyHearsOfThem) {
  RunSet<int, Note> runs;
  const std::vector<std::string> texts{"good", "bad input", "bad", "killed", "after"};
  for (int key = 0; key < 5; ++key) runs.add(key, {"", texts[key], folder_ + "/notes"});
  JobOptions options;
  options.parallel = 1;
  std::map<std::size_t, RunFailure> failures;
  options.failed = [&](const RunFailure& failure) { failures.emplace(failure.job, failure); };
  runs.run(options);
  EXPECT_EQ(runs.result(4), "did after");
  EXPECT_EQ(runs.result(2), "");
  ASSERT_EQ(failures.size(), 3u);
  EXPECT_EQ(failures.at(1).why, "line 7");
  EXPECT_EQ(failures.at(1).kind, RunFailure::Kind::kInput);
  EXPECT_EQ(failures.at(2).kind, RunFailure::Kind::kOther);
  EXPECT_EQ(failures.at(3).kind, RunFailure::Kind::kKilled);
}

TEST_F(RunSetTest, SaysHowFarItCameWhenItIsInterrupted) {
  const RunStore store(folder_ + "/store");
  RunSet<int, Note> runs;
  for (const int key : {1, 2, 3}) runs.add(key, {std::to_string(key), std::to_string(key), folder_ + "/notes"});
  JobOptions options;
  options.parallel = 1;
  options.store = &store;
  options.proceed = [&] { return !fs::exists(folder_ + "/store/2.run"); };
  try {
    runs.run(options);
    FAIL();
  } catch (const Interrupted& interruption) {
    EXPECT_THAT(interruption.what(), testing::HasSubstr("of 3 runs are done, and the same command continues"));
  }
  options.proceed = nullptr;
  runs.run(options);
  EXPECT_EQ(runs.result(3), "did 3");
  EXPECT_EQ(lines(folder_ + "/notes"), 3u) << "none was done twice";
}

/// Each notes when it begins and ends, and waits until as many have begun as may be under way.
TEST_F(RunSetTest, HasNoMoreJobsUnderWayThanFitIntoMemoryTogether) {
  const auto expect_at_once = [&](Bytes most_memory, int expected) {
    const std::string notes = folder_ + "/" + std::to_string(most_memory);
    const auto count = [notes](const std::string& word) {
      std::ifstream file(notes);
      return std::count(std::istream_iterator<std::string>(file), {}, word);
    };
    std::vector<Job> jobs(6);
    for (Job& job : jobs) {
      job.memory = 100;
      job.work = [=](const Execution&) {
        std::ofstream(notes, std::ios::app) << "begins\n";
        for (int i = 0; i < 5000 && count("begins") < expected; ++i) usleep(1000);
        usleep(50'000);  // for those that should not have begun
        std::ofstream(notes, std::ios::app) << "ends\n";
        return std::string();
      };
    }
    JobOptions options;
    options.parallel = 4;
    options.most_memory = most_memory;
    carry_out(jobs, options);
    std::ifstream file(notes);
    int now = 0, most = 0;
    for (std::string line; std::getline(file, line);) most = std::max(most, now += line == "begins" ? 1 : -1);
    EXPECT_EQ(most, expected) << most_memory;
  };
  expect_at_once(299, 2);
  expect_at_once(50, 1);  // one that takes more runs by itself
  expect_at_once(0, 4);
}

/// A run refuses a window that no GPU has.
TEST(RunSet, RunsAreComputedInTheWindowThatIsAskedFor) {
  gputlm::Run run{experiment_gpu("xavier"), workload_of_streams(1)};
  launch(run.workload, 0, spin_kernel(3, 64, kMicrosecond));
  const std::vector<Job> jobs{run.job()};
  JobOptions options;
  const std::string largest = carry_out(jobs, options).at(0);
  options.execution.window = 1;
  EXPECT_EQ(carry_out(jobs, options).at(0), largest);
  options.execution.window = 1000000;
  EXPECT_THROW(carry_out(jobs, options), InputError);
}

TEST(IsolatedRuns, LeaveOtherChildrenOfTheProgramAlone) {
  const pid_t other = fork();
  if (other == 0) _exit(7);
  EXPECT_EQ(run_isolated({[] { return std::string("a"); }}), std::vector<std::string>{"a"});
  int status = 0;
  EXPECT_EQ(waitpid(other, &status, 0), other);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

/// The id of a run depends on everything that the result depends on.
TEST(RunId, ChangesWithConfigurationWorkloadAndWhatIsKept) {
  const auto run = [] {
    gputlm::Run r{experiment_gpu("xavier"), workload_of_streams(1)};
    launch(r.workload, 0, spin_kernel(3, 64, kMicrosecond));
    return r;
  };
  const std::string id = run().job().id;
  EXPECT_FALSE(id.empty());
  EXPECT_EQ(run().job().id, id);
  std::vector<gputlm::Run> others(23, run());
  others[0].config.dram.queue += 1;
  others[1].config.sm.warp_scheduler = "gto";
  others[2].workload.launches[0].release = 5;
  others[3].workload.launches[0].budget = 2;
  others[4].workload.launches[0].alone_cycles = 9;
  others[5].workload.launches[0].kernel = spin_kernel(3, 64, kMicrosecond + 1);
  others[6].workload.streams[0].priority = -1;
  others[7].workload.applications[0].sms = SmSet(3);
  others[8].workload.applications[0].relaunch = true;
  others[9].keep_predictions = true;
  others[10].workload.launches[0].cache_config = CacheConfig::kL1;
  others[11].workload.streams[0].kind = StreamKind::kNonBlocking;
  for (std::size_t i = 12; i < 16; ++i) others[i].workload.copies.push_back({"c", 0, CopyKind::kMemset, 0, 0, 5});
  others[13].workload.copies[0].bytes = 6;
  others[14].workload.copies[0].pageable = true;
  others[15].workload.copies[0].to = 32;
  for (std::size_t i = 16; i < 20; ++i) {
    others[i].workload.threads.push_back({"t", 0, {{HostCall::Kind::kLaunch}, {HostCall::Kind::kSynchronizeDevice}}});
  }
  others[17].workload.threads[0].calls[1].kind = HostCall::Kind::kSynchronizeStream;
  others[18].workload.threads[0].calls[1] = {HostCall::Kind::kHostFunction, 0, 0, 7};
  others[19].workload.threads[0].calls[1].count = 2;
  others[20].workload.launches[0].sms = SmSet(3);
  others[21].workload.launches[0].delay = 5;
  others[22].workload.copies = others[12].workload.copies;
  others[22].workload.copies[0].delay = 5;
  std::vector<std::string> ids{id};
  for (const gputlm::Run& other : others) ids.push_back(other.job().id);
  for (std::size_t a = 0; a < ids.size(); ++a) {
    for (std::size_t b = a + 1; b < ids.size(); ++b) EXPECT_NE(ids[a], ids[b]) << a << " and " << b;
  }
}

/// A kernel of which nobody knows what its blocks do.
class Opaque final : public Kernel {
 public:
  std::unique_ptr<BlockCode> code(std::uint64_t) override { return nullptr; }
};

TEST(RunId, IsNoneWhereAKernelDoesNotSayWhatItDoes) {
  gputlm::Run run{experiment_gpu("xavier"), workload_of_streams(1)};
  launch(run.workload, 0, std::make_shared<Opaque>());
  EXPECT_EQ(run.job().id, "");
}

/// A run of an experiment's own that is one of a whole GPU.
struct OwnGpuRun {
  GpuConfig config;
  std::shared_ptr<const DurationTable> durations = nullptr;

  using Result = std::string;
  GpuRun gpu_run() {
    return {config, durations, [] {
              Workload workload = workload_of_streams(1);
              launch(workload, 0, spin_kernel(1, 32, kMicrosecond));
              return workload;
            }};
  }
  Job job() const {
    return {"", [this](const Execution&) {
              return config.sm.lsu_queue == 9 && durations ? std::string("set and measured") : config.sm.model;
            }};
  }
  static std::string result(std::string_view bytes) { return std::string(bytes); }
};

TEST_F(RunSetTest, SettingsAndDurationsReachEveryKindOfRunThatIsOneOfAGpu) {
  JobOptions options;
  options.settings = {"sm.lsu_queue=9", "sm.model=blocks"};
  RunSet<int, OwnGpuRun> runs;
  runs.add(0, {experiment_gpu("pascal5")});
  runs.run(options);
  EXPECT_EQ(runs.result(0), "set and measured");
}

/// Says by how many threads it is computed.
struct Threads {
  using Result = std::string;
  Job job() const {
    return {"", [](const Execution& execution) { return std::to_string(execution.threads); }};
  }
  static std::string result(std::string_view bytes) { return std::string(bytes); }
};

TEST_F(RunSetTest, RunsHaveThreadsForProcessorsThatRunsLeaveIdle) {
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  const auto threads = [](unsigned jobs, unsigned parallel, unsigned asked) {
    JobOptions options;
    options.parallel = parallel;
    options.execution.threads = asked;
    RunSet<unsigned, Threads> runs;
    for (unsigned j = 0; j < jobs; ++j) runs.add(j, {});
    runs.run(options);
    return std::stoul(runs.result(0));
  };
  EXPECT_EQ(threads(1, 0, 0), processors);
  EXPECT_EQ(threads(2, 0, 0), std::max(1u, processors / 2));
  EXPECT_EQ(threads(2 * processors, 0, 0), 1u);
  EXPECT_EQ(threads(1, 1, 0), 1u) << "who says how many runs there are at a time may have others beside them";
  EXPECT_EQ(threads(1, 0, 3), 3u);
}

}  // namespace
}  // namespace gputlm
