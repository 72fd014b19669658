#include "models/noc/flit_arbiter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace gputlm {
namespace {

using testing::ElementsAre;

/// An output, and what waits for it.
class Output {
 public:
  explicit Output(const std::string& policy, const PolicyOptions& options = {})
      : arbiter_(flit_arbiters().at(policy).make({kMaxSwitchInputs, options})), heads_(kMaxSwitchInputs) {}

  void put(unsigned input, FlitHead head) {
    heads_[input] = head;
    waiting_[input / 64] |= std::uint64_t{1} << input % 64;
  }
  void take(unsigned input) { waiting_[input / 64] &= ~(std::uint64_t{1} << input % 64); }
  /// The next packet leaves, and one like it takes its place.
  unsigned serve(Cycle now = 0) {
    const unsigned input = arbiter_->next({waiting_, heads_.data(), now});
    arbiter_->served(input, heads_[input]);
    return input;
  }
  const FlitHead& head(unsigned input) const { return heads_[input]; }

 private:
  std::unique_ptr<FlitArbiter> arbiter_;
  std::vector<FlitHead> heads_;
  InputSet waiting_{};
};

std::vector<unsigned> served(Output& output, unsigned packets, Cycle now = 0) {
  std::vector<unsigned> inputs;
  for (unsigned i = 0; i < packets; ++i) inputs.push_back(output.serve(now));
  return inputs;
}

TEST(RoundRobinFlits, GoesAroundTheInputsThatHavePackets) {
  Output output("round_robin");
  for (const unsigned input : {0u, 63u, 64u, 200u}) output.put(input, {});
  EXPECT_THAT(served(output, 6), ElementsAre(0, 63, 64, 200, 0, 63));
  output.take(64);
  EXPECT_THAT(served(output, 2), ElementsAre(200, 0));
}

TEST(OldestFlit, GoesFirstAndInputsTakeTurnsAmongEquals) {
  Output output("oldest");
  output.put(0, {900});
  output.put(3, {500});
  output.put(70, {500});
  output.put(100, {800});
  EXPECT_THAT(served(output, 3, 1000), ElementsAre(3, 70, 3));
  output.take(3);
  output.take(70);
  EXPECT_THAT(served(output, 2, 1000), ElementsAre(100, 100));
}

TEST(OldestFlit, CountsAnAgeAsFarAsItsBitsGo) {
  Output output("oldest", {{"oldest.age_bits", FieldValue(4u)}});
  output.put(5, {0});
  output.put(6, {85});  // fifteen cycles old: as old as can be
  EXPECT_THAT(served(output, 3, 100), ElementsAre(5, 6, 5));
  EXPECT_THAT(served(output, 2, 99), ElementsAre(5, 5));
}

TEST(WeightedFlits, SharesOfTheLinkAreAsTheWeightsWhateverTheyAre) {
  for (unsigned first = 1; first <= 63; first += 7) {
    for (const unsigned second : {1u, 5u, 63u}) {
      Output output("weighted", {{"weighted.weight_0", FieldValue(first)}, {"weighted.weight_1", FieldValue(second)}});
      for (unsigned input = 0; input < 4; ++input) output.put(input, {0, 1, static_cast<std::uint8_t>(input % 2)});
      std::array<unsigned, 2> flits{};
      for (unsigned i = 0; i < 100 * (first + second); ++i) ++flits[output.serve() % 2];
      EXPECT_EQ(flits[0], 100 * first);
      EXPECT_EQ(flits[1], 100 * second);
    }
  }
}

TEST(WeightedFlits, ATurnIsOverWithThePacketThatReachesTheWeight) {
  Output output("weighted", {{"weighted.weight_0", FieldValue(6u)}, {"weighted.weight_1", FieldValue(1u)}});
  output.put(0, {0, 5, 0});
  output.put(1, {0, 5, 1});
  EXPECT_THAT(served(output, 6), ElementsAre(0, 0, 1, 0, 0, 1));
}

TEST(WeightedFlits, AnApplicationWithoutAPacketGivesUpItsTurn) {
  Output output("weighted", {{"weighted.weight_0", FieldValue(10u)}});
  output.put(0, {0, 1, 0});
  output.put(1, {0, 1, 1});
  EXPECT_THAT(served(output, 2), ElementsAre(0, 0));
  output.take(0);
  EXPECT_THAT(served(output, 2), ElementsAre(1, 1));
}

TEST(WeightedFlits, NoInputIsForgottenWhileAnotherApplicationIsServedInBetween) {
  Output output("weighted");
  output.put(0, {0, 1, 0});
  output.put(1, {0, 1, 0});
  output.put(2, {0, 1, 1});
  EXPECT_THAT(served(output, 6), ElementsAre(0, 2, 1, 2, 0, 2));
}

}  // namespace
}  // namespace gputlm
