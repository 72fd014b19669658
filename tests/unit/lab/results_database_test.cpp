// Results of a study for other programs: means over its seeds, and a database.

#include "platform/lab/results_database.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <cmath>

#include <filesystem>
#include <fstream>

#include "platform/lab/study_tables.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;

/// Two warp schedulers, two seeds, two applications; times as the test needs them.
class ResultsOfAStudy : public testing::Test {
 protected:
  ResultsOfAStudy() {
    std::string name = (fs::temp_directory_path() / "gputlm_results_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    std::ofstream(folder_ + "/w.yaml") << "kernels: {k: {grid: 4, block: 64, program: [int]}}\n"
                                          "applications: [{name: a, streams: [{name: s, launches: [k]}]}]\n";
    study_ = Study::read(YamlNode::load_text("gpus: [xavier]\nvary: {sm.warp_scheduler: [lrr, gto]}\n"
                                             "workloads: [w.yaml]\nseeds: [1, 2]\nalone: true\n",
                                             "s.yaml"),
                         folder_);
    for (const StudyPoint& point : study_.points()) {
      const std::size_t run = outcomes_.size();
      StudyOutcome& o = outcomes_.emplace_back();
      o.point = point;
      o.id = "id " + std::to_string(run);
      o.digests = {"program", "configuration " + std::to_string(point.settings[0]), "inputs"};
      o.cycles = 100 + 10 * run;
      for (const char* application : {"a", "it's b"})
        o.applications.push_back({application, 50 + run, 1, 640, 0.25, 1.5});
      o.stp = 1.25;
      KernelRecord kernel{};
      kernel.released = 5;
      kernel.end = 90 + run;
      o.launches.push_back({"k", "a", "s", kernel});
    }
    summaries_ = study_summaries(study_, outcomes_);
  }
  ~ResultsOfAStudy() override { fs::remove_all(folder_); }

  /// Rows of the database's answer, cells with a bar between them.
  std::vector<std::string> ask(const std::string& sql) const {
    std::string bytes = results_database(study_, outcomes_, summaries_);
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(":memory:", &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_deserialize(database, "main", reinterpret_cast<unsigned char*>(bytes.data()),
                                  static_cast<sqlite3_int64>(bytes.size()), static_cast<sqlite3_int64>(bytes.size()),
                                  SQLITE_DESERIALIZE_READONLY),
              SQLITE_OK);
    std::vector<std::string> rows;
    const auto take = [](void* out, int cells, char** values, char**) {
      std::string row;
      for (int i = 0; i < cells; ++i) row += std::string(i > 0 ? "|" : "") + (values[i] ? values[i] : "none");
      static_cast<std::vector<std::string>*>(out)->push_back(row);
      return 0;
    };
    char* error = nullptr;
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), take, &rows, &error), SQLITE_OK) << (error ? error : "");
    sqlite3_free(error);
    sqlite3_close(database);
    return rows;
  }

  std::string folder_;
  Study study_;
  std::vector<StudyOutcome> outcomes_;
  std::vector<StudySummary> summaries_;
};

TEST_F(ResultsOfAStudy, AreMeansOverTheSeedsOfEachCombination) {
  ASSERT_EQ(summaries_.size(), 2u);
  const StudyFigure& cycles = summaries_[1].subjects[0].figures[0];
  EXPECT_EQ(cycles.metric, "run_cycles");
  EXPECT_EQ(cycles.estimate.mean, 125);
  EXPECT_NEAR(*cycles.estimate.half_width, 12.706 * 5, 1e-2);
  EXPECT_THAT(
      summary_csv(study_, summaries_),
      testing::AllOf(testing::StartsWith("gpu,sm.warp_scheduler,workload,of,name,application,metric,seeds,mean,"),
                     testing::HasSubstr("\nxavier,gto,w.yaml,run,,,run_cycles,2,125,7.07106781186"),
                     testing::HasSubstr("\nxavier,lrr,w.yaml,application,it's b,it's b,slowdown,2,1.5,0,1.5,1.5,false"),
                     testing::Not(testing::HasSubstr("antt"))));
  const std::vector<StudyView> views = study_views(study_, outcomes_, summaries_);
  EXPECT_THAT(views.back().title, testing::HasSubstr("Means of 2 seeds, with 95 %"));
  EXPECT_EQ(views.back().note, "") << "both combinations have some";
}

