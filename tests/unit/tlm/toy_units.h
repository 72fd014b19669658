/// The two smallest units there can be, joined by a link: one asks, one answers. What they do is drawn once from a
/// seed, by position, so that two pairs with the same seed must do the same at the same cycles.
#pragma once

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "tlm/port.h"

namespace gputlm {

inline constexpr Cycle kToyLatency = 20;  ///< cycles of the producer

/// Request: `width` flits a cycle of the producer. Response: `width` flits a cycle of the consumer.
inline LinkTiming toy_link(const Clock& own, const Clock& producer, const Clock& consumer, unsigned width,
                           unsigned batch) {
  return {own, kToyLatency * producer.period(), producer.period() / width, consumer.period() / width, batch};
}

using Log = std::vector<std::pair<Cycle, std::uint32_t>>;  ///< cycle and tag

class Producer final : public WindowedModule {
 public:
  /// `depth`: of the consumer's queue; `reply_depth`: of the own one, from which a response is taken every
  /// `read_interval` cycles at most.
  struct Setup {
    unsigned accesses = 1000;
    unsigned depth = 8;
    unsigned reply_depth = 8;
    unsigned read_interval = 1;
    unsigned seed = 1;
  };
  Producer(const sc_core::sc_module_name& name, Femtoseconds window, const Clock& clock, const LinkTiming& link,
           unsigned width, const Setup& setup, Peer peer = Peer::kCredited)
      : WindowedModule(name, window), clock_(clock), setup_(setup),
        requests_(width, peer == Peer::kForeign ? 1 : setup.depth), responses_(setup.reply_depth),
        port_("socket", *this, link, requests_, responses_, true, peer) {
    std::mt19937 random(setup.seed);
    Cycle at = 0;
    for (unsigned i = 0; i < setup.accesses; ++i) {
      at += random() % 40 == 0 ? random() % 300 : random() % 2;  // bursts with pauses between them
      plan_.push_back({at, static_cast<std::uint16_t>(1 + random() % 4)});
    }
    wake(0);
  }
  tlm::tlm_initiator_socket<>& socket() { return port_.socket; }
  Log responses;
  std::size_t most_replies_held = 0;
  std::size_t in_use() const { return pool_.in_use(); }

 private:
  struct Planned {
    Cycle not_before;
    std::uint16_t flits;
  };
  Cycle next_send() const {
    return sent_ < plan_.size() ? std::max(plan_[sent_].not_before, requests_.ready_at()) : kNever;
  }
  Cycle next_read() const { return std::max(responses_.next(), next_read_); }
  Femtoseconds advance(Femtoseconds until) override {
    const Cycle end = clock_.at_or_after(until);
    most_replies_held = std::max(most_replies_held, responses_.size());
    while (next_read() < end) {
      const Cycle at = next_read();
      next_read_ = at + setup_.read_interval;
      Access& access = responses_.pop(at);
      responses.emplace_back(at, access.tag);
      pool_.release(access);
    }
    while (next_send() < end) {
      const Cycle at = next_send();
      Access& access = pool_.allocate();
      access.tag = static_cast<std::uint32_t>(sent_);
      access.bytes = 32;
      access.flits = plan_[sent_++].flits;
      requests_.send(at, access);
    }
    return clock_.edge(std::min(next_read(), next_send()));
  }

  Clock clock_;
  Setup setup_;
  Outbox<Access> requests_;
  Inbox<Access> responses_;
  InitiatorPort<Access> port_;
  PayloadPool<Access> pool_;
  std::vector<Planned> plan_;
  std::size_t sent_ = 0;
  Cycle next_read_ = 0;
};

class Consumer final : public WindowedModule {
 public:
  /// `reply_depth`: of the producer's queue. `slowness`: cycles that an access takes at most.
  Consumer(const sc_core::sc_module_name& name, Femtoseconds window, const Clock& clock, const LinkTiming& link,
           unsigned width, unsigned depth, unsigned reply_depth, unsigned slowness, Peer peer = Peer::kCredited)
      : WindowedModule(name, window), clock_(clock), slowness_(slowness), requests_(depth),
        responses_(width, peer == Peer::kForeign ? 1 : reply_depth),
        port_("socket", *this, link, requests_, responses_, peer) {}
  tlm::tlm_target_socket<>& socket() { return port_.socket; }
  Log arrivals;
  std::size_t most_held = 0;

 private:
  Cycle next() const { return std::max({requests_.next(), responses_.ready_at(), busy_until_}); }
  Femtoseconds advance(Femtoseconds until) override {
    const Cycle end = clock_.at_or_after(until);
    most_held = std::max(most_held, requests_.size());
    while (next() < end) {
      const Cycle at = next();
      const Cycle arrived = requests_.next();
      Access& access = requests_.pop(at);
      arrivals.emplace_back(arrived, access.tag);
      access.flits = 1 + access.tag % 3;
      responses_.send(at, access);
      busy_until_ = at + 1 + random_() % slowness_;
    }
    return clock_.edge(next());
  }

  Clock clock_;
  unsigned slowness_;
  Inbox<Access> requests_;
  Outbox<Access> responses_;
  TargetPort<Access> port_;
  std::mt19937 random_{7};
  Cycle busy_until_ = 0;
};

}  // namespace gputlm
