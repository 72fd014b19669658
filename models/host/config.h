#pragma once

namespace gputlm {

struct HostConfig {
  unsigned call_cycles = 0;  ///< core cycles of a host thread in an API call
  /// Maximum uncompleted launches, copies and memsets of a stream: a call that adds another waits until one has ended
  /// (CUPTI, CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL; CUDA environment variables, CUDA_SCALE_LAUNCH_QUEUES). 0: any
  /// number.
  unsigned launch_queue = 0;
};

}  // namespace gputlm