/// Quotients and differences seed by seed: what both have of a seed falls out.
TEST_F(ResultsOfAStudy, AreComparedWithABaselineBySeed) {
  const Baseline baseline = parse_baseline(study_, {"sm.warp_scheduler=lrr"}, "--baseline");
  const std::vector<BaselineComparison> all = compare_with(study_, baseline, summaries_);
  ASSERT_EQ(all.size(), 1u) << "one workload: no mean over several";
  const BaselineFigure& cycles = all[0].figures[0];
  EXPECT_EQ(cycles.metric, "run_cycles");
  // 120 over 100 and 130 over 110; of two values Student's t is 12.7062.
  EXPECT_NEAR(*cycles.ratio, std::sqrt(1.2 * 13 / 11), 1e-12);
  const double half = 12.7062 * std::abs(std::log(1.2) - std::log(13.0 / 11)) / 2;
  EXPECT_NEAR(*cycles.ratio_high, *cycles.ratio * std::exp(half), 1e-4);
  EXPECT_EQ(*cycles.difference, 20);
  EXPECT_EQ(*cycles.difference_low, 20) << "the same with both seeds";
  EXPECT_THAT(
      baseline_csv(study_, all),
      testing::AllOf(testing::StartsWith("gpu,sm.warp_scheduler,workload,of,name,application,metric,seeds,ratio,"),
                     testing::HasSubstr("\nxavier,gto,w.yaml,run,,,run_cycles,2,1.19")));
  EXPECT_THAT(baseline_view(study_, baseline, all).title,
              testing::HasSubstr("Over sm.warp_scheduler=lrr, geometric means"));
  const auto refused = [&](const std::string& text) {
    try {
      parse_baseline(study_, {text}, "--baseline");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(refused("sm.warp_scheduler=qaws"), "--baseline: sm.warp_scheduler: found 'qaws', allowed: lrr, gto");
  EXPECT_EQ(refused("gpu=xavier"), "--baseline: found 'gpu=xavier', allowed: sm.warp_scheduler=VALUE");
}

TEST_F(ResultsOfAStudy, StandInADatabaseByRunAndPoint) {
  EXPECT_THAT(
      ask("SELECT run, id, point, seed, configuration, run_cycles, stp, antt FROM runs ORDER BY run"),
      testing::ElementsAre("0|id 0|0|1|configuration 0|100|1.25|none", "1|id 1|0|2|configuration 0|110|1.25|none",
                           "2|id 2|1|1|configuration 1|120|1.25|none", "3|id 3|1|2|configuration 1|130|1.25|none"));
  EXPECT_THAT(ask("SELECT value, mean, seeds FROM figures JOIN settings USING (point) WHERE metric = 'run_cycles'"),
              testing::ElementsAre("lrr|105.0|2", "gto|125.0|2"));
  EXPECT_THAT(ask("SELECT application, cycles, slowdown FROM applications WHERE run = 3"),
              testing::ElementsAre("a|53|1.5", "it's b|53|1.5"));
  EXPECT_THAT(ask("SELECT kernel, released_cycle, end_cycle FROM kernels WHERE run = 2"),
              testing::ElementsAre("k|5|92"));
  EXPECT_THAT(ask("SELECT json_extract(configuration, '$.sms') > 0 FROM gpus"), testing::ElementsAre("1"));
}

/// Runs of a trace do not depend on the seed, so two of them may have one id.
TEST_F(ResultsOfAStudy, KeepRunsApartThatHaveTheSameId) {
  for (StudyOutcome& o : outcomes_) o.id = "same";
  EXPECT_THAT(ask("SELECT count(*) FROM runs"), testing::ElementsAre("4"));
}

TEST_F(ResultsOfAStudy, AreTheSameBytesWheneverTheyAreWritten) {
  EXPECT_EQ(results_database(study_, outcomes_, summaries_), results_database(study_, outcomes_, summaries_));
}

}  // namespace
}  // namespace gputlm
