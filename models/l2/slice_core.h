/// One L2 slice, without SystemC: banks, tags, miss-status holding registers (MSHRs), write-back. All cycles are of the
/// slices' clock (NocConfig::mhz).
///
/// Each bank starts one request or fill per cycle; a line belongs to one bank. Requests enter in order: the head waits for
/// its bank and for all resources that it needs (an MSHR, a merge slot, a line to replace, room for its DRAM accesses or
/// its reply), and blocks those behind it. Nothing is ever dropped.
///
/// - Read: a hit if all requested sectors are valid. Otherwise the missing sectors are fetched, with one DRAM access per
///   contiguous run, and requests to the same line merge into its MSHR; sectors already on their way are not fetched again.
/// - Write: write-back, write-allocate without a fetch. Completely covered sectors become valid and dirty; others become
///   only dirty, and a later read of them fetches and merges: lazy fetch on read. A write is acknowledged at once and never
///   waits for a fill.
/// - Atomic: like a read, then the sectors are dirty; its reply carries data.
/// - L2Config::write_through sends a write's data to DRAM at once, before any fetch, and leaves no sector dirty; changes by
///   atomics are still written back with the line.
/// - L2Config::fill_bytes above a sector give larger groups of sectors, up to the whole line, common valid and dirty state:
///   a miss fetches the missing sectors of the groups it touches; a write makes the groups it touches dirty and fetches the
///   rest of an incomplete group (fetch on write; it is still acknowledged at once).
/// - A replaced line writes its dirty sectors back, with one DRAM access per contiguous run (marked `partial` if a sector
///   of it is not completely known), in the name of the last writer. Lines that wait for a fill are not replaced.
///
/// With L2Config::applications of two or more, there are as many virtual channels for requests, one per application. Each
/// has its own queue, its own head and an equal share of the MSHRs: no application's requests wait behind another's. The
/// same holds towards DRAM if the controller has virtual channels (DramConfig::virtual_channels); a replaced line's sectors
/// are the last writer's, so a request may also wait for room in that channel. Channels share the link and take turns.
///
/// With L2Config::partitions, a slice represents two places, one in each half of the GPU (models/l2/halves.h). The reply to
/// a hit in the half other than the requester's (Access::partition) is marked: it has to cross (models/noc/crossbar.h). A
/// miss takes the same time, wherever the line goes.
///
/// If kernels have access policy windows, part of the lines is set aside for persisting accesses (models/l2/set_aside.h).
///
/// With L2Config::enabled off there is no cache: a request passes to DRAM unchanged, with its own MSHR until its data
/// returns. Nothing is stored or merged, and no bank is busy. Writes are still acknowledged at once; an atomic's read is
/// followed by its write. Passing requests count as fills and write-backs.
///
/// A reply leaves L2Config::latency cycles after its request hit, or after the fill it waited for: hits and fills pass
/// through the same data pipeline. DRAM accesses leave the cycle after the request that caused them, in order.
///
/// No deadlock: the SMs always accept replies, so replies drain; fills need only room for replies, so they are accepted; so
/// this slice never blocks DRAM, which takes what waits for it; so every resource for which the head may wait becomes free.
///
/// Sets `l2_hit` of a request (for a write: its line was present), `row` from the fill that completed it, and `flits` for
/// the way back. Throws InputError for a configuration with no sets, MSHRs, merge slots or banks, more than 64 banks,
/// fill_bytes other than 32, 64 or 128, or fewer MSHRs or places in the queue than applications.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "models/cache/mshr.h"
#include "models/cache/sectored_tags.h"
#include "models/l2/config.h"
#include "models/l2/halves.h"
#include "models/l2/lanes.h"
#include "models/l2/set_aside.h"
#include "models/memory_map/memory_map.h"
#include "models/policy/reserved_entries.h"
#include "tlm/access.h"
#include "tlm/base/counters.h"
#include "tlm/flit_format.h"
#include "tlm/link.h"
#include "tlm/tap.h"

