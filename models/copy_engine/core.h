/// The copy engines: take copies from the host, and where there is an MMU from its driver, in the order in which they
/// come, each as soon as an engine is free, and move them in packets: read whole, then written whole. The GPU's memory
/// is read and written through the L2, in accesses within a line; the host's over the host link, a packet an access.
/// Where the host has no link, its memory is the GPU's. Plain C++; the module around it is copy_engine.h.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "models/copy_engine/config.h"
#include "models/noc/network_interface.h"
#include "tlm/access.h"
#include "tlm/copy.h"
#include "tlm/counters.h"
#include "tlm/link.h"
#include "tlm/ring.h"
#include "tlm/tap.h"

namespace gputlm {

struct CopyEngineStatistics {
  std::uint64_t copies = 0;
  Bytes device_read = 0, device_written = 0, host_read = 0, host_written = 0, passed_over = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = CopyEngineStatistics;
    v.counter(&S::copies, "copies", "copies", "that have ended");
    v.counter(&S::device_read, "device_read_bytes", "bytes", "read of the GPU's memory");
    v.counter(&S::device_written, "device_written_bytes", "bytes", "written to the GPU's memory");
    v.counter(&S::host_read, "host_read_bytes", "bytes", "read of the host's memory, over the link");
    v.counter(&S::host_written, "host_written_bytes", "bytes", "written to the host's memory, over the link");
    v.counter(
        &S::passed_over, "passed_over_bytes", "bytes",
        "of copies alone on the GPU that took their time, but were not moved packet by packet (copy_engine.detail)");
  }
};

/// An engine has moved a copy.
struct CopyMoved {
  Copy copy;
  unsigned client = 0;  ///< whose it is
};

class CopyEngineCore {
 public:
  /// Where the engines sit.
  struct Surroundings {
    unsigned copies_in_flight;  ///< that a client may send ahead
    NetworkInterface network;   ///< the place at the crossbar
    /// Packets that each end of the link to the host holds; none: the host's memory is the GPU's.
    std::optional<unsigned> host_queue;
    unsigned clients = 1;  ///< who send copies; of two that come at once, the first one's goes first
  };
  /// What is given by reference must outlive the core.
  CopyEngineCore(const CopyEngineConfig& config, const Surroundings& surroundings, AccessSource& accesses);

  Inbox<Copy>& copies(unsigned client = 0) { return clients_[client].copies; }
  Outbox<Copy>& completions(unsigned client = 0) { return clients_[client].completions; }
  Outbox<Access>& device_requests() { return device_.requests; }
  Inbox<Access>& device_replies() { return device_.replies; }
  Outbox<Access>& host_requests() { return host_.requests; }
  Inbox<Access>& host_replies() { return host_.replies; }

  /// In the order of their ends.
  Tap<CopyMoved> copies_moved;

  /// Computes everything strictly before `until` (core cycles); returns the next cycle with work, kNever if only an
  /// arrival makes some.
  Cycle advance(Cycle until);

  const CopyEngineStatistics& statistics() const { return statistics_; }
  /// Copies under way and what they wait for, for the report of a deadlock.
  std::vector<std::string> waiting() const;

 private:
  struct Request {
    std::uint16_t packet;
    std::uint16_t bytes;
    bool write;
    Address address;
  };
  /// One of the two memories.
  struct Memory {
    Outbox<Access> requests;
    Inbox<Access> replies;
    Ring<Request> pending;  ///< requests that wait for the link
  };
  struct Client {
    Inbox<Copy> copies;
    Outbox<Copy> completions;
    Ring<Copy*> ended;  ///< waiting for the link
    /// Cycle at which an end can be told; kNever if there is none.
    Cycle next_completion() const {
      return ended.empty() ? kNever : std::max(ended.front()->ended, completions.ready_at());
    }
  };
  struct Engine {
    Client* client = nullptr;  ///< whose
    Copy* copy = nullptr;      ///< null: free
    Bytes begun = 0;           ///< bytes of it in packets
    Bytes left = 0;            ///< bytes of it that have not been written
    Cycle next = 0;            ///< for its next packet
    Cycle steady = 0;          ///< when half of CopyEngineConfig::detail had begun
  };
  struct Packet {
    std::uint16_t engine = 0;
    unsigned outstanding = 0;  ///< accesses
    bool writing = false;      ///< has been read
    Address to = 0;
    Bytes bytes = 0;
  };

  Cycle next() const;
  bool engine_free() const;
  /// The client whose copy came first.
  Client& next_client();
  void take_copies(Cycle now);
  void begin_packets(Cycle now);
  void begin_packet(std::size_t engine, Cycle now);
  void pass_over_the_middle(Engine& engine, Cycle now);
  bool reads_host(const Copy& copy) const { return linked_ && copy.kind == CopyKind::kHostToDevice; }
  bool writes_host(const Copy& copy) const { return linked_ && copy.kind == CopyKind::kDeviceToHost; }
  void request(std::uint16_t packet, bool host, Address address, Bytes bytes, bool write);
  void send(Memory& memory, bool host, Cycle now);
  void take_replies(Memory& memory, Cycle now);
  void end_packet(std::uint16_t packet, Cycle now);

  CopyEngineConfig config_;
  NetworkInterface network_;
  bool linked_;  ///< to a memory of the host
  AccessSource& source_;
  std::vector<Client> clients_;
  Memory device_;
  Memory host_;
  std::vector<Engine> engines_;
  std::size_t turn_ = 0;  ///< the engine that may begin the next packet first
  std::vector<Packet> packets_;
  std::vector<std::uint16_t> free_packets_;
  CopyEngineStatistics statistics_;
};

}  // namespace gputlm
