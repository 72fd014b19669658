#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <regex>

#include "platform/lab/chart.h"
#include "tests/support/test_folder.h"
#include "tlm/base/error.h"
#include "tlm/base/tools/tool.h"

namespace gputlm {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), expression), std::sregex_iterator()));
}

/// Rectangles of bars and boxes: left, right, bottom, top.
std::size_t rectangles(const std::string& script) {
  return count(script, "\n[-0-9.]+ [-0-9.]+ [-0-9.]+ [-0-9.]+(?=\n)");
}

BarChart bars(std::size_t groups, const std::string& name = "group") {
  BarChart chart{"time (ms)", {{"one", ""}, {"two", ""}}, {}};
  for (std::size_t g = 0; g < groups; ++g) chart.groups.push_back({name, {1, 2}});
  return chart;
}

/// PATH for the length of a test.
class Path {
 public:
  explicit Path(const std::string& folders) : before_(std::getenv("PATH")) { setenv("PATH", folders.c_str(), 1); }
  ~Path() { setenv("PATH", before_.c_str(), 1); }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

 private:
  std::string before_;
};

TEST(Chart, HasABarForEveryValueAndALegendForEverySeries) {
  const std::string script = gnuplot_script(bars(3), "x.svg");
  EXPECT_EQ(rectangles(script), 6u);
  EXPECT_EQ(count(script, " title '"), 2u);
  EXPECT_THAT(script, HasSubstr("set ylabel 'time (ms)'"));
  EXPECT_THAT(script, HasSubstr("set output 'x.svg'"));
}

TEST(Chart, BarsBeginAtZeroAndEndAtTheirValues) {
  const std::string script = gnuplot_script(BarChart{"", {{"s", ""}}, {{"a", {8}}, {"b", {4}}}}, "x.svg");
  EXPECT_EQ(count(script, " 0 8\n"), 1u);
  EXPECT_EQ(count(script, " 0 4\n"), 1u);
  EXPECT_THAT(script, HasSubstr("set yrange [0:8.32]"));
}

TEST(Chart, PartsOfABarStandOnEachOther) {
  const std::string script = gnuplot_script(
      StackedBarChart{"share", {{"s", ""}, {"t", ""}}, {{"g", {{"a", {0.25, 0.5}}, {"b", {1, 0}}}}}}, "x");
  EXPECT_EQ(count(script, " 0 0.25\n"), 1u);
  EXPECT_EQ(count(script, " 0.25 0.75\n"), 1u);
  EXPECT_THAT(script, HasSubstr("set label 'g'"));
}

TEST(Chart, BarsThatWouldBeTooWideGoOnBelow) {
  EXPECT_EQ(count(gnuplot_script(bars(50), "x"), "\nset xtics \\S+ scale 0|\nset xtics rotate"), 1u);
  const std::string script = gnuplot_script(bars(100), "x");
  EXPECT_EQ(count(script, "\nset xtics \\S+ scale 0|\nset xtics rotate"), 2u);
  EXPECT_EQ(rectangles(script), 200u);
  EXPECT_EQ(count(script, "\nset key at"), 1u);  // one legend
}

TEST(Chart, NamesThatAreWiderThanTheirGroupsStandUpright) {
  EXPECT_THAT(gnuplot_script(bars(20, "a name of 24 characters"), "x"), HasSubstr("rotate by 90"));
  EXPECT_THAT(gnuplot_script(bars(20, "a"), "x"), Not(HasSubstr("rotate by 90")));
}

TEST(Chart, LinesHaveAPointForEveryValueAndAMarkOfTheirOwn) {
  LineChart::Panel panel{"x", "y"};
  panel.lines = {{"s", {{1, 0.5}, {2, -1}}}, {"t", {{2, 0.25}}}};
  const std::string script = gnuplot_script(LineChart{"title", {panel, panel}}, "x");
  EXPECT_EQ(count(script, "\n1 0.5\n2 -1\nEND"), 2u);
  EXPECT_EQ(count(script, "pointtype 7"), 2u);
  EXPECT_EQ(count(script, "pointtype 5"), 2u);
  EXPECT_THAT(script, HasSubstr("set label 'title'"));
}

TEST(Chart, PanelsGoOnBelowAfterThree) {
  const auto size = [](std::size_t panels) {
    const std::string script = gnuplot_script(LineChart{"", std::vector<LineChart::Panel>(panels, {"x", "y"})}, "x");
    std::smatch found;
    std::regex_search(script, found, std::regex(" size (\\d+),(\\d+) "));
    return std::pair(std::stoi(found[1]), std::stoi(found[2]));
  };
  EXPECT_GT(size(3).first, size(2).first);
  EXPECT_EQ(size(3).second, size(2).second);
  EXPECT_EQ(size(5).first, size(3).first);
  EXPECT_GT(size(4).second, 1.8 * size(3).second);
  EXPECT_EQ(size(4), size(6));
  EXPECT_LT(size(3).first, 1400) << "a page's width";
}