namespace gputlm {

/// What the head of a request queue waits for.
enum class L2Stall : std::uint8_t {
  kBank,         ///< the bank started something else this cycle
  kReplyQueue,   ///< the crossbar blocks replies
  kMemoryQueue,  ///< the controller blocks DRAM accesses
  kMshr,         ///< every MSHR available to it is in use
  kMerge,        ///< the line's MSHR is full
  kSet,          ///< every line of the set waits for a fill
  kData,         ///< the data array is busy with other requests
};
inline constexpr std::size_t kL2Stalls = 7;
inline constexpr std::array<CounterLabel, kL2Stalls> kL2StallLabels{
    {{"bank", "its bank started something else"},
     {"reply_queue", "replies were held up by the crossbar"},
     {"memory_queue", "DRAM accesses were held up by the controller"},
     {"mshr", "every MSHR that it may have was in use"},
     {"merge", "the MSHR of its line held as many requests as it can"},
     {"set", "every line of its set waited for a fill"},
     {"data", "the data array moved what others had asked for"}}};

/// Requests of one application.
struct L2ApplicationStatistics {
  std::uint64_t read_hits = 0, read_misses = 0;
  std::uint64_t write_hits = 0, write_misses = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = L2ApplicationStatistics;
    v.counter(&S::read_hits, "read_hits", "requests", "Reads and atomics of the application that hit");
    v.counter(&S::read_misses, "read_misses", "requests", "Reads and atomics of the application that missed");
    v.counter(&S::write_hits, "write_hits", "requests", "Writes of the application whose line was present");
    v.counter(&S::write_misses, "write_misses", "requests", "Writes of the application whose line was not present");
  }
};

struct L2Statistics {
  std::uint64_t reads = 0, read_hits = 0;
  std::uint64_t writes = 0, write_hits = 0;
  std::uint64_t atomics = 0, atomic_hits = 0;
  std::uint64_t copy_hits = 0;
  std::uint64_t mshr_merges = 0;
  std::uint64_t fills = 0, fill_sectors = 0;
  std::uint64_t write_backs = 0, write_back_sectors = 0;
  std::array<std::uint64_t, kL2Stalls> stall_cycles{};  ///< indexed by L2Stall
  std::vector<L2ApplicationStatistics> applications;    ///< indexed by ApplicationId

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = L2Statistics;
    v.counter(&S::reads, "reads", "requests", "Reads");
    v.counter(&S::read_hits, "read_hits", "requests", "Reads whose sectors were all present");
    v.counter(&S::writes, "writes", "requests", "Writes");
    v.counter(&S::write_hits, "write_hits", "requests", "Writes whose line was present");
    v.counter(&S::atomics, "atomics", "requests", "Atomics");
    v.counter(&S::atomic_hits, "atomic_hits", "requests", "Atomics whose sectors were all present");
    v.counter(&S::copy_hits, "copy_hits", "requests", "Reads that hit a copy in the half (l2.copies)");
    v.counter(&S::mshr_merges, "mshr_merges", "requests", "Misses that found an MSHR for their line");
    v.counter(&S::fills, "fills", "DRAM accesses", "Accesses that fetched sectors");
    v.counter(&S::fill_sectors, "fill_sectors", "sectors", "Sectors fetched");
    v.counter(&S::write_backs, "write_backs", "DRAM accesses", "Accesses that wrote sectors back or through");
    v.counter(&S::write_back_sectors, "write_back_sectors", "sectors", "Sectors written");
    v.counters(&S::stall_cycles, "stall_cycles", "cycles", "Time in which the head of a request queue waited",
               kL2StallLabels);
    v.parts(&S::applications, "applications");
  }
};

/// A request has been taken from its queue.
struct L2Taken {
  Cycle at = 0;
  Cycle arrived = 0;  ///< cycle in which it entered the queue
  Cycle issued = 0;   ///< Access::issued; for an SM in core cycles
  Identity identity;
  std::uint16_t source = 0;  ///< Access::source: for an SM its id
  bool fetches = false;      ///< it waits for DRAM
};

/// A request has been served: its data has been read or written.
struct L2Served {
  Cycle at = 0;  ///< cycle in which its reply can leave
  Identity identity;
  Address address = 0;  ///< GPU address
  bool write = false, atomic = false, hit = false;
  std::uint16_t source = 0;  ///< Access::source
  std::uint8_t sectors = 0;
  /// Whether it has waited for DRAM.
  bool fetched() const { return !hit && (!write || atomic); }
};

/// The links of a slice, as its neighbours define them.
struct L2SliceLinks {
  FlitFormat reply_flits;
  unsigned reply_width = 1;                  ///< flits per cycle to the crossbar
  unsigned reply_credits = 64;               ///< slots of the crossbar's queue
  FlitFormat memory_flits{kSectorBytes, 0};  ///< flits of accesses to DRAM
  unsigned memory_width = 1;                 ///< flits per cycle to the DRAM controller
  unsigned memory_credits = 64;              ///< slots of the controller's queue
  unsigned memory_reply_queue = 64;          ///< slots of the slice's queue for replies
  unsigned memory_channels = 1;              ///< virtual channels to the DRAM controller, each with these queues
};

