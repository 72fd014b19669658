/// Plays an address trace against the DRAM controllers of one or more channels: a TLM-2.0 initiator.
///
/// Accesses are issued in the order of the trace, each as soon as its channel's input queue has room for it, so that
/// the controllers' queues stay full. An access to a channel that has no room holds up those behind it. The player
/// runs on the command clock; a link takes one access a cycle.
///
/// Latency: from the arrival of an access at the controller's input to the end of its data on the DRAM's bus, in
/// command cycles. The links' hops do not count, the wait in the controller's queues does.
#pragma once

#include <exception>
#include <memory>
#include <vector>

#include "models/dram/config.h"
#include "models/dram/slice_map.h"
#include "platform/input/address_trace.h"
#include "platform/run/playback.h"
#include "tlm/port.h"

namespace gputlm {

class TracePlayer final : public WindowedModule {
 public:
  /// Reads the first access already. Throws InputError for an address map that cannot be (SliceMap).
  TracePlayer(const sc_core::sc_module_name& name, Femtoseconds window, const DramConfig& dram,
              const AddressMapConfig& address_map, const PlayerConfig& config, AddressTrace& trace);

  tlm::tlm_initiator_socket<>& socket(unsigned channel) { return channels_[channel]->port.socket; }
  /// Every access of the trace has been answered, or the trace has failed.
  bool done() const { return !pending_ && in_flight_ == 0; }
  /// What reading the trace has thrown; null if nothing.
  std::exception_ptr failure() const { return failure_; }
  std::uint64_t issued() const { return issued_; }
  std::uint64_t answered() const { return issued_ - in_flight_; }
  const std::vector<ApplicationLatency>& latencies() const { return latencies_; }  ///< by ApplicationId

  /// Slots for responses that never let a controller wait: of one channel.
  static unsigned response_queue(const DramConfig& dram) { return 4 * dram.latency + 64; }

 private:
  struct Channel {
    Channel(const std::string& name, TracePlayer& owner, const LinkTiming& timing, const DramConfig& dram)
        : requests(1, dram.input_queue), responses(response_queue(dram)),
          port(name, owner, timing, requests, responses, true) {}
    Outbox<Access> requests;
    Inbox<Access> responses;
    InitiatorPort<Access> port;
  };

  Femtoseconds advance(Femtoseconds until) override;
  void read_next();
  Cycle next_issue() const;
  Channel* next_answered() const;
  void issue(Cycle now);
  void take_response(Channel& channel);

  Clock clock_;
  PlayerConfig config_;
  SliceMap map_;
  Cycle hop_;  ///< of a link, and a flit
  AddressTrace& trace_;
  std::vector<std::unique_ptr<Channel>> channels_;
  PayloadPool<Access> pool_;

  bool pending_ = false;  ///< `access_` is the next access to issue, to `channel_`
  TraceAccess access_;
  unsigned channel_ = 0;
  Cycle not_before_ = 0;  ///< of the next issue: time goes on, and the interval
  std::uint64_t issued_ = 0;
  std::uint64_t in_flight_ = 0;
  std::vector<ApplicationLatency> latencies_;
  std::exception_ptr failure_;
};

}  // namespace gputlm
