/// The host's memory: serves one access after the other, each as long as its bytes take, and answers a latency later.
/// Plain C++; the module around it is host_memory.h.
#pragma once

#include "models/host_memory/config.h"
#include "tlm/access.h"
#include "tlm/base/counters.h"
#include "tlm/base/ring.h"
#include "tlm/link.h"

namespace gputlm {

struct HostMemoryStatistics {
  Bytes read = 0, written = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.counter(&HostMemoryStatistics::read, "read_bytes", "bytes", "Bytes read");
    v.counter(&HostMemoryStatistics::written, "written_bytes", "bytes", "Bytes written");
  }
};

class HostMemoryCore {
 public:
  /// `queue`: accesses that it holds, waiting or in progress, and responses that the other end holds.
  HostMemoryCore(const HostMemoryConfig& config, const Clock& clock, unsigned queue);

  Inbox<Access>& requests() { return requests_; }
  Outbox<Access>& responses() { return responses_; }

  /// Computes everything strictly before `until`; returns the next cycle with work, kNever if it depends on an arrival.
  Cycle advance(Cycle until);
  const HostMemoryStatistics& statistics() const { return statistics_; }

 private:
  struct Served {
    Cycle at;  ///< cycle from which it can be answered
    Access* access;
  };
  HostMemoryConfig config_;
  Clock clock_;
  Femtoseconds byte_time_;
  Femtoseconds free_at_ = 0;
  Inbox<Access> requests_;
  Outbox<Access> responses_;
  Ring<Served> served_;
  HostMemoryStatistics statistics_;
};

}  // namespace gputlm
