// Replays the solver's counterexamples to "no request waits forever" (waiting_forever.sv) against the C++ policies: they take
// every decision that the RTL takes, and the request waits through any number of repetitions.
//
// GPUTLM_COUNTEREXAMPLES names another folder of *.events files: the solver's latest results.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "models/dram/scheduler.h"

namespace gputlm {
namespace {

struct Event {
  enum class Kind { kEnter, kActivate, kPrecharge, kServe } kind;
  std::uint32_t id = 0;  ///< id of the request, for kEnter and kServe
  ApplicationId application = 0;
  Row row = 0;  ///< row, for kEnter and kActivate
};

/// A file: `policy NAME`, `cap N`, then events (events.awk) with `repeat` before the repeated ones; # starts a comment.
struct CounterExample {
  std::string policy;
  unsigned cap = 0;
  std::vector<Event> before, repeated;
};

CounterExample read(const std::filesystem::path& path) {
  CounterExample example;
  std::ifstream file(path);
  std::vector<Event>* events = &example.before;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word, app, row;
    words >> word;
    Event event{};
    if (word.empty() || word[0] == '#') continue;
    if (word == "policy") {
      words >> example.policy;
    } else if (word == "cap") {
      words >> example.cap;
    } else if (word == "repeat") {
      events = &example.repeated;
    } else {
      if (word == "enter") {
        words >> event.id >> app >> event.application >> row >> event.row;
        event.kind = Event::Kind::kEnter;
      } else if (word == "serve") {
        words >> event.id;
        event.kind = Event::Kind::kServe;
      } else if (word == "activate") {
        words >> event.row;
        event.kind = Event::Kind::kActivate;
      } else {
        EXPECT_EQ(word, "precharge") << path << ": unknown event";
        event.kind = Event::Kind::kPrecharge;
      }
      events->push_back(event);
    }
    EXPECT_FALSE(words.fail()) << path << ": " << line;
  }
  return example;
}

/// One bank and its scheduler.
class BankReplay {
 public:
  BankReplay(const std::string& policy, unsigned cap)
      : scheduler_(std::move(make_request_schedulers(policy, {1, 8, cap}).front())) {}

  const std::vector<Request>& pending() const { return pending_; }
  unsigned served() const { return served_; }

  /// False if the policy's decision differs from the events.
  bool run(const std::vector<Event>& events) {
    return std::all_of(events.begin(), events.end(), [this](const Event& event) { return step(event); });
  }

 private:
  bool step(const Event& event) {
    if (event.kind == Event::Kind::kEnter) {
      pending_.push_back({event.row, age_++, event.id, event.application, false});
      scheduler_->arrived(pending_.back());
      return true;
    }
    const std::size_t index = scheduler_->pick({pending_.data(), pending_.size()}, open_row_);
    const Request pick = pending_[index];
    switch (event.kind) {
      case Event::Kind::kActivate:
        if (open_row_ != kNoRow || pick.row != event.row) return false;
        open_row_ = event.row;
        scheduler_->activated(event.row);
        return true;
      case Event::Kind::kPrecharge:
        if (open_row_ == kNoRow || pick.row == open_row_) return false;
        open_row_ = kNoRow;
        scheduler_->precharged();
        return true;
      default:
        if (pick.slot != event.id || pick.row != open_row_) return false;
        pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(index));
        scheduler_->served(pick);
        ++served_;
        return true;
    }
  }

  std::unique_ptr<RequestScheduler> scheduler_;
  std::vector<Request> pending_;
  Row open_row_ = kNoRow;
  std::uint64_t age_ = 0;
  unsigned served_ = 0;
};

std::filesystem::path folder() {
  const char* found_now = std::getenv("GPUTLM_COUNTEREXAMPLES");
  return found_now ? found_now : GPUTLM_SOURCE_DIR "/testbench/kinds/arbiter/counterexamples";
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder()))
    if (entry.path().extension() == ".events") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

class CounterExampleReplay : public testing::TestWithParam<std::string> {
 protected:
  CounterExample example_ = read(folder() / (GetParam() + ".events"));
};

TEST_P(CounterExampleReplay, LetsARequestWaitThroughAThousandRounds) {
  BankReplay bank(example_.policy, example_.cap);
  ASSERT_TRUE(bank.run(example_.before));
  ASSERT_FALSE(bank.pending().empty());
  const std::uint64_t waiting = bank.pending().front().age;
  const unsigned served = bank.served();
  for (int round = 0; round < 1000; ++round) ASSERT_TRUE(bank.run(example_.repeated)) << "round " << round;
  EXPECT_EQ(bank.pending().front().age, waiting) << "the oldest request has been served";
  EXPECT_GE(bank.served() - served, 1000u);
}

/// A cap ends waits that are endless without one, and a cap of 1 ends waits that are endless with a cap of 2.
TEST_P(CounterExampleReplay, EndsWithALowerCap) {
  const unsigned cap = example_.cap == 0 ? 3 : example_.cap - 1;
  BankReplay bank(example_.policy, cap);
  bool as_found = bank.run(example_.before);
  for (unsigned round = 0; as_found && round <= cap; ++round) as_found = bank.run(example_.repeated);
  EXPECT_FALSE(as_found);
}

INSTANTIATE_TEST_SUITE_P(Formal, CounterExampleReplay, testing::ValuesIn(names()),
                         [](const auto& example) { return example.param; });

TEST(CounterExamples, ThereIsOneForEachPolicyWithoutACapAndOneForSharedRows) {
  EXPECT_THAT(names(),
              testing::UnorderedElementsAre("fr_fcfs_without_cap", "fr_rr_fcfs_without_cap", "fr_rr_fcfs_shared_rows"));
}

}  // namespace
}  // namespace gputlm
