#include "platform/programs/comparison.h"

#include <gmock/gmock.h>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

ObservedCommand command(const std::string& label, const std::string& name, double start, double end,
                        std::vector<unsigned> sms = {}) {
  ObservedCommand command{label, name, "s", start, end};
  for (std::size_t i = 0; i < sms.size(); ++i) command.blocks.push_back({i, sms[i]});
  return command;
}

Observation of(std::vector<ObservedCommand> kernels, bool names = true) {
  Observation observation;
  observation.kernels = std::move(kernels);
  observation.names_kernels = names;
  return observation;
}

TEST(Comparison, TimesCountFromTheFirstKernelThatBothHave) {
  const Comparison c =
      compare(of({command("a", "a", 100, 200), command("b", "b", 250, 300)}),
              of({command("x", "x", 0, 10), command("a", "a", 1100, 1180), command("b", "b", 1240, 1300)}));
  ASSERT_EQ(c.commands.size(), 2u);
  EXPECT_EQ(c.commands[0].start_error_ns(), 0);
  EXPECT_EQ(c.commands[0].duration_error_ns(), 20);
  EXPECT_DOUBLE_EQ(*c.commands[0].duration_error(), 0.25);
  EXPECT_EQ(c.commands[1].start_error_ns(), 10);
  EXPECT_EQ(c.commands[1].end_error_ns(), 0);
  EXPECT_THAT(c.measured_only, ElementsAre("x"));
  EXPECT_THAT(c.model_only, IsEmpty());
  const ErrorSummary duration = c.summary(false, &ComparedCommand::duration_error_ns);
  EXPECT_EQ(duration.count, 2u);
  EXPECT_EQ(duration.mean, 15);
  EXPECT_EQ(duration.median, 15);
  EXPECT_EQ(duration.most, 20);
}

TEST(Comparison, KernelsWithOtherLabelsAreTheSameByNameAndOrder) {
  const Comparison c = compare(of({command("k", "k", 0, 1), command("k#2", "k", 2, 3), command("k#3", "k", 4, 5)}),
                               of({command("k#1", "k", 0, 1), command("k#2", "k", 2, 6)}));
  ASSERT_EQ(c.commands.size(), 2u);
  EXPECT_EQ(c.commands[0].label, "k") << "the first is the first";
  EXPECT_EQ(c.commands[1].label, "k#2");
  EXPECT_EQ(c.commands[1].duration_error_ns(), -3);
  EXPECT_THAT(c.model_only, ElementsAre("k#3"));
}

TEST(Comparison, WithoutNamesLaunchesAreTheSameByOrder) {
  const Comparison c = compare(of({command("a", "a", 0, 1), command("b", "b", 2, 3)}),
                               of({command("launch 0", "launch 0", 5, 6)}, false));
  ASSERT_EQ(c.commands.size(), 1u);
  EXPECT_EQ(c.commands[0].label, "a");
}

TEST(Comparison, BlocksAgreeOnTheirSmsOrIfSmsAreRenamed) {
  const Comparison c = compare(of({command("a", "a", 0, 1, {0, 1, 2, 2}), command("b", "b", 2, 3, {1})}),
                               of({command("a", "a", 0, 1, {0, 2, 1, 1}), command("b", "b", 2, 3, {1})}));
  ASSERT_TRUE(c.placement.has_value());
  EXPECT_EQ(c.placement->blocks, 5u);
  EXPECT_EQ(c.placement->same_sm, 2u);
  EXPECT_EQ(c.placement->same_sm_renamed, 4u) << "1 and 2 the other way round, the same for all kernels";
  EXPECT_FALSE(compare(of({command("a", "a", 0, 1)}), of({command("a", "a", 0, 1, {0})})).placement.has_value());
}

Observation durations(const std::vector<double>& ns) {
  Observation observation;
  observation.durations = true;
  for (std::size_t i = 0; i < ns.size(); ++i)
    observation.kernels.push_back(command("k" + std::to_string(i), "k", 0, ns[i]));
  return observation;
}

TEST(Comparison, OfDurationsAloneHasNoTimes) {
  const Comparison c =
      compare(of({command("k0", "k", 1000, 1200), command("k1", "k", 5000, 5100)}), durations({100, 100}));
  ASSERT_EQ(c.commands.size(), 2u);
  EXPECT_EQ(c.commands[1].model_start_ns, 0);
  EXPECT_EQ(c.commands[1].model_end_ns, 100);
  EXPECT_DOUBLE_EQ(c.relative_summary(false).mean, 0.5);
  EXPECT_THAT(comparison_text(c), Not(HasSubstr("start")));
  EXPECT_FALSE(c.correlation().has_value()) << "the measured ones are all the same";
}

TEST(Comparison, CorrelatesDurations) {
  const auto correlation = [](const std::vector<double>& model, const std::vector<double>& measured) {
    return compare(durations(model), durations(measured)).correlation();
  };
  EXPECT_NEAR(*correlation({10, 20, 30}, {100, 200, 300}), 1, 1e-12);
  EXPECT_NEAR(*correlation({30, 20, 10}, {1, 2, 3}), -1, 1e-12);
  EXPECT_NEAR(*correlation({1, 2, 3, 4}, {1, 3, 2, 4}), 0.8, 1e-12);
  EXPECT_FALSE(correlation({1}, {2}).has_value());
}

TEST(Comparison, ShowsCyclesIfTheyWereMeasured) {
  Observation measured = durations({1000, 500});
  measured.cycle_ns = 0.5;
  const Comparison c = compare(durations({1100, 500}), measured);
  EXPECT_THAT(comparison_text(c), AllOf(HasSubstr("duration [cycles]"), HasSubstr("2000.000    2200.000  +10.00%"),
                                        HasSubstr("correlation of durations 1.0000")));
}

TEST(Comparison, OfNothingIsRefused) {
  try {
    compare(of({command("a", "a", 0, 1)}), of({command("b", "b", 0, 1)}));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no kernel is in both"));
  }
}

TEST(Comparison, IsATableAndACsv) {
  const Comparison c = compare(of({command("a", "a", 0, 101'000)}), of({command("a", "a", 5, 100'005)}));
  EXPECT_THAT(comparison_text(c), HasSubstr("+1.00%"));
  EXPECT_THAT(comparison_csv(c),
              HasSubstr("\na,kernel,s,0.000,100000.000,0.000,101000.000,0.000,1000.000,1000.000,1.000\n"));
}

}  // namespace
}  // namespace gputlm
