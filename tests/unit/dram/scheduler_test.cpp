#include "models/dram/scheduler.h"

#include <gtest/gtest.h>

#include <random>

#include "tlm/error.h"

namespace gputlm {
namespace {

std::vector<Request> random_requests(std::mt19937& random) {
  std::vector<Request> requests(1 + random() % 20);
  for (std::size_t i = 0; i < requests.size(); ++i) requests[i] = {random() % 4, i, 0, 0, random() % 2 == 0};
  return requests;
}

TEST(Fcfs, PicksTheOldestWhateverRowIsOpen) {
  std::mt19937 random(4);
  const auto scheduler = make_request_scheduler("fcfs");
  for (int i = 0; i < 200; ++i) {
    const auto requests = random_requests(random);
    EXPECT_EQ(scheduler->pick({requests.data(), requests.size()}, random() % 4), 0u);
  }
}

TEST(FrFcfs, PicksTheOldestHitAndWithoutHitsTheOldest) {
  std::mt19937 random(5);
  const auto scheduler = make_request_scheduler("fr_fcfs");
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

TEST(RequestSchedulers, AnUnknownNameIsRefusedWithTheNamesThereAre) {
  try {
    make_request_scheduler("frfcfs");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "dram.scheduler: found 'frfcfs', allowed are fcfs, fr_fcfs");
  }
}

}  // namespace
}  // namespace gputlm
