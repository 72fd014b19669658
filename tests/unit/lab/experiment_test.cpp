// An experiment is one file that registers itself: tables, charts, and figures that are judged, as values.

#include "platform/lab/experiment.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "platform/lab/metrics.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

ExperimentReport reported_bars(const ExperimentOptions& options) {
  const std::vector<double> speeds{0.5, options.policy("fair") == "fair" ? 0.8 : 0.1};
  Table table({{"application"}, {"speed", "", "", "", 2}});
  table.add({"1st", speeds[0]});
  table.add({"2nd", speeds[1]});
  ExperimentReport report;
  report.tables = {{"Speeds over those alone", table, "", "A note."}, {"", table, "all"}};
  report.charts = {{bar_chart(table, "speed over that alone", {"application"}, {"speed"})}};
  report.figures = {
      {"fairness index", "1.60", Quantity::number(fairness_index(speeds), 2), Band::range(1.5, 1.7, 1), ""},
      {"weighted speedup", Quantity::number(1.4, 1), Quantity::number(weighted_speedup(speeds), 2), Band::table(), ""}};
  return report;
}

// Under names of which there are plans.
GPUTLM_REGISTER { add_experiment("most-room/placement", reported_bars); }
GPUTLM_REGISTER { add_experiment("most-room/leftover", reported_bars); }

TEST(Experiment, IsFoundByItsNameAndByThatOfItsPaper) {
  ASSERT_EQ(find_experiments("most-room/leftover").size(), 1u);
  EXPECT_EQ(find_experiments("most-room").size(), 2u);
  EXPECT_EQ(find_experiments("most-room/placement").front()->description(),
            "Which SM gets each block of a second kernel (sections 4.1, 4.2 and 5.1)");
  try {
    find_experiments("most-room/left");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'most-room/leftover'"), std::string::npos) << error.what();
  }
}

TEST(Experiment, IsListedByItsName) {
  EXPECT_EQ(experiments().all().front().name, "most-room/leftover");
  EXPECT_EQ(experiments().all().back().name, "most-room/placement");
}

TEST(Experiment, IsRefutedByWhatTakesAPolicysPlace) {
  ExperimentOptions options;
  EXPECT_TRUE(reported_bars(options).agrees());
  options.instead = {{"fair", "unfair"}};
  EXPECT_FALSE(reported_bars(options).agrees());
}

TEST(ExperimentReport, PutsOursBesideTheFactOfAKey) {
  ExperimentReport report{"qaws"};
  report.number("takeover", "figure3.takeover", 1, 0, Band::exact());
  report.equal("one stream", "figure2.one_stream", "K2");
  report.trend("K2", "figure3.k2_ends", "last", "that order", true, "a note");
  report.all("runs", 3, 4);
  ASSERT_EQ(report.figures.size(), 4u);
  EXPECT_TRUE(report.figures[0].agrees());
  EXPECT_FALSE(report.figures[1].agrees()) << "K1 in the paper";
  EXPECT_EQ(report.figures[1].paper.text(), "K1");
  EXPECT_TRUE(report.figures[2].agrees());
  EXPECT_EQ(report.figures[3].paper.text(), "4 of 4");
  EXPECT_EQ(report.figures[3].ours.text(), "3 of 4");
  EXPECT_THROW(report.equal("none", "no.such.key", ""), std::logic_error);
}

TEST(Experiment, SaysInTextAndJsonWhichFiguresAgree) {
  const Experiment& experiment = *find_experiments("most-room/leftover").front();
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
  ExperimentReport report = reported_bars({});
  for (Figure& figure : report.figures) figure.ours = Quantity::number(1.71, 2);
  EXPECT_FALSE(report.agrees());
  const KnownMiss known{"2026-01-31", "It is unfair.", "", {{"fairness index", Quantity::of_text("1.70")}}, {}};
  const Judgement judgement = judge(report.figures, {known}, false);
  const std::string text = to_text(*find_experiments("most-room/leftover").front(), report, judgement);
  EXPECT_NE(text.find("  known\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  NEW\n"), std::string::npos) << text;
  EXPECT_NE(text.find("fairness index: known since 2026-01-31: It is unfair."), std::string::npos) << text;
}

TEST(Experiment, SaysInTablesWhatItHasMeasured) {
  const Experiment& experiment = *find_experiments("most-room/leftover").front();
  const ExperimentReport report = experiment.run({});
  const Judgement judgement = judge(report.figures, {}, false);
  const std::string text = to_text(experiment, report, judgement);
  EXPECT_NE(text.find("Speeds over those alone\napplication  speed\n1st           0.50\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nA note.\n"), std::string::npos) << text;
  const auto json = to_json(experiment, report, judgement);
  EXPECT_EQ(json["tables"][0]["rows"][1]["speed"], 0.8);
  const std::string page = to_markdown(experiment, report, judgement);
  EXPECT_EQ(page.rfind("<!-- figures of most-room/leftover -->\n| figure |", 0), 0u) << page;
  EXPECT_NE(page.find("| fairness index | 1.60 | 1.60 |"), std::string::npos) << page;
}

TEST(Experiment, LeavesItsTablesAndItsChartInTheFolder) {
  const auto folder = std::filesystem::temp_directory_path() / ("gputlm-experiment-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  write_files(folder.string(), *find_experiments("most-room/leftover").front(), reported_bars({}));
  const auto exists = [&](const char* name) { return std::filesystem::exists(folder / name); };
  EXPECT_TRUE(exists("most-room-leftover.svg") || exists("most-room-leftover.gnuplot"));
  EXPECT_TRUE(exists("most-room-leftover.csv"));
  EXPECT_TRUE(exists("most-room-leftover-all.csv"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace gputlm
