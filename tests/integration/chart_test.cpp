// Charts of the tables of runs.

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/integration/program.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Options = std::vector<std::string>;

/// Without gnuplot the script stands there in the place of the picture.
class ChartOfATable : public testing::Test {
 protected:
  Outcome chart(const std::string& table, const Options& options) {
    Options all{"chart", folder_.write("t.csv", table), "-o", folder_.path("c.svg")};
    all.insert(all.end(), options.begin(), options.end());
    return run_program(all, "", [] { setenv("PATH", "/nowhere", 1); });
  }
  std::string script() const { return read_file(folder_.path("c.gnuplot")); }

  TestFolder folder_;
};

TEST_F(ChartOfATable, HasAPanelAndALineForEachValueAndEachColumn) {
  ASSERT_EQ(chart("scheme,load,analysis,simulation\nfifo,0.1,1,1\nfifo,0.2,0.5,0.75\nlevels,0.1,1,1\n",
                  {"-x", "load", "-y", "analysis", "-y", "simulation", "--facet", "scheme", "--y-axis", "share"})
                .code,
            0);
  EXPECT_THAT(script(),
              AllOf(HasSubstr("\n0.1 1\n0.2 0.5\nEND"), HasSubstr("\n0.1 1\n0.2 0.75\nEND"), HasSubstr("'load, fifo'"),
                    HasSubstr("'load, levels'"), HasSubstr("set ylabel 'share'"), HasSubstr("title 'simulation'")));
  ASSERT_EQ(
      chart("way,requests,us\na,few,1\nb,few,2\na,many,3\n", {"-x", "requests", "-y", "us", "--group", "way"}).code, 0);
  EXPECT_THAT(script(),
              AllOf(HasSubstr("set xtics ('few' 0, 'many' 1)"), HasSubstr("title 'a'"), HasSubstr("title 'b'")));
}

TEST_F(ChartOfATable, HasNamesBesideItsPoints) {
  ASSERT_EQ(chart("way,kind,hogs,tail\na,free,50,2\nb,gates,50,2\nc,free,90,40\n",
                  {"-x", "hogs", "-y", "tail", "--group", "kind", "--names", "way"})
                .code,
            0);
  EXPECT_THAT(script(), AllOf(HasSubstr("\n50 2\n90 40\nEND"), HasSubstr("set label 'a'"), HasSubstr("set label 'b'"),
                              HasSubstr("set logscale y"), HasSubstr("title 'gates'")));
}

TEST_F(ChartOfATable, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(chart("a,b\n1,2\n1,x\n", {"-x", "a", "-y", "b"}).err,
              HasSubstr("t.csv:3: b: found 'x', allowed: a number"));
  EXPECT_THAT(chart("a,b\n1,2\n", {"-x", "a", "-y", "c"}).err, HasSubstr("t.csv:1: has no column 'c', allowed: a, b"));
  EXPECT_THAT(chart("a,b\n0,2\n", {"-x", "a", "-y", "b", "--doubling"}).err,
              HasSubstr("t.csv:2: a: found '0', allowed with --doubling: a number above 0"));
  EXPECT_EQ(chart("a,b\n0,2\n", {"-x", "a"}).code, 2);
  EXPECT_THAT(run_program({"chart", folder_.path("t.csv"), "-x", "a", "-y", "b", "-o", "c.gif"}).err,
              HasSubstr("found 'c.gif', allowed: a file that ends in .svg, .pdf, .png"));
}

/// Results of a sweep of two schedulers, two workloads and three seeds.
constexpr const char* kRuns =
    "scheduler,workload,seed,cycles,ipc\n"
    "lrr,a,1,10,1\nlrr,a,2,12,2\nlrr,a,3,14,3\nlrr,b,1,20,4\nlrr,b,2,20,4\nlrr,b,3,20,4\n"
    "gto,a,1,5,2\ngto,a,2,5,2\ngto,a,3,8,2\ngto,b,1,30,3\ngto,b,2,30,3\ngto,b,3,30,3\n";

