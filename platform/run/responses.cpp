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
  for_each_response(all, workload, [&](const ResponseRow& row) { write_csv_row(text, row); });
  return csv_header<ResponseRow>() + fmt::to_string(text);
}

}  // namespace gputlm