class L2SliceCore {
 public:
  /// Slice `slice` of the map. `map` and `source` must outlive it. `ways`: for each application, the ways of a set for its
  /// lines; an application not listed has all. `set_aside`: unused without windows.
  L2SliceCore(const L2Config& config, const L2SliceLinks& links, unsigned slice, const MemoryMap& map,
              AccessSource& source, std::vector<WaySet> ways = {}, const SetAsideSetup& set_aside = {});

  Tap<L2Taken> taken;
  Tap<L2Served> served;

  /// Virtual channels from the crossbar.
  unsigned channels() const { return channels_; }
  /// From the crossbar; `address` is the GPU's.
  Inbox<Access>& requests(unsigned channel = 0) { return heads_[channel].requests; }
  /// To the crossbar.
  Outbox<Access>& replies(unsigned channel = 0) { return replies_.outbox(channel); }
  /// Virtual channels to the DRAM controller.
  unsigned memory_channels() const { return memory_channels_; }
  /// To the DRAM controller; `address` is the channel's.
  Outbox<Access>& memory_requests(unsigned channel = 0) { return memory_.outbox(channel); }
  /// From the DRAM controller, reads and writes.
  Inbox<Access>& memory_replies(unsigned channel = 0) { return memory_replies_[channel]; }

  /// Does everything strictly before `until`, given all that arrives before then. Returns the next cycle with work;
  /// kNever if only an arrival or a credit brings work.
  Cycle advance(Cycle until);

  /// In cycle `at`, before anything that arrives then, the line of an access is as if it had been served, without having
  /// taken time or been counted. Cycle `at` has not been computed, all before cycle `past` have; neither ever decreases.
  void warm(Cycle past, Cycle at, const Access& access);

  const L2Statistics& statistics() const { return statistics_; }
  /// Null if nothing is set aside.
  const SetAside* set_aside() const { return set_aside_ ? &*set_aside_ : nullptr; }
  const SectoredTags& tags() const { return tags_; }
  /// DRAM reads sent or queued, and not answered.
  unsigned fills_outstanding() const { return fills_outstanding_; }
  /// Whether the head of a request queue waits, in the last computed cycle; if so, `stall()` says what the first such head
  /// waits for.
  bool stalled() const {
    return std::any_of(heads_.begin(), heads_.end(), [](const Head& h) { return h.stalled; });
  }
  L2Stall stall() const {
    return std::find_if(heads_.begin(), heads_.end(), [](const Head& h) { return h.stalled; })->stall;
  }

 private:
  using Slot = SectoredTags::Slot;
  using Mshrs = MshrEntries<Access*>;  ///< requests that wait for a fill

  /// The queue of a virtual channel, and the wait of its head.
  struct alignas(64) Head {  // in as few cache lines of the host as possible
    explicit Head(unsigned queue) : requests(queue) {}
    Inbox<Access> requests;
    Cycle resume = 0;  ///< cycle in which it is examined again; kNever: when the awaited resource becomes free
    Cycle stalled_since = 0;
    bool stalled = false;
    L2Stall stall = L2Stall::kBank;
  };

  /// An access announced by warm().
  struct Warmth {
    Cycle at;
    Address address;
    std::uint16_t bytes;
    ApplicationId application;
    std::uint8_t partition;
    bool write;
  };

  Cycle next_fill() const;
  Cycle next_request() const;
  Cycle next_room() const;
  bool make_room(Cycle now);
  // These return the cycle of their next work.
  Cycle take_memory_replies(Cycle now);
  Cycle take_requests(Cycle now);
  Cycle take_requests(Cycle now, Head& head);

  bool start_request(Cycle now, Access& access);
  void move_data(Cycle now, SectorMask sectors);
  void warm_until(Cycle now);
  void put(const Access& access);
  bool pass(Cycle now, Access& access, std::uint64_t line);
  bool write(Cycle now, Access& access, std::uint64_t line);
  bool read(Cycle now, Access& access, std::uint64_t line);
  bool fill(Cycle now, const Access& from_memory);

