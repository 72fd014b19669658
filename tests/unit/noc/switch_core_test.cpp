#include "models/noc/switch_core.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <tuple>
#include <vector>

namespace gputlm {
namespace {

unsigned by_slice(const Access& access) { return access.slice; }

Access packet(unsigned input, unsigned output, unsigned flits = 1) {
  Access access;
  access.source = static_cast<std::uint16_t>(input);
  access.slice = static_cast<std::uint16_t>(output);
  access.flits = static_cast<std::uint16_t>(flits);
  return access;
}

/// Inputs in the order in which their packets left an output.
std::vector<unsigned> senders(SwitchCore& core, unsigned output) {
  std::vector<unsigned> order;
  for (const auto& departure : core.output(output).departures()) order.push_back(departure.item->source);
  return order;
}

TEST(SwitchCore, ServesItsInputsRoundRobin) {
  constexpr unsigned kInputs = 5, kEach = 6;
  SwitchCore core(kInputs, kEach, 1, 1, kInputs * kEach, by_slice);
  std::deque<Access> packets;
  for (unsigned input = 0; input < kInputs; ++input) {
    for (unsigned i = 0; i < kEach; ++i) core.input(input).push(0, packets.emplace_back(packet(input, 0)));
  }
  EXPECT_EQ(core.advance(1000), kNever);
  const auto order = senders(core, 0);
  ASSERT_EQ(order.size(), kInputs * kEach);
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i % kInputs);
}

TEST(SwitchCore, ServesMoreInputsThanAWordHasBitsRoundRobin) {
  for (const unsigned inputs : {64u, 65u, 160u, SwitchCore::kMaxInputs}) {
    constexpr unsigned kEach = 3;
    SwitchCore core(inputs, kEach, 1, 1, inputs * kEach, by_slice);
    std::deque<Access> packets;
    for (unsigned input = 0; input < inputs; ++input) {
      for (unsigned i = 0; i < kEach; ++i) core.input(input).push(0, packets.emplace_back(packet(input, 0)));
    }
    EXPECT_EQ(core.advance(inputs * kEach), kNever);
    const auto order = senders(core, 0);
    ASSERT_EQ(order.size(), inputs * kEach);
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i % inputs) << inputs << " inputs";
  }
}

TEST(SwitchCore, WaitsForTheFirstPacketToArriveWhicheverInputItIsOf) {
  SwitchCore core(200, 8, 1, 1, 8, by_slice);
  std::deque<Access> packets;
  core.input(190).push(30, packets.emplace_back(packet(190, 0)));
  core.input(3).push(50, packets.emplace_back(packet(3, 0)));
  core.input(70).push(40, packets.emplace_back(packet(70, 0)));
  EXPECT_EQ(core.advance(10), 30u);
  EXPECT_EQ(core.advance(100), kNever);
  EXPECT_EQ(senders(core, 0), (std::vector<unsigned>{190, 70, 3}));
}

TEST(SwitchCore, ServesByTurnAndNotInTheOrderOfArrival) {
  SwitchCore core(3, 8, 1, 1, 8, by_slice);
  std::deque<Access> packets;
  core.input(0).push(0, packets.emplace_back(packet(0, 0, 5)));
  core.input(2).push(1, packets.emplace_back(packet(2, 0)));  // alone while the link is busy
  core.input(1).push(2, packets.emplace_back(packet(1, 0)));
  EXPECT_EQ(core.advance(100), kNever);
  EXPECT_EQ(senders(core, 0), (std::vector<unsigned>{0, 1, 2}));
}

TEST(SwitchCore, VirtualChannelsShareALinkAndDoNotWaitForEachOther) {
  // Outputs 0 and 1 are one link; the receiver behind output 0 holds three packets and gives nothing back.
  SwitchCore core(2, 20, 2, 1, 3, by_slice, 2);
  core.output(1).start_with(20);
  std::deque<Access> packets;
  for (unsigned i = 0; i < 10; ++i) {
    core.input(0).push(0, packets.emplace_back(packet(0, 0)));
    core.input(1).push(0, packets.emplace_back(packet(1, 1, 2)));
  }
  EXPECT_EQ(core.advance(1000), kNever);
  const auto slots = [&](unsigned output) {
    std::vector<std::uint64_t> taken;
    for (const auto& departure : core.output(output).departures()) taken.push_back(departure.slot);
    return taken;
  };
  EXPECT_EQ(slots(0), (std::vector<std::uint64_t>{0, 3, 6}));  // in turn with packets of two flits
  EXPECT_EQ(slots(1), (std::vector<std::uint64_t>{1, 4, 7, 9, 11, 13, 15, 17, 19, 21}));
  EXPECT_EQ(core.held(), 7u);
}

