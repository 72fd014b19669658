#include "platform/lab/names_beside_points.h"

#include <gtest/gtest.h>

#include <random>

namespace gputlm {
namespace {

using Anchor = NamesBesidePoints::Anchor;
using Place = NamesBesidePoints::Place;
using Point = NamesBesidePoints::Point;

constexpr double kSize = 400;  // of the room for names
constexpr double kWidth = 40, kHeight = 12;

TEST(NamesBesidePoints, StayToTheRightWhereNothingIsInTheWay) {
  const std::vector<Point> points{{100, 100}, {100, 113}, {170, 100}};
  NamesBesidePoints names(points, kSize, kSize);
  for (const Point& point : points) {
    const Place place = names.place(point, kWidth, kHeight);
    EXPECT_EQ(place.anchor, Anchor::kLeft) << point.x << " " << point.y;
    EXPECT_FALSE(place.apart);
  }
}

TEST(NamesBesidePoints, GoToAnotherSideRatherThanIntoANameAPointOrTheEdge) {
  NamesBesidePoints before_a_name({{200, 100}, {148, 106}}, kSize, kSize);
  before_a_name.place({200, 100}, kWidth, kHeight);
  EXPECT_EQ(before_a_name.place({148, 106}, 50, kHeight).anchor, Anchor::kRight);
  NamesBesidePoints before_a_point({{100, 100}, {130, 100}}, kSize, kSize);
  EXPECT_EQ(before_a_point.place({100, 100}, kWidth, kHeight).anchor, Anchor::kRight);
  NamesBesidePoints before_the_edge({{380, 100}}, kSize, kSize);
  EXPECT_EQ(before_the_edge.place({380, 100}, kWidth, kHeight).anchor, Anchor::kRight);
}

TEST(NamesBesidePoints, GoAroundAPointThatSeveralNamesShareAndThenFartherWithALine) {
  NamesBesidePoints names({{200, 200}}, kSize, kSize);
  for (const Anchor anchor : {Anchor::kLeft, Anchor::kRight, Anchor::kMiddle, Anchor::kMiddle}) {
    const Place place = names.place({200, 200}, kWidth, kHeight);
    EXPECT_EQ(place.anchor, anchor);
    EXPECT_FALSE(place.apart);
  }
  EXPECT_TRUE(names.place({200, 200}, kWidth, kHeight).apart);
}

TEST(NamesBesidePoints, KeepClearOfALine) {
  NamesBesidePoints names({{200, 200}, {300, 200}}, kSize, kSize);
  names.keep_clear({200, 200}, {300, 200});
  EXPECT_EQ(names.place({200, 200}, kWidth, kHeight).anchor, Anchor::kRight) << "the line leaves to the right";
}

/// Names of points that crowd in a fifth of the room.
TEST(NamesBesidePoints, NeverMeet) {
  struct Box {
    double left, right, top, bottom;
  };
  for (unsigned seed = 1; seed <= 50; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> at(160, 240);
    std::vector<Point> points(12);
    for (Point& point : points) point = {at(random), at(random)};
    NamesBesidePoints names(points, kSize, kSize);
    std::vector<Box> boxes;
    for (const Point& point : points) {
      const Place place = names.place(point, kWidth, kHeight);
      const double left = place.at.x - (place.anchor == Anchor::kLeft    ? 0
                                        : place.anchor == Anchor::kRight ? kWidth
                                                                         : kWidth / 2);
      const Box box{left, left + kWidth, place.at.y - kHeight / 2, place.at.y + kHeight / 2};
      for (const Box& b : boxes)
        EXPECT_FALSE(box.left < b.right && b.left < box.right && box.top < b.bottom && b.top < box.bottom) << seed;
      for (const Point& p : points)
        EXPECT_FALSE(box.left < p.x && p.x < box.right && box.top < p.y && p.y < box.bottom) << seed;
      boxes.push_back(box);
    }
  }
}

}  // namespace
}  // namespace gputlm
