#include "models/noc/crossbar.h"

#include <memory>
#include <string>
#include <vector>

#include "models/noc/gpc_port.h"
#include "models/noc/links.h"
#include "models/noc/network_interface.h"
#include "tests/unit/tlm/simulation.h"
#include "tlm/assembly.h"

namespace gputlm {
namespace {

const Clock kClock(1'000'000);
constexpr unsigned kReads = 40, kSlices = 4, kSms = 2;

/// Reads one line after the other. Not an SM: all that its accesses say about themselves is the port they came from.
class Reader final : public Unit {
 public:
  Reader(const sc_core::sc_module_name& module_name, const Link& link, const NetworkInterface& network)
      : Unit(module_name, kClock), network_(network), requests_(link.request.width, link.request.queue),
        replies_(link.response.queue), port("port", *this, link, requests_, replies_) {
    wake(0);
  }
  bool done() const override { return replied == kReads; }

  unsigned replied = 0, foreign = 0;  ///< replies; those to somebody else's reads

 private:
  Cycle compute(Cycle until) override {
    for (; replies_.next() < until; ++replied) {
      Access& reply = replies_.pop(replies_.next());
      foreign += reply.tag != network_.port;
      pool_.release(reply);
    }
    for (; next_send() < until; ++sent_) {
      const Cycle now = next_send();
      Access& access = pool_.allocate();
      access.address = (Address{network_.port} * kReads + sent_) * kLineBytes;
      access.bytes = kLineBytes;
      access.tag = network_.port;
      network_.address(access);
      requests_.send(now, access);
    }
    return std::min(replies_.next(), next_send());
  }
  Cycle next_send() const { return sent_ < kReads ? requests_.ready_at() : kNever; }

  NetworkInterface network_;
  Outbox<Access> requests_;
  Inbox<Access> replies_;
  PayloadPool<Access> pool_;
  unsigned sent_ = 0;

 public:
  InitiatorPort<Access> port;
};

/// Answers at once.
class Echo final : public Unit {
 public:
  Echo(const sc_core::sc_module_name& module_name, const Link& link, const FlitFormat& flits)
      : Unit(module_name, kClock), flits_(flits), requests_(link.request.queue),
        replies_(link.response.width, link.response.queue), port("port", *this, link, requests_, replies_) {}

 private:
  Cycle next() const { return std::max(requests_.next(), replies_.ready_at()); }
  Cycle compute(Cycle until) override {
    while (next() < until) {
      const Cycle now = next();
      Access& access = requests_.pop(now);
      access.flits = flits_.reply_flits(access);
      replies_.send(now, access);
    }
    return next();
  }

  FlitFormat flits_;
  Inbox<Access> requests_;
  Outbox<Access> replies_;

 public:
  TargetPort<Access> port;
};

class Crossbars : public Simulation {};

TEST_F(Crossbars, BringRepliesBackToInitiatorsThatAreNoSms) {
  const NocConfig config;
  const MemoryMap map({}, kSlices);
  const Link sm = sm_link(kClock, config), input = gpc_link(kClock, config), slice = slice_link(kClock, config, 8);
  const auto interface = [&](unsigned port, const Link& link) {
    return NetworkInterface{static_cast<std::uint16_t>(port), config.flits(), link, map};
  };
  Assembly assembly(true);
  // A GPC with two ports, and two initiators of their own at the crossbar, at its inputs 1 and 2.
  auto& crossbar = assembly.add<Crossbar>("crossbar", kClock, Crossbar::Links{input, slice}, 3u, kSms, kSlices);
  auto& gpc = assembly.add<GpcPort>("gpc", kClock, GpcPort::Links{sm, input}, 0u, kSms);
  std::vector<Reader*> readers;
  for (unsigned i = 0; i < kSms; ++i) {
    readers.push_back(&assembly.add<Reader>("sm_" + std::to_string(i), sm, interface(i, sm)));
    assembly.bind(readers.back()->port, gpc.sms[i]);
  }
  assembly.bind(gpc.crossbar, crossbar.initiators[0]);
  for (unsigned i = 1; i < 3; ++i) {
    readers.push_back(&assembly.add<Reader>("reader_" + std::to_string(i), input, interface(i * kSms, input)));
    assembly.bind(readers.back()->port, crossbar.initiators[i]);
  }
  for (unsigned i = 0; i < kSlices; ++i) {
    assembly.bind(crossbar.slices[i], assembly.add<Echo>("slice_" + std::to_string(i), slice, config.flits()).port);
  }
  assembly.run();
  for (const Reader* reader : readers) {
    EXPECT_EQ(reader->replied, kReads) << reader->name();
    EXPECT_EQ(reader->foreign, 0u) << reader->name();
  }
}

}  // namespace
}  // namespace gputlm