TEST(SwitchCore, GivesContendingInputsEqualSharesWhateverTheOthersDo) {
  // Input 3 of 4 has work only now and then; the three that always have some share the rest evenly.
  constexpr unsigned kCycles = 900;
  SwitchCore core(4, 2 * kCycles, 1, 1, 2 * kCycles, by_slice);
  std::deque<Access> packets;
  for (Cycle at = 0; at < kCycles; ++at) {
    for (unsigned input = 0; input < 3; ++input) core.input(input).push(at, packets.emplace_back(packet(input, 0)));
    if (at % 9 == 0) core.input(3).push(at, packets.emplace_back(packet(3, 0)));
  }
  core.advance(kCycles);
  const auto order = senders(core, 0);
  EXPECT_EQ(order.size(), kCycles);
  const auto shares = [&](unsigned input) { return std::count(order.begin(), order.end(), input); };
  EXPECT_NEAR(static_cast<double>(shares(3)), kCycles / 9.0, 1);
  for (unsigned input = 1; input < 3; ++input) EXPECT_NEAR(shares(input), shares(0), kCycles / 9.0 + 1);
}

TEST(SwitchCore, DoesNotLetAPacketWaitBehindOneForAnotherOutput) {
  SwitchCore core(1, 8, 2, 1, 1, by_slice);
  std::deque<Access> packets;
  for (int i = 0; i < 4; ++i) core.input(0).push(0, packets.emplace_back(packet(0, 0)));  // one credit: three wait
  core.input(0).push(5, packets.emplace_back(packet(0, 1)));
  EXPECT_EQ(core.advance(100), kNever);
  EXPECT_EQ(core.output(0).departures().size(), 1u);
  ASSERT_EQ(core.output(1).departures().size(), 1u);
  EXPECT_EQ(core.output(1).departures()[0].slot, 5u);
  EXPECT_EQ(core.held(), 3u);
}

TEST(SwitchCore, SendsWidthFlitsACycleUnderLoad) {
  for (unsigned width = 1; width <= 4; ++width) {
    for (unsigned flits = 1; flits <= 5; ++flits) {
      SwitchCore core(3, 100, 1, width, 300, by_slice);
      std::deque<Access> packets;
      for (int i = 0; i < 100; ++i) {
        for (unsigned input = 0; input < 3; ++input) {
          core.input(input).push(7, packets.emplace_back(packet(input, 0, flits)));
        }
      }
      core.advance(kNever - 1);
      const auto& departures = core.output(0).departures();
      ASSERT_EQ(departures.size(), 300u);
      for (std::size_t i = 0; i < departures.size(); ++i) ASSERT_EQ(departures[i].slot, 7 * width + i * flits);
      EXPECT_EQ(core.statistics().flits, 300 * flits);
      EXPECT_EQ(core.output(0).flits(), 300 * flits);
    }
  }
}

TEST(SwitchCore, WaitsForCreditsAndKeepsTheSlotUntilThen) {
  SwitchCore core(1, 4, 1, 1, 2, by_slice);
  std::deque<Access> packets;
  for (int i = 0; i < 4; ++i) core.input(0).push(0, packets.emplace_back(packet(0, 0)));
  EXPECT_EQ(core.advance(50), kNever);
  EXPECT_EQ(core.input(0).freed_slots(), (std::vector<Cycle>{0, 1}));
  core.output(0).credit(60, 1);
  EXPECT_EQ(core.advance(55), 60u);
  EXPECT_EQ(core.advance(70), kNever);
  EXPECT_EQ(core.input(0).freed_slots(), (std::vector<Cycle>{0, 1, 60}));
  EXPECT_EQ(core.statistics().wait, 0u + 1 + 60);
}

