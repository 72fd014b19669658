// The papers' numbers by key, each with its place in the paper.

#include "platform/lab/figure.h"

#include <gtest/gtest.h>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr const char* kPaper = R"(
bandwidth:
  place: table 2
  hist: 0.50
  deeper:
    gups: 0.93
    elsewhere: {place: section 5, bfs: 79}
order: {place: figure 5, fr_fcfs: 0 1 2}
)";

TEST(Reference, FindsAValueByKeyWithItsPlace) {
  const Reference paper(kPaper, "paper.yaml");
  EXPECT_EQ(paper.text("bandwidth.hist"), "0.50");
  EXPECT_DOUBLE_EQ(paper.number("bandwidth.hist"), 0.5);
  EXPECT_EQ(paper.place("bandwidth.hist"), "table 2");
  EXPECT_EQ(paper.place("bandwidth.deeper.gups"), "table 2");
  EXPECT_EQ(paper.place("bandwidth.deeper.elsewhere.bfs"), "section 5");
  EXPECT_DOUBLE_EQ(paper.number("bandwidth.deeper.elsewhere.bfs"), 79);
  EXPECT_EQ(paper.text("order.fr_fcfs"), "0 1 2");
  EXPECT_EQ(paper.keys().size(), 4u);
}

TEST(Reference, RefusesAKeyThatIsNotThereAndATextForANumber) {
  const Reference paper(kPaper, "paper.yaml");
  EXPECT_THROW(paper.at("bandwidth.hits"), std::logic_error);
  EXPECT_THROW(paper.at("bandwidth"), std::logic_error);
  EXPECT_THROW(paper.number("order.fr_fcfs"), std::logic_error);
  EXPECT_THROW(reference("no-such-paper"), std::logic_error);
}

TEST(Reference, RefusesAValueWithoutAPlace) {
  try {
    const Reference paper("a: {place: table 1, b: 1}\nc: 2\n", "paper.yaml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("paper.yaml:2"), std::string::npos) << error.what();
  }
}

TEST(Reference, OfEveryPaperThatIsCompiledInCanBeRead) {
  EXPECT_FALSE(reference_sources().empty());
  for (const PresetSource& source : reference_sources()) {
    const Reference paper(source.yaml, source.name);
    for (const std::string& key : paper.keys()) EXPECT_FALSE(paper.place(key).empty()) << source.name << ": " << key;
  }
}

}  // namespace
}  // namespace gputlm