  static unsigned bit(L2Stall reason) { return 1u << static_cast<unsigned>(reason); }
  bool wait_for(L2Stall reason);
  void freed(Cycle now, L2Stall what);
  Slot allocate(Cycle now, const Access& access, std::uint64_t line, unsigned set, Slot victim);
  Slot victim_in(unsigned set, const Access& access) const {
    return isolates_ ? isolated_victim_in(set, access) : tags_.victim_in(set);
  }
  Slot isolated_victim_in(unsigned set, const Access& access) const;
  void use(const Access& access, unsigned set, Slot slot);
  void mark_crossing(Access& access, unsigned set, Slot slot, SectorMask sectors);
  void write_back(Cycle now, Slot slot);
  /// MSHR of the line in the slot (kNoSlot: none yet); kNone if it has none.
  Mshrs::Index mshr_of(Slot slot) const;
  /// Fetches sectors, into the line's MSHR `mshr` or a new one; returns it.
  Mshrs::Index fetch(Cycle now, const Access& request, Slot slot, Mshrs::Index mshr, SectorMask sectors);
  Mshrs::Index open_mshr(ApplicationId application);
  /// `place`: the value stored by fill_tag().
  void read_memory(Cycle now, const Identity& identity, std::uint64_t line, SectorMask sectors, std::uint32_t place);
  void write_memory(Cycle now, const Identity& identity, std::uint64_t line, SectorMask sectors, bool partial);
  void send_to_memory(Cycle now, Access& access, std::uint64_t line, SectorMask sectors);
  void mark_dirty(const Access& access, Slot slot, SectorMask sectors);
  void reply(Cycle now, Access& access);
  void count(const Access& access, bool hit);

  // Outgoing accesses are sent when room is short, and at the end of advance().
  bool reply_room(Cycle now, std::size_t wanted) {
    do {
      if (replies_.size() + wanted <= reply_capacity_) return true;
    } while (replies_.send_until(now + 1));
    return false;
  }
  bool memory_room(Cycle now, ApplicationId application, unsigned own, Slot victim) {
    do {
      if (memory_fits(application, own, victim)) return true;
    } while (memory_.send_until(now + 1));
    return false;
  }
  bool memory_fits(ApplicationId application, unsigned own, Slot victim) const;
  bool mshr_room(ApplicationId application) const {
    return !mshrs_.full() && (channels_ == 1 || shares_->fits(channel_of(application), 1));
  }
  unsigned channel_of(ApplicationId application) const { return channels_ == 1 ? 0 : application % channels_; }
  unsigned memory_channel_of(ApplicationId application) const {
    return memory_channels_ == 1 ? 0 : application % memory_channels_;
  }
  /// The bit of a line's bank in busy_banks_.
  std::uint64_t bank_of(std::uint64_t line) const;

  bool enabled_, write_through_;
  bool isolates_;  ///< not every line may replace every other
  unsigned channels_, memory_channels_;
  unsigned banks_;
  unsigned bank_bits_ = 0;
  Cycle latency_;
  unsigned data_sectors_;  ///< sectors per cycle of the data array; 0: any number
  unsigned fill_sectors_;
  FlitFormat reply_flits_;
  FlitFormat memory_flits_;
  std::uint16_t slice_;
  const MemoryMap& map_;
  AccessSource& source_;

  SectoredTags tags_;
  std::vector<WaySet> ways_;       ///< ways for the lines of each application; empty: all ways for all
  std::vector<Identity> writers_;  ///< last writer of each slot's line, in whose name it is written back
  Mshrs mshrs_;
  unsigned fills_outstanding_ = 0;

  std::vector<Head> heads_;  ///< indexed by virtual channel
  unsigned first_head_ = 0;  ///< the head that is examined first
  std::size_t reply_capacity_;
  Lanes replies_;
  std::vector<Inbox<Access>> memory_replies_;  ///< indexed by virtual channel
  unsigned memory_queue_;                      ///< capacity of the queue of a virtual channel
  Lanes memory_;
  std::uint64_t busy_banks_ = 0;    ///< banks that are busy in the current cycle, one bit each
  Cycle data_free_ = 0;             ///< cycle in which the data array has moved all requested sectors
  unsigned data_ahead_ = 0;         ///< sectors that it already moves in that cycle
  L2Stall stall_ = L2Stall::kBank;  ///< what the last head that could not start waits for
  unsigned awaited_ = 0;            ///< a bit for each L2Stall for whose end a head or a fill may wait
  Cycle fills_resume_ = 0;          ///< cycle in which memory_replies are examined again, like Head::resume
  L2Statistics statistics_;

  std::deque<Warmth> warmth_;          ///< accesses of warm() that are still to be applied
  std::optional<L2Halves> halves_;     ///< present with two partitions
  std::optional<SetAside> set_aside_;  ///< present if kernels have windows

  // With several channels.
  std::optional<ReservedEntries> shares_;  ///< shares of the MSHRs
  std::vector<unsigned> opened_by_;        ///< number of the share of each MSHR in use
};

}  // namespace gputlm
