#include "models/host/rounds.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace gputlm {
namespace {

/// A reference that asks every number in each round, and checks the added ones.
std::vector<std::size_t> asked_one_by_one(std::set<std::size_t> added, std::size_t numbers,
                                          const std::vector<std::vector<std::size_t>>& adds) {
  std::vector<std::size_t> looked;
  while (!added.empty()) {
    for (std::size_t n = 0; n < numbers; ++n) {
      if (added.erase(n) == 0) continue;
      if (looked.size() < adds.size()) added.insert(adds[looked.size()].begin(), adds[looked.size()].end());
      looked.push_back(n);
    }
  }
  return looked;
}

TEST(Rounds, AreAsIfEachAskedAllNumbers) {
  std::mt19937_64 random(1);
  for (int repetition = 0; repetition < 300; ++repetition) {
    const std::size_t numbers = 1 + random() % 12;
    std::vector<std::vector<std::size_t>> adds(random() % 40);  // by each look
    for (std::vector<std::size_t>& add : adds) {
      for (std::uint64_t more = random() % 4; more > 0; --more) add.push_back(random() % numbers);
    }
    std::set<std::size_t> first;
    Rounds rounds;
    for (std::uint64_t more = random() % 6; more > 0; --more) {
      const std::size_t number = random() % numbers;
      first.insert(number);
      rounds.add(number);
    }
    std::vector<std::size_t> looked;
    while (!rounds.empty()) {
      rounds.round([&](std::size_t number) {
        if (looked.size() < adds.size()) {
          for (const std::size_t n : adds[looked.size()]) rounds.add(n);
        }
        looked.push_back(number);
      });
    }
    ASSERT_EQ(looked, asked_one_by_one(first, numbers, adds)) << "repetition " << repetition;
  }
}

}  // namespace
}  // namespace gputlm
