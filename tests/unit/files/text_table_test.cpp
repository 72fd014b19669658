#include "platform/files/table.h"

#include <gtest/gtest.h>

namespace gputlm {
namespace {

using Form = Column::Form;

const std::string kWords =
    "A sentence that is much longer than what is left of the line when the other columns have "
    "had what they take";

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  return longest;
}

TEST(Table, HasColumnsTwoSpacesApartAndNumbersToTheRight) {
  EXPECT_EQ(table({{"name"}, {"count", Form::kNumber}, {"what"}}, {{"a", "1000000", "x"}, {"longer", "2", ""}}),
            "name      count  what\n"
            "a       1000000  x\n"
            "longer        2\n");
}

TEST(Table, PutsTextThatIsTooLongIntoMoreLines) {
  const std::string text = table({{"key", Form::kKey}, {"description"}}, {{"sm.warps", kWords}, {"sms", "few"}});
  EXPECT_LE(longest_line(text), kTextWidth);
  EXPECT_EQ(text,
            "key       description\n"
            "sm.warps  A sentence that is much longer than what is left of the line when the other columns have\n"
            "          had what they take\n"
            "sms       few\n");
}

TEST(Table, GivesALongKeyALineOfItsOwn) {
  const std::string key(50, 'k'), text = table({{"key", Form::kKey}, {"description"}}, {{key, kWords}, {"k", "few"}});
  EXPECT_LE(longest_line(text), kTextWidth);
  EXPECT_NE(text.find("\n" + key + "\n" + std::string(32, ' ') + "A sentence"), std::string::npos) << text;
}

TEST(Table, LeavesOutTheMiddleOfNamesButNeverADigit) {
  const std::string name = std::string(150, 'n') + "#17", number(60, '7');
  const std::string text = table({{"kernel", Form::kName}, {"end", Form::kNumber}}, {{name, number}});
  EXPECT_LE(longest_line(text), kTextWidth);
  EXPECT_NE(text.find("nnn...nnn"), std::string::npos) << text;
  EXPECT_NE(text.find("#17  " + number), std::string::npos) << text;
}

TEST(Table, SharesWhatIsLeftBetweenTwoTextsAndIndentsTheFirst) {
  const std::string text = table({{"a"}, {"b"}}, {{kWords, "short"}, {kWords, kWords}});
  EXPECT_LE(longest_line(text), kTextWidth);
  EXPECT_NE(text.find("\n  "), std::string::npos) << text;
  EXPECT_NE(text.find("  A sentence"), std::string::npos) << "of the second column in the third row: " << text;
}

TEST(Table, CountsCharactersNotBytes) {
  EXPECT_EQ(table({{"a"}, {"b"}}, {{"\u00e4\u00f6", "x"}, {"abc", "y"}}), "a    b\n\u00e4\u00f6   x\nabc  y\n");
  EXPECT_EQ(abridged("\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc", 5), "\u00e4...\u00fc");
}

TEST(MarkdownTable, HidesBars) { EXPECT_EQ(markdown_table({{"a"}}, {{"x|y"}}), "| a |\n|---|\n| x\\|y |\n"); }

TEST(Wrapped, KeepsWordsWhole) {
  EXPECT_EQ(wrapped("one two  three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("unbreakable", 3), std::vector<std::string>{"unbreakable"});
}

}  // namespace
}  // namespace gputlm