TEST(Chart, ATimelineCutsBoxesAtItsEnds) {
  TimelineChart chart{"cycle", 10, 20, {{"s", ""}}, {{"band", {"a", "b"}}}, {}};
  chart.boxes = {{0, 0, 0, 5, 12}, {0, 1, 0, 18, 30}, {0, 0, 0, 1, 10}, {0, 0, 0, 20, 22}};
  const std::string script = gnuplot_script(chart, "x");
  EXPECT_EQ(rectangles(script), 2u);
  EXPECT_EQ(count(script, "\n10 12 "), 1u);
  EXPECT_EQ(count(script, "\n18 20 "), 1u);
}

TEST(Chart, NamesCannotBecomeCommands) {
  BarChart chart = bars(1, "it's 50%\n; exit");
  chart.series[0].name = "a'; exit; 'b";
  const std::string script = gnuplot_script(chart, "x");
  EXPECT_THAT(script, HasSubstr("'it''s 50%% ; exit'"));
  EXPECT_THAT(script, HasSubstr("title 'a''; exit; ''b'"));
}

class DrawnChart : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v gnuplot >/dev/null") != 0) GTEST_SKIP() << "gnuplot is not installed (gnuplot-nox)";
  }
  std::string draw(const Chart& chart) {
    write_chart(folder_.path("chart.svg"), chart);
    return tools::read_file(folder_.path("chart.svg"));
  }
  TestFolder folder_;
};

TEST_F(DrawnChart, ShowsNamesAsTheyAre) {
  const std::string tricky = "a_b^{c} \"q\" 'r' <s> & \\n 50% %g $x `ls` ü #";
  BarChart chart = bars(2, tricky);
  chart.series[0].name = tricky;
  chart.y_axis = tricky;
  const std::string svg = draw(chart);
  EXPECT_EQ(count(svg, "a_b\\^\\{c\\} \"q\" 'r' &lt;s> &amp; \\\\n 50% %g \\$x `ls` ü #"), 4u);
}

TEST_F(DrawnChart, IsTheSameBytesEachTime) {
  const std::string svg = draw(bars(3));
  EXPECT_EQ(svg, draw(bars(3)));
  EXPECT_THAT(svg, testing::EndsWith("</svg>\n\n"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("chart.gnuplot")));
}

TEST(Chart, AScatterHasEveryPointAndTheDiagonal) {
  const std::string script = gnuplot_script(ScatterChart{"measured", "model", "kernels", {{1, 2}, {100, 90}}}, "x.svg");
  EXPECT_THAT(script, HasSubstr("set logscale xy"));
  EXPECT_THAT(script, HasSubstr("\n1 2\n100 90\n"));
  EXPECT_THAT(script, HasSubstr(" title 'equal'"));
}

TEST_F(DrawnChart, OfNothingIsAPicture) {
  LineChart::Panel panel{"x", "y"};
  EXPECT_THAT(draw(BarChart{}), HasSubstr("</svg>"));
  EXPECT_THAT(draw(StackedBarChart{"", {{"s", ""}}, {}}), HasSubstr("</svg>"));
  EXPECT_THAT(draw(LineChart{}), HasSubstr("</svg>"));
  EXPECT_THAT(draw(LineChart{"", {panel}}), HasSubstr("</svg>"));
  panel.doubling = true;
  panel.lines = {{"one point", {{4, 0}}}, {"none", {}}};
  EXPECT_THAT(draw(LineChart{"", {panel}}), HasSubstr("</svg>"));
  EXPECT_THAT(draw(ScatterChart{}), HasSubstr("</svg>"));
  EXPECT_THAT(draw(TimelineChart{"", 0, 1, {{"s", ""}}, {}, {}}), HasSubstr("</svg>"));
}

TEST(UndrawnChart, LeavesItsScriptAndSaysWhichPackageIsMissing) {
  const TestFolder folder;
  const std::string svg = folder.write("chart.svg", "<svg><title>Gnuplot</title>of an earlier run</svg>");
  testing::internal::CaptureStderr();
  {
    const Path path(folder.path());
    write_chart(svg, bars(1));
  }
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::AllOf(HasSubstr("chart.svg was not drawn"), HasSubstr("apt-get install gnuplot-nox")));
  EXPECT_FALSE(std::filesystem::exists(svg));
  EXPECT_EQ(tools::read_file(folder.path("chart.gnuplot")), gnuplot_script(bars(1), svg));
}

TEST(UndrawnChart, RemovesNoPictureOfAUser) {
  const TestFolder folder;
  const std::string svg = folder.write("chart.svg", "<svg>drawn by hand</svg>");
  testing::internal::CaptureStderr();
  {
    const Path path(folder.path());
    write_chart(svg, bars(1));
  }
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(tools::read_file(svg), "<svg>drawn by hand</svg>");
}

TEST(UndrawnChart, SaysWhatGnuplotSaid) {
  const TestFolder folder;
  chmod(folder.write("gnuplot", "#!/bin/sh\necho 'no such terminal'; exit 1\n").c_str(), 0755);
  testing::internal::CaptureStderr();
  {
    const Path path(folder.path());
    write_chart(folder.path("chart.svg"), bars(1));
  }
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("gnuplot failed (exit code 1): no such terminal"));
}

TEST(UndrawnChart, AFileThatCannotBeWrittenIsAnError) {
  const TestFolder folder;
  EXPECT_THROW(write_chart(folder.path("none/chart.svg"), bars(1)), InputError);
}

}  // namespace
}  // namespace gputlm