TEST(SwitchCore, RoutesAsItIsTold) {
  SwitchCore core(1, 16, 4, 1, 16, [per_output = 3u](const Access& access) { return access.source / per_output; });
  std::deque<Access> packets;
  for (unsigned sm = 0; sm < 12; ++sm) core.input(0).push(0, packets.emplace_back(packet(sm, 0)));
  core.advance(100);
  for (unsigned output = 0; output < 4; ++output) {
    EXPECT_EQ(senders(core, output), (std::vector<unsigned>{3 * output, 3 * output + 1, 3 * output + 2}));
  }
}

/// A random run: what arrives at each input, under flow control, and how the receivers return credits. Packets of an
/// input arrive only while it has room, as the credits of a sender would have it; a receiver returns a credit a fixed
/// time after the packet left. Both only react later than a cut, so the cuts must not matter.
class RandomRun {
 public:
  using Departures = std::vector<std::pair<std::uint64_t, std::uint32_t>>;  ///< slot and tag
  struct Result {
    std::vector<Departures> departures;     ///< by output
    std::vector<std::vector<Cycle>> freed;  ///< by input, in order of time
    std::size_t most_held = 0;
    std::size_t sent = 0;
    bool operator==(const Result& other) const { return departures == other.departures && freed == other.freed; }
  };
  static constexpr unsigned kInputs = 6, kOutputs = 4, kDepth = 5, kCredits = 3;
  static constexpr Cycle kHop = 20, kCycles = 4000;

  /// `cut`: length of the next window, at most kHop.
  template <class Cut>
  static Result run(unsigned seed, unsigned width, Cut cut, unsigned virtual_channels = 1,
                    const std::string& policy = "") {
    SwitchCore core(kInputs, kDepth, kOutputs, width, kCredits, by_slice, virtual_channels);
    if (!policy.empty()) core.ask({policy, {{"weighted.weight_1", FieldValue(4u)}}});
    std::mt19937 random(seed);
    std::deque<Access> packets;
    std::vector<std::deque<Access*>> plan(kInputs);  // by input, in order of `issued`
    for (unsigned input = 0; input < kInputs; ++input) {
      Cycle at = 0;
      for (std::uint32_t i = 0; i < 200; ++i) {
        at += random() % 8 == 0 ? random() % 60 : random() % 3;
        Access& access = packets.emplace_back(packet(input, random() % kOutputs, 1 + random() % 4));
        access.issued = at;
        access.identity.application = static_cast<ApplicationId>(random() % 3);
        access.tag = input * 1000 + i;
        plan[input].push_back(&access);
      }
    }
    Result result;
    result.departures.resize(kOutputs);
    result.freed.resize(kInputs);
    std::vector<std::deque<Cycle>> room(kInputs);  // cycles at which a sender gets its credits
    std::vector<Cycle> last(kInputs, 0);
    for (auto& slots : room) slots.assign(kDepth, 0);
    std::map<std::pair<Cycle, unsigned>, unsigned> credits;  // (cycle, output) -> count
    for (Cycle now = 0; now < kCycles;) {
      const Cycle until = now + cut();
      for (unsigned input = 0; input < kInputs; ++input) {
        while (!plan[input].empty() && !room[input].empty()) {
          const Cycle at = std::max({plan[input].front()->issued, room[input].front(), last[input]});
          if (at >= until) break;
          core.input(input).push(at, *plan[input].front());
          last[input] = at;
          plan[input].pop_front();
          room[input].pop_front();
          ++result.sent;
        }
      }
      for (; !credits.empty() && credits.begin()->first.first < until; credits.erase(credits.begin())) {
        core.output(credits.begin()->first.second).credit(credits.begin()->first.first, credits.begin()->second);
      }
      result.most_held = std::max(result.most_held, core.held());
      EXPECT_GE(core.advance(until), until);
      for (unsigned output = 0; output < kOutputs; ++output) {
        for (const auto& departure : core.output(output).departures()) {
          result.departures[output].emplace_back(departure.slot, departure.item->tag);
          ++credits[{departure.slot / width + kHop + departure.item->tag % 7, output}];
        }
        core.output(output).departures().clear();
      }
      for (unsigned input = 0; input < kInputs; ++input) {
        auto& freed = core.input(input).freed_slots();
        std::sort(freed.begin(), freed.end());
        for (const Cycle at : freed) {
          result.freed[input].push_back(at);
          room[input].push_back(at + kHop);
        }
        freed.clear();
      }
      now = until;
    }
    EXPECT_EQ(core.statistics().packets + core.held(), result.sent);
    return result;
  }
};

