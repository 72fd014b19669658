#include "models/l2/slice_core.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "tlm/base/error.h"
#include "tlm/counter_table.h"

namespace gputlm {

namespace {

/// DRAM accesses that can wait in a slice for the link to the controller, in equal shares of its virtual channels. A
/// request needs at most five: two runs fetched, two written back and one written through. Accel-Sim's L2 miss queues are
/// as deep.
constexpr unsigned kMemoryQueue = 32;

/// Access::tag of an access to DRAM: the slot it fills (without a cache: its MSHR) and the sectors; a write-back needs
/// none.
constexpr std::uint32_t fill_tag(std::uint32_t place, SectorMask sectors) { return place << kSectorsOfLine | sectors; }
constexpr std::uint32_t place_of(std::uint32_t tag) { return tag >> kSectorsOfLine; }
constexpr SectorMask sectors_of(std::uint32_t tag) { return tag & ((1u << kSectorsOfLine) - 1); }

unsigned checked(const char* what, unsigned value, unsigned most) {
  if (value == 0 || value > most)
    throw InputError(std::string("l2.") + what + " is " + std::to_string(value) + "; 1 to " + std::to_string(most) +
                     " are allowed");
  return value;
}

unsigned fill_sectors(const L2Config& config) {
  const unsigned sectors = config.fill_bytes / kSectorBytes;
  if (config.fill_bytes % kSectorBytes != 0 || (sectors != 1 && sectors != 2 && sectors != kSectorsOfLine))
    throw InputError("l2.fill_bytes is " + std::to_string(config.fill_bytes) + "; 32, 64 and 128 are allowed");
  return sectors;
}

unsigned sets_of(const L2Config& config, unsigned slices) {
  const Bytes set_bytes = kLineBytes * config.ways;
  const Bytes sets = slices && set_bytes ? config.bytes / slices / set_bytes : 0;
  if (sets == 0)
    throw InputError("l2.bytes is " + std::to_string(config.bytes) + "; " + std::to_string(slices) + " slices with " +
                     std::to_string(config.ways) + " ways of 128-byte lines need " +
                     std::to_string(set_bytes * slices) + " or more");
  return static_cast<unsigned>(sets);
}

SectoredTags tags_of(const L2Config& config, unsigned slices) {
  const unsigned sets = sets_of(config, slices);
  return {sets, config.ways, l2_set_indices().at(config.set_index).make,
          make_replacement(l2_replacements(), config.replacement, {sets, config.ways, config.options})};
}

SectorMask sectors_of(const Access& access) { return touched_sectors(access.address, access.bytes); }

}  // namespace

L2SliceCore::L2SliceCore(const L2Config& config, const L2SliceLinks& links, unsigned slice, const MemoryMap& map,
                         AccessSource& source, std::vector<WaySet> ways, const SetAsideSetup& set_aside)
    : enabled_(config.enabled), write_through_(config.write_through), isolates_(!ways.empty() || set_aside.is_given()),
      channels_(checked("applications", config.applications, std::min(config.mshrs, config.queue))),
      memory_channels_(links.memory_channels), banks_(checked("banks", config.banks, kMaxL2Banks)),
      latency_(config.latency), data_sectors_(config.data_sectors), fill_sectors_(fill_sectors(config)),
      reply_flits_(links.reply_flits), memory_flits_(links.memory_flits), slice_(static_cast<std::uint16_t>(slice)),
      map_(map), source_(source), tags_(tags_of(config, map.slices())), ways_(std::move(ways)), writers_(tags_.slots()),
      mshrs_(checked("mshrs", config.mshrs, kMaxL2Mshrs), checked("mshr_merges", config.mshr_merges, kMaxL2MshrMerges)),
      // The content of the data pipeline at full rate, plus what one fill may add.
      reply_capacity_(std::size_t{banks_} * config.latency + config.mshr_merges),
      replies_(channels_, links.reply_width, links.reply_credits, reply_capacity_),
      memory_queue_(kMemoryQueue / links.memory_channels),
      memory_(links.memory_channels, links.memory_width, links.memory_credits, memory_queue_) {
  while ((2u << bank_bits_) <= banks_) ++bank_bits_;
  for (unsigned i = 0; i < config.applications; ++i) heads_.emplace_back(queue_of_channel(config));
  for (unsigned i = 0; i < links.memory_channels; ++i) memory_replies_.emplace_back(links.memory_reply_queue);
  if (checked("partitions", config.partitions, kMaxL2Partitions) > 1) halves_.emplace(tags_, config.copies, ways_);
  if (set_aside.is_given()) set_aside_.emplace(set_aside, tags_, map.slices(), ways_);
  if (config.applications > 1) {
    shares_.emplace(config.mshrs, config.applications, config.mshrs / config.applications);
    opened_by_.resize(config.mshrs);
  }
}

/// In each cycle, steps that free resources come before those that may wait for them, so one pass per cycle suffices.
Cycle L2SliceCore::advance(Cycle until) {
  replies_.refresh();
  memory_.refresh();
  Cycle fill = next_fill(), request = next_request(), next = 0;
  for (;;) {
    next = std::min(fill, request);
    if (awaited_) next = std::min(next, next_room());
    if (next >= until) break;
    warm_until(next);
    busy_banks_ = 0;
    if (awaited_ && make_room(next)) {
      fill = next_fill();
      request = next_request();
    }
    if (fill <= next) {
      const bool awaited = awaited_ != 0;
      fill = take_memory_replies(next);
      if (awaited) request = next_request();  // otherwise, nothing has changed for requests
    }
    if (request <= next) request = take_requests(next);
  }
  replies_.send_until(until);
  memory_.send_until(until);
  return std::min({next, replies_.next(), memory_.next()});
}

inline Cycle L2SliceCore::next_fill() const {
  Cycle next = kNever;
  for (const Inbox<Access>& inbox : memory_replies_) next = std::min(next, inbox.next());
  return std::max(next, fills_resume_);
}

inline Cycle L2SliceCore::next_request() const {
  Cycle next = kNever;
  for (const Head& head : heads_) next = std::min(next, std::max(head.resume, head.requests.next()));
  return next;
}

/// Cycle in which an access leaves and makes room for a waiting head or fill.
inline Cycle L2SliceCore::next_room() const {
  Cycle next = kNever;
  if (awaited_ & bit(L2Stall::kReplyQueue)) next = replies_.next();
  if (awaited_ & bit(L2Stall::kMemoryQueue)) next = std::min(next, memory_.next());
  return next;
}

/// Sends accesses to make room for a waiting head or fill; true if an access has left.
bool L2SliceCore::make_room(Cycle now) {
  const bool replies = awaited_ & bit(L2Stall::kReplyQueue) && replies_.send_until(now + 1);
  if (replies) freed(now, L2Stall::kReplyQueue);
  const bool memory = awaited_ & bit(L2Stall::kMemoryQueue) && memory_.send_until(now + 1);
  if (memory) freed(now, L2Stall::kMemoryQueue);
  return replies || memory;
}

inline Cycle L2SliceCore::take_memory_replies(Cycle now) {
  for (Inbox<Access>& inbox : memory_replies_) {
    while (inbox.ready(now)) {
      Access& reply = inbox.front();
      if (!reply.write && !fill(now, reply)) break;
      inbox.pop(now);
      source_.release(reply);
    }
  }
  return next_fill();
}

/// With several channels, the next cycle begins with the channel after the first one that has started a request.
inline Cycle L2SliceCore::take_requests(Cycle now) {
  if (channels_ == 1) return take_requests(now, heads_.front());
  Cycle next = kNever;
  unsigned first = first_head_;
  for (unsigned i = 0; i < channels(); ++i) {
    const unsigned channel = (first_head_ + i) % channels();
    const std::size_t waiting = heads_[channel].requests.size();
    next = std::min(next, take_requests(now, heads_[channel]));
    if (heads_[channel].requests.size() < waiting && first == first_head_) first = (channel + 1) % channels();
  }
  first_head_ = first;
  return next;
}

Cycle L2SliceCore::take_requests(Cycle now, Head& head) {
  Cycle next = head.requests.next();
  while (std::max(next, head.resume) <= now) {
    if (head.stalled) {
      statistics_.stall_cycles[static_cast<std::size_t>(head.stall)] += now - head.stalled_since;
      head.stalled = false;
    }
    if (!start_request(now, head.requests.front())) {
      head.stalled = true;
      head.stall = stall_;
      head.stalled_since = now;
      const bool passes = stall_ == L2Stall::kBank || stall_ == L2Stall::kData;  // the wait ends by itself
      head.resume = stall_ == L2Stall::kBank ? now + 1 : passes ? data_free_ : kNever;
      if (!passes) awaited_ |= bit(stall_);
      break;
    }
    if (taken.watched()) {
      const Access& access = head.requests.front();
      const bool fetches = !access.l2_hit && (!access.write || access.atomic);
      taken.note({now, next, access.issued, access.identity, access.source, fetches});
    }
    head.requests.pop(now);
    next = head.requests.next();
  }
  return std::max(next, head.resume);
}

inline bool L2SliceCore::wait_for(L2Stall reason) {
  stall_ = reason;
  return false;
}

inline void L2SliceCore::freed(Cycle now, L2Stall what) {
  if (!(awaited_ & bit(what))) return;
  awaited_ &= ~bit(what);
  for (Head& head : heads_) {
    if (head.stalled && head.stall == what) head.resume = now;
  }
  if (what == L2Stall::kReplyQueue && fills_resume_ == kNever) fills_resume_ = now;
}

/// Whether there is room for `own` accesses of an application and for the write-back of the replaced line, if any.
inline bool L2SliceCore::memory_fits(ApplicationId application, unsigned own, Slot victim) const {
  const unsigned dirty = victim == SectoredTags::kNoSlot ? 0 : sector_runs(tags_[victim].dirty);
  if (memory_channels_ == 1) return memory_.size() + own + dirty <= memory_queue_;
  const unsigned channel = memory_channel_of(application);
  const unsigned writer = dirty == 0 ? channel : memory_channel_of(writers_[victim].application);
  if (writer == channel) return memory_.size(channel) + own + dirty <= memory_queue_;
  return memory_.size(channel) + own <= memory_queue_ && memory_.size(writer) + dirty <= memory_queue_;
}

/// False if the request has to wait; then nothing was changed.
inline bool L2SliceCore::start_request(Cycle now, Access& access) {
  const std::uint64_t line = map_.local(access.address, access.identity.application) / kLineBytes;
  if (!enabled_) return pass(now, access, line);
  const std::uint64_t bank = bank_of(line);
  if (busy_banks_ & bank) return wait_for(L2Stall::kBank);
  if (now < data_free_) return wait_for(L2Stall::kData);
  const bool started = access.write && !access.atomic ? write(now, access, line) : read(now, access, line);
  if (started) busy_banks_ |= bank;
  if (started && data_sectors_ > 0) move_data(now, sectors_of(access));
  return started;
}

/// The next request gets the rest of a cycle.
void L2SliceCore::move_data(Cycle now, SectorMask sectors) {
  const unsigned ahead = (now > data_free_ ? 0 : data_ahead_) + static_cast<unsigned>(__builtin_popcount(sectors));
  data_free_ = now + ahead / data_sectors_;
  data_ahead_ = ahead % data_sectors_;
}

void L2SliceCore::warm(Cycle past, Cycle at, const Access& access) {
  if (!enabled_) return;
  warm_until(past);
  warmth_.push_back({at, access.address, access.bytes, access.identity.application, access.partition, access.write});
}

void L2SliceCore::warm_until(Cycle now) {
  if (warmth_.empty() || warmth_.front().at > now) return;
  Access access;
  for (; !warmth_.empty() && warmth_.front().at <= now; warmth_.pop_front()) {
    const Warmth& warmth = warmth_.front();
    access.address = warmth.address;
    access.bytes = warmth.bytes;
    access.identity.application = warmth.application;
    access.partition = warmth.partition;
    access.write = warmth.write;
    put(access);
  }
}

void L2SliceCore::put(const Access& access) {
  const std::uint64_t line = map_.local(access.address, access.identity.application) / kLineBytes;
  const SectorMask sectors = widened(sectors_of(access), fill_sectors_);
  const unsigned set = tags_.set_of(line);
  Slot slot = tags_.find(line, set);
  if (slot != SectoredTags::kNoSlot) {
    use(access, set, slot);
    if (halves_ && access.write) halves_->write(set, slot, sectors);
  } else {
    const Slot victim = victim_in(set, access);
    if (victim == SectoredTags::kNoSlot) return;
    tags_[victim].dirty = 0;  // has been written back
    slot = allocate(0, access, line, set, victim);
  }
  tags_[slot].valid |= sectors;
  if (access.write && !write_through_) mark_dirty(access, slot, sectors);
}

bool L2SliceCore::pass(Cycle now, Access& access, std::uint64_t line) {
  const ApplicationId application = access.identity.application;
  const SectorMask sectors = sectors_of(access);
  const bool reads = !access.write || access.atomic, writes = access.write || access.atomic;
  if (reads ? !mshr_room(application) : !reply_room(now, 1))
    return wait_for(reads ? L2Stall::kMshr : L2Stall::kReplyQueue);
  if (!memory_room(now, application, unsigned{reads} + writes, SectoredTags::kNoSlot))
    return wait_for(L2Stall::kMemoryQueue);
  access.l2_hit = false;
  if (reads) {
    const Mshrs::Index mshr = open_mshr(application);
    mshrs_.ask(mshr, sectors);
    mshrs_.wait(mshr, &access, sectors);
    read_memory(now, access.identity, line, sectors, mshr);
  }
  if (writes) write_memory(now, access.identity, line, sectors, access.partial);
  if (!reads) reply(now, access);
  ++(access.atomic ? statistics_.atomics : reads ? statistics_.reads : statistics_.writes);
  count(access, false);
  return true;
}

inline bool L2SliceCore::write(Cycle now, Access& access, std::uint64_t line) {
  if (!reply_room(now, 1)) return wait_for(L2Stall::kReplyQueue);
  const SectorMask sectors = sectors_of(access);
  const SectorMask covered = access.partial ? SectorMask{0} : covered_sectors(access.address, access.bytes);
  const unsigned set = tags_.set_of(line);
  Slot slot = tags_.find(line, set);
  access.l2_hit = slot != SectoredTags::kNoSlot;
  SectorMask to_fetch = 0;
  Mshrs::Index mshr = Mshrs::kNone;
  if (fill_sectors_ > 1) {
    mshr = mshr_of(slot);
    to_fetch = widened(sectors, fill_sectors_) & ~covered;
    if (access.l2_hit) to_fetch &= ~tags_[slot].valid;
    if (mshr != Mshrs::kNone) to_fetch &= ~mshrs_.pending(mshr);
    if (to_fetch && mshr == Mshrs::kNone && !mshr_room(access.identity.application)) {
      return wait_for(L2Stall::kMshr);
    }
  }
  Slot victim = SectoredTags::kNoSlot;
  if (!access.l2_hit) {
    victim = victim_in(set, access);
    if (victim == SectoredTags::kNoSlot) return wait_for(L2Stall::kSet);
  }
  if (!memory_room(now, access.identity.application, sector_runs(to_fetch) + unsigned{write_through_}, victim))
    return wait_for(L2Stall::kMemoryQueue);
  if (access.l2_hit) {
    use(access, set, slot);
    mark_crossing(access, set, slot, sectors);
  } else {
    slot = allocate(now, access, line, set, victim);
  }
  if (write_through_) {
    write_memory(now, access.identity, line, sectors, access.partial);
  } else {
    mark_dirty(access, slot, sectors);
  }
  tags_[slot].valid |= covered;
  if (to_fetch) fetch(now, access, slot, mshr, to_fetch);
  ++statistics_.writes;
  statistics_.write_hits += access.l2_hit;
  count(access, access.l2_hit);
  reply(now, access);
  return true;
}

inline bool L2SliceCore::read(Cycle now, Access& access, std::uint64_t line) {
  const SectorMask sectors = sectors_of(access);
  const unsigned set = tags_.set_of(line);
  Slot slot = tags_.find(line, set);
  const bool present = slot != SectoredTags::kNoSlot;
  const SectorMask missing = present ? sectors & ~tags_[slot].valid : sectors;
  if (missing == 0) {
    if (!reply_room(now, 1)) return wait_for(L2Stall::kReplyQueue);
    use(access, set, slot);
    if (access.atomic) mark_dirty(access, slot, sectors);
    access.l2_hit = true;
    mark_crossing(access, set, slot, sectors);
    reply(now, access);
  } else {
    Slot victim = SectoredTags::kNoSlot;
    SectorMask to_fetch = widened(missing, fill_sectors_);
    Mshrs::Index mshr = mshr_of(slot);
    const bool merges = mshr != Mshrs::kNone;
    if (merges && mshrs_.merges_full(mshr)) return wait_for(L2Stall::kMerge);
    if (!merges && !mshr_room(access.identity.application)) return wait_for(L2Stall::kMshr);
    if (present) to_fetch &= ~tags_[slot].valid;
    if (merges) to_fetch &= ~mshrs_.pending(mshr);
    if (!present) {
      victim = victim_in(set, access);
      if (victim == SectoredTags::kNoSlot) return wait_for(L2Stall::kSet);
    }
    if (!memory_room(now, access.identity.application, sector_runs(to_fetch), victim))
      return wait_for(L2Stall::kMemoryQueue);

    if (present) {
      use(access, set, slot);
      if (access.atomic && halves_) halves_->write(set, slot, sectors);
    } else {
      slot = allocate(now, access, line, set, victim);
    }
    mshr = fetch(now, access, slot, mshr, to_fetch);
    mshrs_.wait(mshr, &access, missing);
    access.l2_hit = false;
    statistics_.mshr_merges += merges;
  }
  ++(access.atomic ? statistics_.atomics : statistics_.reads);
  (access.atomic ? statistics_.atomic_hits : statistics_.read_hits) += access.l2_hit;
  count(access, access.l2_hit);
  return true;
}

/// Answers the requests whose sectors are complete, in order. False if the fill has to wait; then nothing was changed.
inline bool L2SliceCore::fill(Cycle now, const Access& from_memory) {
  const Slot slot = enabled_ ? place_of(from_memory.tag) : SectoredTags::kNoSlot;
  const std::uint64_t bank = enabled_ ? bank_of(tags_[slot].number) : 0;
  if (busy_banks_ & bank) {
    fills_resume_ = now + 1;
    return false;
  }
  const Mshrs::Index mshr = enabled_ ? tags_[slot].mshr : place_of(from_memory.tag);
  if (!reply_room(now, mshrs_.waiting(mshr))) {
    if (fills_resume_ <= now) fills_resume_ = kNever;
    awaited_ |= bit(L2Stall::kReplyQueue);
    return false;
  }
  busy_banks_ |= bank;
  const SectorMask sectors = sectors_of(from_memory.tag);
  if (enabled_) tags_[slot].valid |= sectors;
  const bool closed = mshrs_.arrived(mshr, sectors, [&](Access* waiter) {
    waiter->row = from_memory.row;
    if (waiter->atomic && enabled_) mark_dirty(*waiter, slot, sectors_of(*waiter));
    reply(now, *waiter);
  });
  --fills_outstanding_;
  freed(now, L2Stall::kMerge);
  if (closed) {
    if (channels_ > 1) shares_->give_back(opened_by_[mshr]);
    if (enabled_) tags_[slot].pending = false;
    freed(now, L2Stall::kMshr);
    freed(now, L2Stall::kSet);
  }
  return true;
}

inline SectoredTags::Slot L2SliceCore::allocate(Cycle now, const Access& access, std::uint64_t line, unsigned set,
                                                Slot victim) {
  if (tags_[victim].dirty) write_back(now, victim);
  if (halves_) halves_->put(set, victim, access.partition);
  if (set_aside_) {
    set_aside_->goes(victim);
    tags_.replace(victim, line);
    set_aside_->used(set, victim, access);
  } else {
    tags_.replace(victim, line);
  }
  return victim;
}

[[gnu::noinline]] L2SliceCore::Slot L2SliceCore::isolated_victim_in(unsigned set, const Access& access) const {
  if (set_aside_) return set_aside_->victim_in(set, access);
  const ApplicationId application = access.identity.application;
  return application < ways_.size() ? tags_.victim_in(set, ways_[application]) : tags_.victim_in(set);
}

/// The access has found its line.
inline void L2SliceCore::use(const Access& access, unsigned set, Slot slot) {
  tags_.touch(slot);
  if (set_aside_) set_aside_->used(set, slot, access);
}

/// Marks a hit that has to cross.
[[gnu::always_inline]] inline void L2SliceCore::mark_crossing(Access& access, unsigned set, Slot slot,
                                                              SectorMask sectors) {
  if (!halves_) return;
  bool crosses = false;
  if (access.write || access.atomic) {
    crosses = halves_->write(set, slot, sectors) != access.partition;
  } else {
    const L2Halves::Read read = halves_->read(set, slot, access.partition, sectors, access.identity.application);
    crosses = read == L2Halves::Read::kFar;
    statistics_.copy_hits += read == L2Halves::Read::kCopy;
  }
  if (crosses) access.partition |= kCrossing;
}

void L2SliceCore::write_back(Cycle now, Slot slot) {
  const SectoredTags::Line& line = tags_[slot];
  SectorMask dirty = line.dirty;
  while (dirty) {
    const SectorMask run = take_sector_run(dirty);
    write_memory(now, writers_[slot], line.number, run, (run & ~line.valid) != 0);
  }
}

inline L2SliceCore::Mshrs::Index L2SliceCore::mshr_of(Slot slot) const {
  const bool has_one = slot != SectoredTags::kNoSlot && tags_[slot].pending;
  return has_one ? tags_[slot].mshr : Mshrs::kNone;
}

inline L2SliceCore::Mshrs::Index L2SliceCore::fetch(Cycle now, const Access& request, Slot slot, Mshrs::Index mshr,
                                                    SectorMask sectors) {
  if (mshr == Mshrs::kNone) {
    mshr = open_mshr(request.identity.application);
    tags_[slot].pending = true;
    tags_[slot].mshr = static_cast<std::uint16_t>(mshr);
  }
  mshrs_.ask(mshr, sectors);
  while (sectors) {
    read_memory(now, request.identity, tags_[slot].number, take_sector_run(sectors), slot);
  }
  return mshr;
}

inline L2SliceCore::Mshrs::Index L2SliceCore::open_mshr(ApplicationId application) {
  const Mshrs::Index mshr = mshrs_.open();
  if (channels_ > 1) {
    opened_by_[mshr] = channel_of(application);
    shares_->take(opened_by_[mshr], 1);
  }
  return mshr;
}

inline void L2SliceCore::read_memory(Cycle now, const Identity& identity, std::uint64_t line, SectorMask sectors,
                                     std::uint32_t place) {
  Access& access = source_.allocate();
  access.identity = identity;
  access.tag = fill_tag(place, sectors);
  send_to_memory(now, access, line, sectors);
  ++fills_outstanding_;
  ++statistics_.fills;
  statistics_.fill_sectors += sector_count(sectors);
}

void L2SliceCore::write_memory(Cycle now, const Identity& identity, std::uint64_t line, SectorMask sectors,
                               bool partial) {
  Access& access = source_.allocate();
  access.write = true;
  access.partial = partial;
  access.identity = identity;
  send_to_memory(now, access, line, sectors);
  ++statistics_.write_backs;
  statistics_.write_back_sectors += sector_count(sectors);
}

inline void L2SliceCore::send_to_memory(Cycle now, Access& access, std::uint64_t line, SectorMask sectors) {
  access.address = map_.channel_address(slice_, line * kLineBytes + sector_run_offset(sectors));
  access.bytes = static_cast<std::uint16_t>(sector_bytes(sectors));
  access.slice = slice_;
  access.flits = memory_flits_.request_flits(access);
  access.issued = now;
  memory_.push(memory_channel_of(access.identity.application), now + 1, access);
}

inline void L2SliceCore::mark_dirty(const Access& access, Slot slot, SectorMask sectors) {
  tags_[slot].dirty |= widened(sectors, fill_sectors_);
  writers_[slot] = access.identity;
}

void L2SliceCore::reply(Cycle now, Access& access) {
  access.flits = reply_flits_.reply_flits(access);
  if (served.watched()) {
    served.note({now + latency_, access.identity, access.address, access.write, access.atomic, access.l2_hit,
                 access.source, static_cast<std::uint8_t>(sector_count(sectors_of(access)))});
  }
  replies_.push(channel_of(access.identity.application), now + latency_, access);
}

inline void L2SliceCore::count(const Access& access, bool hit) {
  if (set_aside_) set_aside_->count(access, hit);
  const ApplicationId id = access.identity.application;
  if (id >= statistics_.applications.size()) statistics_.applications.resize(id + 1u);
  L2ApplicationStatistics& application = statistics_.applications[id];
  if (access.write && !access.atomic) {
    ++(hit ? application.write_hits : application.write_misses);
  } else {
    ++(hit ? application.read_hits : application.read_misses);
  }
}

inline std::uint64_t L2SliceCore::bank_of(std::uint64_t line) const {
  if (banks_ == 1) return 1;
  if (banks_ == 2) return std::uint64_t{1} << __builtin_parityll(line);  // the same, in fewer steps
  return std::uint64_t{1} << static_cast<std::uint32_t>(exclusive_or_fold(line, bank_bits_)) % banks_;
}

GPUTLM_REGISTER { add_counter_table<L2Statistics>("L2 slice", {"l2.total", "l2.slices"}); }

}  // namespace gputlm
