#include "tlm/base/registry.h"

#include <gmock/gmock.h>

namespace gputlm {
namespace {

using testing::ElementsAre;

struct Tool : Registered {
  Tool(std::string tool, unsigned place, int of_size) : Registered{std::move(tool), place}, size(of_size) {}
  explicit Tool(std::string tool) : Registered{std::move(tool)} {}
  int size = 0;
};

Registry<Tool>& tools() {
  static Registry<Tool> all("tools");
  return all;
}

// As files do it, which know nothing of each other.
GPUTLM_REGISTER { tools().add({"saw", 2, 30}); }
GPUTLM_REGISTER { tools().add({"plane", 2, 20}); }
GPUTLM_REGISTER { tools().add({"hammer", 1, 10}); }
GPUTLM_REGISTER { tools().add(Tool("awl")); }

TEST(Registry, HoldsWhatFilesHaveRegisteredByRankAndThenByName) {
  EXPECT_THAT(tools().names(), ElementsAre("hammer", "plane", "saw", "awl"));
  EXPECT_EQ(tools().size(), 4u);
}

TEST(Registry, FindsAnEntryByItsName) {
  EXPECT_EQ(tools().at("saw").size, 30);
  EXPECT_EQ(tools().find("axe"), nullptr);
}

TEST(Registry, AnUnknownNameIsAnErrorThatListsThoseThereAre) {
  try {
    tools().at("axe");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "tools: found 'axe', allowed are hammer, plane, saw, awl");
  }
}

TEST(Registry, ANameIsRegisteredOnce) {
  Registry<Tool> two("tools");
  two.add(Tool("saw"));
  try {
    two.add({"saw", 1, 1});
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "tools: 'saw' is registered twice");
  }
}

TEST(Registry, EntriesStayWhereTheyAre) {
  Registry<Tool> two("tools");
  const Tool* const first = &two.add({"saw", 5, 1});
  for (unsigned i = 0; i < 100; ++i) two.add({"tool " + std::to_string(i), i % 10, 0});
  EXPECT_EQ(two.find("saw"), first);
}

TEST(Registration, RunsOnceAndThrowsWhereItIsAskedFor) {
  tools().names();  // nothing is waiting
  static int runs = 0;
  const Registration counts([] { ++runs; });
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(Registration::run_pending(), 1u);
  EXPECT_EQ(Registration::run_pending(), 0u);
  EXPECT_EQ(runs, 1);
  const Registration again([] { tools().add(Tool("saw")); });
  EXPECT_THROW(tools().names(), InputError);
  EXPECT_EQ(tools().size(), 4u);
}

TEST(Registration, CanBeDropped) {
  const Registration never([] { FAIL(); });
  Registration::drop_pending();
  EXPECT_EQ(Registration::run_pending(), 0u);
}

}  // namespace
}  // namespace gputlm
