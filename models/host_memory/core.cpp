#include "models/host_memory/core.h"

#include <algorithm>

#include "tlm/counter_table.h"

namespace gputlm {

HostMemoryCore::HostMemoryCore(const HostMemoryConfig& config, const Clock& clock, unsigned queue)
    : config_(config), clock_(clock), byte_time_(config.byte_time()), requests_(queue), responses_(1, queue),
      served_(queue) {}

Cycle HostMemoryCore::advance(Cycle until) {
  while (true) {
    Cycle now = requests_.next();
    if (!served_.empty()) now = std::min(now, std::max(served_.front().at, responses_.ready_at()));
    if (now >= until) return now;
    while (requests_.ready(now)) {
      const Femtoseconds came = clock_.edge(requests_.next());
      Access& access = requests_.take();
      free_at_ = std::max(free_at_, came) + access.bytes * byte_time_;
      (access.write ? statistics_.written : statistics_.read) += access.bytes;
      served_.push({clock_.at_or_after(free_at_) + config_.latency, &access});
    }
    if (served_.empty() || served_.front().at > now || responses_.ready_at() > now) continue;
    Access& access = *served_.pop().access;
    access.flits = 1;
    responses_.send(now, access);
    requests_.freed(now);
  }
}

GPUTLM_REGISTER { add_counter_table<HostMemoryStatistics>("host memory", {"copying.host_memory"}); }

}  // namespace gputlm
