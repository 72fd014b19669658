#include "tlm/base/field.h"

#include <gtest/gtest.h>

namespace gputlm {
namespace {

TEST(Field, AllowsTheNumbersOfItsRangeThatHaveItsShape) {
  const Field any{"n", "", "", 2, 64};
  EXPECT_TRUE(any.allows(2) && any.allows(3) && any.allows(64));
  EXPECT_FALSE(any.allows(1) || any.allows(65));
  const Field power{"n", "", "", 0, 64, {}, "", Field::Shape::kPowerOfTwo};
  EXPECT_TRUE(power.allows(1) && power.allows(64));
  EXPECT_FALSE(power.allows(0) || power.allows(3) || power.allows(128));
  const Field multiple{"n", "", "", 32, 100, {}, "", Field::Shape::kMultipleOf32};
  EXPECT_TRUE(multiple.allows(32) && multiple.allows(96));
  EXPECT_FALSE(multiple.allows(0) || multiple.allows(48) || multiple.allows(128));
}

TEST(Field, SaysItsRangeWithUnitAndShape) {
  EXPECT_EQ((Field{"n", "", "", 1, 8}).range(), "1 to 8");
  EXPECT_EQ((Field{"n", "banks", "", 1, 8, {}, "", Field::Shape::kPowerOfTwo}).range(), "1 to 8 banks, a power of two");
  EXPECT_EQ((Field{"n", "", "", 0, 64, {}, "", Field::Shape::kMultipleOf32}).range(), "0 to 64, a multiple of 32");
  EXPECT_FALSE((Field{"n"}).is_number());
}

TEST(Field, WritesItsDefaultAsAUserWould) {
  const auto text = [](const FieldValue& value) { return Field{"n", "", "", 0, 0, value}.default_text(); };
  EXPECT_EQ(text(7u), "7");
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text(2.0), "2");
  EXPECT_EQ(text(true), "true");
  EXPECT_EQ(text(std::string("even")), "even");
  EXPECT_EQ((Field{"n"}).default_text(), "");
  EXPECT_EQ((Field{"n", "", "", 0, 9, 7u}).default_number(), 7u);
  EXPECT_EQ((Field{"n"}).default_number(), 0u);
}

}  // namespace
}  // namespace gputlm
