// gputlm sweep --slurm: on a real node under attack, and with a test's own commands instead of Slurm's.

#include <gmock/gmock.h>

#include "tests/integration/slurm_attack.h"

namespace gputlm {
namespace {

using Strings = std::vector<std::string>;

class Slurm : public testing::Test {
 protected:
  void SetUp() override {
    if (!SlurmCluster::possible()) {
      GTEST_SKIP() << "Slurm is not installed (Debian: slurmctld slurmd slurm-client munge)";
    }
    if (!std::filesystem::exists("/sys/fs/cgroup") || std::filesystem::is_empty("/sys/fs/cgroup")) {
      GTEST_SKIP() << "slurmd 22.05 takes a cgroup file system, and there is none at /sys/fs/cgroup (a bare chroot)";
    }
  }
};

TEST_F(Slurm, ComesToTheSameDatabaseAsASweepHere) {
  const SlurmCluster cluster;
  const TestFolder folder;
  const std::string study = study_of(folder, 4), out = folder.path("out");
  const Outcome submitted = run_program({"sweep", study, "--out", out, "--slurm", "--slurm-cpus", "2", "--no-wait"});
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  EXPECT_NE(submitted.err.find("submitted job 1: 8 runs in 4 tasks"), std::string::npos) << submitted.err;
  const Outcome rest = run_program({"sweep", "--resume", out});
  ASSERT_EQ(rest.code, 0) << rest.err << cluster.log();
  EXPECT_EQ(rest.err.find("submitted"), std::string::npos) << "what runs is waited for: " << rest.err;
  const Outcome here = run_program({"sweep", study, "--out", folder.path("here"), "--no-cache"});
  EXPECT_EQ(rest.out, here.out);
  expect_the_results_of(folder, "out", "here");
  const Outcome status = run_program({"sweep", "--status", out});
  EXPECT_NE(status.out.find("8 of 8 runs done, 0 in running tasks, 0 in waiting tasks, 0 failed"), std::string::npos)
      << status.out;
  EXPECT_NE(status.out.find("submission 1: job 1, 4 tasks, 4 COMPLETED"), std::string::npos) << status.out;
}

TEST_F(Slurm, DoesWhatTheTutorialSays) {
  const SlurmCluster cluster;
  const std::string bin = std::filesystem::path(GPUTLM_PROGRAM).parent_path();
  EXPECT_EQ(output_of("python3 " GPUTLM_SOURCE_DIR "/tests/docs/tutorial.py --bin " + bin +
                      " " GPUTLM_SOURCE_DIR "/docs/tutorials/cluster.md 2>&1"),
            "");
}

TEST_F(Slurm, LosesAndRepeatsNothingWhateverIsKilled) { expect_nothing_lost_or_repeated(1, 12, 6); }

/// sbatch that carries out the whole array before it returns, and squeue that tells how that went.
class PretendedSlurm : public testing::Test {
 protected:
  PretendedSlurm() : path_("PATH", folder_.path("bin") + ":" + std::getenv("PATH")) {
    const std::string f = folder_.path("");
    write_program("squeue", "cat " + f + "tasks 2>/dev/null; exit 0");
    write_program("sbatch", "echo \"$*\" >> " + f + "submissions\n[ ! -e " + f + "refuse ] || { cat " + f +
                                "refuse >&2; exit 1; }\n[ ! -e " + f + "before ] || . " + f + R"(before
for word in "$@"; do
  case $word in --array=*) last=${word#--array=0-} ;; --job-name=*) name=${word#*=} ;; --output=*) log=${word#*=} ;; esac
done
for task in $(seq 0 ${last%%%*}); do
  state=COMPLETED
  if [ -n "$ends" ]; then state=$ends; else
    SLURM_ARRAY_TASK_ID=$task sh "$word" >$(echo $log | sed s/%a/$task/) 2>&1 || state=FAILED
  fi
  echo "$name|$task|$state|None|somewhere" >> )" +
                                f + "tasks\ndone\necho 'sbatch: a warning'\necho '7;cluster'");
    write_program("apptainer", "echo \"$1 $2\" >> " + f + "images\nshift 2\nexec \"$@\"");
    study_ = study_of(folder_, 2);
  }
  void write_program(const std::string& name, const std::string& commands) const {
    std::filesystem::permissions(folder_.write("bin/" + name, "#!/bin/sh\n" + commands + "\n"),
                                 std::filesystem::perms::owner_all);
  }
  Outcome sweep(const Strings& more = {}) const {
    Strings words{"sweep", study_, "--out", folder_.path("out"), "--slurm"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
  /// What sbatch was given, a line a submission.
  Strings submissions() const {
    Strings lines;
    std::istringstream in(std::filesystem::exists(folder_.path("submissions")) ? read_file(folder_.path("submissions"))
                                                                               : "");
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }

  TestFolder folder_;
  Environment path_;
  std::string study_;
};

TEST_F(PretendedSlurm, GivesTasksTheSettingsOfTheStudyAndThoseOfTheCommandLineBeforeThem) {
  study_ = folder_.write("s.yaml", read_file(study_) +
                                       "slurm: {partition: long, time: 2:00:00, memory: 4G, at_once: 2, tasks: 3,\n"
                                       "        options: --qos=low --exclusive, container: our image.sif}\n");
  ASSERT_EQ(sweep({"--slurm-partition", "short", "--slurm-account", "lab"}).code, 0);
  ASSERT_EQ(submissions().size(), 1u);
  const std::string given = " " + submissions()[0] + " ";
  for (const char* word : {"--partition=short", "--account=lab", "--time=2:00:00", "--mem=4G", "--array=0-2%2",
                           "--qos=low", "--exclusive", "--requeue"}) {
    EXPECT_NE(given.find(std::string(" ") + word + " "), std::string::npos) << word << " in" << given;
  }
  EXPECT_EQ(read_file(folder_.path("images")).find("exec our image.sif\n"), 0u);
}

TEST_F(PretendedSlurm, SaysWhatSlurmSaysWhenItRefuses) {
  folder_.write("refuse", "sbatch: error: invalid partition specified: nope\n");
  const Outcome outcome = sweep({"--slurm-partition", "nope"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("sbatch failed (exit code 1): sbatch: error: invalid partition specified: nope"),
            std::string::npos)
      << outcome.err;
  std::filesystem::remove(folder_.path("refuse"));
  EXPECT_EQ(run_program({"sweep", "--resume", folder_.path("out"), "--slurm-partition", "long"}).code, 0);
}

TEST_F(PretendedSlurm, SubmitsAgainWhatWasEndedAndStopsWhenNothingComesOfIt) {
  folder_.write("before", "[ $(wc -l <" + folder_.path("submissions") + ") -eq 2 ] || ends=TIMEOUT\n");
  EXPECT_EQ(sweep({"--slurm-tasks", "2"}).code, 0);
  EXPECT_EQ(submissions().size(), 2u) << "the second did it all";
  std::filesystem::remove_all(folder_.path("out"));
  folder_.write("before", "ends=TIMEOUT\n");
  const Outcome outcome = sweep({"--slurm-tasks", "2"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(submissions().size(), 2 + 3u);
  EXPECT_NE(outcome.err.find("4 of 4 runs are not done, and the last 3 submissions finished none"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("submission 3: job 7, 2 tasks, 2 TIMEOUT"), std::string::npos) << outcome.err;
  std::filesystem::remove(folder_.path("before"));
  EXPECT_EQ(run_program({"sweep", "--resume", folder_.path("out")}).code, 0);
}

TEST_F(PretendedSlurm, RefusesToRunSomethingElseThanWhatWasSubmitted) {
  const std::string workload = folder_.path("w.yaml"), original = read_file(workload);
  folder_.write("before", "sed -i s/fp32/sfu/ " + workload + "\n");
  const Outcome outcome = sweep();
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(submissions().size(), 1u) << "it would be refused again";
  EXPECT_NE(outcome.err.find("has changed since the runs were submitted"), std::string::npos) << outcome.err;
  EXPECT_EQ(folder_.files("out/runs"), Strings{});
  const Outcome changed = run_program({"sweep", "--resume", folder_.path("out")});
  EXPECT_EQ(changed.code, 2);
  EXPECT_NE(changed.err.find("was begun with another program or other inputs"), std::string::npos) << changed.err;
  std::filesystem::remove(folder_.path("before"));
  folder_.write("w.yaml", original);
  EXPECT_EQ(run_program({"sweep", "--resume", folder_.path("out")}).code, 0);
}

TEST_F(PretendedSlurm, TellsWhichRunFailedAndWhyWhenTheOthersAreDone) {
  folder_.write("endless.yaml", busy_workload(2'000'000'000, 1000));
  study_ = folder_.write("s.yaml", "gpus: [xavier]\nworkloads: [endless.yaml, w.yaml]\n");
  folder_.write("before", "ulimit -t 1\n");
  const Outcome outcome = sweep({"--slurm-tries", "1"});
  EXPECT_EQ(outcome.code, 2);
  for (const char* text : {"1 of 2 runs are not done, and the last submission finished none",
                           "failed: gpu=xavier workload=endless.yaml seed=1: it was killed "
                           "twice, by signal",
                           "(task 2.0 on "}) {
    EXPECT_NE(outcome.err.find(text), std::string::npos) << text << outcome.err;
  }
  const Outcome status = run_program({"sweep", "--status", folder_.path("out")});
  EXPECT_NE(status.out.find("1 of 2 runs done, 0 in running tasks, 0 in waiting tasks, 1 failed"), std::string::npos)
      << status.out;
}

TEST_F(PretendedSlurm, CarriesOutOnlyWhatIsNewAfterTheStudyHasGrown) {
  ASSERT_EQ(sweep().code, 0);
  study_ = study_of(folder_, 3);
  ASSERT_EQ(sweep().code, 0);
  ASSERT_EQ(submissions().size(), 2u);
  EXPECT_NE(submissions()[1].find("--array=0-1 "), std::string::npos) << "the two runs of the third seed";
}

TEST_F(PretendedSlurm, RunsThatNeedMeasuredDurationsAreNotRepeatedHere) {
  const std::string study =
      folder_.write("blocks.yaml", "gpus: [xavier]\nset: {sm.model: blocks, sms: 2}\nworkloads: [w.yaml]\n");
  ASSERT_EQ(run_program({"sweep", study, "--out", folder_.path("out"), "--slurm"}).code, 0);
  ASSERT_EQ(run_program({"sweep", study, "--cache", folder_.path("cache")}).code, 0);
  EXPECT_EQ(folder_.files("out/runs"), folder_.files("cache")) << "the measurements, and each run once";
}

/// Two programs that spin, as a workload file each.
class PretendedSlurmShare : public PretendedSlurm {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b"})
      folder_.write(std::string(name) + ".yaml",
                    "settings: {sm.model: blocks}\nkernels: {k: {grid: 40, block: 256, program: [{spin: {us: 3}}]}}\n"
                    "applications: [{name: " +
                        std::string(name) + ", streams: [{name: s, launches: [k, k]}]}]\n");
  }
  Outcome share(const std::string& out, const Strings& more) const {
    Strings words{"share", folder_.path("a.yaml"), folder_.path("b.yaml"), "--gpu", "xavier",
                  "--out", folder_.path(out)};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }
};

TEST_F(PretendedSlurmShare, TasksDoTheRunsOfProgramsThatShare) {
  const Outcome outcome = share("out", {"--slurm", "--slurm-tasks", "3", "--way", "streams", "--way", "time-slices"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("submitted job 7: 4 runs in 3 tasks"));
  const Outcome here = share("here", {"--no-cache", "--way", "streams", "--way", "time-slices"});
  EXPECT_EQ(outcome.out, here.out);
  for (const char* name : {"/share.csv", "/share_losses.csv", "/share.json", "/share.yaml"})
    EXPECT_TRUE(read_file(folder_.path(std::string("out") + name)) ==
                read_file(folder_.path(std::string("here") + name)))
        << name;
  const Outcome more = share("out", {"--slurm", "--way", "streams", "--way", "time-slices", "--way", "priority-a"});
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_THAT(more.err, testing::HasSubstr("submitted job 7: 1 runs in 1 tasks")) << "what is there is not repeated";
  EXPECT_THAT(run_program({"sweep", "--status", folder_.path("out")}).out,
              testing::HasSubstr("a + b: 5 of 5 runs done"));
}

TEST_F(PretendedSlurmShare, TheSameCommandTakesUpWhatFailed) {
  folder_.write("before", "ends=TIMEOUT\n");
  const Outcome outcome = share("out", {"--slurm", "--way", "streams", "--slurm-tries", "1"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, testing::HasSubstr("3 of 3 runs are not done"));
  EXPECT_THAT(outcome.err, testing::HasSubstr("the same command tries them again"));
  std::filesystem::remove(folder_.path("before"));
  EXPECT_EQ(share("out", {"--slurm", "--way", "streams"}).code, 0);
}

TEST_F(PretendedSlurmShare, NamesWhatTasksCannotDo) {
  EXPECT_THAT(share("out", {"--slurm", "--find", "min p99(a)"}).err,
              testing::HasSubstr("--find has no effect on tasks"));
  EXPECT_THAT(share("out", {"--slurm", "--jobs", "2"}).err, testing::HasSubstr("--jobs has no effect on tasks"));
  EXPECT_THAT(share("out", {"--slurm-time", "3"}).err, testing::HasSubstr("no effect without --slurm"));
  EXPECT_THAT(run_program({"share", folder_.path("a.yaml"), "--slurm"}).err, testing::HasSubstr("--slurm needs --out"));
  EXPECT_EQ(submissions(), Strings{});
}

TEST_F(PretendedSlurm, NamesWhatIsWrongBeforeItSubmitsAnything) {
  struct Mistake {
    Strings words;
    std::string message;
  };
  const std::string out = folder_.path("out");
  const std::string bad = folder_.write("bad.yaml", read_file(study_) + "slurm: {partitoin: long}\n");
  const std::string none = folder_.write("none.yaml", read_file(study_) + "slurm: {cpus: 0}\n");
  for (const Mistake& c : std::vector<Mistake>{
           {{"sweep", study_, "--slurm"}, "--slurm needs --out"},
           {{"sweep"}, "found nothing to run, allowed: one of a file, --resume FOLDER and --status FOLDER"},
           {{"sweep", study_, "--resume", out}, "found several things to do"},
           {{"sweep", study_, "--slurm", "--out", out, "--jobs", "2"}, "--jobs has no effect on tasks of Slurm"},
           {{"sweep", study_, "--slurm-time", "30"}, "options for Slurm have no effect without --slurm"},
           {{"sweep", study_, "--slurm", "--slurm-cpus", "many", "--out", out},
            "allowed: a whole number from 1 to 4096"},
           {{"sweep", bad, "--slurm", "--out", out}, "bad.yaml:5: slurm: unknown key 'partitoin'"},
           {{"sweep", none, "--slurm", "--out", out}, "none.yaml:5: slurm.cpus: found '0'"},
           {{"sweep", "--status", out}, "campaign.json: is not there"}}) {
    const Outcome outcome = run_program(c.words);
    EXPECT_EQ(outcome.code, 2) << c.message;
    EXPECT_NE(outcome.err.find(c.message), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(submissions(), Strings{});
}

}  // namespace
}  // namespace gputlm
