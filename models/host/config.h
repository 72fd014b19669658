#pragma once

namespace gputlm {

struct HostConfig {
  unsigned call_cycles = 0;  ///< core cycles that a host thread spends in a call of the programming interface
};

}  // namespace gputlm
