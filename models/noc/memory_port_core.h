/// A port into the GPU's memory from outside: takes accesses, sends them over the crossbar as its own requests, at most
/// `outstanding` at once, and answers each when its reply arrives. Plain C++; the module around it is memory_port.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/noc/network_interface.h"
#include "tlm/base/counters.h"
#include "tlm/link.h"

namespace gputlm {

struct MemoryPortConfig {
  unsigned bytes_per_cycle = 64;  ///< bytes per core cycle, each way
  unsigned latency = 20;          ///< core cycles from the initiator, and back
  unsigned queue = 64;            ///< maximum number of waiting accesses, and of answers
  unsigned outstanding = 256;     ///< maximum number of requests on the network or in memory
};

struct MemoryPortStatistics {
  Bytes read = 0, written = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.counter(&MemoryPortStatistics::read, "read_bytes", "bytes", "Bytes read");
    v.counter(&MemoryPortStatistics::written, "written_bytes", "bytes", "Bytes written");
  }
};

class MemoryPortCore {
 public:
  /// `network`: the connection to the crossbar. Arguments given by reference must outlive the core.
  MemoryPortCore(const MemoryPortConfig& config, const NetworkInterface& network, AccessSource& accesses);

  // Towards the initiator.
  Inbox<Access>& accesses() { return accesses_; }
  Outbox<Access>& answers() { return answers_; }
  // Towards the crossbar.
  Outbox<Access>& requests() { return requests_; }
  Inbox<Access>& replies() { return replies_; }

  /// Computes everything strictly before `until` (core cycles); returns the next cycle with work, kNever if it depends on
  /// an arrival.
  Cycle advance(Cycle until);

  const MemoryPortStatistics& statistics() const { return statistics_; }
  /// Requests without a reply.
  std::size_t outstanding() const { return asked_.size() - free_.size(); }

 private:
  Cycle next_request() const;
  Cycle next_answer() const { return std::max(replies_.next(), answers_.ready_at()); }
  void request(Cycle now);
  void answer(Cycle now);

  NetworkInterface network_;
  AccessSource& source_;
  std::vector<Access*> asked_;       ///< accesses without an answer, indexed by Access::slot of the request
  std::vector<std::uint16_t> free_;  ///< free slots
  Inbox<Access> accesses_;
  Outbox<Access> answers_;
  Outbox<Access> requests_;
  Inbox<Access> replies_;
  MemoryPortStatistics statistics_;
};

}  // namespace gputlm
