#include "tlm/window_pace.h"

#include <gtest/gtest.h>

#include <functional>

namespace gputlm {
namespace {

/// Plays windows of `due` units each and sums up their times.
struct Machine {
  std::function<double(unsigned window)> alone, together;  ///< nanoseconds of a window
  unsigned due = 50;

  struct Outcome {
    double time = 0;
    unsigned together = 0, windows = 0;
  };
  Outcome run(unsigned windows) {
    Outcome outcome;
    for (; outcome.windows < windows; ++outcome.windows) {
      const double time = pace.together() ? together(played) : alone(played);
      ++played;
      outcome.together += pace.together();
      outcome.time += time;
      pace.took(static_cast<WindowPace::Nanoseconds>(time), due);
    }
    return outcome;
  }
  WindowPace pace{};
  unsigned played = 0;
};

std::function<double(unsigned)> always(double time) {
  return [time](unsigned) { return time; };
}

TEST(WindowPace, GoesTogetherWhereThatIsFaster) {
  Machine machine{always(60'000), always(40'000)};
  const auto outcome = machine.run(20'000);
  EXPECT_LT(outcome.time, 1.02 * 20'000 * 40'000);
  EXPECT_GT(outcome.together, 19'000u);
}

TEST(WindowPace, LosesLittleWhereOthersAreSlower) {
  Machine machine{always(60'000), always(70'000)};
  EXPECT_LT(machine.run(20'000).time, 1.03 * 20'000 * 60'000);
}

TEST(WindowPace, GoesOnWithOneThreadWhereTheGainDoesNotRepayTheOthers) {
  for (const double gain : {1.05, 1.17, 1.25}) {
    Machine machine{always(60'000), always(60'000 / gain)};
    EXPECT_LT(machine.run(100'000).together, 1'500u) << gain;
  }
  for (const double gain : {1.35, 1.9}) {
    Machine machine{always(60'000), always(60'000 / gain)};
    EXPECT_GT(machine.run(100'000).together, 98'000u) << gain;
  }
}

TEST(WindowPace, DoesNotTakeTheMeasurementOfUnitsForTheTimeOfOneThread) {
  Machine machine{};
  machine.alone = [&](unsigned) { return machine.pace.measures() ? 90'000.0 : 60'000.0; };
  machine.together = always(50'000);
  EXPECT_LT(machine.run(100'000).together, 1'500u);
}

TEST(WindowPace, ForgivesAThreadAloneThatIsHeldUpOnce) {
  Machine machine{[](unsigned window) { return window % 20 == 0 ? 4'000'000.0 : 60'000.0; }, always(55'000)};
  EXPECT_LT(machine.run(20'000).together, 1'000u);
}

TEST(WindowPace, LosesLittleWhereOthersHaveTheProcessor) {
  Machine machine{always(60'000), always(4'000'000)};  // a time slice of somebody else
  const auto outcome = machine.run(100'000);
  EXPECT_LT(outcome.time, 1.1 * 100'000 * 60'000);
  EXPECT_LT(outcome.together, 200u);
}

TEST(WindowPace, ForgivesAThreadThatIsHeldUpOnce) {
  Machine machine{always(60'000), [](unsigned window) { return window % 300 == 0 ? 4'000'000.0 : 30'000.0; }};
  EXPECT_GT(machine.run(20'000).together, 15'000u);
}

TEST(WindowPace, NoticesWhenThingsChange) {
  bool busy = false;
  Machine machine{always(60'000), [&](unsigned) { return busy ? 1'000'000.0 : 35'000.0; }};
  EXPECT_GT(machine.run(30'000).together, 28'000u);
  busy = true;
  EXPECT_LT(machine.run(30'000).together, 1'000u);
  busy = false;
  machine.run(20'000);  // until it looks again
  EXPECT_GT(machine.run(10'000).together, 9'000u);
}

TEST(WindowPace, MeasuresAtTheBeginOfEachTrialAndNowhereElse) {
  Machine machine{always(60'000), always(40'000)};
  EXPECT_TRUE(machine.pace.begins_trial());
  EXPECT_TRUE(machine.pace.measures());
  machine.run(1);
  EXPECT_FALSE(machine.pace.begins_trial());
  EXPECT_TRUE(machine.pace.measures());
  machine.run(15);
  EXPECT_FALSE(machine.pace.measures());
  machine.run(100);
  unsigned trials = 0;
  for (unsigned i = 0; i < 2000; ++i) {
    machine.run(1);
    trials += machine.pace.begins_trial();
  }
  EXPECT_EQ(trials, 2u);  // after 512 windows, and another 1024
}

}  // namespace
}  // namespace gputlm
