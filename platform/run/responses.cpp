#include "platform/run/responses.h"

#include "platform/files/rows.h"

namespace gputlm {
namespace {

GPUTLM_REGISTER {
  add_row_table<ResponseRow>("responses.csv",
                             "Response times, from release to when the host knew of the end: a line for each "
                             "application, then for each task, then for each launch. `responses` of result.json has "
                             "the same, as lists `applications`, `tasks` and `launches`");
}

}  // namespace

AllResponses all_responses(const RunResult& result, const Workload& workload, const Clock& clock) {
  ResponseCollector responses(workload, clock);
  for (const JobEnded& job : result.jobs) responses.add(job);
  for (const KernelRecord& kernel : result.kernels) responses.add(kernel);
  return responses.end();
}

std::string responses_csv(const AllResponses& all, const Workload& workload) {
  fmt::memory_buffer text;
  for (const ResponseGroup& group : all.applications) write_csv_row(text, ResponseRow{"application", group, workload});
  for (const ResponseGroup& group : all.tasks) write_csv_row(text, ResponseRow{"task", group, workload});
  for (const ResponseGroup& group : all.launches) write_csv_row(text, ResponseRow{"launch", group, workload});
  return csv_header<ResponseRow>() + fmt::to_string(text);
}

}  // namespace gputlm
