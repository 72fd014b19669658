/// The two smallest possible units, joined by a link: one asks, one answers. Their actions are drawn once from a seed, by
/// position, so that two pairs with the same seed must do the same at the same cycles.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

inline constexpr Cycle kToyLatency = 20;  ///< latency in cycles of the producer

/// Request: `width` flits a cycle of the producer. Response: `width` flits a cycle of the consumer. `depth`: of the
/// consumer's queue; `reply_depth`: of the producer's. `batches`: of credits.
inline Link toy_link(const Clock& producer, const Clock& consumer, unsigned width, unsigned depth, unsigned reply_depth,
                     unsigned batches = 0) {
  return {kToyLatency * producer.period(),
          {producer.period() / width, width, depth},
          {consumer.period() / width, width, reply_depth},
          batches};
}

using Log = std::vector<std::pair<Cycle, std::uint32_t>>;  ///< cycle and tag

/// Responses that the producer has read, requests that the consumer has answered.
struct ToyCount {
  std::size_t count;
};

class Producer final : public Unit {
 public:
  /// A response is taken every `read_interval` cycles at most.
  struct Setup {
    unsigned accesses = 1000;
    unsigned read_interval = 1;
    unsigned seed = 1;
  };
  Producer(const sc_core::sc_module_name& module_name, const Clock& own, const Link& link, const Setup& setup)
      : Unit(module_name, own), setup_(setup), requests_(link.request.width, link.request.queue),
        responses_(link.response.queue), port("port", *this, link, requests_, responses_) {
    std::mt19937 random(setup.seed);
    Cycle at = 0;
    for (unsigned i = 0; i < setup.accesses; ++i) {
      at += random() % 40 == 0 ? random() % 300 : random() % 2;  // bursts with pauses between them
      plan_.push_back({at, static_cast<std::uint16_t>(1 + random() % 4)});
    }
    wake(0);
  }
  bool done() const override { return responses.size() == setup_.accesses; }
  std::vector<std::string> waiting() const override {
    return {std::string(name()) + ": " + std::to_string(responses.size()) + " responses"};
  }
  void report(Report& report, Cycle) override { report.add(ToyCount{responses.size()}); }
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
  Cycle compute(Cycle end) override {
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
    return std::min(next_read(), next_send());
  }

  Setup setup_;
  Outbox<Access> requests_;
  Inbox<Access> responses_;
  PayloadPool<Access> pool_;
  std::vector<Planned> plan_;
  std::size_t sent_ = 0;
  Cycle next_read_ = 0;

 public:
  InitiatorPort<Access> port;
};

class Consumer final : public Unit {
 public:
  /// `slowness`: maximum number of cycles that an access takes.
  Consumer(const sc_core::sc_module_name& module_name, const Clock& own, const Link& link, unsigned slowness)
      : Unit(module_name, own), slowness_(slowness), requests_(link.request.queue),
        responses_(link.response.width, link.response.queue), port("port", *this, link, requests_, responses_) {}
  /// Answers `accesses` accesses, and then takes no more.
  void serve_no_more_after(std::size_t accesses) { most_served_ = accesses; }
  void report(Report& report, Cycle) override { report.add(ToyCount{arrivals.size()}); }
  Log arrivals;
  std::size_t most_held = 0;

 private:
  Cycle next() const {
    if (arrivals.size() == most_served_) return kNever;
    return std::max({requests_.next(), responses_.ready_at(), busy_until_});
  }
  Cycle compute(Cycle end) override {
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
    return next();
  }

  unsigned slowness_;
  Inbox<Access> requests_;
  Outbox<Access> responses_;
  std::mt19937 random_{7};
  std::size_t most_served_ = ~std::size_t{0};
  Cycle busy_until_ = 0;

 public:
  TargetPort<Access> port;
};

}  // namespace gputlm
