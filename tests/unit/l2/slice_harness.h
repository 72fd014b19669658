/// Surroundings for one L2 slice, without SystemC: a crossbar that sends a list of requests as credits allow, SMs that
/// accept replies, and a DRAM that answers after a latency. Their actions are a function of the cycles at which the
/// slice acted, at least `hop` cycles later, and thus do not depend on how time is cut into calls of advance().
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "models/l2/slice_core.h"

namespace gputlm::test {

class PlainAccesses final : public AccessSource {
 public:
  Access& allocate() override {
    ++in_use_;
    if (free_.empty()) return all_.emplace_back();
    Access& access = *free_.back();
    free_.pop_back();
    return access = Access{};
  }
  void release(Access& access) override {
    --in_use_;
    free_.push_back(&access);
  }
  std::size_t in_use() const { return in_use_; }

 private:
  std::size_t in_use_ = 0;
  std::deque<Access> all_;
  std::vector<Access*> free_;
};

/// The slice at hand is the second of two that share a channel: addresses differ at its three sides (GPU, slice,
/// channel). Tests speak of those within the slice.
inline constexpr unsigned kSlice = 1, kSlices = 2;
inline constexpr Bytes kInterleave = 256;
inline const MemoryMap& memory_map() {
  static const MemoryMap map({kInterleave, false}, kSlices, kSlices);
  return map;
}
/// Inverse of MemoryMap::channel_address().
inline Address within_slice(Address in_channel) {
  return in_channel / kInterleave / kSlices * kInterleave + in_channel % kInterleave;
}
/// The configuration of a cache of which one slice has `config`.
inline L2Config whole(L2Config config) {
  config.bytes *= kSlices;
  return config;
}

struct Request {
  Cycle wanted = 0;  ///< earliest cycle of arrival
  Address address = 0;
  std::uint16_t bytes = 32;
  bool write = false, partial = false, atomic = false;
  ApplicationId application = 0;
  std::uint8_t partition = 0;
};
inline Request read(Cycle at, Address address, std::uint16_t bytes = 32) { return {at, address, bytes}; }
inline Request write(Cycle at, Address address, std::uint16_t bytes = 32, bool partial = false) {
  return {at, address, bytes, true, partial, false};
}
inline Request atomic(Cycle at, Address address) { return {at, address, 4, true, true, true}; }

/// What happened to a request.
struct Answer {
  Cycle started = kNever, replied = kNever;
  unsigned replies = 0;
  bool l2_hit = false;
  RowOutcome row = RowOutcome::kNone;
  unsigned flits = 0;
  std::uint8_t partition = 0;
  auto key() const { return std::tie(started, replied, replies, l2_hit, row, flits, partition); }
  bool operator==(const Answer& other) const { return key() == other.key(); }
};

struct MemoryAccess {
  Cycle sent = 0, answered = 0;
  Address address = 0;  ///< address within the slice
  unsigned bytes = 0, flits = 0;
  bool write = false, partial = false;
  ApplicationId application = 0;
  auto key() const { return std::tie(sent, answered, address, bytes, flits, write, partial, application); }
  bool operator==(const MemoryAccess& other) const { return key() == other.key(); }
};

struct Surroundings {
  Cycle hop = 20;
  /// Cycles until DRAM answers an access, at least a hop.
  std::function<Cycle(const Access&)> memory_latency = [](const Access&) { return Cycle{100}; };
  Cycle reply_credit = 20;  ///< cycles after which the crossbar gives a credit back, at least a hop
  RowOutcome row = RowOutcome::kHit;
};

class SliceHarness {
 public:
  SliceHarness(const L2Config& config, const L2SliceLinks& links, const Surroundings& surroundings,
               std::vector<Request> requests)
      : core(whole(config), links, kSlice, memory_map(), source_), surroundings_(surroundings),
        requests_(std::move(requests)), depth_(config.queue), answers(requests_.size()) {}

