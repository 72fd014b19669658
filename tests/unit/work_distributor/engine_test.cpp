// Contexts on the execution engine: when the blocks of each are sent.

#include "models/work_distributor/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <random>

#include "tests/unit/work_distributor/kernel_order_runs.h"

namespace gputlm::test {
namespace {

constexpr Femtoseconds kMicrosecond = 1000000000;

WorkDistributorConfig shared_by(const std::string& application, const std::string& order = "leftover") {
  WorkDistributorConfig config = config_of(order);
  config.application = application;
  return config;
}

/// As many applications as there are slices, in cycles; 0: the default.
Applications slices_of(const std::vector<Cycle>& slices) {
  Applications applications;
  for (const Cycle slice : slices) {
    EngineShare share;
    if (slice) share.time_slice = slice;
    applications.shares.push_back(share);
  }
  return applications;
}

/// Kernels of a single application each, by KernelId: no block of one is there while one of another is.
void expect_apart(const DistributorHarness& run, const std::vector<ApplicationId>& application_of) {
  struct Block {
    Cycle sent, heard;
    ApplicationId application;
  };
  std::vector<Block> blocks;
  for (const Dispatch& d : run.dispatched) {
    const auto end = std::find_if(run.heard.begin(), run.heard.end(),
                                  [&](const Dispatch& h) { return h.kernel == d.kernel && h.block == d.block; });
    ASSERT_NE(end, run.heard.end());
    blocks.push_back({d.at, end->at + kHop, application_of[d.kernel]});
  }
  for (const Block& a : blocks) {
    for (const Block& b : blocks) {
      if (a.application == b.application) continue;
      EXPECT_TRUE(a.heard <= b.sent || b.heard <= a.sent);
    }
  }
}

TEST(ExecutionEngine, ContextsAreOneWhereTheyAreConcurrent) {
  DistributorHarness gpu(shared_by("concurrent"), four_blocks(), 1, hundred, slices_of({0, 0}));
  ShapeKernel a(2, 32), b(2, 32);
  gpu.launch_of(0, a);
  gpu.launch_of(1, b);
  ASSERT_TRUE(gpu.run());
  EXPECT_LT(first_dispatch(gpu, 1), 10u);
  EXPECT_TRUE(gpu.core.engine_statistics().empty());
  EXPECT_TRUE(gpu.slices.empty());
}

TEST(Exclusive, AnApplicationHasTheEngineUntilItHasNoWorkLeft) {
  DistributorHarness gpu(shared_by("exclusive"), four_blocks(), 2, hundred, slices_of({0, 0}));
  ShapeKernel a(2, 32), b(3, 32), more(20, 32);
  gpu.launch_of(0, a);
  gpu.launch_of(1, b, 5);
  gpu.launch_of(0, more, 50);  // the first has work again before it has run out
  ASSERT_TRUE(gpu.run());
  expect_apart(gpu, {0, 1, 0});
  const auto end = [&](KernelId kernel) {
    return std::max_element(
               gpu.ended.begin(), gpu.ended.end(),
               [=](auto& x, auto& y) { return (x.kernel == kernel ? x.end : 0) < (y.kernel == kernel ? y.end : 0); })
        ->end;
  };
  EXPECT_EQ(first_dispatch(gpu, 1), end(2) + kHop);
  ASSERT_EQ(gpu.slices.size(), 2u);
  EXPECT_EQ(gpu.slices[0].application, 0);
  EXPECT_FALSE(gpu.slices[0].by_time);
  EXPECT_EQ(gpu.slices[0].end, gpu.slices[1].start);
}

TEST(TimeSliced, AtTheEndOfASliceNoBlockIsSentAndTheNextBeginsWhenThoseThatRunHaveEnded) {
  DistributorHarness gpu(shared_by("time_sliced"), four_blocks(), 1, hundred, slices_of({250, 1000}));
  ShapeKernel a(40, 32), b(4, 32);
  gpu.launch_of(0, a);
  gpu.launch_of(1, b);
  ASSERT_TRUE(gpu.run());
  expect_apart(gpu, {0, 1});
  ASSERT_GE(gpu.slices.size(), 3u);
  EXPECT_TRUE(gpu.slices[0].by_time);
  EXPECT_EQ(gpu.slices[0].end, gpu.slices[0].start + 250);
  EXPECT_GT(gpu.slices[0].off, gpu.slices[0].end);
  EXPECT_LE(gpu.slices[0].off, gpu.slices[0].end + 100 + 2 * kHop);
  EXPECT_EQ(first_dispatch(gpu, 1), gpu.slices[0].off);
  for (const Dispatch& d : gpu.dispatched) {
    EXPECT_FALSE(d.kernel == 0 && d.at >= gpu.slices[0].end && d.at < gpu.slices[1].off);
  }
  // The second runs dry long before its slice has passed, and gives up the rest of it.
  EXPECT_EQ(gpu.slices[1].application, 1);
  EXPECT_FALSE(gpu.slices[1].by_time);
  EXPECT_LT(gpu.slices[1].end - gpu.slices[1].start, 200u);
}

TEST(TimeSliced, AnApplicationAloneGoesOnWithoutASwitch) {
  DistributorHarness gpu(shared_by("time_sliced"), four_blocks(), 1, hundred, slices_of({250, 250}));
  ShapeKernel alone(40, 32), same(40, 32);
  gpu.launch_of(1, alone);
  ASSERT_TRUE(gpu.run());
  DistributorHarness other(shared_by("concurrent"), four_blocks(), 1, hundred, slices_of({250, 250}));
  other.launch_of(1, same);
  ASSERT_TRUE(other.run());
  EXPECT_EQ(gpu.dispatched, other.dispatched);
  EXPECT_EQ(gpu.core.engine_statistics()[1].switch_cycles, 0u);
  EXPECT_GT(gpu.core.engine_statistics()[1].slices, 3u);
}

TEST(TimeSliced, SlicesGoOnWhileAnApplicationIsAloneSoThatANewcomerWaitsForTheEndOfOne) {
  DistributorHarness gpu(shared_by("time_sliced"), four_blocks(), 1, hundred, slices_of({250, 250}));
  ShapeKernel a(80, 32), b(4, 32);
  gpu.launch_of(0, a);
  gpu.launch_of(1, b, 600);
  ASSERT_TRUE(gpu.run());
  ASSERT_GE(gpu.slices.size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) {  // the newcomer comes in the third
    EXPECT_EQ(gpu.slices[i].application, 0);
    EXPECT_EQ(gpu.slices[i].end, gpu.slices[0].start + 250 * (i + 1));
  }
  EXPECT_EQ(gpu.slices[3].application, 1);
}

TEST(TimeSliced, AnApplicationThatHangsAloneLeavesNothingToDo) {
  const auto never = [](KernelId, std::uint32_t, SmId) { return Cycle{1} << 40; };
  DistributorHarness gpu(shared_by("time_sliced"), four_blocks(), 1, never, slices_of({250, 250}));
  ShapeKernel a(4, 32);
  gpu.launch_of(0, a);
  EXPECT_FALSE(gpu.run(5000));
  EXPECT_EQ(gpu.core.advance(6000), kNever);
}

/// A chain of kernels of a block of 100 cycles, one after the other with a pause of 60, beside a kernel of many.
struct Chain {
  explicit Chain(const std::string& application, bool told, unsigned kernel_launch_latency = 0) {
    WorkDistributorConfig config = shared_by(application);
    config.kernel_launch_latency = kernel_launch_latency;
    gpu = std::make_unique<DistributorHarness>(config, four_blocks(), 1, hundred, slices_of({1000, 1000}));
    for (unsigned k = 0; k < 6; ++k) {
      gpu->launch_of(0, links.emplace_back(1, 32), 200 * k);
      if (told && k < 5) gpu->more_pending();
      if (k == 0) gpu->launch_of(1, hog, 10);
    }
    EXPECT_TRUE(gpu->run());
  }
  std::deque<ShapeKernel> links;
  ShapeKernel hog{100, 32};
  std::unique_ptr<DistributorHarness> gpu;
};

TEST(TimeSliced, AnApplicationKeepsItsSliceFromOneKernelToTheNextThatItsHostHasSubmitted) {
  const Chain told("time_sliced", true);
  ASSERT_GE(told.gpu->slices.size(), 2u);
  EXPECT_EQ(told.gpu->slices[0].application, 0);
  EXPECT_TRUE(told.gpu->slices[0].by_time);
  EXPECT_EQ(told.gpu->slices[0].end, 1000u);  // five of the chain's kernels
  EXPECT_EQ(first_dispatch(*told.gpu, 1), told.gpu->slices[0].off);

  const Chain late("time_sliced", false);
  EXPECT_FALSE(late.gpu->slices[0].by_time);
  EXPECT_LT(late.gpu->slices[0].end, 150u);  // with its first kernel
  EXPECT_EQ(first_dispatch(*late.gpu, 1), late.gpu->slices[0].off);
}

TEST(Exclusive, AnApplicationKeepsTheEngineFromOneKernelToTheNextThatItsHostHasSubmitted) {
  const Chain told("exclusive", true);
  EXPECT_EQ(first_dispatch(*told.gpu, 1), end_of(*told.gpu, 6) + kHop);
  ASSERT_EQ(told.gpu->slices.size(), 2u);
  EXPECT_FALSE(told.gpu->slices[0].by_time);
  const Chain late("exclusive", false);
  EXPECT_LT(first_dispatch(*late.gpu, 1), 200u);
}

TEST(TimeSliced, ALaunchIsWorkFromItsArrivalOn) {
  WorkDistributorConfig config = shared_by("time_sliced");
  config.kernel_launch_latency = 90;
  DistributorHarness gpu(config, four_blocks(), 1, hundred, slices_of({1000, 1000}));
  ShapeKernel first(1, 32), second(1, 32), hog(100, 32);
  gpu.launch_of(0, first);  // ends at 90 + 140
  gpu.launch_of(1, hog, 10);
  gpu.launch_of(0, second, 200);  // and before that this one has come, which may be sent from 290 on
  ASSERT_TRUE(gpu.run());
  EXPECT_EQ(first_dispatch(gpu, 2), 290u);
  EXPECT_GT(first_dispatch(gpu, 1), end_of(gpu, 2));
}

TEST(TimeSliced, AWordOfTheHostsIsWorkToo) {
  DistributorHarness gpu(shared_by("time_sliced"), four_blocks(), 1, hundred, slices_of({1000, 1000}));
  ShapeKernel first(1, 32), second(1, 32), hog(100, 32);
  gpu.launch_of(0, first);
  gpu.launch_of(1, hog, 10);
  gpu.launch_of(0, second, 400);
  gpu.say(0, true, 50);    // while the first runs
  gpu.say(0, false, 300);  // it was nothing
  ASSERT_TRUE(gpu.run());
  EXPECT_EQ(gpu.slices[0].end, 300u);
  EXPECT_FALSE(gpu.slices[0].by_time);
  EXPECT_EQ(first_dispatch(gpu, 1), 300u);
  EXPECT_GT(first_dispatch(gpu, 2), 1300u);
}

TEST(TimeSliced, AnExchangeOfContextsTakesItsTimeWhichIsNoPartOfASlice) {
  WorkDistributorConfig config = shared_by("time_sliced");
  config.options = {{"time_sliced.switch_us", 300u}};
  Applications applications = slices_of({250, 250});
  applications.clock = Clock(kMicrosecond);  // a cycle is a microsecond
  for (EngineShare& share : applications.shares) share.time_slice = 250 * kMicrosecond;
  DistributorHarness gpu(config, four_blocks(), 1, hundred, applications);
  ShapeKernel a(20, 32), b(20, 32);
  gpu.launch_of(0, a);
  gpu.launch_of(1, b);
  ASSERT_TRUE(gpu.run());
  expect_apart(gpu, {0, 1});
  ASSERT_GE(gpu.slices.size(), 4u);
  EXPECT_EQ(first_dispatch(gpu, 0), 300u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(gpu.slices[i].start, gpu.slices[i].come + 300);
    EXPECT_EQ(gpu.slices[i].end, gpu.slices[i].start + 250);
    EXPECT_EQ(gpu.slices[i + 1].come, gpu.slices[i].off);
  }
  // Where nobody else wants the engine, slices follow each other.
  DistributorHarness alone(config, four_blocks(), 1, hundred, applications);
  ShapeKernel c(20, 32);
  alone.launch_of(1, c);
  ASSERT_TRUE(alone.run());
  EXPECT_GT(alone.core.engine_statistics()[1].slices, 2u);
  EXPECT_EQ(alone.core.engine_statistics()[1].switch_cycles, 300u);
}

TEST(Partitioned, AContextDoesNotWaitForTheKernelsOfAnother) {
  const auto second_begins = [](const std::string& application) {
    DistributorHarness gpu(shared_by(application), four_blocks(), 1, hundred, slices_of({0, 0}));
    ShapeKernel large(4, 1024), small(1, 64);  // an SM holds one block of the first, and not a second beside it
    gpu.launch_of(0, large);
    gpu.launch_of(1, small, 50);
    EXPECT_TRUE(gpu.run());
    return first_dispatch(gpu, 1);
  };
  EXPECT_GT(second_begins("concurrent"), 300u);  // behind all blocks of the first
  EXPECT_LT(second_begins("partitioned"), 200u);
}

/// Two clients of MPS with a kernel each: that of the first is there, that of the second comes to an SM in use.
struct Clients {
  int first_stream = 0, second_stream = 0;  ///< priorities
  unsigned first_client = 0, second_client = 0;
  std::string order = "leftover";

