#include "platform/run/result.h"

namespace gputlm {

double ipc(const RunResult& result, ApplicationId application) {
  return ipc(result.applications[application].counters.instructions, result.cycles);
}

}  // namespace gputlm
