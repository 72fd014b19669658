#include "tlm/crew.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace gputlm {
namespace {

/// A number on a cache line of its own, so that members do not wait for each other's.
struct alignas(64) Own {
  std::uint64_t value = 0;
};

class CrewsOf : public testing::TestWithParam<unsigned> {};

TEST_P(CrewsOf, DoTheWorkOnceEachAndSeeWhatOthersHaveWrittenBeforeTheyMet) {
  const unsigned members = GetParam();
  std::vector<Own> first(members), second(members);
  std::uint64_t round = 0;  // no atomic: run() is what makes it known
  Crew* self = nullptr;
  Crew crew(members, [&](unsigned member) {
    first[member].value += round + member;
    self->meet();
    for (const Own& own : first) second[member].value += own.value;
  });
  self = &crew;
  EXPECT_EQ(crew.members(), members);
  std::uint64_t sum = 0, expected = 0;
  for (round = 1; round <= 2000; ++round) {
    crew.run();
    for (unsigned member = 0; member < members; ++member) sum += round + member;
    expected += sum;
  }
  for (const Own& own : second) EXPECT_EQ(own.value, expected);
}

INSTANTIATE_TEST_SUITE_P(Crew, CrewsOf, testing::Values(1u, 2u, 3u, 8u));

TEST(Crew, WakesMembersThatHaveFallenAsleep) {
  std::vector<Own> done(3);
  Crew crew(3, [&](unsigned member) { ++done[member].value; });
  for (unsigned round = 1; round <= 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // much longer than anybody looks
    crew.run();
    for (const Own& own : done) ASSERT_EQ(own.value, round);
  }
}

TEST(Crew, WaitsForAMemberThatTakesLong) {
  std::vector<Own> done(2);
  Crew crew(2, [&](unsigned member) {
    if (member == 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ++done[member].value;
  });
  for (unsigned round = 1; round <= 3; ++round) {
    crew.run();
    ASSERT_EQ(done[1].value, round);
  }
}

TEST(Crew, MayHaveNothingToDo) {
  Crew(4, [](unsigned) {});
}

}  // namespace
}  // namespace gputlm
