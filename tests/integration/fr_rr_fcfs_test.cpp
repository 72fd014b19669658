// The experiments on fair memory scheduling that take seconds, and that they can fail; the 14 workloads are in
// fr_rr_fcfs_workloads_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>

#include "experiment_report.h"
#include "platform/experiments/fr_rr_fcfs/bank.h"
#include "platform/experiments/fr_rr_fcfs/runs.h"
#include "platform/input/preset.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

TEST(FrRrFcfsExample, IsFigure5) {
  const ExperimentReport report = reproduce("fr-rr-fcfs/example");
  EXPECT_EQ(report.figures.size(), 6u);
  expect_as_known("fr-rr-fcfs/example", report);
}

TEST(FrRrFcfsExample, RefutesAnotherSchedulerInItsPlace) {
  for (const char* scheduler : {"fcfs", "fr_fcfs"}) {
    const ExperimentReport report = reproduce("fr-rr-fcfs/example", instead("fr_rr_fcfs", scheduler));
    EXPECT_TRUE(report.figures[0].agrees() && report.figures[1].agrees());
    for (std::size_t i = 2; i < 5; ++i) EXPECT_FALSE(report.figures[i].agrees()) << scheduler << i;
  }
}

TEST(FrRrFcfsExample, PolicyAndControllerServeOneBankInTheSameOrderWhateverTheRequests) {
  DramConfig config = load_gpu("baseline60").dram;
  for (const char* scheduler : {"fcfs", "fr_fcfs", "fr_rr_fcfs"}) {
    for (const unsigned cap : {0u, 1u, 3u}) {
      config.scheduler = scheduler;
      config.row_hit_cap = cap;
      for (unsigned seed = 1; seed <= 20; ++seed) {
        std::vector<BankRequest> requests;
        for (unsigned i = 0, bits = seed * 2654435761u; i < 24; ++i, bits = bits * 1664525u + 1013904223u) {
          const auto application = static_cast<ApplicationId>(bits >> 30);
          requests.push_back({application, application * 8u + (bits >> 20 & 3)});
        }
        std::vector<std::size_t> order;
        for (const ServedRequest& served : serve(config, requests)) order.push_back(served.request);
        ASSERT_EQ(order, order_of_policy(config, requests)) << scheduler << " cap " << cap << " seed " << seed;
      }
    }
  }
}

TEST(FrRrFcfsStarvation, IsUnboundedWithoutACap) { expect_as_known("fr-rr-fcfs/starvation", quick()); }

DramConfig capped(const char* scheduler, unsigned cap) {
  DramConfig config = load_gpu("baseline60").dram;
  config.scheduler = scheduler;
  config.row_hit_cap = cap;
  return config;
}

TEST(FrRrFcfsStarvation, ACapBoundsTheWaitHoweverManyHitsThereAre) {
  for (const char* scheduler : {"fr_fcfs", "fr_rr_fcfs"}) {
    const auto wait = [&](unsigned cap, unsigned hits) {
      return serve(capped(scheduler, cap), {{1, hits, 16, 0}, {2, 1, 1, 100}})[1].longest_wait;
    };
    for (const unsigned cap : {64u, 4u}) EXPECT_EQ(wait(cap, 256), wait(cap, 4096)) << scheduler << " cap " << cap;
    EXPECT_LT(wait(4, 4096), wait(64, 4096)) << scheduler;
  }
}

TEST(FrRrFcfsStarvation, ACapCostsBandwidthWhereRowsOfABankAlternate) {
  for (const char* scheduler : {"fr_fcfs", "fr_rr_fcfs"}) {
    const auto end = [&](unsigned cap) {
      const auto outcomes = serve(capped(scheduler, cap), {{1, 1024, 16, 0}, {2, 1024, 16, 0}});
      return std::max(outcomes[0].end, outcomes[1].end);
    };
    EXPECT_LT(end(0), end(64)) << scheduler;
    EXPECT_LT(end(64), end(16)) << scheduler;
  }
}

TEST(MemoryApplications, AreSixWithOneApplicationEachAndAddressesApart) {
  ASSERT_EQ(memory_application_sources().size(), 6u);
  for (const PresetSource& source : memory_application_sources()) {
    const Workload workload = memory_application(source.name, 1);
    ASSERT_EQ(workload.applications.size(), 1u);
    EXPECT_EQ(workload.applications[0].name, source.name);
    EXPECT_EQ(workload.launches.size(), 1u);
  }
  try {
    memory_application("gubs", 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'gups'"), std::string::npos) << error.what();
  }
}

TEST(MemoryMetrics, AreTheEquationsOfThePaper) {
  MemoryOutcome first, second, shared;
  first.applications = {{100, 0, 1}};
  second.applications = {{10, 0, 1}};
  shared.applications = {{98, 0, 1}, {1, 0, 1}};
  const Metrics m = metrics(shared, first, second);
  EXPECT_DOUBLE_EQ(m.slowdown[0], 0.98);
  EXPECT_DOUBLE_EQ(m.slowdown[1], 0.1);
  EXPECT_DOUBLE_EQ(m.weighted_speedup, 1.08);
  EXPECT_DOUBLE_EQ(m.instructions, 99);
  EXPECT_DOUBLE_EQ(m.fairness_index, 9.8);
}

}  // namespace
}  // namespace gputlm
