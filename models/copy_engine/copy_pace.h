/// The pace of copies that have the memory to themselves, learnt from those moved packet by packet.
///
/// The pace of concurrent copies depends on the traffic of each and on what the L2 evicts for it: the situation. In a
/// situation, copies with the same traffic are equally fast.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "tlm/base/time.h"

namespace gputlm {

/// A copy's current traffic.
struct CopyTraffic {
  enum class End : std::uint8_t {
    kNone,
    kHost,
    kMemory,  ///< the GPU's memory, not held by the L2
    kCache,   ///< the GPU's memory, held by the L2
  };
  End from = End::kNone;
  End to = End::kNone;
  bool pageable = false;  ///< the host's memory is pageable
  bool by_sms = false;

  static bool is_device(End end) { return end == End::kMemory || end == End::kCache; }
  std::uint8_t code() const {
    return static_cast<std::uint8_t>(static_cast<unsigned>(from) | static_cast<unsigned>(to) << 2 |
                                     unsigned{pageable} << 4 | unsigned{by_sms} << 5);
  }
};

/// Bytes in units of 2^-16, so that sums over many short times are not rounded to packets.
using FineBytes = std::uint64_t;
inline constexpr unsigned kFineBits = 16;

/// The pace of a copy in a situation. The initial filling of queues does not represent the pace: it counts only if nothing
/// else has been seen.
class CopyPace {
 public:
  /// Adds `bytes` moved in `cycles`; `early`: by a copy that had just begun.
  void add(Bytes bytes, Cycle cycles, bool early) {
    Flow& flow = early ? early_ : steady_;
    flow.bytes += bytes;
    flow.cycles += cycles;
  }
  /// Cycles in which this pace was observed.
  Cycle seen() const { return flow().bytes > 0 ? flow().cycles : 0; }
  /// Bytes moved in `cycles`; requires seen() > 0.
  FineBytes in(Cycle cycles) const;
  Cycle cycles(FineBytes bytes) const;

  // The beginning, in packets: the time from the first packet of a copy that begins in the situation until a number of
  // packets has been moved.
  /// Calls for a copy are in order; known times are not changed.
  void start(std::size_t packets, Cycle time) {
    if (packets > start_.size()) start_.resize(packets, time);
  }
  std::size_t start_known() const { return start_.size(); }
  /// 0 for 0 packets.
  Cycle start_time(std::size_t packets) const { return packets == 0 ? 0 : start_[packets - 1]; }
  std::size_t start_packets(Cycle time) const;

 private:
  struct Flow {
    Bytes bytes = 0;
    Cycle cycles = 0;
  };
  const Flow& flow() const { return steady_.bytes > 0 ? steady_ : early_; }

  Flow early_, steady_;
  std::vector<Cycle> start_;  ///< times in ascending order, indexed by number of packets - 1
};

struct CopySituation {
  std::map<std::uint8_t, CopyPace> paces;  ///< indexed by CopyTraffic::code()
  Bytes seen = 0;                          ///< bytes seen by all of them
  bool known = false;                      ///< enough has been seen
};

/// Indexed by the codes of the traffic of all copies, in order, followed by CacheContents::Leaving::quarters and a mark if they
/// share the link with copies of other instances.
using CopySituations = std::map<std::vector<std::uint8_t>, CopySituation>;

}  // namespace gputlm
