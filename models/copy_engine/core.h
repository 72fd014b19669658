/// The copy engines take copies from the host and, with an MMU, from its driver, in order of arrival, each as soon as an
/// engine is free. They move copies in packets, each read completely, then written. They access the GPU's memory through
/// the L2, in accesses within a line, and the host's over the host link, one access per packet. Without a host link, the
/// host's memory is the GPU's.
///
/// If configured, a kernel of the driver on the SMs makes copies within the device: one at a time, independent of those
/// that wait for engines. Every SM has some packets in flight, and begins the copy's next packet when one has ended, unless
/// it is too far ahead of the first unfinished one. They use separate inputs of the crossbar, as wide as the GPCs' ports,
/// one for the SMs of each GPC.
///
/// If only copies use the memory (only_copies_move()), most of their bytes are skipped at a pace learnt from those moved in
/// packets (fast_forward.h). The engines of instances that share the link to the host tell each other when copies are on it.
///
/// Plain C++; the module around it is copy_engine.h.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "models/copy_engine/config.h"
#include "models/copy_engine/fast_forward.h"
#include "models/noc/network_interface.h"
#include "tlm/access.h"
#include "tlm/base/counters.h"
#include "tlm/base/ring.h"
#include "tlm/copy.h"
#include "tlm/link.h"
#include "tlm/link_use.h"
#include "tlm/tap.h"

namespace gputlm {

struct CopyEngineStatistics {
  std::uint64_t copies = 0, by_sms = 0;
  Bytes device_read = 0, device_written = 0, host_read = 0, host_written = 0, passed_over = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = CopyEngineStatistics;
    v.counter(&S::copies, "copies", "copies", "Copies that have ended");
    v.counter(&S::by_sms, "copies_by_sms", "copies",
              "Those of these copies that the SMs have made (copy_engine.sm_bytes)");
    v.counter(&S::device_read, "device_read_bytes", "bytes", "Bytes read from the GPU's memory");
    v.counter(&S::device_written, "device_written_bytes", "bytes", "Bytes written to the GPU's memory");
    v.counter(&S::host_read, "host_read_bytes", "bytes", "Bytes read from the host's memory, over the link");
    v.counter(&S::host_written, "host_written_bytes", "bytes", "Bytes written to the host's memory, over the link");
    v.counter(&S::passed_over, "passed_over_bytes", "bytes",
              "Bytes of copies that took their time, but were not moved packet by packet (copy_engine.detail, "
              "copy_engine.learn)");
  }
};

/// An engine has moved a copy.
struct CopyMoved {
  Copy copy;
  unsigned client = 0;  ///< number of its client
};

class CopyEngineCore {
 public:
  /// The connections of the engines.
  struct Surroundings {
    unsigned copies_in_flight;  ///< copies that a client may have in flight
    NetworkInterface network;   ///< the connection to the crossbar
    /// Packets held by each end of the link to the host; none: the host's memory is the GPU's.
    std::optional<unsigned> host_queue;
    unsigned clients = 1;  ///< senders of copies; of simultaneous copies, the lower client's goes first
    /// The SMs of a GPC that make copies together.
    struct Sms {
      NetworkInterface network;  ///< their connection to the crossbar
      unsigned count;
    };
    std::vector<Sms> sms = {};  ///< SMs of each GPC; none: engines make all copies
    /// The engines of other instances on the same link to the host.
    struct Peers {
      unsigned count;
      Link link;
      ItemSource<LinkUse>& messages;
    };
    std::optional<Peers> peers = std::nullopt;
  };
  /// Arguments given by reference must outlive the core.
  CopyEngineCore(const CopyEngineConfig& config, const Surroundings& surroundings, AccessSource& accesses);

