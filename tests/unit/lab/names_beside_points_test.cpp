#include "platform/lab/names_beside_points.h"

#include <gtest/gtest.h>

namespace gputlm {
namespace {

using Side = NamesBesidePoints::Side;

TEST(NamesBesidePoints, GoAroundAPointThatSeveralNamesShare) {
  NamesBesidePoints names;
  for (const Side side : {Side::kRight, Side::kLeft, Side::kAbove, Side::kBelow})
    EXPECT_EQ(names.place(100, 100, 40, 12), side);
  EXPECT_EQ(names.place(100, 100, 40, 12), Side::kRight) << "no side is left";
}

TEST(NamesBesidePoints, StayToTheRightWhereNothingIsInTheWay) {
  NamesBesidePoints names;
  EXPECT_EQ(names.place(100, 100, 40, 12), Side::kRight);
  EXPECT_EQ(names.place(100, 113, 40, 12), Side::kRight) << "below it";
  EXPECT_EQ(names.place(148, 100, 40, 12), Side::kRight) << "behind it";
  EXPECT_EQ(names.place(60, 106, 50, 12), Side::kLeft) << "it would reach into the first";
}

}  // namespace
}  // namespace gputlm
