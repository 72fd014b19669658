/// Bounds against a plain scheduler, over random task sets: no response is longer, and known worst cases are met.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "platform/bounds/analysis.h"
#include "platform/bounds/servers.h"
#include "tests/unit/bounds/plain_scheduler.h"

namespace gputlm {
namespace {

using Random = std::mt19937_64;

Cycle between(Random& random, Cycle least, Cycle most) {
  return std::uniform_int_distribution<Cycle>(least, most)(random);
}

/// A stream alone on the engine: its job once.
plain::Job alone(const plain::Engine& engine, plain::Stream stream) {
  stream.releases = {0};
  stream.context = 0;
  plain::Engine own = engine;
  own.runlist.clear();
  own.exclusive = false;
  return plain::schedule(own, {stream}).at(0).at(0);
}

/// Contexts that have the engine until they have no work; one that never ends is unbounded for the others.
std::vector<Supply> exclusive_supplies(std::size_t contexts, BoundProblem& problem) {
  std::vector<TurnDemands> turns;
  const std::vector<Server> servers(problem.tasks.size(), Server{0, 0});
  for (std::size_t c = 0; c < contexts; ++c) turns.push_back(*turn_of(c, servers, problem));
  const auto waits = waits_for_others(turns, 0);
  std::vector<Supply> supplies(contexts);
  for (std::size_t c = 0; c < contexts && waits; ++c) supplies[c].gaps = {waits->at(c)};
  for (BoundTask& task : problem.tasks) {
    if (!waits) task.refused = "all ask for more than there is";
  }
  return supplies;
}

/// What the analysis is told of a schedule: all is measured alone.
BoundProblem problem_of(const plain::Engine& engine, const std::vector<plain::Stream>& streams) {
  BoundProblem problem;
  for (const plain::Stream& stream : streams) {
    const plain::Job job = alone(engine, stream);
    BoundTask task{stream.context, stream.level, {}, job.response, ArrivalCurve::of(stream.releases, true)};
    task.comes_together = true;
    for (std::size_t k = 0; k < stream.job.size(); ++k) {
      const std::vector<Cycle>& blocks = stream.job[k].blocks;
      task.kernels.push_back({job.kernels[k], *std::max_element(blocks.begin(), blocks.end())});
    }
    problem.tasks.push_back(std::move(task));
  }
  if (engine.exclusive) {
    problem.contexts = exclusive_supplies(engine.runlist.size(), problem);
    return problem;
  }
  std::vector<RunlistEntry> entries;
  for (std::size_t c = 0; c < engine.runlist.size(); ++c) {
    Cycle leaves = 0;
    for (const BoundTask& task : problem.tasks) {
      for (const BoundKernel& kernel : task.kernels) {
        if (task.context == c) leaves = std::max(leaves, kernel.block);
      }
    }
    entries.push_back({engine.runlist[c].slice, engine.runlist[c].count, leaves, engine.exchange});
  }
  problem.contexts = entries.empty() ? std::vector<Supply>(1) : runlist_supplies(entries);
  return problem;
}

Cycle longest_response(const std::vector<plain::Job>& jobs) {
  Cycle most = 0;
  for (const plain::Job& job : jobs) most = std::max(most, job.response);
  return most;
}

struct Drawn {
  plain::Engine engine;
  std::vector<plain::Stream> streams;
};

enum class Turns : std::uint8_t { kNone, kSlices, kExclusive };

/// Streams with jobs of a kernel or several, whose blocks are alike or not, large or small; released at even, uneven or bursty
/// times. `chains`: jobs of some streams are many kernels of a small block or two.
Drawn draw(Random& random, bool levels, Turns turns, bool chains = false) {
  const bool slices = turns != Turns::kNone;
  Drawn all;
  all.engine.sms = static_cast<unsigned>(between(random, 1, 3));
  all.engine.places = static_cast<unsigned>(between(random, 1, 4));
  all.engine.host = between(random, 0, 5);
  const std::size_t streams = between(random, 2, 5);
  const std::size_t contexts = slices ? between(random, 2, 3) : 1;
  if (slices) {
    for (std::size_t c = 0; c < contexts; ++c)
      all.engine.runlist.push_back({between(random, 3, 60), static_cast<unsigned>(between(random, 1, 3))});
    all.engine.exclusive = turns == Turns::kExclusive;
  }
  if (chains && turns == Turns::kSlices && between(random, 0, 1) == 0) all.engine.exchange = between(random, 1, 30);
  const Cycle load = between(random, 20, 250);  // per cent of the time, more or less
  for (std::size_t s = 0; s < streams; ++s) {
    plain::Stream stream;
    stream.context = s % contexts;
    stream.level = levels ? static_cast<int>(between(random, 0, 2)) : 0;
    const bool chain = chains && between(random, 0, 1) == 0;
    const std::size_t kernels = chain ? between(random, 5, 30) : between(random, 0, 3) == 0 ? between(random, 2, 3) : 1;
    for (std::size_t k = 0; k < kernels; ++k) {
      plain::Kernel kernel;
      kernel.size = static_cast<unsigned>(between(random, 1, all.engine.places));
      const Cycle block = between(random, 1, 40);
      kernel.blocks.assign(between(random, 1, chain ? 2 : 14), chain ? 1 + block % 4 : block);
      if (between(random, 0, 1) == 0) {
        for (Cycle& each : kernel.blocks) each = between(random, 1, block);
      }
      stream.job.push_back(kernel);
    }
    const Cycle takes = alone(all.engine, stream).response;
    const Cycle period = std::max<Cycle>(1, takes * streams * 100 / load);
    const unsigned how = static_cast<unsigned>(between(random, 0, 2));
    Cycle at = between(random, 0, period);
    for (unsigned job = 0; job < 12; ++job) {
      stream.releases.push_back(at + (how == 1 ? between(random, 0, period) : 0));
      at += how == 2 ? period + between(random, 0, period) : period;
    }
    std::sort(stream.releases.begin(), stream.releases.end());
    all.streams.push_back(std::move(stream));
  }
  return all;
}

struct Seen {
  unsigned bounds = 0, met = 0, responses = 0;
};

/// Every response of random sets that exceeds its bound is a failure.
Seen hold(unsigned sets, std::uint64_t seed, bool levels, Turns turns, bool chains = false, bool on_some_sms = false) {
  Seen seen;
  Random random(seed);
  for (unsigned set = 0; set < sets; ++set) {
    Drawn drawn = draw(random, levels, turns, chains);
    for (plain::Stream& stream : drawn.streams) {
      if (on_some_sms) stream.sms = between(random, 1, (Cycle{1} << drawn.engine.sms) - 1);
    }
    const std::vector<ResponseBound> bounds = response_bounds(problem_of(drawn.engine, drawn.streams));
    const auto jobs = plain::schedule(drawn.engine, drawn.streams);
    for (std::size_t s = 0; s < bounds.size(); ++s) {
      if (!bounds[s].cycles) continue;
      const Cycle worst = longest_response(jobs[s]);
      EXPECT_LE(worst, *bounds[s].cycles) << "stream " << s << " of set " << set << " of seed " << seed;
      ++seen.bounds;
      seen.met += worst == *bounds[s].cycles;
      seen.responses += static_cast<unsigned>(jobs[s].size());
      if (testing::Test::HasFailure()) return seen;
    }
  }
  return seen;
}

TEST(ResponseBounds, HoldForRandomStreamsFirstInFirstOut) {
  const Seen seen = hold(3000, 1, false, Turns::kNone);
  EXPECT_GT(seen.bounds, 2000u) << "sets without a bound show nothing";
}

TEST(ResponseBounds, HoldForRandomStreamsOfSeveralLevels) {
  const Seen seen = hold(3000, 2, true, Turns::kNone);
  EXPECT_GT(seen.bounds, 1200u);
}

TEST(ResponseBounds, HoldForRandomStreamsThatTakeTurns) {
  const Seen seen = hold(3000, 3, false, Turns::kSlices);
  EXPECT_GT(seen.bounds, 1200u);
}

TEST(ResponseBounds, HoldForRandomStreamsOfSeveralLevelsThatTakeTurns) {
  const Seen seen = hold(3000, 4, true, Turns::kSlices);
  EXPECT_GT(seen.bounds, 1200u);
}

TEST(ResponseBounds, HoldForRandomChainsOfSmallKernelsThatTakeTurns) {
  const Seen seen = hold(3000, 6, false, Turns::kSlices, true);
  EXPECT_GT(seen.bounds, 1200u);
  const Seen of_levels = hold(1000, 7, true, Turns::kSlices, true);
  EXPECT_GT(of_levels.bounds, 300u);
}

TEST(ResponseBounds, HoldWhereContextsHaveTheEngineUntilTheyHaveNoWork) {
  const Seen seen = hold(3000, 8, false, Turns::kExclusive);
  EXPECT_GT(seen.bounds, 600u);
  const Seen of_chains = hold(2000, 9, true, Turns::kExclusive, true);
  EXPECT_GT(of_chains.bounds, 300u);
}

/// Some streams are of level hi, whose jobs may go on behind their budgets; the others are dropped in mode hi, or kept.
void draw_criticality(Random& random, Drawn& drawn, bool drops) {
  drawn.engine.host = 0;
  for (plain::Stream& stream : drawn.streams) {
    stream.dropped = drops;
    if (between(random, 0, 1) == 0) continue;
    stream.dropped = false;
    stream.within_budget = stream.job.size();
    plain::Kernel beyond = stream.job.back();
    for (Cycle& block : beyond.blocks) block = between(random, 1, 2 * block);
    stream.job.push_back(beyond);
    for (std::size_t j = 0; j < stream.releases.size(); ++j) stream.overruns.push_back(between(random, 0, 3) == 0);
  }
}

/// As they are where no job overruns.
std::vector<plain::Stream> within_budgets(std::vector<plain::Stream> streams) {
  for (plain::Stream& stream : streams) stream.job.resize(std::min(stream.job.size(), stream.within_budget));
  return streams;
}

/// Bounds in mode lo, and of all jobs.
struct TwoBounds {
  std::vector<ResponseBound> lo, hi;
};
TwoBounds two_bounds(const Drawn& drawn) {
  TwoBounds bounds;
  bounds.lo = response_bounds(problem_of(drawn.engine, within_budgets(drawn.streams)));
  std::vector<plain::Stream> all = drawn.streams;
  for (plain::Stream& stream : all) stream.overruns.assign(stream.releases.size(), true);
  BoundProblem problem = problem_of(drawn.engine, all);
  for (std::size_t s = 0; s < all.size(); ++s) {
    problem.tasks[s].in_lo_mode = bounds.lo[s].cycles;
    problem.tasks[s].dropped = all[s].dropped;
    if (all[s].within_budget < all[s].job.size()) problem.tasks[s].kernels.back().beyond_budget = true;
  }
  bounds.hi = response_bounds(problem);
  return bounds;
}

struct SeenInModes {
  unsigned in_lo = 0, in_hi = 0, dropped = 0;
};

SeenInModes hold_in_modes(unsigned sets, std::uint64_t seed, bool levels, Turns turns, bool drops) {
  SeenInModes seen;
  Random random(seed);
  for (unsigned set = 0; set < sets; ++set) {
    Drawn drawn = draw(random, levels, turns);
    draw_criticality(random, drawn, drops);
    const TwoBounds bounds = two_bounds(drawn);
    const auto jobs = plain::schedule(drawn.engine, drawn.streams);
    for (std::size_t s = 0; s < jobs.size(); ++s) {
      for (const plain::Job& job : jobs[s]) {
        seen.dropped += job.dropped;
        if (job.dropped || (job.in_hi_mode && drawn.streams[s].dropped)) continue;
        const auto& bound = job.in_hi_mode ? bounds.hi[s].cycles : bounds.lo[s].cycles;
        if (!bound) continue;
        EXPECT_LE(job.response, *bound) << "stream " << s << " of set " << set << " of seed " << seed << " in mode "
                                        << (job.in_hi_mode ? "hi" : "lo");
        ++(job.in_hi_mode ? seen.in_hi : seen.in_lo);
        if (testing::Test::HasFailure()) return seen;
      }
    }
  }
  return seen;
}

TEST(ResponseBounds, HoldInBothModesWhereTasksOfLevelLoAreDropped) {
  const SeenInModes seen = hold_in_modes(3000, 10, true, Turns::kNone, true);
  EXPECT_GT(seen.in_lo, 5000u);
  EXPECT_GT(seen.in_hi, 2000u) << "jobs of level hi";
  EXPECT_GT(seen.dropped, 2000u);
  const SeenInModes first_in_first_out = hold_in_modes(1500, 11, false, Turns::kNone, true);
  EXPECT_GT(first_in_first_out.in_hi, 1000u);
}

TEST(ResponseBounds, HoldInBothModesWhereTasksOfLevelLoAreKept) {
  EXPECT_GT(hold_in_modes(2000, 12, true, Turns::kNone, false).in_hi, 2000u);
}

TEST(ResponseBounds, HoldInBothModesOfContextsThatTakeTurns) {
  EXPECT_GT(hold_in_modes(2000, 13, true, Turns::kSlices, true).in_hi, 500u);
}

/// What AMC-rtb is for: a task of level lo that is dropped delays a job of level hi no longer than until the mode changes.
TEST(ResponseBounds, OfLevelHiAreShorterWhereLevelLoIsDroppedThanWhereItIsKept) {
  BoundProblem problem;
  problem.contexts.resize(1);
  BoundTask lo{0, -1, {{20, 2}}, 20, ArrivalCurve::periodic(50)};
  lo.in_lo_mode = 50;
  BoundTask hi{0, 0, {{40, 4}, {60, 6, true}}, 100, ArrivalCurve::periodic(1000)};
  hi.in_lo_mode = 150;
  problem.tasks = {lo, hi};
  const auto kept = response_bounds(problem);
  problem.tasks[0].dropped = true;
  const auto dropped = response_bounds(problem);
  EXPECT_EQ(dropped[0].cycles, 50u) << "in mode lo";
  ASSERT_TRUE(kept[1].cycles && dropped[1].cycles);
  EXPECT_LT(*dropped[1].cycles, *kept[1].cycles);
  problem.tasks[1].in_lo_mode.reset();
  EXPECT_EQ(response_bounds(problem)[1].why, "unbounded: it has no bound in mode lo");
}

/// A job of level hi meets all those of a more urgent one of level lo that come before it has used up its budget, and
/// then none.
TEST(ResponseBounds, OfLevelHiHaveTheJobsOfLevelLoUntilTheModeChanges) {
  Drawn drawn;
  plain::Stream lo{0, -1, {{{20}, 1}}, {}};
  for (Cycle release = 0; release < 400; release += 50) lo.releases.push_back(release);
  lo.dropped = true;
  plain::Stream hi{0, 0, {{std::vector<Cycle>(15, 10), 1}, {std::vector<Cycle>(8, 10), 1}}, {0, 1000}};
  hi.within_budget = 1;
  hi.overruns = {true, false};
  drawn.streams = {lo, hi};
  const auto jobs = plain::schedule(drawn.engine, drawn.streams);
  EXPECT_EQ(jobs[1][0].response, 150 + 5 * 20 + 80u) << "five jobs before it has used up its budget, and none then";
  EXPECT_TRUE(jobs[0][5].dropped);
  const TwoBounds bounds = two_bounds(drawn);
  ASSERT_TRUE(bounds.hi[1].cycles) << bounds.hi[1].why;
  EXPECT_GE(*bounds.hi[1].cycles, jobs[1][0].response);
}

TEST(ResponseBounds, HoldWhereStreamsAreKeptToSomeSms) {
  EXPECT_GT(hold(3000, 14, false, Turns::kNone, false, true).bounds, 2000u);
  EXPECT_GT(hold(3000, 15, true, Turns::kNone, false, true).bounds, 1200u);
  EXPECT_GT(hold(2000, 16, true, Turns::kSlices, false, true).bounds, 600u);
  EXPECT_GT(hold(2000, 17, true, Turns::kExclusive, false, true).bounds, 400u);
}

/// Blocks of a whole SM, on one SM.
plain::Stream whole(Cycle block, std::size_t blocks, int level, std::vector<Cycle> releases, std::size_t context = 0) {
  return {context, level, {{std::vector<Cycle>(blocks, block), 1}}, std::move(releases)};
}

TEST(ResponseBounds, OfAStreamAloneAreItsTimeAlone) {
  const plain::Engine engine{2, 2, 7};
  const std::vector<plain::Stream> streams{whole(10, 9, 0, {0, 100, 200})};
  const auto bounds = response_bounds(problem_of(engine, streams));
  EXPECT_EQ(bounds[0].cycles, 7 + 30 + 7u);
}

TEST(ResponseBounds, OfAQueueAreMetWhereAllComeAtOnceBehindABlock) {
  // The block of `blocker` has just been sent when the three others come; the last of them waits for all.
  const plain::Engine engine{1, 1, 0};
  const std::vector<plain::Stream> streams{whole(50, 1, 0, {0, 1000}), whole(10, 2, 0, {0, 1000}),
                                           whole(10, 3, 0, {0, 1000}), whole(5, 1, 0, {0, 1000})};
  const auto bounds = response_bounds(problem_of(engine, streams));
  const auto jobs = plain::schedule(engine, streams);
  EXPECT_EQ(longest_response(jobs[3]), 50 + 20 + 30 + 5u);
  EXPECT_EQ(bounds[3].cycles, 50 + 20 + 30 + 5u);
}

TEST(ResponseBounds, OfAnUrgentStreamAreMetByTheLongestBlockOfAnother) {
  const plain::Engine engine{1, 1, 3};
  const std::vector<plain::Stream> streams{whole(10, 2, -1, {1, 1001}), whole(70, 5, 0, {0, 2000})};
  const auto bounds = response_bounds(problem_of(engine, streams));
  const auto jobs = plain::schedule(engine, streams);
  EXPECT_EQ(bounds[0].cycles, 3 + 70 + 20 + 3u);
  EXPECT_EQ(longest_response(jobs[0]) + 1, *bounds[0].cycles) << "a cycle after the block was sent";
}

TEST(ResponseBounds, HaveWhatAPreemptionCostsWherePlacesDiffer) {
  // The urgent block needs the whole SM: it waits for the long block of the other, beside which a place is idle.
  const plain::Engine engine{1, 2, 0};
  plain::Stream other{0, 0, {{std::vector<Cycle>(100, 1), 1}}, {0}};
  other.job[0].blocks[0] = 100;
  const plain::Stream urgent{0, -1, {{{10}, 2}}, {1}};
  const std::vector<plain::Stream> streams{other, urgent};
  const auto bounds = response_bounds(problem_of(engine, streams));
  const Cycle worst = longest_response(plain::schedule(engine, streams)[0]);
  EXPECT_GT(worst, 100 + 10 + 10u) << "its time alone, the urgent kernel, and a block of that";
  EXPECT_LE(worst, *bounds[0].cycles);
}

TEST(ResponseBounds, OfARunlistAreMetByAJobThatHasJustMissedItsSlot) {
  // Others have slots of 100 and 40 cycles and blocks of 30 and 20, which begin as their slots end.
  const plain::Engine engine{1, 1, 0, {{50, 1}, {100, 1}, {40, 1}}};
  const std::vector<plain::Stream> streams{whole(20, 1, 0, {1, 5001}, 0), whole(30, 900, 0, {0}, 1),
                                           whole(20, 900, 0, {0}, 2)};
  const auto bounds = response_bounds(problem_of(engine, streams));
  EXPECT_EQ(bounds[0].cycles, 30 + (100 + 30) + (40 + 20) + 20u) << "it comes as the long block leaves";
  EXPECT_LE(longest_response(plain::schedule(engine, streams)[0]), *bounds[0].cycles);
}

TEST(ResponseBounds, OfAChainWaitForTheOthersSlotsAsOftenAsItNeedsASlot) {
  // 20 kernels of 2 cycles, 1 from one to the next: 59 cycles, of which a slot has 50.
  const plain::Engine engine{1, 1, 1, {{50, 1}, {100, 1}}};
  plain::Stream chain{0, 0, {}, {5, 5005}};
  for (unsigned k = 0; k < 20; ++k) chain.job.push_back({{2}, 1});
  const std::vector<plain::Stream> streams{chain, whole(10, 900, 0, {0}, 1)};
  const auto bounds = response_bounds(problem_of(engine, streams));
  const Cycle worst = longest_response(plain::schedule(engine, streams)[0]);
  EXPECT_GT(worst, 100 + 59u);
  EXPECT_LE(worst, *bounds[0].cycles);
  EXPECT_LE(*bounds[0].cycles, 2 * (100 + 10 + 2) + 10 + 79 + 2u) << "not 20 slots of the other";
}

TEST(ResponseBounds, AreNoneWhereMoreIsAskedThanThereIs) {
  const plain::Engine engine{1, 1, 0};
  const auto periodic = [](Cycle period) { return std::vector<Cycle>{0, period, 2 * period, 3 * period}; };
  const std::vector<plain::Stream> streams{whole(10, 6, -1, periodic(100)), whole(10, 5, 0, periodic(100))};
  const auto bounds = response_bounds(problem_of(engine, streams));
  EXPECT_TRUE(bounds[0].cycles);
  EXPECT_FALSE(bounds[1].cycles);
  EXPECT_EQ(bounds[1].why, "unbounded: utilisation above 1");
}

TEST(ResponseBounds, GrowWithWhatIsAdded) {
  Random random(5);
  for (unsigned set = 0; set < 500; ++set) {
    const Drawn drawn = draw(random, true, set % 2 == 0 ? Turns::kSlices : Turns::kNone);
    const BoundProblem problem = problem_of(drawn.engine, drawn.streams);
    const auto before = response_bounds(problem);
    BoundProblem more = problem;
    BoundTask& grown = more.tasks[between(random, 0, more.tasks.size() - 1)];
    grown.kernels[0].time += 3;
    grown.kernels[0].block += 2;
    grown.alone += 3;
    const auto after = response_bounds(more);
    for (std::size_t t = 0; t < before.size(); ++t) {
      if (!after[t].cycles) continue;
      ASSERT_TRUE(before[t].cycles) << set;
      EXPECT_GE(*after[t].cycles, *before[t].cycles) << set;
    }
  }
}

}  // namespace
}  // namespace gputlm