  Inbox<Copy>& copies(unsigned client = 0) { return clients_[client].copies; }
  Outbox<Copy>& completions(unsigned client = 0) { return clients_[client].completions; }
  Outbox<Access>& device_requests() { return device_.requests; }
  Inbox<Access>& device_replies() { return device_.replies; }
  Outbox<Access>& host_requests() { return host_.requests; }
  Inbox<Access>& host_replies() { return host_.replies; }
  // Links of the SMs of a GPC, Surroundings::sms.
  Outbox<Access>& sm_requests(std::size_t gpc) { return gpcs_[gpc].memory.requests; }
  Inbox<Access>& sm_replies(std::size_t gpc) { return gpcs_[gpc].memory.replies; }
  // Links of Surroundings::peers: own messages, and those of the peer.
  Outbox<LinkUse>& tells(std::size_t peer) { return peers_[peer].tells; }
  Inbox<LinkUse>& told(std::size_t peer) { return peers_[peer].told; }
  Inbox<LinkUse>& hears(std::size_t peer) { return peers_[peer].hears; }
  Outbox<LinkUse>& heard(std::size_t peer) { return peers_[peer].heard; }

  /// Copies that have been moved, in the order of their ends.
  Tap<CopyMoved> copies_moved;
  /// When packets begin again after skipped bytes: the skipped accesses that fit the L2, in order of use. No packets are in
  /// flight then.
  Tap<PassedOver> passed_over;

  /// Allows skipping, since nothing else accesses the memory in this run. Before the first advance().
  void only_copies_move(const CopiedMemory& memory = {});

  /// Computes everything strictly before `until` (core cycles); returns the next cycle with work, kNever if it depends on
  /// an arrival.
  Cycle advance(Cycle until);

  const CopyEngineStatistics& statistics() const { return statistics_; }
  /// Name of the value of Copy::engine.
  std::string engine_name(std::size_t engine) const {
    return is_sms(engine) ? "SMs" : "engine " + std::to_string(engine);
  }
  /// Copies in flight and what they wait for, for the report of a deadlock.
  std::vector<std::string> waiting() const;

 private:
  struct Request {
    std::uint16_t packet;
    std::uint16_t bytes;
    bool write;
    Address address;
  };
  /// The path to one of the two memories.
  struct Memory {
    Outbox<Access> requests;
    Inbox<Access> replies;
    Ring<Request> pending;  ///< requests that wait for the link
    Cycle next() const { return std::min(replies.next(), pending.empty() ? kNever : requests.ready_at()); }
  };
  /// The copying SMs of a GPC.
  struct Gpc {
    NetworkInterface network;
    Memory memory;
  };
  struct Client {
    Inbox<Copy> copies;
    Outbox<Copy> completions;
    Ring<Copy*> ended;  ///< ended copies that wait for the link
    /// Cycle at which a completion can be sent; kNever if there is none.
    Cycle next_completion() const {
      return ended.empty() ? kNever : std::max(ended.front()->ended, completions.ready_at());
    }
  };
  /// The engines of another instance on the same link to the host.
  struct Peer {
    explicit Peer(const Link& link)
        : tells(link.request.width, link.request.queue), told(link.response.queue), hears(link.request.queue),
          heard(link.response.width, link.response.queue) {}
    Outbox<LinkUse> tells;
    Inbox<LinkUse> told;  ///< these messages, returned
    Inbox<LinkUse> hears;
    Outbox<LinkUse> heard;  ///< these messages, returned
    bool knows = false;     ///< LinkUse::in_use of the last message to it
    bool has_copy = false;  ///< LinkUse::in_use of its last message
  };
  /// A copy that no engine has taken.
  struct Waiting {
    Client* client;
    Copy* copy;
  };
  /// An engine, or all SMs together.
  struct Engine {
    Client* client = nullptr;  ///< client whose copy it is
    Copy* copy = nullptr;      ///< null: free
    Bytes begun = 0;           ///< bytes of it that packets have begun
    Bytes left = 0;            ///< bytes of it that have not been written
    Cycle next = 0;            ///< earliest cycle of its next packet
    Cycle steady = 0;          ///< cycle in which half of CopyEngineConfig::detail had begun
  };
  /// Window of the SMs' packets, as a multiple of their number. Assumed: without a bound they drift apart in memory, DRAM
  /// rows are opened twice as often, and a long copy loses a fifth of its rate or more.
  static constexpr std::size_t kWindow = 2;
  static constexpr std::uint16_t kNoGpc = 0xffff;
  struct Packet {
    std::uint16_t engine = 0;
    std::uint16_t gpc = kNoGpc;  ///< GPC whose SMs move it
    std::uint64_t number = 0;    ///< number of SM packets begun before it
    unsigned outstanding = 0;    ///< number of accesses without a reply
    bool writing = false;        ///< it has been read
    Address to = 0;
    Bytes bytes = 0;
  };