TEST(SwitchCore, GivesTheSameDeparturesAndFreedSlotsForEveryWindow) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const unsigned width = 1 + seed % 4;
    const auto reference = RandomRun::run(seed, width, [] { return Cycle{1}; });
    EXPECT_EQ(RandomRun::run(seed, width, [] { return Cycle{4}; }), reference) << seed;
    EXPECT_EQ(RandomRun::run(seed, width, [] { return RandomRun::kHop; }), reference) << seed;
    std::mt19937 random(seed);
    EXPECT_EQ(RandomRun::run(seed, width, [&] { return 1 + random() % RandomRun::kHop; }), reference) << seed;
  }
}

TEST(SwitchCore, GivesTheSameForEveryWindowWithVirtualChannels) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const unsigned width = 1 + seed % 4, channels = seed % 2 ? 2 : 4;
    const auto run = [&](auto cut) { return RandomRun::run(seed, width, cut, channels); };
    const auto reference = run([] { return Cycle{1}; });
    EXPECT_EQ(run([] { return RandomRun::kHop; }), reference) << seed;
    std::mt19937 random(seed);
    EXPECT_EQ(run([&] { return 1 + random() % RandomRun::kHop; }), reference) << seed;
    for (std::size_t first = 0; first < RandomRun::kOutputs; first += channels) {  // what shares a link takes turns
      std::map<Cycle, unsigned> packets;
      for (std::size_t output = first; output < first + channels; ++output) {
        for (const auto& departure : reference.departures[output]) ++packets[departure.first / width];
      }
      for (const auto& [cycle, count] : packets) EXPECT_LE(count, width) << "cycle " << cycle << ", seed " << seed;
    }
  }
}

TEST(SwitchCore, DeliversEveryPacketOnceAndInOrderForEachInputAndOutput) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto result = RandomRun::run(seed, 1 + seed % 4, [] { return RandomRun::kHop; });
    std::size_t delivered = 0;
    for (const auto& departures : result.departures) {
      std::map<std::uint32_t, std::uint32_t> last;  // by input
      for (const auto& [slot, tag] : departures) {
        ASSERT_GE(tag + 1, last[tag / 1000]) << "overtaken";
        last[tag / 1000] = tag + 1;
        ++delivered;
      }
    }
    EXPECT_EQ(delivered, RandomRun::kInputs * 200u);
  }
}

TEST(SwitchCore, NeverHoldsMoreThanItsInputsHaveRoomFor) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto result = RandomRun::run(seed, 1, [] { return Cycle{1}; });
    EXPECT_LE(result.most_held, std::size_t{RandomRun::kInputs} * RandomRun::kDepth);
    EXPECT_GT(result.most_held, RandomRun::kDepth);
  }
}

TEST(SwitchCore, GivesTheSameForEveryWindowWhicheverPolicyIsAsked) {
  for (const char* policy : {"round_robin", "oldest", "weighted"}) {
    for (unsigned seed = 0; seed < 8; ++seed) {
      const unsigned width = 1 + seed % 4, channels = 1 + seed % 2;
      const auto run = [&](Cycle window) {
        return RandomRun::run(
            seed, width, [=] { return window; }, channels, policy);
      };
      const auto reference = run(1);
      EXPECT_EQ(run(4), reference) << policy << ' ' << seed;
      EXPECT_EQ(run(RandomRun::kHop), reference) << policy << ' ' << seed;
    }
  }
}

TEST(SwitchCore, AsksForTheTurnThatItHasBuiltIn) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto cut = [] { return RandomRun::kHop; };
    const unsigned width = 1 + seed % 4, channels = 1 + seed % 2;
    EXPECT_EQ(RandomRun::run(seed, width, cut, channels, kRoundRobin), RandomRun::run(seed, width, cut, channels))
        << seed;
  }
}

}  // namespace
}  // namespace gputlm