TEST_F(ChartOfATable, RefusesSeveralValuesAtOnePlaceAndSaysWhatTellsThemApart) {
  const Outcome outcome = chart(kRuns, {"-x", "workload", "-y", "cycles", "--group", "scheduler"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("found 3 values of 'lrr' at workload=a, apart by seed, ipc; allowed: one; --group, "
                        "--facet or --where COLUMN=VALUE tell them apart, --mean draws their mean"));
  EXPECT_EQ(chart(kRuns, {"-x", "workload", "-y", "cycles", "--group", "scheduler", "--where", "seed=2"}).code, 0);
  EXPECT_THAT(script(), AllOf(HasSubstr("\n0 12\n1 20\nEND"), HasSubstr("\n0 5\n1 30\nEND")));
}

TEST_F(ChartOfATable, DrawsMeansWithTheirIntervals) {
  ASSERT_EQ(chart(kRuns, {"-x", "workload", "-y", "cycles", "--group", "scheduler", "--mean"}).code, 0);
  // Student's t of two degrees of freedom: 4.302653; of 10, 12 and 14 the deviation is 2.
  EXPECT_THAT(script(), AllOf(HasSubstr("\n0 12 7.0317"), HasSubstr("16.968"), HasSubstr("with vectors heads")));
  ASSERT_EQ(
      chart("w,mean,low,high\na,3,2,5\nb,4,,\n", {"-x", "w", "-y", "mean", "--low", "low", "--high", "high"}).code, 0);
  EXPECT_THAT(script(), AllOf(HasSubstr("\n0 3 2 5\n"), HasSubstr("with vectors heads")));
  EXPECT_EQ(chart("w,mean,low\na,3,2\n", {"-x", "w", "-y", "mean", "--low", "low"}).code, 2);
}

TEST_F(ChartOfATable, RefusesColumnsOfDifferentUnitsOnOneAxis) {
  EXPECT_THAT(
      chart(kRuns, {"-x", "seed", "-y", "cycles", "-y", "ipc", "--where", "workload=a", "--group", "scheduler"}).err,
      HasSubstr("--y: found cycles (core cycles) and ipc (warp instructions a core cycle) on one axis, allowed: "
                "one unit; a chart for each"));
  const std::string metrics = "metric,mean\ncycles,1\nipc,2\n";
  EXPECT_THAT(chart(metrics, {"-x", "metric", "-y", "mean"}).err, HasSubstr("--where metric=NAME chooses one"));
  EXPECT_EQ(chart(metrics, {"-x", "metric", "-y", "mean", "--facet", "metric"}).code, 0);
  EXPECT_EQ(chart(metrics, {"-x", "metric", "-y", "mean", "--where", "metric=ipc"}).code, 0);
  EXPECT_THAT(script(), HasSubstr("set ylabel 'mean of ipc (warp instructions a core cycle)'"));
}

TEST_F(ChartOfATable, HasBarsBesideEachOther) {
  ASSERT_EQ(chart(kRuns, {"--form", "bars", "-x", "workload", "-y", "cycles", "--group", "scheduler", "--mean"}).code,
            0);
  EXPECT_THAT(script(), AllOf(HasSubstr("-0.384 -0.016 0 12\n0.616 0.984 0 20\nEND"), HasSubstr("0.016 0.384 0 6\n"),
                              HasSubstr("set xrange [-0.5:1.5]"), HasSubstr("set xtics ('a' 0, 'b' 1)")));
}

TEST_F(ChartOfATable, HasTheShareOfValuesUpToEach) {
  ASSERT_EQ(chart(kRuns, {"--form", "cdf", "-y", "cycles", "--group", "scheduler", "--where", "workload=a"}).code, 0);
  EXPECT_THAT(script(), AllOf(HasSubstr("\n5 0\n5 0.666666666667\n8 1\nEND"), HasSubstr("with steps"),
                              HasSubstr("set xlabel 'cycles (core cycles)'")));
  ASSERT_EQ(chart("a_cycles,b_cycles\n1,2\n", {"--form", "cdf", "-y", "a_cycles", "-y", "b_cycles"}).code, 0);
  EXPECT_THAT(script(), HasSubstr("set xlabel 'core cycles'"));
  EXPECT_EQ(chart(kRuns, {"--form", "cdf", "-y", "cycles", "-x", "seed"}).code, 2);
}

TEST_F(ChartOfATable, StandsLongNamesUprightAndShortensLongerOnes) {
  std::string table = "name,v\n";
  for (int i = 0; i < 20; ++i) table += "a_rather_long_name_of_a_workload_" + std::to_string(i) + ",1\n";
  ASSERT_EQ(chart(table, {"-x", "name", "-y", "v"}).code, 0);
  EXPECT_THAT(script(), HasSubstr("set xtics rotate by 90 right ('a_rather_long_name_of_a_workload_0' 0"));
  ASSERT_EQ(chart("name,v\n" + std::string(300, 'x') + ",1\n", {"-x", "name", "-y", "v"}).code, 0);
  EXPECT_THAT(script(), testing::Not(HasSubstr(std::string(60, 'x'))));
  std::string many = "name,v\n";
  for (int i = 0; i < 61; ++i) many += "n" + std::to_string(i) + ",1\n";
  EXPECT_THAT(chart(many, {"-x", "name", "-y", "v"}).err,
              HasSubstr("name: found 61 names along the axis, allowed: 60"));
}

TEST(Chart, IsAPictureOfTheKindThatItsNameSays) {
  if (run_program({"--version"}).code != 0 || std::system("gnuplot --version > /dev/null 2>&1") != 0) GTEST_SKIP();
  const TestFolder folder;
  const std::string table = folder.write("t.csv", kRuns);
  const auto start = [&](const std::string& name) {
    const Outcome outcome = run_program({"chart", table, "--form", "bars", "-x", "workload", "-y", "cycles", "--group",
                                         "scheduler", "--mean", "-o", folder.path(name)});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_file(folder.path(name)).substr(0, 5);
  };
  EXPECT_EQ(start("c.svg"), "<?xml");
  EXPECT_EQ(start("c.pdf"), "%PDF-");
  EXPECT_EQ(start("c.png"), "\x89PNG\r");
}

}  // namespace
}  // namespace gputlm
