/// Plays an address trace against the DRAM controllers of one or more channels: a TLM-2.0 initiator.
///
/// Accesses are issued in the order of the trace, each as soon as its channel's input queue has room for it, so that the
/// controllers' queues stay full. An access to a channel without room blocks those behind it. The player runs on the command
/// clock; a link takes one access per cycle. If the trace has its own clock, its cycles are converted to times: an access may
/// be issued from the first command cycle that is not before its own.
///
/// Latency: from the arrival of an access at the controller's input to the end of its data on the DRAM's bus, in command
/// cycles. It includes the wait in the controller's queues but not the links' hops.
#pragma once

#include <deque>
#include <vector>

#include "models/dram/address_map.h"
#include "models/dram/config.h"
#include "models/dram/scheduler.h"
#include "models/memory_map/memory_map.h"
#include "platform/input/address_trace.h"
#include "platform/run/memory_run.h"
#include "tlm/port.h"

namespace gputlm {

class TracePlayer final : public Unit {
 public:
  /// `link`: link to each channel (link_to()). The constructor reads the first access. Throws InputError for an inconsistent
  /// address map (MemoryMap), and for an access, with its line, that the request scheduler cannot hold. `trace` must outlive
  /// the player.
  TracePlayer(const sc_core::sc_module_name& name, const Link& link, const DramConfig& dram,
              const MemoryMapConfig& address_map, const PlayerConfig& config, AddressTrace& trace);

  /// The link to a channel, with enough room for responses that a controller never waits.
  static Link link_to(const DramConfig& dram);

  /// Every access of the trace has been answered.
  bool done() const override { return !pending_ && in_flight_ == 0; }
  std::uint64_t issued() const { return issued_; }
  std::uint64_t answered() const { return issued_ - in_flight_; }
  const std::vector<ApplicationLatency>& latencies() const { return latencies_; }  ///< indexed by ApplicationId

 private:
  /// The player's end of the link to a channel.
  struct Queues {
    Outbox<Access> requests;
    Inbox<Access> responses;
  };

  struct Answer {
    Cycle at = kNever;
    Queues* channel = nullptr;
  };

  Cycle compute(Cycle until) override;
  void read_next();
  void place_in_time();
  void find_channel();
  void check() const;
  Cycle next_issue() const;
  Answer next_answer();
  void issue(Cycle now);
  void take(const Answer& answer);

  PlayerConfig config_;
  MemoryMap map_;
  AddressMap rows_;
  RequestSchedulers schedulers_;  ///< used only to ask what they can hold
  Cycle hop_;                     ///< time of a hop of the link and a flit
  AddressTrace& trace_;
  PayloadPool<Access> pool_;
  unsigned virtual_channels_;   ///< virtual channels per channel
  std::vector<Queues> queues_;  ///< one for each virtual channel of each channel

  bool pending_ = false;  ///< `access_` is the next access to issue, to `address_` of a channel, through `channel_`
  TraceAccess access_;
  Address address_ = 0;
  Queues* channel_ = nullptr;
  Cycle not_before_ = 0;  ///< earliest next issue, given simulated time and the interval
  Cycle last_issue_ = 0;
  std::uint64_t issued_ = 0;
  std::uint64_t in_flight_ = 0;
  std::vector<ApplicationLatency> latencies_;

 public:
  std::deque<InitiatorPort<Access>> channels;  ///< one for each virtual channel of each channel
};

}  // namespace gputlm
