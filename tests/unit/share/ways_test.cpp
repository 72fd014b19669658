// The ways to share a GPU for some programs, and the points that no other beats.

#include "platform/share/ways.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "platform/input/preset.h"
#include "platform/share/path.h"
#include "platform/share/tables.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

std::vector<std::string> names_of(const std::vector<SharingWay>& ways) {
  std::vector<std::string> names;
  for (const SharingWay& way : ways) names.push_back(way.name);
  return names;
}

std::vector<std::string> names_for(const std::string& gpu, const std::vector<std::string>& programs) {
  const GpuConfig config = load_gpu(gpu);
  return names_of(standard_ways({config, programs, true}));
}

TEST(WaysToShare, OfTwoProgramsOnAnH100) {
  EXPECT_THAT(names_for("h100_sxm", {"a", "b"}),
              ElementsAre("streams", "priority-a", "priority-b", "time-slices", "mps", "mps-50-50", "mps-75-25",
                          "mps-25-75", "green-64-68", "green-96-36", "green-32-100", "instances-4g-3g",
                          "instances-3g-4g", "budget-for-a", "budget-for-b"));
}

TEST(WaysToShare, GreenContextsHaveTheSmsThatTheGpuGivesThem) {
  // Compute capability 7.5: at least 2, in steps of 2; of 30 SMs the last one has what is left.
  EXPECT_THAT(names_for("rtx2060", {"a", "b"}), AllOf(Contains("green-16-14"), Contains("green-22-8")));
}

TEST(WaysToShare, InstancesAreOfGpusThatHaveThem) {
  EXPECT_THAT(names_for("xavier", {"a", "b"}), Not(Contains(testing::StartsWith("instances"))));
}

TEST(WaysToShare, OfThreeProgramsHaveASplitInWhichEachHasMore) {
  const std::vector<std::string> names = names_for("h100_sxm", {"a", "b", "c"});
  EXPECT_THAT(names, AllOf(Contains("mps-33-33-34"), Contains("mps-50-25-25"), Contains("mps-25-50-25"),
                           Contains("mps-25-25-50"), Contains("instances-2g-2g-3g")));
}

TEST(WaysToShare, AProgramByItselfSharesNothing) {
  EXPECT_THAT(names_for("h100_sxm", {"a"}), ElementsAre("streams", "priority-a", "time-slices", "mps"));
}

const WayKind& kind(const std::string& name) { return way_kinds().at(name); }

TEST(WaysToShare, TimeSlicesAreSplitOfARound) {
  const GpuConfig config = load_gpu("h100_sxm");
  const ToShare what{config, {"a", "b"}, true};
  const WayKind& slices = kind("time-slices");
  EXPECT_EQ(slices.granules(what), 32u);
  const SharingWay way = slices.split(what, {8, 24}, 512);
  EXPECT_EQ(way.name, "slices-256-768");
  EXPECT_EQ(way.change.at("applications")[1].at("time_slice_us"), 768);
  EXPECT_EQ(slices.split(what, {16, 16}, slices.wholes(what).front()).name, "slices-128-128");
}

TEST(WaysToShare, BudgetsAreSplitOfWhatTheDramMoves) {
  const GpuConfig config = load_gpu("h100_sxm");
  const ToShare what{config, {"a", "b"}, true}, spins{config, {"a", "b"}, false};
  EXPECT_EQ(kind("budgets").granules(spins), 0u) << "nobody sends the memory anything";
  const SharingWay way = kind("budgets").split(what, {5, 15}, 1);
  EXPECT_EQ(way.name, "budgets-25-75");
  const auto& applications = way.change.at("applications");
  const double all = 3352.32e3;  // bytes a microsecond
  EXPECT_NEAR(applications[0].at("memory_budget").at("bytes").get<double>(), all / 4, 1);
  EXPECT_NEAR(applications[1].at("memory_budget").at("bytes").get<double>(), all * 3 / 4, 1);
}

TEST(WaysToShare, SplitsAreWholes) {
  for (std::size_t parts = 1; parts < 9; ++parts) {
    for (const std::vector<unsigned>& split : splits(parts)) {
      EXPECT_EQ(std::accumulate(split.begin(), split.end(), 0u), 100u);
      EXPECT_THAT(split, Not(Contains(0u)));
    }
  }
}

TEST(WaysToShare, AreChosenByNameAndByKind) {
  const GpuConfig config = load_gpu("h100_sxm");
  const std::vector<SharingWay> all = standard_ways({config, {"a", "b"}, true});
  EXPECT_THAT(names_of(chosen(all, {"time-slices", "mps-50-50"})), ElementsAre("time-slices", "mps-50-50"));
  EXPECT_THAT(names_of(chosen(all, {"instances"})), ElementsAre("instances-4g-3g", "instances-3g-4g"));
  EXPECT_EQ(chosen(all, {}).size(), all.size());
  try {
    chosen(all, {"msp"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("mps"));
  }
}

TEST(SharePicture, HasTheFrontOfWhatNoOtherBeats) {
  const std::vector<LabelledChart::Point> points{{50, 2, "a"}, {80, 3, "b"}, {40, 2, "c"}, {80, 4, "d"}, {20, 1, "e"}};
  EXPECT_THAT(front_of(points), ElementsAre(Pair(20, 1), Pair(50, 2), Pair(80, 3)));
  EXPECT_THAT(front_of({}), IsEmpty());
}

std::vector<std::pair<Cycle, Cycle>> pairs(const CycleSet& set) {
  std::vector<std::pair<Cycle, Cycle>> all;
  for (const CycleInterval& i : set.intervals()) all.emplace_back(i.from, i.until);
  return all;
}

TEST(CycleSets, AreUnitedCutAndTakenFromEachOther) {
  const CycleSet a({{20, 30}, {0, 10}, {8, 12}, {5, 5}}), b({{10, 25}, {29, 40}});
  EXPECT_THAT(pairs(a), ElementsAre(Pair(0, 12), Pair(20, 30)));
  EXPECT_THAT(pairs(a & b), ElementsAre(Pair(10, 12), Pair(20, 25), Pair(29, 30)));
  EXPECT_THAT(pairs(a | b), ElementsAre(Pair(0, 40)));
  EXPECT_THAT(pairs(a - b), ElementsAre(Pair(0, 10), Pair(25, 29)));
  EXPECT_THAT(pairs(b - a), ElementsAre(Pair(12, 20), Pair(30, 40)));
  EXPECT_THAT(pairs(a.within(11, 22)), ElementsAre(Pair(11, 12), Pair(20, 22)));
  EXPECT_EQ(a.size(), 22u);
  EXPECT_EQ((a & b).size() + (a - b).size(), a.size());
}

}  // namespace
}  // namespace gputlm
