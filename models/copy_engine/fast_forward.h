/// Sampled simulation of copies that have the memory to themselves: decides which are moved packet by packet, and which are
/// skipped ("passed over") at a learnt pace until something changes. As in SMARTS (Wunderlich et al., ISCA 2003), caches
/// are warmed: skipped accesses are reported, to be applied to them.
///
/// The copies in flight form a situation (copy_pace.h). In each, the first `sample` bytes are moved in packets, and further
/// ones until a whole number of DRAM refreshes. After that, or while no copy continues longer than its pace has been
/// observed, all copies rest: until one ends or another begins, or until the L2's hits of a copy or its evictions change
/// (cache_contents.h). In an unknown situation, all are moved in packets from their current positions.
///
/// While copies of another instance use the link to the host, copies over it are moved in packets: neither knows how far the
/// other one is.
///
/// Beginning copies take the time of those that began in the same situation, up to `beginning` bytes. After a rest, a
/// copy's first packet ends after a packet's latency; until then the copy is still skipped.
///
/// It uses only integers, and cycles that depend only on the copies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "models/copy_engine/cache_contents.h"
#include "models/copy_engine/copy_pace.h"
#include "tlm/base/time.h"
#include "tlm/copy.h"

namespace gputlm {

/// Skipped bytes that would have been requested from an L2. `until`: packets that begin in this cycle or later come after them.
struct PassedOver {
  Address first;
  Bytes bytes;
  bool write;
  ApplicationId application;
  Cycle until = 0;
};

/// The GPU's memory, as far as the paces of copies depend on it.
struct CopiedMemory {
  Bytes cache = 0;           ///< size of the L2; 0: none
  bool keeps_writes = true;  ///< the L2 writes back
  Cycle refresh = 0;         ///< period of DRAM refreshes; 0: none
};

class FastForward {
 public:
  struct Setup {
    Bytes packet;         ///< bytes of a packet, whole lines
    Bytes sample;         ///< bytes moved in packets in each situation
    std::size_t engines;  ///< maximum number of concurrent copies
    CopiedMemory memory;
  };
  explicit FastForward(const Setup& setup);

  /// An engine has taken a copy whose first packet can begin at `first`. `beginning`: bytes after which it reaches its
  /// pace.
  void take(std::size_t engine, const Copy& copy, const CopyTraffic& traffic, Cycle first, Bytes beginning);
  /// A packet has been written; `written` bytes in total.
  void moved(std::size_t engine, Bytes written, Cycle now) {
    Member& member = members_[engine];
    // Packets that had begun before a rest lie before the skipped bytes.
    if (resting_ || member.ends != kNever || written <= whole(member.written)) return;
    const Bytes more = written - whole(member.written);
    member.written = fine(written);
    if (!member.steady) begin_to_flow(member, now);
    if (member.fresh) member.pace->start(packets(written, member), now - member.first);
    if ((looked_ += more) >= look_) next_ = 0;
  }
  void ended(std::size_t engine, Cycle now);
  /// Whether an engine of another instance has a copy over the link to the host.
  void share_link(bool shared) {
    if (others_use_link_ == shared) return;
    others_use_link_ = shared;
    next_ = 0;
  }
  /// The copy is complete except for packets in flight.
  void drains(std::size_t engine) { members_[engine].ends = kNever - 1; }

  /// The next cycle with work for any copy; go_to() is due then, followed by decide().
  Cycle next() const { return next_; }
  /// Updates all copies to `now`.
  void go_to(Cycle now);
  /// Whether the copy has been skipped to its end.
  bool is_over(std::size_t engine, Cycle now) const;
  /// Decides how to continue. True if packets continue after skipped bytes: each copy is then at moved_to().
  bool decide(Cycle now);
  Bytes moved_to(std::size_t engine) const { return whole(members_[engine].written); }
  /// When a copy's packet after `begun` bytes may begin after a rest: at the previous pace until the first of them has
  /// ended, since packets begun at once would end at once.
  Cycle not_before(std::size_t engine, Bytes begun) const {
    const Member& member = members_[engine];
    return member.paced && !member.flows ? paced(member, begun) : 0;
  }
  /// Whether packets of the engine's copy may begin.
  bool moves(std::size_t engine) const {
    const Member& member = members_[engine];
    return !resting_ && member.begun && member.ends == kNever;
  }

