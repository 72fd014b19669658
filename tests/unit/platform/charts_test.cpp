#include "platform/lab/charts.h"

#include <gtest/gtest.h>

#include <string>

namespace gputlm {
namespace {

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

/// Beside the background there is a rectangle a bar, and one a series in the legend.
TEST(Charts, HaveABarForEveryValue) {
  const std::string picture =
      svg(BarChart{"time", {{"one", "#111"}, {"two", "#222"}}, {{"a", {1, 2}}, {"b", {3, 4}}, {"c", {0, 0.5}}}});
  EXPECT_EQ(count(picture, "<rect"), 1u + 2u + 6u);
  EXPECT_EQ(count(picture, "fill=\"#222\""), 1u + 3u);
  EXPECT_NE(picture.find(">time</text>"), std::string::npos);
  EXPECT_EQ(picture.rfind("</svg>\n"), picture.size() - 7);
}

/// The axis ends at a round number above the largest value; bars are to that scale: half of it is half the height.
TEST(Charts, DrawToScale) {
  const std::string picture = svg(BarChart{"", {{"s", "#111"}}, {{"a", {8}}, {"b", {4}}}});
  EXPECT_NE(picture.find("height=\"220.0\""), std::string::npos);
  EXPECT_NE(picture.find("height=\"110.0\""), std::string::npos);
}

TEST(Charts, NamesThatAreWiderThanTheirGroupsStandUpright) {
  BarChart chart{"", {{"s", "#111"}}, {{"a name of 24 characters", {8}}, {"another", {4}}}, 4};
  EXPECT_EQ(count(svg(chart), "rotate(-90)\" text-anchor=\"end\""), 2u);
  chart.bar = 160;
  EXPECT_EQ(count(svg(chart), "rotate(-90)\" text-anchor=\"end\""), 0u);
}

TEST(Charts, HaveAPointForEveryValueAndALineASeries) {
  const std::string picture =
      svg(LineChart{"x", "y", {{"s", "#111"}, {"t", "#222"}}, {{"1", {1, 0}}, {"2", {0.5, 1}}}});
  EXPECT_EQ(count(picture, "<circle"), 4u);
  EXPECT_EQ(count(picture, "<polyline"), 2u);
}

TEST(Charts, OfNothingArePictures) {
  EXPECT_NE(svg(BarChart{}).find("</svg>"), std::string::npos);
  EXPECT_NE(svg(LineChart{"", "", {{"s", "#111"}}, {{"1", {0}}}}).find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace gputlm
