#include "models/copy_engine/fast_forward.h"

#include <algorithm>
#include <cassert>

namespace gputlm {
namespace {

using End = CopyTraffic::End;

/// Number of examinations of the situation per sample.
constexpr Bytes kLooks = 64;
/// Mark of situations in which the link is shared with other instances, after the parts of the L2 (CacheContents::Leaving).
/// Their paces are not used, nor do they count for those of copies that have the link to themselves.
constexpr std::uint8_t kSharedLink = 0xff;
/// Held bytes may be evicted while they are copied: examined after this part of the cache.
constexpr Bytes kHeld = 16;

Cycle sum(Cycle a, Cycle b) { return a >= kNever - b ? kNever : a + b; }

}  // namespace

FastForward::FastForward(const Setup& setup)
    : setup_(setup), look_(std::max(setup.packet, setup.sample / kLooks)), members_(setup.engines),
      ahead_(setup.engines), contents_(setup.memory.cache) {}

void FastForward::take(std::size_t engine, const Copy& copy, const CopyTraffic& traffic, Cycle first, Bytes beginning) {
  Member& member = members_[engine] = {};
  member.copy = &copy;
  member.traffic = traffic;
  member.first = first;
  member.beginning = beginning;
  next_ = std::min(next_, first);
}

void FastForward::ended(std::size_t engine, Cycle now) {
  go_to(now);
  members_[engine].copy = nullptr;
  next_ = 0;
}

bool FastForward::is_over(std::size_t engine, Cycle now) const {
  const Member& member = members_[engine];
  if (!member.copy) return false;
  return member.ends <= now || (resting_ && member.begun && whole(member.written) >= member.copy->bytes);
}

/// Packets that begin together end together: the first packets in flight say nothing about the rate.
void FastForward::begin_to_flow(Member& member, Cycle now) {
  if (!member.answered && member.from == 0) {
    const auto least = latencies_.emplace(member.traffic.code(), now - member.since).first;
    least->second = std::min(least->second, now - member.since);
  }
  member.answered = true;
  const Bytes written = whole(member.written), moved = written - member.from;
  if (!member.flows && (member.paced || moved >= member.beginning / 2)) {
    member.flows = true;
    member.seen = written;
    member.seen_at = now;
  }
  if (moved < member.beginning) return;
  if (member.pace) member.pace->add(written - member.seen, now - member.seen_at, true);
  member.steady = true;
  member.seen = written;
  member.seen_at = flow_ = now;
}

Cycle FastForward::paced(const Member& member, Bytes begun) {
  return begun > member.from ? member.since + member.paced->cycles(fine(begun - member.from)) : 0;
}

Cycle FastForward::latency(const Member& member) const {
  const auto least = latencies_.find(member.traffic.code());
  return least == latencies_.end() ? 0 : least->second;
}

void FastForward::go_to(Cycle now) {
  if (resting_) {
    for (Member& member : members_) {
      if (plays(member)) pass(member, now - since_);
    }
    since_ = now;
  } else {
    see(now);
  }
  tell();
}

/// Adds the moved bytes to the paces of the situation.
void FastForward::see(Cycle now) {
  const auto at_its_end = [](const Member& member) { return member.copy && member.ends != kNever; };
  const bool counts = std::none_of(members_.begin(), members_.end(), at_its_end);
  for (Member& member : members_) {
    if (!plays(member) || !member.flows) continue;
    const Bytes written = whole(member.written);
    if (counts && situation_) {
      member.pace->add(written - member.seen, now - member.seen_at, !member.steady);
      if (member.steady) situation_->seen += written - member.seen;
    }
    member.seen = written;
    member.seen_at = now;
  }
  if (situation_ && enough_at(now) == now) situation_->known = true;
}

/// Cycle in which enough of the situation will have been observed.
Cycle FastForward::enough_at(Cycle now) const {
  if (situation_->seen < setup_.sample || situation_->known) return kNever;
  const Cycle refresh = setup_.memory.refresh;
  return refresh == 0 || now < flow_ ? now : flow_ + (now - flow_ + refresh - 1) / refresh * refresh;
}

/// Applies the bytes written since the last call to the cache, the copies' parts in turn.
void FastForward::tell() {
  Bytes most = 0;
  for (const Member& member : members_) {
    if (member.copy) most = std::max(most, whole(member.written) - member.told);
  }
  if (most == 0) return;
  for (Bytes parts = contents_.capacity() == 0 ? 1 : most / contents_.layer() + 1; parts > 0; --parts) {
    for (Member& member : members_) {
      if (!member.copy) continue;
      const Copy& copy = *member.copy;
      const Bytes part = (whole(member.written) - member.told) / parts;
      const auto use = [&](Address first, bool write) {
        contents_.use(first + member.told, part, write && setup_.memory.keeps_writes);
        if (!resting_) return;
        passed_over_.push_back({first + member.told, part, write, copy.identity.application});
        passed_over_bytes_ += part;
      };
      if (part > 0 && CopyTraffic::is_device(member.traffic.from)) use(copy.from, false);
      if (part > 0 && CopyTraffic::is_device(member.traffic.to)) use(copy.to, true);
      member.told += part;
    }
  }
  while (passed_over_bytes_ > contents_.capacity()) {
    passed_over_bytes_ -= passed_over_.front().bytes;
    passed_over_.pop_front();
  }
}

/// Advances a resting copy by `cycles`.
void FastForward::pass(Member& member, Cycle cycles) const {
  const Bytes bytes = member.copy->bytes;
  if (member.fresh) {
    member.at += cycles;
    const std::size_t begun = member.pace->start_known();
    const Cycle last = member.pace->start_time(begun);
    if (member.at <= last) {
      const Bytes written = member.pace->start_packets(member.at) * setup_.packet;
      member.written = fine(std::min(bytes, written));
      return;
    }
    member.written = fine(std::min(bytes, begun * setup_.packet));
    member.fresh = false;
    member.wait = 0;
    cycles = member.at - last;
  }
  const Cycle waited = std::min(member.wait, cycles);
  member.wait -= waited;
  if (cycles > waited && member.pace->seen() > 0) member.written += member.pace->in(cycles - waited);
  member.written = std::min(member.written, fine(bytes));
}

/// Cycles until the copy reaches `written`; kNever: its pace is unknown.
Cycle FastForward::cycles_to(const Member& member, Bytes written) const {
  const CopyPace& pace = *member.pace;
  if (!member.fresh) {
    return pace.seen() > 0 ? member.wait + pace.cycles(fine(written) - member.written) : kNever;
  }
  const std::size_t begun = pace.start_known();
  const Bytes bytes = begun * setup_.packet;
  if (written <= bytes) return pace.start_time((written + setup_.packet - 1) / setup_.packet) - member.at;
  return pace.seen() > 0 ? pace.start_time(begun) - member.at + pace.cycles(fine(written - bytes)) : kNever;
}

/// Number of cycles for which the pace of a copy on its way to `written` is known.
Cycle FastForward::known(const Member& member, Bytes written) const {
  const CopyPace& pace = *member.pace;
  Cycle at_rate = pace.seen();
  if (at_rate > 0 && situation_->known) {
    at_rate = kNever;
  } else if (at_rate > 0) {
    at_rate /= static_cast<Cycle>(std::count_if(
        members_.begin(), members_.end(), [&](const Member& other) { return plays(other) && other.pace == &pace; }));
  }
  if (!member.fresh) return at_rate;
  const std::size_t begun = pace.start_known();
  if (written <= begun * setup_.packet) return kNever;
  const Cycle begins = pace.start_time(begun) - std::min(member.at, pace.start_time(begun));
  return begun < packets(member.beginning, member) ? begins : sum(begins, at_rate);
}

FastForward::Ahead FastForward::ahead(const Member& member, Cycle now) const {
  const Cycle cycles = latency(member), rest = cycles_to(member, member.copy->bytes);
  if (rest <= cycles) return {fine(member.copy->bytes), now + rest, nullptr};
  Member later = member;
  pass(later, cycles);
  return {later.written, kNever, member.pace->seen() > 0 ? member.pace : nullptr};
}

bool FastForward::decide(Cycle now) {
  // Positions of the resting copies if they are moved again.
  for (std::size_t e = 0; e < members_.size(); ++e) {
    if (resting_ && plays(members_[e])) ahead_[e] = ahead(members_[e], now);
  }
  const bool rested = resting_;
  std::vector<bool> resumes(members_.size());
  for (std::size_t e = 0; e < members_.size(); ++e) {
    Member& member = members_[e];
    resumes[e] = rested && plays(member);
    if (!member.copy || member.begun || member.first > now) continue;
    member.begun = member.fresh = true;
    member.since = member.first;
    member.at = now - member.first;
  }
  find_situation(now);
  looked_ = 0;
  const Cycle rest = can_rest(now);
  if (rest > 0) {
    for (Member& member : members_) {
      if (!rested && plays(member)) begin_rest(member, now);
    }
    resting_ = true;
    since_ = now;
    until_ = now + rest;
  } else if (rested) {
    for (std::size_t e = 0; e < members_.size(); ++e) {
      if (!resumes[e]) continue;
      Member& member = members_[e];
      member.written = ahead_[e].written;
      member.ends = ahead_[e].ends;
      member.paced = ahead_[e].pace;
      member.from = whole(member.written);
      member.fresh = member.flows = member.steady = false;
      member.since = now;
    }
    tell();
    resting_ = false;
  }
  find_next(now);
  // If all copies have ended, the L2 need not be told of skipped bytes before the next packet.
  return !resting_ && std::any_of(members_.begin(), members_.end(), plays) && (rested || !passed_over_.empty());
}

void FastForward::find_next(Cycle now) {
  next_ = resting_ ? until_ : enough_at(now);
  for (const Member& member : members_) {
    if (member.copy) next_ = std::min(next_, member.begun ? member.ends : member.first);
  }
}

/// Finds the copy's next traffic, and its amount.
void FastForward::find_traffic(Member& member) const {
  const Copy& copy = *member.copy;
  const Bytes written = whole(member.written);
  member.same = copy.bytes - written;
  const auto find = [&](End& end, Address first) {
    if (!CopyTraffic::is_device(end)) return;
    const CacheContents::Run run = contents_.run(first + written, copy.bytes - written);
    end = run.held ? End::kCache : End::kMemory;
    member.same = std::min(member.same, run.bytes);
  };
  find(member.traffic.from, copy.from);
  find(member.traffic.to, copy.to);
}

void FastForward::find_situation(Cycle now) {
  std::vector<std::uint8_t> key;
  for (Member& member : members_) {
    if (!plays(member)) continue;
    find_traffic(member);
    key.push_back(member.traffic.code());
  }
  std::sort(key.begin(), key.end());
  leaving_ = contents_.leaving();
  key.push_back(static_cast<std::uint8_t>(leaving_.quarters));
  link_is_shared_ = others_use_link_ && std::any_of(members_.begin(), members_.end(), [](const Member& member) {
                      return plays(member) && uses_link(member);
                    });
  if (link_is_shared_) key.push_back(kSharedLink);
  const bool changes = key != key_;
  key_ = std::move(key);
  situation_ = &situations_[key_];
  if (changes) flow_ = now;
  for (Member& member : members_) {
    if (!plays(member)) continue;
    // A copy that has begun in another situation waits as long as it would have waited there.
    if (changes && member.fresh && member.first < now) {
      if (resting_ && member.pace) {
        const Cycle flows = member.pace->start_time(std::min<std::size_t>(1, member.pace->start_known()));
        member.wait = member.written == 0 && flows > member.at ? flows - member.at : 0;
      }
      member.fresh = false;
    }
    member.pace = &situation_->paces[member.traffic.code()];
  }
}

/// Cycles for which all copies can be skipped; 0: they must be moved.
Cycle FastForward::can_rest(Cycle now) const {
  std::vector<Member> members;  // states in which they would begin to rest
  // Cycles until the situation changes, and until it may change.
  Cycle other = kNever, may_be = until_others_leave();
  for (const Member& member : members_) {
    if (!member.copy) continue;
    if (!member.begun) other = std::min(other, member.first - now);
    if (member.ends != kNever) other = std::min(other, member.ends - now);
    if (!plays(member)) continue;
    members.push_back(member);
    if (!resting_) begin_rest(members.back(), now);
  }
  if (members.empty() || link_is_shared_) return 0;
  if (leaving_.bytes < contents_.capacity()) other = std::min(other, may_be);
  const auto to = [](const Member& member) { return whole(member.written) + member.same; };
  for (const Member& member : members) {
    const Cycle cycles = std::max<Cycle>(1, cycles_to(member, to(member)));
    if (cycles <= known(member, to(member))) other = std::min(other, cycles);
    if (member.traffic.from != End::kCache && member.traffic.to != End::kCache) continue;
    const Bytes held = std::min(member.same, std::max(setup_.packet, contents_.capacity() / kHeld));
    may_be = std::min(may_be, std::max<Cycle>(1, cycles_to(member, whole(member.written) + held)));
  }
  for (const Member& member : members) {
    if (known(member, to(member)) < other) return 0;
  }
  return std::min(other, may_be);
}

/// Cycles until bytes with another share of dirty bytes leave the cache.
Cycle FastForward::until_others_leave() const {
  if (contents_.capacity() == 0) return kNever;
  constexpr Cycle kLong = Cycle{1} << 20;
  FineBytes come = 0;
  for (const Member& member : members_) {
    if (!plays(member) || member.pace->seen() == 0) continue;
    const unsigned ends = (member.traffic.from == End::kMemory) + (member.traffic.to == End::kMemory);
    come += ends * member.pace->in(kLong);
  }
  if (come == 0) return kNever;
  return std::max<Cycle>(1, static_cast<Cycle>((static_cast<unsigned __int128>(fine(leaving_.bytes)) * kLong) / come));
}

void FastForward::begin_rest(Member& member, Cycle now) const {
  if (member.fresh) {
    const Bytes written = whole(member.written);
    member.at = written == 0 ? now - member.first : member.pace->start_time(packets(written, member));
    if (written <= member.beginning) return;
    member.fresh = false;
  }
  const Cycle due = sum(member.since, latency(member));
  member.wait = member.flows || due < now ? 0 : due - now;
}

}  // namespace gputlm