  /// Bytes skipped since the last call, as far as the L2 holds them, in order of use.
  std::deque<PassedOver> take_passed_over() {
    passed_over_bytes_ = 0;
    return std::exchange(passed_over_, {});
  }

 private:
  struct Member {
    const Copy* copy = nullptr;
    CopyTraffic traffic;
    Bytes beginning = 0;
    Cycle first = 0;
    bool begun = false;        ///< cycle `first` has come
    FineBytes written = 0;     ///< bytes written or skipped
    Bytes told = 0;            ///< bytes of these that have been reported to contents_
    CopyPace* pace = nullptr;  ///< its pace in the situation
    Bytes same = 0;            ///< bytes from `written` on known to have the same traffic
    // A copy that began in the situation follows the times of a beginning copy, another one the rate.
    bool fresh = false;
    Cycle at = 0;         ///< if resting and fresh: time since its first packet began
    Cycle wait = 0;       ///< if resting and not fresh: time until its bytes flow
    Cycle ends = kNever;  ///< end, if it is skipped to its end while others are moved
    // Moving:
    Cycle since = 0;        ///< cycle from which packets begin
    Bytes from = 0;         ///< bytes after which these packets begin
    bool answered = false;  ///< one of these packets has ended
    bool flows = false;     ///< as many of these packets have ended as are in flight at once; after a rest, one
    bool steady = false;    ///< these packets have moved as much as `beginning`
    Bytes seen = 0;         ///< bytes of `written` that have been counted for the pace,
    Cycle seen_at = 0;      ///< and the cycle up to which they have
    const CopyPace* paced = nullptr;  ///< after a rest: the pace during the rest
  };
  /// A copy's position a packet's latency later.
  struct Ahead {
    FineBytes written;
    Cycle ends;
    const CopyPace* pace;
  };

  static Bytes whole(FineBytes bytes) { return bytes >> kFineBits; }
  static FineBytes fine(Bytes bytes) { return bytes << kFineBits; }
  std::size_t packets(Bytes bytes, const Member& member) const {
    return (std::min(bytes, member.beginning) + setup_.packet - 1) / setup_.packet;
  }
  /// Whether the copy is in flight, and not at its end.
  static bool plays(const Member& member) { return member.copy && member.begun && member.ends == kNever; }
  static bool uses_link(const Member& member) {
    return member.traffic.from == CopyTraffic::End::kHost || member.traffic.to == CopyTraffic::End::kHost;
  }

  void begin_to_flow(Member& member, Cycle now);
  static Cycle paced(const Member& member, Bytes begun);
  void see(Cycle now);
  Cycle enough_at(Cycle now) const;
  void tell();
  Cycle latency(const Member& member) const;
  void pass(Member& member, Cycle cycles) const;
  Cycle cycles_to(const Member& member, Bytes written) const;
  Cycle known(const Member& member, Bytes written) const;
  Ahead ahead(const Member& member, Cycle now) const;
  void find_traffic(Member& member) const;
  void find_situation(Cycle now);
  Cycle can_rest(Cycle now) const;
  Cycle until_others_leave() const;
  void begin_rest(Member& member, Cycle now) const;
  void find_next(Cycle now);

  Setup setup_;
  Bytes look_;                   ///< bytes moved between examinations of the situation
  std::vector<Member> members_;  ///< indexed by engine
  std::vector<Ahead> ahead_;
  CacheContents contents_;
  CopySituations situations_;
  std::map<std::uint8_t, Cycle> latencies_;  ///< minimum latency of a packet, by code of the traffic
  std::vector<std::uint8_t> key_;            ///< key of the situation
  CopySituation* situation_ = nullptr;
  CacheContents::Leaving leaving_{0, 0};
  bool others_use_link_ = false;  ///< whether an engine of another instance has a copy over the link
  bool link_is_shared_ = false;   ///< whether copies of this situation share the link with those
  bool resting_ = false;
  Cycle since_ = 0;       ///< if resting: cycle as of which the members' state holds
  Cycle until_ = kNever;  ///< if resting: end of the rest
  Bytes looked_ = 0;      ///< bytes moved since the last examination
  Cycle flow_ = 0;        ///< if moving: cycle since which all have been flowing in this situation
  Cycle next_ = kNever;
  std::deque<PassedOver> passed_over_;
  Bytes passed_over_bytes_ = 0;  ///< bytes in passed_over_
};

}  // namespace gputlm
