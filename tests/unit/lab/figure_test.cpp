// The criteria of agreement: bands have two sides.

#include "platform/lab/figure.h"

#include <gtest/gtest.h>

namespace gputlm {
namespace {

bool agrees(const Band& band, const Quantity& paper, double ours) {
  return band.agrees(paper, Quantity::number(ours, 2));
}

TEST(Quantity, IsShownWithItsDigitsAndKeepsItsValue) {
  EXPECT_EQ(Quantity::number(1.0 / 3, 2).text(), "0.33");
  EXPECT_DOUBLE_EQ(*Quantity::number(1.0 / 3, 2).number(), 1.0 / 3);
  EXPECT_EQ(Quantity("[0, 1]").text(), "[0, 1]");
  EXPECT_FALSE(Quantity("[0, 1]").number());
}

TEST(Band, WithinADifferenceOfThePapersNumberToBothSides) {
  const Quantity paper = Quantity::number(0.5, 2);
  const Band band = Band::within(0.03);
  EXPECT_EQ(band.name(), "within 0.03");
  EXPECT_TRUE(agrees(band, paper, 0.5));
  EXPECT_TRUE(agrees(band, paper, 0.471));
  EXPECT_TRUE(agrees(band, paper, 0.529));
  EXPECT_FALSE(agrees(band, paper, 0.469));
  EXPECT_FALSE(agrees(band, paper, 0.531));
}

TEST(Band, WithinAShareOfThePapersNumberToBothSides) {
  const Quantity paper = Quantity::number(200, 0);
  const Band band = Band::within_share(0.1);
  EXPECT_EQ(band.name(), "within 10 %");
  EXPECT_TRUE(agrees(band, paper, 181));
  EXPECT_TRUE(agrees(band, paper, 219));
  EXPECT_FALSE(agrees(band, paper, 179));
  EXPECT_FALSE(agrees(band, paper, 221));
}

TEST(Band, OfARangeHoldsItsEnds) {
  const Band band = Band::range(0.9, 1.1, 1);
  EXPECT_EQ(band.name(), "0.9 to 1.1");
  EXPECT_TRUE(agrees(band, "1", 0.9));
  EXPECT_TRUE(agrees(band, "1", 1.1));
  EXPECT_FALSE(agrees(band, "1", 0.89));
  EXPECT_FALSE(agrees(band, "1", 1.11));
}

TEST(Band, AboveAndBelowDoNotHoldTheirBound) {
  EXPECT_TRUE(agrees(Band::above(1), "-", 1.001));
  EXPECT_FALSE(agrees(Band::above(1), "-", 1));
  EXPECT_TRUE(agrees(Band::below(1), "-", 0.999));
  EXPECT_FALSE(agrees(Band::below(1), "-", 1));
}

TEST(Band, ExactComparesWhatIsShown) {
  EXPECT_TRUE(Band::exact().agrees("[0, 1]", "[0, 1]"));
  EXPECT_FALSE(Band::exact().agrees("[0, 1]", "[1, 0]"));
  EXPECT_TRUE(Band::exact().agrees("2.00", Quantity::number(2.001, 2)));
}

TEST(Band, OnNumbersRefusesAText) {
  EXPECT_THROW(Band::within(1).agrees("many", Quantity::number(1, 0)), std::logic_error);
  EXPECT_THROW(Band::above(1).agrees("-", "few"), std::logic_error);
}

}  // namespace
}  // namespace gputlm
