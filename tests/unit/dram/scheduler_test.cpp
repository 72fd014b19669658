#include "models/dram/scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

std::unique_ptr<RequestScheduler> one_bank(const std::string& name, unsigned row_hit_cap = 0) {
  return std::move(make_request_schedulers(name, {1, 64, row_hit_cap}).front());
}

std::vector<Request> random_requests(std::mt19937& random, unsigned applications = 1) {
  std::vector<Request> requests(1 + random() % 20);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i] = {random() % 4, i, 0, static_cast<ApplicationId>(random() % applications), random() % 2 == 0};
  }
  return requests;
}

/// A bank that serves what its scheduler picks, and opens rows as that takes.
struct Bank {
  explicit Bank(std::unique_ptr<RequestScheduler> made) : scheduler(std::move(made)) {}

  void arrive(Row row, ApplicationId application) {
    pending.push_back({row, arrivals++, 0, application, false});
    scheduler->arrived(pending.back());
  }
  Request serve() {
    const std::size_t pick = scheduler->pick({pending.data(), pending.size()}, open_row);
    const Request request = pending.at(pick);
    if (request.row != open_row) {
      if (open_row != kNoRow) scheduler->precharged();
      open_row = request.row;
      scheduler->activated(open_row);
    }
    pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(pick));
    scheduler->served(request);
    return request;
  }

  std::unique_ptr<RequestScheduler> scheduler;
  std::vector<Request> pending;
  Row open_row = kNoRow;
  std::uint64_t arrivals = 0;
};

std::vector<std::uint64_t> order_of_figure5(const std::string& policy) {
  Bank bank(one_bank(policy));
  for (const Row row : {1, 1, 1, 2, 2, 2}) bank.arrive(row, 0);
  bank.arrive(3, 1);
  std::vector<std::uint64_t> order;
  while (!bank.pending.empty()) order.push_back(bank.serve().age);
  return order;
}

TEST(Fcfs, PicksTheOldestWhateverRowIsOpen) {
  std::mt19937 random(4);
  const auto scheduler = one_bank("fcfs");
  for (int i = 0; i < 200; ++i) {
    const auto requests = random_requests(random);
    EXPECT_EQ(scheduler->pick({requests.data(), requests.size()}, random() % 4), 0u);
  }
}

TEST(FrFcfs, PicksTheOldestHitAndWithoutHitsTheOldest) {
  std::mt19937 random(5);
  const auto scheduler = one_bank("fr_fcfs");
  for (int i = 0; i < 500; ++i) {
    const auto requests = random_requests(random);
    const Row open = i % 5 == 0 ? kNoRow : random() % 4;
    const std::size_t pick = scheduler->pick({requests.data(), requests.size()}, open);
    bool hits = false;
    for (const Request& request : requests) hits = hits || request.row == open;
    if (!hits) {
      EXPECT_EQ(pick, 0u);
      continue;
    }
    EXPECT_EQ(requests[pick].row, open);
    for (std::size_t older = 0; older < pick; ++older) EXPECT_NE(requests[older].row, open);
  }
}