  /// Runs until nothing is left to do, or to the cycle `limit`; `window` names the length of each call of advance(), 1
  /// to a hop.
  bool run(const std::function<Cycle()>& window, Cycle limit = 1000000) {
    for (Cycle now = 0; now < limit;) {
      const Cycle until = now + window();
      deliver(until);
      const Cycle next = core.advance(until);
      collect();
      now = until;
      if (next == kNever && answered_ == requests_.size() && from_memory_.empty() && memory_credits_.empty())
        return true;
    }
    return false;
  }
  bool run() {
    return run([this] { return surroundings_.hop; });
  }
  std::size_t accesses_in_use() const { return source_.in_use(); }
  const std::vector<Request>& requests() const { return requests_; }

 private:
  PlainAccesses source_;

 public:
  L2SliceCore core;

 private:
  void deliver(Cycle until) {
    for (; sent_ < requests_.size(); ++sent_) {
      const Request& request = requests_[sent_];
      Cycle at = std::max(request.wanted, last_arrival_);
      if (sent_ >= depth_) {
        if (started_ <= sent_ - depth_) break;
        at = std::max(at, answers[sent_ - depth_].started + 2 * surroundings_.hop);
      }
      if (at >= until) break;
      last_arrival_ = at;
      Access& access = source_.allocate();
      access.address = memory_map().global(kSlice, request.address);
      access.bytes = request.bytes;
      access.write = request.write;
      access.partial = request.partial;
      access.atomic = request.atomic;
      access.identity.application = request.application;
      access.partition = request.partition;
      access.tag = static_cast<std::uint32_t>(sent_);
      core.requests().push(at, access);
    }
    for (; !reply_credits_.empty() && reply_credits_.front() < until; reply_credits_.pop_front())
      core.replies().credit(reply_credits_.front(), 1);
    for (; !memory_credits_.empty() && memory_credits_.front() < until; memory_credits_.pop_front())
      core.memory_requests().credit(memory_credits_.front(), 1);
    while (!from_memory_.empty() && std::get<0>(from_memory_.begin()->first) < until) {
      const Cycle at = std::get<0>(from_memory_.begin()->first);
      core.memory_replies().push(at, *from_memory_.begin()->second);
      from_memory_.erase(from_memory_.begin());
    }
  }

  void collect() {
    for (const Cycle at : core.requests().freed_slots()) answers[started_++].started = at;
    core.requests().freed_slots().clear();
    // The slice's queue for replies is as deep as the DRAM's for requests: one credit stands for both.
    for (const Cycle at : core.memory_replies().freed_slots()) memory_credits_.push_back(at + surroundings_.hop);
    core.memory_replies().freed_slots().clear();
    for (const auto& departure : core.replies().departures()) {
      Access& access = *departure.item;
      Answer& answer = answers[access.tag];
      answer.replied = departure.slot / core.replies().width();
      ++answer.replies;
      answer.l2_hit = access.l2_hit;
      answer.row = access.row;
      answer.flits = access.flits;
      answer.partition = access.partition;
      reply_credits_.push_back(answer.replied + surroundings_.reply_credit);
      ++answered_;
      source_.release(access);
    }
    core.replies().departures().clear();
    for (const auto& departure : core.memory_requests().departures()) {
      Access& access = *departure.item;
      const Cycle at = departure.slot / core.memory_requests().width();
      const Cycle back = at + surroundings_.memory_latency(access);
      memory.push_back({at, back, within_slice(access.address), access.bytes, access.flits, access.write,
                        access.partial, access.identity.application});
      access.row = surroundings_.row;
      from_memory_.emplace(std::make_tuple(back, memory.size()), &access);
    }
    core.memory_requests().departures().clear();
  }

  Surroundings surroundings_;
  std::vector<Request> requests_;
  std::size_t depth_;
  std::size_t sent_ = 0, started_ = 0, answered_ = 0;
  Cycle last_arrival_ = 0;
  std::deque<Cycle> reply_credits_, memory_credits_;
  std::map<std::tuple<Cycle, std::size_t>, Access*> from_memory_;

 public:
  std::vector<Answer> answers;       ///< answers, indexed by request
  std::vector<MemoryAccess> memory;  ///< accesses in the order in which the slice sent them
};

}  // namespace gputlm::test
