#include "models/policy/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/policy/tally.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::FieldsAre;
using testing::IsEmpty;

/// A decision of the test's own: which of two doors.
class Door : public PolicyObject {
 public:
  virtual unsigned open() = 0;
  static std::unique_ptr<Door> guarded(std::unique_ptr<Door> door, const PolicySeam&) { return door; }
};
struct DoorSetup {
  unsigned doors = 2;
  PolicyOptions options = {};
};
ObjectDecision<Door, DoorSetup>& door_orders() {
  static ObjectDecision<Door, DoorSetup> all("door", 1000, "house.door");
  return all;
}

class First final : public Door {
 public:
  unsigned open() override { return 0; }
};

class Striding final : public Door {
 public:
  struct Options {
    unsigned stride = 3;
    double weight = 0.5;
    bool backwards = false;
    template <class Visitor>
    static void describe(Visitor& v) {
      v.number(&Options::stride, "stride", "doors", 1, 9, "Doors from one to the next", "a house");
      v.number(&Options::weight, "weight", "", 0, 1, "Of nothing", "nobody");
      v.flag(&Options::backwards, "backwards", "From the last one", "a garden");
    }
  };
  struct Counters {
    std::uint64_t opened = 0, rounds = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      v.counter(&Counters::opened, "opened", "doors", "that were opened");
      v.counter(&Counters::rounds, "rounds", "times", "that the first one came up again");
    }
  };
  Striding(const DoorSetup& setup, const Options& given) : options(given), doors_(setup.doors) {}
  unsigned open() override {
    ++counters_.opened;
    next_ += options.stride;
    counters_.rounds += next_ >= doors_;
    return next_ %= doors_;
  }
  void count(PolicyCounts& counts) const override { counts.add(counters_); }
  const Options options;

 private:
  unsigned doors_, next_ = 0;
  Counters counters_;
};

GPUTLM_REGISTER {
  door_orders().add<Striding>({{"striding", 2}, "Strides", "a house", {Property::kHeedsBudgets}});
  door_orders().add<First>({{"first", 1}, "The first", "a house"});
  door_orders().add({{"striding@rtl", 3}, "Strides in hardware", "a house"},
                    [](const DoorSetup& setup) { return make_policy<Striding>(setup, "striding@rtl"); });
}

const Striding& striding(const std::unique_ptr<Door>& door) { return dynamic_cast<const Striding&>(*door); }

TEST(Decision, ListsWhatFilesHaveRegistered) {
  std::vector<std::string> names;
  for (const PolicyInfo* const policy : door_orders().policies()) names.push_back(policy->name);
  EXPECT_THAT(names, ElementsAre("first", "striding", "striding@rtl"));
  EXPECT_EQ(&decision("door"), &door_orders());
  EXPECT_EQ(decisions().back(), &door_orders());
  EXPECT_EQ(door_orders().unit(), "house");
  EXPECT_THROW(decision("window"), std::logic_error);
}

TEST(Decision, RefusesAnUnknownNameAndOneThatIsTaken) {
  try {
    door_orders().at("last");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "house.door: found 'last', allowed are first, striding, striding@rtl");
  }
  EXPECT_THROW(door_orders().add<First>({{"striding"}, "Another", "a house"}), InputError);
}

TEST(Decision, KnowsThePoliciesWithAProperty) {
  EXPECT_THAT(door_orders().policies_with(Property::kHeedsBudgets), ElementsAre(&door_orders().policy("striding")));
  EXPECT_THAT(door_orders().policies_with(Property::kHeedsPriorities), IsEmpty());
}

TEST(Policy, SaysItsOptionsAndCountersByItself) {
  const PolicyInfo& policy = door_orders().policy("striding");
  ASSERT_EQ(policy.options.size(), 3u);
  EXPECT_EQ(policy.options[0].name, "stride");
  EXPECT_EQ(policy.options[0].most, 9u);
  EXPECT_EQ(std::get<unsigned>(policy.options[0].default_value.value()), 3u);
  EXPECT_EQ(std::get<double>(policy.options[1].default_value.value()), 0.5);
  EXPECT_FALSE(std::get<bool>(policy.options[2].default_value.value()));
  ASSERT_EQ(policy.counters.size(), 2u);
  EXPECT_EQ(policy.counters[1].name, "rounds");
  EXPECT_THAT(door_orders().policy("first").options, IsEmpty());
  EXPECT_THAT(door_orders().policy("first").counters, IsEmpty());
}

struct Latest {
  std::uint64_t last = 0;
  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.latest(&Latest::last, "last", "cycle", "of the last turn");
  }
};

TEST(Policy, CountsNothingThatDoesNotAddUp) {
  EXPECT_THROW(policy_detail::counters_in(counter_layout<Latest>()), std::logic_error);
}

TEST(Policy, IsMadeWithItsDefaultsAndWithWhatHasBeenSet) {
  const auto usual = door_orders().at("striding").make({});
  EXPECT_EQ(striding(usual).options.stride, 3u);
  const DoorSetup setup{7, {{"striding.stride", 5u}, {"striding.backwards", true}, {"first.stride", 8u}}};
  const auto set = door_orders().at("striding").make(setup);
  EXPECT_EQ(striding(set).options.stride, 5u);
  EXPECT_TRUE(striding(set).options.backwards);
  EXPECT_EQ(striding(set).options.weight, 0.5);
}

TEST(Policy, InHardwareHasTheOptionsOfTheOneItImplements) {
  EXPECT_EQ(options_owner("striding@rtl"), "striding");
  const auto door = door_orders().at("striding@rtl").make({7, {{"striding.stride", 5u}}});
  EXPECT_EQ(striding(door).options.stride, 5u);
}

TEST(PolicyTally, SumsOverTheObjectsOfAPolicyAndNamesWhatTheyCounted) {
  const auto a = door_orders().at("striding").make({});
  const auto b = door_orders().at("striding").make({9});
  a->open();
  b->open();
  b->open();
  PolicyTally tally, of_another_unit;
  a->count(tally.of(door_orders(), "striding"));
  b->count(of_another_unit.of(door_orders(), "striding"));
  tally += of_another_unit;
  const std::vector<PolicyRecord> records = tally.records();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].parameter, "house.door");
  EXPECT_EQ(records[0].policy, "striding");
  EXPECT_THAT(records[0].counters, ElementsAre(FieldsAre("opened", 3u), FieldsAre("rounds", 1u)));
}

TEST(PolicyTally, CountersOfAPolicyWithoutObjectsAreZero) {
  PolicyTally tally;
  tally.of(door_orders(), "striding");
  EXPECT_THAT(tally.records()[0].counters, ElementsAre(FieldsAre("opened", 0u), FieldsAre("rounds", 0u)));
}

}  // namespace
}  // namespace gputlm
