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
  Reader(const sc_core::sc_module_name& module_name, const Link& link, const NetworkInterface& network,
         bool writes = false)
      : Unit(module_name, kClock), network_(network), writes_(writes),
        requests_(link.request.width, link.request.queue), replies_(link.response.queue),
        port("port", *this, link, requests_, replies_) {
    wake(0);
  }
  bool done() const override { return replied == kReads; }

  unsigned replied = 0, foreign = 0;  ///< replies; those to somebody else's reads
  unsigned marked = 0;                ///< those that seem to have to cross yet
  Cycle first = 0, last = 0;          ///< reply

 private:
  Cycle compute(Cycle until) override {
    for (; replies_.next() < until; ++replied) {
      last = replies_.next();
      if (replied == 0) first = last;
      Access& reply = replies_.pop(last);
      marked += reply.partition != network_.partition;
      foreign += reply.tag != network_.port;
      pool_.release(reply);
    }
    for (; next_send() < until; ++sent_) {
      const Cycle now = next_send();
      Access& access = pool_.allocate();
      access.address = (Address{network_.port} * kReads + sent_) * kLineBytes;
      access.bytes = kLineBytes;
      access.write = writes_;
      access.tag = network_.port;
      network_.address(access);
      requests_.send(now, access);
    }
    return std::min(replies_.next(), next_send());
  }
  Cycle next_send() const { return sent_ < kReads ? requests_.ready_at() : kNever; }

  NetworkInterface network_;
  bool writes_;
  Outbox<Access> requests_;
  Inbox<Access> replies_;
  PayloadPool<Access> pool_;
  unsigned sent_ = 0;

 public:
  InitiatorPort<Access> port;
};

/// Answers at once. `far`: as a slice all of whose lines lie in the half of who does not ask.
class Echo final : public Unit {
 public:
  Echo(const sc_core::sc_module_name& module_name, const Link& link, const FlitFormat& flits, bool far = false)
      : Unit(module_name, kClock), flits_(flits), far_(far), requests_(link.request.queue),
        replies_(link.response.width, link.response.queue), port("port", *this, link, requests_, replies_) {}

 private:
  Cycle next() const { return std::max(requests_.next(), replies_.ready_at()); }
  Cycle compute(Cycle until) override {
    while (next() < until) {
      const Cycle now = next();
      Access& access = requests_.pop(now);
      access.flits = flits_.reply_flits(access);
      if (far_) access.partition |= kCrossing;
      replies_.send(now, access);
    }
    return next();
  }

  FlitFormat flits_;
  bool far_;
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
  auto& gpc = assembly.add<GpcPort>("gpc", kClock, GpcPort::Links{sm, input}, 0u, 0u, kSms);
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

/// A crossbar with one initiator in the second half, and slices near to it or far from it.
struct Half {
  Half(Assembly& assembly, const std::string& name, const MemoryMap& map, bool far, bool writes = false) {
    const NocConfig config;
    const Link input = gpc_link(kClock, config), slice = slice_link(kClock, config, 8);
    const Crossbar::Links links{input, slice, PartitionConnection::Setup{kLatency, 1, config.flits()}};
    crossbar = &assembly.add<Crossbar>(name + "_crossbar", kClock, links, 1u, 1u, kSlices);
    reader = &assembly.add<Reader>(name, input, NetworkInterface{0, config.flits(), input, map, 1}, writes);
    assembly.bind(reader->port, crossbar->initiators[0]);
    for (unsigned i = 0; i < kSlices; ++i) {
      auto& echo = assembly.add<Echo>(name + "_slice_" + std::to_string(i), slice, config.flits(), far);
      assembly.bind(crossbar->slices[i], echo.port);
    }
  }
  SwitchStatistics replies() const {
    Report report;
    crossbar->report(report, 0);
    return report.all<SwitchStatistics>("crossbar_replies").at(0);
  }
  PartitionConnectionStatistics crossed() const {
    Report report;
    crossbar->report(report, 0);
    return report.all<PartitionConnectionStatistics>("crossbar_partitions").at(0);
  }

  static constexpr Cycle kLatency = 70;  // shorter than a window and no divisor of it
  Crossbar* crossbar;
  Reader* reader;
};

TEST_F(Crossbars, WhatLiesInTheOtherPartitionIsFartherByTheLatencyAndComesAtTheWidthOfTheConnection) {
  const MemoryMap map({}, kSlices);
  Assembly assembly(true);
  const Half near(assembly, "near", map, false), far(assembly, "far", map, true);
  const Half near_writes(assembly, "near_writes", map, false, true),
      far_writes(assembly, "far_writes", map, true, true);
  assembly.run();
  EXPECT_EQ(far.reader->first, near.reader->first + Half::kLatency);
  EXPECT_EQ(far_writes.reader->first, near_writes.reader->first + Half::kLatency);
  constexpr unsigned kFlits = 4;  // of a line, one of which leaves a cycle
  EXPECT_LT(near.reader->last - near.reader->first, 2 * kReads);
  EXPECT_EQ(far.reader->last - far.reader->first, kFlits * (kReads - 1));
  EXPECT_LT(near_writes.reader->last - near_writes.reader->first, 2 * kReads);
  EXPECT_EQ(far_writes.reader->last - far_writes.reader->first, kFlits * (kReads - 1)) << "data crosses, too";
  for (const Half* half : {&near, &far, &near_writes, &far_writes}) {
    EXPECT_EQ(half->reader->replied, kReads) << half->reader->name();
    EXPECT_EQ(half->reader->foreign, 0u) << half->reader->name();
    EXPECT_EQ(half->reader->marked, 0u) << half->reader->name();
    EXPECT_EQ(half->replies().packets, kReads) << half->reader->name();
    const bool crosses = half == &far || half == &far_writes;
    EXPECT_EQ(half->crossed().packets, crosses ? kReads : 0) << half->reader->name();
    EXPECT_EQ(half->crossed().flits, crosses ? kFlits * kReads : 0) << half->reader->name();
  }
  EXPECT_EQ(near.replies().flits, far.replies().flits);
}

}  // namespace
}  // namespace gputlm
