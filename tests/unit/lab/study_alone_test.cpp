#include "platform/input/application_alone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "models/host/workload_text.h"
#include "platform/input/run_input.h"

namespace gputlm {
namespace {

/// Examples: streams with jobs and copies, host threads with events, barriers and loops.
std::vector<std::string> examples() {
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(GPUTLM_SOURCE_DIR "/workloads")) {
    const std::string path = file.path().string();
    if (file.path().extension() == ".yaml" && path.find("_sweep") == std::string::npos) files.push_back(path);
  }
  return files;
}

TEST(ApplicationAlone, OfOneIsTheWorkload) {
  unsigned with_threads = 0;
  for (const std::string& file : examples()) {
    Workload workload = load_run_input({file}, {}).workload;
    if (workload.applications.size() != 1) continue;
    workload.applications[0].sms.reset();
    workload.applications[0].relaunch = false;
    EXPECT_EQ(workload_text(application_alone(workload, 0)), workload_text(workload)) << file;
    with_threads += !workload.threads.empty();
  }
  EXPECT_GT(with_threads, 0u);
}

TEST(ApplicationAlone, OfSeveralHaveAllOfTheWorkloadTogether) {
  unsigned with_jobs = 0;
  for (const std::string& file : examples()) {
    const Workload workload = load_run_input({file}, {}).workload;
    if (workload.applications.size() < 2) continue;
    with_jobs += !workload.jobs.empty();
    Workload all;
    for (std::size_t a = 0; a < workload.applications.size(); ++a) {
      const Workload alone = application_alone(workload, static_cast<ApplicationId>(a));
      const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
      add(all.streams, alone.streams);
      add(all.launches, alone.launches);
      add(all.copies, alone.copies);
      add(all.events, alone.events);
      add(all.tasks, alone.tasks);
      add(all.jobs, alone.jobs);
      add(all.threads, alone.threads);
      for (const LaunchCommand& launch : alone.launches) {
        EXPECT_LT(launch.stream, alone.streams.size()) << file;
        EXPECT_LT(launch.job.value_or(0), std::max<std::size_t>(alone.jobs.size(), 1)) << file;
      }
      for (const JobSpec& job : alone.jobs) EXPECT_LT(job.task, alone.tasks.size()) << file;
    }
    EXPECT_EQ(all.streams.size(), workload.streams.size()) << file;
    EXPECT_EQ(all.launches.size(), workload.launches.size()) << file;
    EXPECT_EQ(all.copies.size(), workload.copies.size()) << file;
    EXPECT_EQ(all.events.size(), workload.events.size()) << file;
    EXPECT_EQ(all.tasks.size(), workload.tasks.size()) << file;
    EXPECT_EQ(all.jobs.size(), workload.jobs.size()) << file;
    EXPECT_EQ(all.threads.size(), workload.threads.size()) << file;
  }
  EXPECT_GT(with_jobs, 0u);
}

}  // namespace
}  // namespace gputlm
