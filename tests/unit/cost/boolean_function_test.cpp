#include "testbench/cost/boolean_function.h"

#include <gtest/gtest.h>

namespace gputlm::cost {
namespace {

const std::vector<std::string> kInputs{"A", "B", "C"};

/// The table of an expression in A, B and C, as C++ writes it.
template <typename Function>
std::vector<bool> table(const Function& function) {
  std::vector<bool> rows;
  for (unsigned i = 0; i < 8; ++i) rows.push_back(function((i & 1) != 0, (i & 2) != 0, (i & 4) != 0));
  return rows;
}

TEST(BooleanFunction, KnowsEverySpellingOfAnOperator) {
  const auto nand = table([](bool a, bool b, bool) { return !(a && b); });
  for (const char* text : {"!(A B)", "(!(A*B))", "(A&B)'", "!A+!B", "A'|B'", " ! ( A & B ) ", "(A B)^1"})
    EXPECT_EQ(truth_table(text, kInputs), nand) << text;
  EXPECT_EQ(truth_table("0", kInputs), table([](bool, bool, bool) { return false; }));
  EXPECT_EQ(truth_table("A''", kInputs), table([](bool a, bool, bool) { return a; }));
}

TEST(BooleanFunction, BindsNotThenXorThenAndThenOr) {
  EXPECT_EQ(truth_table("A+B C", kInputs), table([](bool a, bool b, bool c) { return a || (b && c); }));
  EXPECT_EQ(truth_table("A B+C", kInputs), table([](bool a, bool b, bool c) { return (a && b) || c; }));
  EXPECT_EQ(truth_table("A^B C", kInputs), table([](bool a, bool b, bool c) { return (a != b) && c; }));
  EXPECT_EQ(truth_table("!A^B'", kInputs), table([](bool a, bool b, bool) { return !a != !b; }));
  EXPECT_EQ(truth_table("!A B", kInputs), table([](bool a, bool b, bool) { return !a && b; }));
}

/// An expression in full parentheses, with its table, from the digits of a number.
struct Sample {
  std::string text;
  std::vector<bool> table;
};
Sample sample(std::uint64_t& digits, int depth) {
  const auto digit = [&](unsigned base) {
    const auto value = static_cast<unsigned>(digits % base);
    digits = digits / base * 6364136223846793005ULL + 1442695040888963407ULL;
    digits ^= digits >> 29;
    return value;
  };
  if (depth == 0) {
    const unsigned input = digit(3);
    return {kInputs[input], table([&](bool a, bool b, bool c) { return input == 0 ? a : input == 1 ? b : c; })};
  }
  Sample left = sample(digits, depth - 1);
  const unsigned kind = digit(5);
  if (kind < 2) {
    left.table.flip();
    return {kind == 0 ? "!(" + left.text + ")" : "(" + left.text + ")'", left.table};
  }
  const Sample right = sample(digits, depth - 1);
  for (std::size_t i = 0; i < 8; ++i) {
    const bool a = left.table[i], b = right.table[i];
    left.table[i] = kind == 2 ? a && b : kind == 3 ? a || b : a != b;
  }
  return {"(" + left.text + ")" + (kind == 2 ? " " : kind == 3 ? "+" : "^") + "(" + right.text + ")", left.table};
}

TEST(BooleanFunction, IsWhatTheTreeOfOperatorsSays) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    std::uint64_t digits = i * 0x9e3779b97f4a7c15ULL;
    const Sample expected = sample(digits, 4);
    ASSERT_EQ(truth_table(expected.text, kInputs), expected.table) << expected.text;
  }
}

TEST(BooleanFunction, RefusesWhatIsNoExpression) {
  for (const char* text : {"", "A+", "(A", "A)", "!", "A & & B", "IQ", "A B D", "A,B", "2"})
    EXPECT_FALSE(truth_table(text, kInputs)) << text;
}

}  // namespace
}  // namespace gputlm::cost