TEST(FrRrFcfs, OrdersFigure5AsThePaper) {
  EXPECT_EQ(order_of_figure5("fr_fcfs"), (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(order_of_figure5("fr_rr_fcfs"), (std::vector<std::uint64_t>{0, 1, 2, 6, 3, 4, 5}));
}

/// The rule of section 4.1 in other words: an oldest hit; else no application between the one served last and the
/// picked one (cyclic) has a request, and none of the picked one's is older.
TEST(FrRrFcfs, WithoutHitsTheNextApplicationWithARequestHasItsTurn) {
  std::mt19937 random(6);
  for (unsigned applications = 1; applications <= 8; ++applications) {
    const auto scheduler = one_bank("fr_rr_fcfs");
    unsigned last = applications - 1;
    for (int i = 0; i < 500; ++i) {
      const auto requests = random_requests(random, applications);
      const Row open = i % 3 == 0 ? kNoRow : random() % 6;
      const std::size_t pick = scheduler->pick({requests.data(), requests.size()}, open);
      const auto hit = std::find_if(requests.begin(), requests.end(), [&](const Request& r) { return r.row == open; });
      if (hit != requests.end()) {
        EXPECT_EQ(static_cast<std::ptrdiff_t>(pick), hit - requests.begin());
      } else {
        for (const Request& other : requests) {
          const unsigned turn = (other.application + applications - last - 1) % applications;
          const unsigned picked = (requests[pick].application + applications - last - 1) % applications;
          EXPECT_GE(turn, picked);
          if (other.application == requests[pick].application) {
            EXPECT_GE(other.age, requests[pick].age);
          }
        }
      }
      scheduler->served(requests[pick]);
      last = requests[pick].application;
    }
  }
}

TEST(FrRrFcfs, WithOneApplicationIsFrFcfs) {
  std::mt19937 random(7);
  for (const unsigned cap : {0u, 1u, 3u}) {
    Bank a(one_bank("fr_fcfs", cap)), b(one_bank("fr_rr_fcfs", cap));
    for (int i = 0; i < 2000; ++i) {
      for (unsigned n = random() % 3; n > 0 || a.pending.empty(); n -= n > 0 ? 1 : 0) {
        const Row row = random() % 4;
        a.arrive(row, 5);
        b.arrive(row, 5);
      }
      EXPECT_EQ(a.serve().age, b.serve().age);
    }
  }
}

/// A request to another row, and hits that never end: how many of them go first.
std::size_t hits_before_the_other(const std::string& policy, unsigned cap, std::size_t patience) {
  Bank bank(one_bank(policy, cap));
  bank.arrive(1, 0);
  bank.serve();
  bank.arrive(2, 1);
  for (std::size_t hits = 0; hits < patience; ++hits) {
    bank.arrive(1, 0);
    if (bank.serve().application == 1) return hits;
  }
  return patience;
}

TEST(RowHitCap, WithoutItHitsStarveAnotherRowForEver) {
  for (const char* policy : {"fr_fcfs", "fr_rr_fcfs"}) {
    EXPECT_EQ(hits_before_the_other(policy, 0, 100000), 100000u);
    for (const unsigned cap : {1u, 2u, 8u, 200u}) EXPECT_EQ(hits_before_the_other(policy, cap, 1000), cap - 1);
  }
}

TEST(RowHitCap, BeginsAnewWithEveryRowThatIsOpened) {
  for (const char* policy : {"fr_fcfs", "fr_rr_fcfs"}) {
    Bank bank(one_bank(policy, 3));
    for (const Row row : {1, 2, 1, 1, 2, 1, 2, 2}) bank.arrive(row, 0);
    std::vector<std::uint64_t> order;
    while (!bank.pending.empty()) order.push_back(bank.serve().age);
    EXPECT_EQ(order, (std::vector<std::uint64_t>{0, 2, 3, 1, 4, 6, 5, 7})) << policy;
  }
}

TEST(RequestSchedulers, ABanksHistoryIsItsOwn) {
  const auto schedulers = make_request_schedulers("fr_rr_fcfs", {2, 64, 0});
  const std::vector<Request> pending{{1, 0, 0, 0, false}, {2, 1, 0, 1, false}};
  schedulers[0]->served(pending[0]);
  EXPECT_EQ(schedulers[0]->pick({pending.data(), pending.size()}, kNoRow), 1u);
  EXPECT_EQ(schedulers[1]->pick({pending.data(), pending.size()}, kNoRow), 0u);
}

TEST(RequestSchedulers, WhatAPolicyNeedNotHearOfChangesNoPick) {
  std::mt19937 random(8);
  unsigned told_less = 0;
  for (const auto& policy : request_schedulers()) {
    for (const unsigned cap : {0u, 2u}) {
      SCOPED_TRACE(testing::Message() << policy.name << ", cap " << cap);
      const auto hears_all = one_bank(policy.name, cap), hears_less = one_bank(policy.name, cap);
      const SchedulerNeeds needs = hears_less->needs();
      if (needs.events && needs.all_picks) continue;
      ++told_less;
      std::vector<Request> pending;
      Row open = kNoRow;
      const auto picked_by = [&](const RequestScheduler& scheduler) {
        return scheduler.pick({pending.data(), pending.size()}, open);
      };
      for (std::uint64_t age = 0; age < 1000; ++age) {
        const Request request{random() % 4, age, 0, static_cast<ApplicationId>(random() % 3), false};
        const std::size_t before = pending.empty() ? 0 : picked_by(*hears_all);
        pending.push_back(request);
        hears_all->arrived(request);
        if (needs.events) hears_less->arrived(request);
        if (!needs.all_picks && pending.size() > 1 && request.row != open) {
          EXPECT_EQ(picked_by(*hears_all), before);
        }
        while (pending.size() > random() % 6) {
          const std::size_t pick = picked_by(*hears_all);
          ASSERT_EQ(picked_by(*hears_less), pick);
          const Request served = pending[pick];
          if (served.row != open) {
            if (open != kNoRow) hears_all->precharged();
            if (open != kNoRow && needs.events) hears_less->precharged();
            open = served.row;
            hears_all->activated(open);
            if (needs.events) hears_less->activated(open);
          }
          pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(pick));
          hears_all->served(served);
          if (needs.events) hears_less->served(served);
        }
      }
    }
  }
  EXPECT_GE(told_less, 4u);
}

TEST(RequestSchedulers, AnUnknownNameIsRefusedWithTheNamesThereAre) {
  try {
    one_bank("frfcfs");
    FAIL();
  } catch (const InputError& error) {
    std::string names;
    for (const auto& policy : request_schedulers()) names += (names.empty() ? "" : ", ") + std::string(policy.name);
    EXPECT_EQ(error.what(), "dram.scheduler: found 'frfcfs', allowed are " + names);
  }
}

TEST(FrRrFcfs, CountsARequestOfAnotherApplicationAsATurn) {
  const auto scheduler = one_bank("fr_rr_fcfs");
  for (const unsigned application : {0u, 0u, 2u, 0u}) {
    scheduler->served({0, 0, 0, static_cast<ApplicationId>(application), false});
  }
  PolicyCounts counts;
  scheduler->count(counts);
  EXPECT_EQ(counts.values(), (std::vector<std::uint64_t>{3}));
}

}  // namespace
}  // namespace gputlm
