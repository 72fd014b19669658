/// How fast copies are that have the memory for themselves, learnt from those that were moved packet by packet.
///
/// Of copies that are under way together the pace depends on what each of them moves, and on what leaves the L2 for it: the
/// situation. In a situation copies with the same traffic are equally fast.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "tlm/time.h"

namespace gputlm {

/// What a copy moves at the moment.
struct CopyTraffic {
  enum class End : std::uint8_t {
    kNone,
    kHost,
    kMemory,  ///< the GPU's, which the L2 does not hold,
    kCache,   ///< or does
  };
  End from = End::kNone;
  End to = End::kNone;
  bool pageable = false;  ///< the host's memory
  bool by_sms = false;

  static bool is_device(End end) { return end == End::kMemory || end == End::kCache; }
  std::uint8_t code() const {
    return static_cast<std::uint8_t>(static_cast<unsigned>(from) | static_cast<unsigned>(to) << 2 |
                                     unsigned{pageable} << 4 | unsigned{by_sms} << 5);
  }
};

/// Bytes of a copy in 2^-16, so that what is added up from many short times is not rounded to packets.
using FineBytes = std::uint64_t;
inline constexpr unsigned kFineBits = 16;

/// The pace of a copy in a situation. What queues take in when a copy has just begun is no pace: it counts where nothing
/// else has been seen.
class CopyPace {
 public:
  /// `bytes` that were moved in `cycles`; `early`: by a copy that had just begun.
  void add(Bytes bytes, Cycle cycles, bool early) {
    Flow& flow = early ? early_ : steady_;
    flow.bytes += bytes;
    flow.cycles += cycles;
  }
  /// Cycles in which this was seen.
  Cycle seen() const { return flow().bytes > 0 ? flow().cycles : 0; }
  /// Only if it was seen.
  FineBytes in(Cycle cycles) const;
  Cycle cycles(FineBytes bytes) const;

  // The beginning, in packets: a copy that begins in the situation has moved so many so long after its first packet began.
  /// Calls for a copy are in order; what is known already is not changed.
  void start(std::size_t packets, Cycle time) {
    if (packets > start_.size()) start_.resize(packets, time);
  }
  std::size_t start_known() const { return start_.size(); }
  /// Of 0 packets 0.
  Cycle start_time(std::size_t packets) const { return packets == 0 ? 0 : start_[packets - 1]; }
  std::size_t start_packets(Cycle time) const;

 private:
  struct Flow {
    Bytes bytes = 0;
    Cycle cycles = 0;
  };
  const Flow& flow() const { return steady_.bytes > 0 ? steady_ : early_; }

  Flow early_, steady_;
  std::vector<Cycle> start_;  ///< by packets less one; in order
};

struct CopySituation {
  std::map<std::uint8_t, CopyPace> paces;  ///< by CopyTraffic::code()
  Bytes seen = 0;                          ///< of all of them
  bool known = false;                      ///< that was enough
};

/// By the codes of what is under way, in order, and behind them CacheContents::Leaving::quarters.
using CopySituations = std::map<std::vector<std::uint8_t>, CopySituation>;

}  // namespace gputlm