  Memory memory(const Link& link, std::size_t packets) const;
  Cycle next() const;
  /// Whether the SMs make the copy.
  bool is_for_sms(const Copy& copy) const {
    return !gpcs_.empty() && (copy.kind == CopyKind::kDeviceToDevice || copy.kind == CopyKind::kMemset);
  }
  /// The engine that stands for the SMs.
  bool is_sms(std::size_t engine) const { return engine == config_.engines; }
  /// Whether the engine has a packet to begin, when it is time.
  bool goes_on(std::size_t engine) const {
    const Engine& e = engines_[engine];
    return e.copy && e.begun < e.copy->bytes && (!forward_ || forward_->moves(engine));
  }
  void take_copies(Cycle now);
  void begin_packets(Cycle now);
  void begin_packets_of_sms(Cycle now);
  bool is_staged_by_parts(const Copy& copy) const;
  void begin_packet(std::size_t engine, std::uint16_t packet, Cycle now);
  /// Whether an SM has room for a packet, and the next one may begin.
  bool sms_go_on() const { return !free_of_sms_.empty() && begun_of_sms_ - first_of_sms_ < ended_.size(); }
  void pass_over_the_middle(Engine& engine, Cycle now);
  bool reads_host(const Copy& copy) const { return linked_ && copy.kind == CopyKind::kHostToDevice; }
  bool writes_host(const Copy& copy) const { return linked_ && copy.kind == CopyKind::kDeviceToHost; }
  bool uses_link(const Copy& copy) const { return reads_host(copy) || writes_host(copy); }
  void hear_peers(Cycle now);
  void tell_peers(Cycle now);
  void request(std::uint16_t packet, bool host, Address address, Bytes bytes, bool write);
  void send(Memory& memory, const NetworkInterface* network, Cycle now);
  void take_replies(Memory& memory, Cycle now);
  void end_packet(std::uint16_t packet, Cycle now);
  void end_if_moved(std::size_t engine, Cycle now);
  // For skipping:
  void take_forward(std::size_t engine);
  void end_passed_over(Cycle now);
  void go_on(Cycle now);
  void pass_over(Engine& engine, Bytes until);
  bool in_flight() const {
    return free_packets_.size() < config_.packets || free_of_sms_.size() < packets_.size() - config_.packets;
  }

  CopyEngineConfig config_;
  NetworkInterface network_;
  bool linked_;  ///< there is a link to a memory of the host
  AccessSource& source_;
  std::vector<Client> clients_;
  Ring<Waiting> for_engines_, for_sms_;  ///< waiting copies, in order of arrival
  Memory device_;
  Memory host_;
  std::vector<Gpc> gpcs_;                    ///< none: engines make all copies
  std::deque<Peer> peers_;                   ///< ports refer to them
  ItemSource<LinkUse>* messages_ = nullptr;  ///< source of messages to peers
  unsigned on_link_ = 0;                     ///< number of copies over the link to the host that engines have
  std::vector<Engine> engines_;              ///< the engines, followed by that of the SMs, if they make copies
  std::size_t turn_ = 0;                     ///< the engine that may begin the next packet first
  std::vector<Packet> packets_;              ///< packets of engines, then those of the SMs
  std::vector<std::uint16_t> free_packets_;  ///< free packets of engines
  Ring<std::uint16_t> free_of_sms_;          ///< free packets of the SMs, in order of their ends
  std::uint64_t begun_of_sms_ = 0,
                first_of_sms_ = 0;      ///< numbers of their next packet, and of their first unfinished one
  std::vector<bool> ended_;             ///< which of the packets between the two have ended, by number modulo its size
  std::optional<FastForward> forward_;  ///< present if copies may be skipped
  CopyEngineStatistics statistics_;
};

}  // namespace gputlm
