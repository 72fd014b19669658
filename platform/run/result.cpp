#include "platform/run/result.h"

namespace gputlm {

std::optional<bool> deadline_met(const KernelRecord& kernel, const Workload& workload, const Clock& clock) {
  const auto& deadline = workload.launches[kernel.command].deadline;
  if (!deadline) return std::nullopt;
  return kernel.notified - kernel.released <= clock.at_or_before(*deadline);
}

double ipc(const RunResult& result, ApplicationId application) {
  if (result.cycles == 0) return 0;
  return static_cast<double>(result.applications[application].counters.instructions) /
         static_cast<double>(result.cycles);
}

}  // namespace gputlm
