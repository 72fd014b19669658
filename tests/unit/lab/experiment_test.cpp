// An experiment is one file that registers itself: with a table, a chart, and figures that are judged.

#include "platform/lab/experiment.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "platform/lab/chart_files.h"
#include "platform/lab/metrics.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

ExperimentReport bars(const ExperimentOptions& options) {
  const std::vector<double> speeds{0.5, 0.8};
  ExperimentReport report;
  report.text = "first  0.50\nsecond 0.80\n";
  report.figures = {
      {"fairness index", "1.60", Quantity::number(fairness_index(speeds), 2), Band::range(1.5, 1.7, 1), ""},
      {"weighted speedup", Quantity::number(1.4, 1), Quantity::number(weighted_speedup(speeds), 2), Band::table(), ""}};
  if (!options.out.empty()) {
    write_chart(options.out + "/bars.svg",
                BarChart{"speed over that alone", {{"speed", ""}}, {{"1st", {0.5}}, {"2nd", {0.8}}}});
  }
  return report;
}

GPUTLM_REGISTER { experiments().add({{"test/bars", 9901}, "Two applications that share", bars}); }
GPUTLM_REGISTER { experiments().add({{"test/first", 9900}, "The same before it", bars}); }

TEST(Experiment, IsFoundByItsNameAndByThatOfItsPaper) {
  ASSERT_EQ(find_experiments("test/bars").size(), 1u);
  EXPECT_EQ(find_experiments("test").size(), 2u);
  EXPECT_EQ(find_experiments("test/bars").front()->description, "Two applications that share");
  try {
    find_experiments("test/bar");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'test/bars'"), std::string::npos) << error.what();
  }
}

TEST(Experiment, IsListedInTheOrderOfRanks) {
  EXPECT_EQ(experiments().all().back().name, "test/bars");
  EXPECT_EQ(experiments().all().front().name, "test/first");
}

TEST(Experiment, SaysInTextAndJsonWhichFiguresAgree) {
  const Experiment& experiment = *find_experiments("test/bars").front();
  const ExperimentReport report = experiment.run({});
  EXPECT_TRUE(report.agrees());
  const Judgement judgement = judge(report.figures, {}, false);
  const std::string text = to_text(experiment, report, judgement);
  EXPECT_NE(text.find("2 figures: 2 agree, 0 known misses, 0 new misses"), std::string::npos) << text;
  const auto json = to_json(experiment, report, judgement);
  EXPECT_EQ(json["figures"][0]["ours"], "1.60");
  EXPECT_EQ(json["figures"][0]["verdict"], "ok");
  EXPECT_EQ(json["agree"], 2);
}

TEST(Experiment, TellsAKnownMissFromANewOne) {
  ExperimentReport report = bars({});
  for (Figure& figure : report.figures) figure.ours = Quantity::number(1.71, 2);
  EXPECT_FALSE(report.agrees());
  const KnownMiss known{"2026-01-31", "It is unfair.", "", {{"fairness index", Quantity::of_text("1.70")}}, {}};
  const Judgement judgement = judge(report.figures, {known}, false);
  const std::string text = to_text(*find_experiments("test/bars").front(), report, judgement);
  EXPECT_NE(text.find("  known\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  NEW\n"), std::string::npos) << text;
  EXPECT_NE(text.find("fairness index: known since 2026-01-31: It is unfair."), std::string::npos) << text;
}

TEST(Experiment, LeavesItsChartInTheFolder) {
  const auto folder = std::filesystem::temp_directory_path() / ("gputlm-experiment-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  ExperimentOptions options;
  options.out = folder.string();
  bars(options);
  const bool drawn = std::filesystem::exists(folder / "bars.svg") || std::filesystem::exists(folder / "bars.gnuplot");
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(drawn);
}

}  // namespace
}  // namespace gputlm
