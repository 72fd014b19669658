/// Sampled simulation of copies that have the memory for themselves: which of them are moved packet by packet, and which
/// are passed over at a pace that has been learnt, until something changes. As in SMARTS (Wunderlich et al., ISCA 2003)
/// caches go on as if all had been moved: what was passed over is told, to be put into them.
///
/// What is under way together is a situation (copy_pace.h). In each the first `sample` bytes are moved in packets, and what
/// comes until the DRAM has been refreshed a whole number of times. After that, or as long as no copy goes on longer than has
/// been seen of its pace, all copies rest: until one of them has ended or another begins, until what is held of one changes,
/// or what leaves the L2 (cache_contents.h). In a situation that is not known, all are moved in packets from where they are.
///
/// Copies that begin take the time of those that began in the same situation, up to `beginning` bytes. Packets of one
/// that goes on after a rest need the latency of a packet until the first of them has ended; meanwhile the copy is passed
/// over.
///
/// All in integers, and at cycles that depend on nothing but the copies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "models/copy_engine/cache_contents.h"
#include "models/copy_engine/copy_pace.h"
#include "tlm/copy.h"
#include "tlm/time.h"

namespace gputlm {

/// Bytes were passed over, which an L2 would have been asked for. `until`: before packets that begin then, or later.
struct PassedOver {
  Address first;
  Bytes bytes;
  bool write;
  ApplicationId application;
  Cycle until = 0;
};

/// The GPU's memory, as far as the paces of copies depend on it.
struct CopiedMemory {
  Bytes cache = 0;           ///< of the L2; 0: there is none
  bool keeps_writes = true;  ///< it writes back
  Cycle refresh = 0;         ///< from one refresh of the DRAM to the next; 0: there are none
};

class FastForward {
 public:
  struct Setup {
    Bytes packet;         ///< whole lines
    Bytes sample;         ///< of each situation
    std::size_t engines;  ///< copies at once
    CopiedMemory memory;
  };
  explicit FastForward(const Setup& setup);

  /// An engine has taken a copy whose first packet can begin at `first`. `beginning`: bytes after which it has its pace.
  void take(std::size_t engine, const Copy& copy, const CopyTraffic& traffic, Cycle first, Bytes beginning);
  /// So many of its bytes are written, a packet of them now.
  void moved(std::size_t engine, Bytes written, Cycle now) {
    Member& member = members_[engine];
    // Packets that had begun before a rest are behind what was passed over.
    if (resting_ || member.ends != kNever || written <= whole(member.written)) return;
    const Bytes more = written - whole(member.written);
    member.written = fine(written);
    if (!member.steady) begin_to_flow(member, now);
    if (member.fresh) member.pace->start(packets(written, member), now - member.first);
    if ((looked_ += more) >= look_) next_ = 0;
  }
  void ended(std::size_t engine, Cycle now);
  /// It is over but for packets that are on their way.
  void drains(std::size_t engine) { members_[engine].ends = kNever - 1; }

  /// When there is something to do, whatever is moved; go_to() is due then, and decide() behind it.
  Cycle next() const { return next_; }
  /// Brings all up to date.
  void go_to(Cycle now);
  /// The copy has been passed over to its end.
  bool is_over(std::size_t engine, Cycle now) const;
  /// Decides what goes on. True if copies are moved behind what was passed over: each is at moved_to() then.
  bool decide(Cycle now);
  Bytes moved_to(std::size_t engine) const { return whole(members_[engine].written); }
  /// Of a copy that goes on after a rest, when the packet behind `begun` bytes may begin: until the first of them has
  /// ended, at the pace before; all at once, they would end at once.
  Cycle not_before(std::size_t engine, Bytes begun) const {
    const Member& member = members_[engine];
    return member.paced && !member.flows ? paced(member, begun) : 0;
  }
  /// Packets of the engine's copy may begin.
  bool moves(std::size_t engine) const {
    const Member& member = members_[engine];
    return !resting_ && member.begun && member.ends == kNever;
  }

  /// What has been passed over since this was called, as far as the L2 holds it, in the order in which it was used.
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
    bool begun = false;        ///< `first` has come
    FineBytes written = 0;     ///< or passed over
    Bytes told = 0;            ///< of these, that contents_ has been told of
    CopyPace* pace = nullptr;  ///< in the situation
    Bytes same = 0;            ///< so many bytes from `written` on have the same traffic, as far as is known
    // A copy that began in the situation keeps to the times of its beginning, another one to the rate.
    bool fresh = false;
    Cycle at = 0;         ///< resting and fresh: after its first packet's begin
    Cycle wait = 0;       ///< resting and not: until its bytes flow
    Cycle ends = kNever;  ///< is passed over to its end, then, while others are moved
    // Moving:
    Cycle since = 0;        ///< packets begin
    Bytes from = 0;         ///< behind this
    bool answered = false;  ///< one of these has ended
    bool flows = false;     ///< as much of these has ended as is under way at once; after a rest, one
    bool steady = false;    ///< as much as a copy begins with
    Bytes seen = 0;         ///< as much of `written` has been counted, as of
    Cycle seen_at = 0;
    const CopyPace* paced = nullptr;  ///< after a rest: as in it
  };
  /// Where a copy is a packet's latency later.
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
  /// It is under way, and not at its end.
  static bool plays(const Member& member) { return member.copy && member.begun && member.ends == kNever; }

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
  Bytes look_;                   ///< moved, until the situation is looked at again
  std::vector<Member> members_;  ///< by engine
  std::vector<Ahead> ahead_;
  CacheContents contents_;
  CopySituations situations_;
  std::map<std::uint8_t, Cycle> latencies_;  ///< of a packet, by the code of what is moved; the least that was seen
  std::vector<std::uint8_t> key_;            ///< of the situation
  CopySituation* situation_ = nullptr;
  CacheContents::Leaving leaving_{0, 0};
  bool resting_ = false;
  Cycle since_ = 0;       ///< resting: as of when members are
  Cycle until_ = kNever;  ///< resting
  Bytes looked_ = 0;      ///< moved since the last look
  Cycle flow_ = 0;        ///< moving: since when all have been in this situation, and flowed
  Cycle next_ = kNever;
  std::deque<PassedOver> passed_over_;
  Bytes passed_over_bytes_ = 0;  ///< in it
};

}  // namespace gputlm
