#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>

#include "platform/lab/campaign_work.h"
#include "platform/lab/study_results.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

std::string node() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

/// The jobs of the task, which refer to `runs`. Throws InputError where one of them is another than it should be.
std::vector<Job> jobs_of(const CampaignTask& task, const StudyRuns& runs) {
  if (program_digest() != task.program) {
    throw InputError(
        "the program, its libraries or its plugins are not those of the controller: both have to run in the same "
        "image, and neither may be replaced while a sweep is at work");
  }
  std::vector<Job> jobs;
  for (const CampaignTask::Run& run : task.runs) {
    if (run.place >= runs.size() || runs.job(run.place).id != run.id) {
      throw InputError(task.study, 0,
                       "it, a GPU or a workload that it names has changed since the sweep was submitted");
    }
    jobs.push_back(runs.job(run.place));
  }
  return jobs;
}

}  // namespace

std::size_t work_on(const std::string& folder, const std::string& name, const JobOptions& given) {
  const CampaignTask task = Campaign::task(folder, name);
  const auto fail = [&](const std::string& id, const std::string& why, bool killed) {
    Campaign::fail(folder, id, {why, name, node(), killed});
  };
  const RunStore store(folder + "/runs");
  try {
    const Study study = Study::load(task.study);
    const StudyRuns runs(study, std::numeric_limits<Bytes>::max());
    const std::vector<Job> jobs = jobs_of(task, runs);
    JobOptions options = given;
    options.store = &store;
    options.failed = [&](const RunFailure& f) { fail(jobs[f.job].id, f.why, f.kind == RunFailure::Kind::kKilled); };
    carry_out(jobs, options);
  } catch (const InputError& error) {
    for (const CampaignTask::Run& run : task.runs) fail(run.id, error.what(), false);
    throw;
  }
  return static_cast<std::size_t>(std::count_if(task.runs.begin(), task.runs.end(),
                                                [&](const CampaignTask::Run& run) { return !store.find(run.id); }));
}

}  // namespace gputlm
