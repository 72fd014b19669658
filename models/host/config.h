#pragma once

namespace gputlm {

struct HostConfig {
  unsigned call_cycles = 0;  ///< core cycles that a host thread spends in a call of the programming interface
  /// Launches, copies and memsets that a stream holds which have not ended: a call that puts another one into it waits until
  /// one has (CUPTI, CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL; CUDA environment variables, CUDA_SCALE_LAUNCH_QUEUES).
  /// 0: any number.
  unsigned launch_queue = 0;
};

}  // namespace gputlm
