/// A sweep on Slurm whose workers, runs and controller are killed, and whose tasks are requeued and cancelled, at random.
#pragma once

#include <sys/stat.h>

#include <map>
#include <memory>
#include <random>

#include "tests/integration/output_set.h"
#include "tests/integration/slurm_cluster.h"

namespace gputlm {

/// A study with two schedulers and `seeds` seeds, on which its blocks depend: twice as many runs of a tenth of a second.
inline std::string study_of(const TestFolder& folder, unsigned seeds) {
  folder.write("w.yaml", busy_workload(400, 60, true));
  std::string study = "gpus: [xavier]\nvary: {sm.warp_scheduler: [lrr, gto]}\nworkloads: [w.yaml]\nseeds: [1";
  for (unsigned seed = 2; seed <= seeds; ++seed) study += ", " + std::to_string(seed);
  return folder.write("s.yaml", study + "]\n");
}

inline void expect_the_results_of(const TestFolder& folder, const std::string& one, const std::string& other) {
  for (const char* name : {"/applications.csv", "/launches.csv", "/responses.csv", "/summary.csv", "/results.sqlite"}) {
    EXPECT_TRUE(read_file(folder.path(one + name)) == read_file(folder.path(other + name))) << name;
  }
}

/// Processes of the sweep's tasks and of their runs, which have the same command line.
inline std::vector<pid_t> workers_of(const std::string& out) {
  std::vector<pid_t> workers;
  for (const pid_t pid : processes_with(out)) {
    if (command_line_of(std::to_string(pid)).find("--task") != std::string::npos) workers.push_back(pid);
  }
  return workers;
}

/// Files of finished runs: none disappears, and none is written a second time.
class FinishedRuns {
 public:
  explicit FinishedRuns(std::string folder) : folder_(std::move(folder)) {}
  void look() {
    if (!std::filesystem::exists(folder_)) return;
    std::map<std::string, ino_t> now;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      struct stat status {};
      if (entry.path().extension() == ".run" && ::stat(entry.path().c_str(), &status) == 0) {
        now[entry.path().filename()] = status.st_ino;
      }
    }
    for (const auto& [name, inode] : seen_) {
      EXPECT_EQ(now.count(name), 1u) << name << " is lost";
      EXPECT_EQ(now[name], inode) << name << " was written again";
    }
    seen_ = std::move(now);
  }
  std::size_t count() const { return seen_.size(); }

 private:
  std::string folder_;
  std::map<std::string, ino_t> seen_;
};

/// Starts tasks that were requeued at once; Slurm would let them wait for two minutes.
inline void start_what_was_requeued() {
  output_of(
      "squeue -h -r -t PENDING -o '%i %r' | sed -n 's/ BeginTime$//p' | "
      "while read -r task; do scontrol update JobId=$task StartTime=now 2>&1; done");
}

/// Carries out a study of 2 x `seeds` runs despite `attacks` attacks, and compares the results with those of a local sweep.
inline void expect_nothing_lost_or_repeated(unsigned seed, unsigned seeds, unsigned attacks) {
  const SlurmCluster cluster;
  const TestFolder folder;
  const std::string study = study_of(folder, seeds), out = folder.path("out");
  const auto begin = [&] {
    return std::make_unique<StartedProgram>(std::vector<std::string>{"sweep", study, "--out", out, "--slurm",
                                                                     "--slurm-tasks", "6", "--slurm-tries", "100"});
  };
  auto controller = begin();
  FinishedRuns finished(folder.path("out/runs"));
  std::mt19937 random(seed);
  unsigned done = 0;
  while (done < attacks && controller->running()) {
    for (unsigned i = random() % 8; i > 0; --i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      finished.look();
    }
    const auto workers = workers_of(out);
    const unsigned kind = random() % 6;
    if (kind == 0) {
      controller->signal(SIGKILL);
      controller->wait();
      controller = begin();
      ++done;
    } else if (workers.empty()) {
      start_what_was_requeued();
      continue;  // other tasks are at work
    } else if (kind < 4) {
      ::kill(workers[random() % workers.size()], SIGKILL);
      ++done;
    } else {
      const std::string job = output_of("squeue -h -r -t RUNNING -o %i | head -n 1");
      if (job.empty()) continue;
      output_of((kind == 4 ? "scontrol requeue " : "scancel ") + job + " 2>&1");
      ++done;
    }
  }
  EXPECT_EQ(done, attacks) << "the sweep ended too early for this test to show anything";
  for (unsigned i = 0; controller->running(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    finished.look();
    if (i % 25 == 0) start_what_was_requeued();
  }
  const Outcome outcome = controller->wait();
  ASSERT_EQ(outcome.code, 0) << outcome.err << cluster.log();
  finished.look();
  EXPECT_EQ(finished.count(), 2 * seeds);
  EXPECT_EQ(parts_of(folder, "out/runs"), std::vector<std::string>{});
  const Outcome here = run_program({"sweep", study, "--out", folder.path("here"), "--no-cache"});
  ASSERT_EQ(here.code, 0) << here.err;
  EXPECT_EQ(here.out, outcome.out);
  expect_the_results_of(folder, "out", "here");
}

}  // namespace gputlm