  /// The kernels, as they had a block each sent.
  std::vector<KernelId> sent() const {
    Applications applications = slices_of({0, 0});
    applications.shares[0].mps_priority = first_client;
    applications.shares[1].mps_priority = second_client;
    WorkDistributorConfig config = shared_by("partitioned", order);
    config.priorities = 6;
    DistributorHarness gpu(config, four_blocks(), 1, thousand, applications);
    ShapeKernel first(8, 32), second(8, 32);
    gpu.launch_of(0, first, 0, SmSet().set(), first_stream);
    gpu.launch_of(1, second, 500, SmSet().set(), second_stream);
    EXPECT_TRUE(gpu.run());
    std::vector<KernelId> kernels;
    for (const Dispatch& d : gpu.dispatched) kernels.push_back(d.kernel);
    return kernels;
  }
};

const std::vector<KernelId> kByTurns{0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1};
const std::vector<KernelId> kSecondFirst{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0};
const std::vector<KernelId> kFirstFirst{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};

// NVIDIA, Multi-Process Service, "Client Priority Level Control": priorities of streams order the kernels of all clients;
// one below normal comes behind, whatever its streams' priorities. The last case is the guide's example.
TEST(Partitioned, TheMoreUrgentKernelOfAClientGoesFirstOnSmsThatAnotherUsesToo) {
  EXPECT_EQ(Clients{}.sent(), kByTurns);
  EXPECT_EQ((Clients{0, -1}.sent()), kSecondFirst);
  EXPECT_EQ((Clients{-5, -1}.sent()), kFirstFirst);
  EXPECT_EQ((Clients{-1, -1}.sent()), kByTurns);
  EXPECT_EQ((Clients{0, 0, 1, 0}.sent()), kSecondFirst);
  EXPECT_EQ((Clients{0, 0, 1, 1}.sent()), kByTurns);
  EXPECT_EQ((Clients{0, -3, 0, 1}.sent()), kFirstFirst);
  EXPECT_EQ((Clients{-5, 0, 1, 0}.sent()), kSecondFirst);
}

TEST(Partitioned, AnOrderThatHeedsNoPrioritiesHeedsThoseOfClientsNeither) {
  EXPECT_EQ((Clients{0, -1, 0, 0, "srtf"}.sent()), (Clients{0, 0, 0, 0, "srtf"}.sent()));
  EXPECT_EQ((Clients{0, 0, 0, 1, "srtf"}.sent()), (Clients{0, 0, 0, 0, "srtf"}.sent()));
}

TEST(Partitioned, AnUrgentClientHoldsBackNobodyOnSmsThatItMayNotUse) {
  DistributorHarness apart(shared_by("partitioned"), four_blocks(), 2, thousand, slices_of({0, 0}));
  ShapeKernel everywhere(16, 32), urgent_there(8, 32);
  apart.launch_of(0, everywhere);
  apart.launch_of(1, urgent_there, 500, SmSet().set(1), -1);
  ASSERT_TRUE(apart.run());
  for (const Dispatch& d : apart.dispatched) {
    if (d.at < 500) continue;
    EXPECT_EQ(d.sm, d.kernel) << "the first goes on on SM 0 alone, the second on SM 1";
  }
  EXPECT_NEAR(end_of(apart, 0), end_of(apart, 1), 100);

  Applications applications = slices_of({0, 0});
  applications.shares[1].thread_percent = 25;  // a block of 32 threads on an SM of 128
  SmLimits sm = four_blocks();
  sm.threads = 128;
  sm.warps = 4;
  DistributorHarness gpu(shared_by("partitioned"), sm, 1, thousand, applications);
  ShapeKernel low(8, 32), urgent(8, 32);
  gpu.launch_of(1, urgent, 0, SmSet().set(), -1);
  gpu.launch_of(0, low, 0);
  ASSERT_TRUE(gpu.run());
  EXPECT_EQ(most_resident(gpu, 1, 0, 0, kNever), 3u) << "beside the one block that the urgent client may have there";
}

TEST(Partitioned, NoMoreThreadsOfAnApplicationAreOnAnSmThanItsShare) {
  Applications applications = slices_of({0, 0});
  applications.shares[0].thread_percent = 25;
  SmLimits sm;
  sm.threads = 1024;
  sm.warps = 32;
  DistributorHarness gpu(shared_by("partitioned"), sm, 2, hundred, applications);
  ShapeKernel a(40, 64), b(40, 64);
  gpu.launch_of(0, a);
  gpu.launch_of(1, b);
  ASSERT_TRUE(gpu.run());
  for (const SmId sm_id : {SmId{0}, SmId{1}}) {
    EXPECT_EQ(most_resident(gpu, 0, sm_id, 0, kNever), 4u);  // 256 threads
    EXPECT_EQ(most_resident(gpu, 1, sm_id, 0, kNever), 12u);
  }
}

TEST(Partitioned, BlocksStayOnTheSmsOfTheirApplicationsShare) {
  Applications applications = slices_of({0, 0});
  applications.shares[0].sm_percent = 25;
  applications.shares[1].sm_percent = 75;
  DistributorHarness gpu(shared_by("partitioned"), four_blocks(), 4, hundred, applications);
  ShapeKernel a(20, 64), b(40, 64);
  gpu.launch_of(0, a);
  gpu.launch_of(1, b);
  ASSERT_TRUE(gpu.run());
  for (const Dispatch& d : gpu.dispatched) EXPECT_EQ(d.sm == 0, d.kernel == 0);
}

TEST(ExecutionEngine, KernelOrdersLookAtTheirOwnContextOnly) {
  for (const char* order : {"leftover", "mpmax", "srtf", "srtf_adaptive"}) {
    DistributorHarness gpu(shared_by("time_sliced", order), sm_config(), kSms, hundred, slices_of({700, 900, 400}));
    std::vector<std::unique_ptr<ShapeKernel>> kernels;
    std::vector<const ShapeKernel*> all;
    std::vector<ApplicationId> application_of;
    for (unsigned k = 0; k < 6; ++k) {
      kernels.push_back(std::make_unique<ShapeKernel>(30 + 11 * k, 192));
      all.push_back(kernels.back().get());
      application_of.push_back(static_cast<ApplicationId>(k % 3));
      gpu.launch_of(application_of.back(), *kernels.back(), 40 * k);
    }
    ASSERT_TRUE(gpu.run()) << order;
    expect_all_blocks_once(gpu, all);
    expect_apart(gpu, application_of);
    EXPECT_EQ(gpu.blocks_in_use(), 0u);
  }
}

TEST(SlicingPredictor, DoesNotCountTheTimeOffTheEngineAsActive) {
  DistributorHarness gpu(shared_by("time_sliced", "srtf"), four_blocks(), 1, hundred, slices_of({250, 250}));
  ShapeKernel a(40, 32), b(40, 32);
  gpu.launch_of(0, a);
  gpu.launch_of(1, b);
  ASSERT_TRUE(gpu.run());
  const Cycle span = std::max(end_of(gpu, 0), end_of(gpu, 1));
  EXPECT_LE(gpu.active[0].at(0) + gpu.active[1].at(0), span + kHop);  // an end counts when it is heard of
  EXPECT_GT(gpu.active[0].at(0), 10 * 100u);
}

WorkDistributorConfig preempting() {
  WorkDistributorConfig config = shared_by("time_sliced", "srtf");
  config.options = {{"time_sliced.instruction_preemption", true}};
  return config;
}

TEST(InstructionPreemption, EndsASliceInTheMiddleOfBlocksWhichGoOnInTheNext) {
  const auto long_blocks = [](KernelId, std::uint32_t, SmId) { return Cycle{1000}; };
  DistributorHarness gpu(preempting(), four_blocks(), 2, long_blocks, slices_of({250, 250}));
  ShapeKernel a(8, 32), b(8, 32);
  gpu.launch_of(0, a);
  gpu.launch_of(1, b);
  ASSERT_TRUE(gpu.run());
  ASSERT_GE(gpu.slices.size(), 8u);
  constexpr Cycle kAway = 2 * kHop + DistributorHarness::kSwitch;  // to the SMs and back, and what they do there
  const SliceEnded& first = gpu.slices[0];
  EXPECT_EQ(first.end, first.start + 250);
  EXPECT_EQ(first.off, first.end + kAway);
  EXPECT_EQ(first.preempted_blocks, 8u);
  EXPECT_EQ(first.saved_bytes, 8 * DistributorHarness::kState);
  EXPECT_EQ(gpu.slices[1].come, first.off);
  const SliceEnded& second = gpu.slices[2];  // the first application again
  EXPECT_EQ(second.application, 0);
  EXPECT_EQ(second.start, second.come + kAway);
  EXPECT_EQ(second.resumed_blocks, 8u);
}

TEST(InstructionPreemption, ApplicationsThatHangAreNotSwitchedForEver) {
  // The first two hang; the third one can go on, and does.
  const auto duration = [](KernelId kernel, std::uint32_t, SmId) {
    return kernel < 2 ? 2 * DistributorHarness::kHangs : Cycle{1000};
  };
  DistributorHarness gpu(preempting(), four_blocks(), 1, duration, slices_of({250, 250, 250}));
  ShapeKernel a(4, 32), b(4, 32), c(4, 32);
  gpu.launch_of(0, a);
  gpu.launch_of(1, b);
  gpu.launch_of(2, c);
  EXPECT_FALSE(gpu.run(20000));
  ASSERT_EQ(gpu.ended.size(), 1u);
  EXPECT_EQ(gpu.ended[0].kernel, 2u);
  EXPECT_LT(gpu.ended[0].end, 5000u);
  EXPECT_LT(gpu.slices.back().off, 10000u);
  EXPECT_EQ(gpu.core.advance(21000), kNever);
  EXPECT_FALSE(gpu.core.waiting().empty());
}

TEST(InstructionPreemption, TheSmsAreFreeForTheOtherApplicationMeanwhile) {
  const auto long_blocks = [](KernelId, std::uint32_t, SmId) { return Cycle{1000}; };
  DistributorHarness gpu(preempting(), four_blocks(), 1, long_blocks, slices_of({250, 400}));
  ShapeKernel a(4, 32), b(4, 32);
  gpu.launch_of(0, a);
  gpu.launch_of(1, b, 100);
  ASSERT_TRUE(gpu.run());
  EXPECT_LT(last_dispatch(gpu, 1), 500u);  // all four, though no block of the first has ended
  EXPECT_GT(end_of(gpu, 0), 1500u);
}

TEST(InstructionPreemption, TimeOffTheSmsIsNoRuntime) {
  const auto long_blocks = [](KernelId, std::uint32_t, SmId) { return Cycle{1000}; };
  DistributorHarness gpu(preempting(), four_blocks(), 1, long_blocks, slices_of({250, 250}));
  ShapeKernel a(4, 32), b(4, 32);
  gpu.launch_of(0, a);
  gpu.launch_of(1, b);
  ASSERT_TRUE(gpu.run());
  for (const Prediction& p : gpu.predictions) EXPECT_EQ(p.t, 1000u);
  // Sent and heard of a hop away from the SM, in each slice too.
  for (const KernelId kernel : {0u, 1u}) {
    EXPECT_NEAR(static_cast<double>(gpu.active[kernel].at(0)), 1000.0, 5 * 2 * kHop);
  }
}

/// What a policy does with random kernels of three applications, and for how long the GPU was idle with work waiting.
struct Outcome {
  std::vector<Dispatch> dispatched;
  std::vector<KernelEnd> ended;
  bool operator==(const Outcome& o) const { return dispatched == o.dispatched && ended == o.ended; }
};

Outcome random_run(const std::string& application, const std::string& order, unsigned seed, bool instructions,
                   const std::function<Cycle()>& window) {
  std::mt19937 random(seed);
  const auto duration = [](KernelId kernel, std::uint32_t block, SmId) {
    return Cycle{50 + (kernel * 37 + block * 11) % 90};
  };
  Applications applications = slices_of({300, 500, 0});
  applications.shares[2].time_slice = 150;
  applications.shares[2].timeslice_priority = TimeslicePriority::kHigh;
  applications.shares[1].thread_percent = 50;
  WorkDistributorConfig config = shared_by(application, order);
  config.options = {{"time_sliced.instruction_preemption", instructions}};
  DistributorHarness gpu(config, sm_config(), kSms, duration, applications);
  std::vector<std::unique_ptr<ShapeKernel>> kernels;
  std::vector<const ShapeKernel*> all;
  std::vector<ApplicationId> application_of;
  for (unsigned k = 0; k < 8; ++k) {
    kernels.push_back(std::make_unique<ShapeKernel>(1 + random() % 60, 64 * (1 + random() % 6)));
    all.push_back(kernels.back().get());
    application_of.push_back(static_cast<ApplicationId>(random() % 3));
    gpu.launch_of(application_of.back(), *kernels.back(), random() % 900);
  }
  EXPECT_TRUE(gpu.run(window)) << application << " " << order << " " << seed;
  expect_all_blocks_once(gpu, all);
  if (application != "partitioned" && !instructions) expect_apart(gpu, application_of);
  std::uint64_t preempted = 0, resumed = 0;
  for (const EngineStatistics& s : gpu.core.engine_statistics()) {
    preempted += s.preempted_blocks;
    resumed += s.resumed_blocks;
    EXPECT_EQ(s.saved_bytes, s.restored_bytes);
  }
  EXPECT_EQ(preempted, resumed);
  EXPECT_EQ(preempted > 0, instructions);
  return {gpu.dispatched, gpu.ended};
}

TEST(ExecutionEngine, RunsEveryBlockOnceAndTheSameForEveryWindow) {
  for (const char* application : {"exclusive", "time_sliced", "partitioned"}) {
    for (const char* order : {"leftover", "mpmax", "srtf", "srtf_adaptive"}) {
      for (unsigned seed = 0; seed < 5; ++seed) {
        for (const bool instructions : {false, true}) {
          if (instructions && std::string(application) != "time_sliced") continue;
          const auto run = [&](Cycle window) {
            return random_run(application, order, seed, instructions, [=] { return window; });
          };
          const Outcome longest = run(kHop);
          EXPECT_EQ(run(1), longest);
          EXPECT_EQ(run(7), longest);
        }
      }
    }
  }
}

TEST(ExecutionEngine, IsNeverIdleWithWorkWaitingButToSwitch) {
  // Two applications always have work, and blocks fill the SM: the application that is on has blocks running.
  DistributorHarness gpu(shared_by("time_sliced"), four_blocks(), 1, hundred, slices_of({400, 800}));
  ShapeKernel a(200, 32), b(400, 32);
  gpu.launch_of(0, a);
  gpu.launch_of(1, b);
  ASSERT_TRUE(gpu.run());
  Cycle on = 0, switching = 0;
  for (const EngineStatistics& s : gpu.core.engine_statistics()) on += s.on_cycles, switching += s.switch_cycles;
  EXPECT_EQ(on + switching, gpu.slices.back().off - gpu.slices.front().start);
  for (std::size_t i = 1; i < gpu.slices.size(); ++i) EXPECT_EQ(gpu.slices[i].start, gpu.slices[i - 1].off);
}

}  // namespace
}  // namespace gputlm::test
