#include "platform/input/launch_list.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

struct Told {
  std::string label;
  unsigned phase;
  std::size_t position, line;
};

/// Labels in the order in which they are launched; or, instead, what the one that repeats another is refused with.
using Outcome = std::pair<std::vector<std::string>, std::string>;

Outcome expected(std::vector<Told> launches) {
  std::stable_sort(launches.begin(), launches.end(), [](const Told& a, const Told& b) {
    return std::make_pair(a.phase, a.position) < std::make_pair(b.phase, b.position);
  });
  std::map<std::string, unsigned> total, number;
  for (const Told& launch : launches) ++total[launch.label];
  Outcome outcome;
  for (const Told& launch : launches) {
    std::string label = launch.label;
    if (total[label] > 1) label += "#" + std::to_string(++number[launch.label]);
    auto& labels = outcome.first;
    if (std::find(labels.begin(), labels.end(), label) != labels.end())
      return {
          {},
          "f:" + std::to_string(launch.line) + ": two launches are labelled '" + label + "', but labels must differ"};
    labels.push_back(label);
  }
  return outcome;
}

Outcome found(const std::vector<Told>& launches) {
  LaunchList list;
  Workload workload;
  for (const Told& launch : launches) {
    LaunchCommand command;
    command.label = launch.label;
    command.phase = launch.phase;
    command.file = "f";
    command.line = launch.line;
    list.add(workload, command, launch.position, std::nullopt);
  }
  try {
    list.move_to(workload);
  } catch (const InputError& error) {
    return {{}, error.what()};
  }
  Outcome outcome;
  for (const LaunchCommand& command : workload.launches) outcome.first.push_back(command.label);
  return outcome;
}

TEST(LaunchList, OrdersAndNumbersAnyLaunchesAndRefusesTwoLabelsThatAreTheSame) {
  const std::vector<std::string> labels{"a", "a#1", "a#2", "a#1#1", "a#", "a#02", "#1", "", "b"};
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return std::size_t{random()} % n; };
  unsigned refused = 0, taken = 0;
  for (unsigned run = 0; run < 3000; ++run) {
    std::vector<Told> launches;
    const std::size_t kinds = 1 + below(labels.size());
    for (std::size_t i = 0, count = 1 + below(8); i < count; ++i)
      launches.push_back({labels[below(kinds)], static_cast<unsigned>(below(3)), below(4), i + 1});
    const Outcome outcome = expected(launches);
    ASSERT_EQ(found(launches), outcome) << "run " << run;
    ++(outcome.first.empty() ? refused : taken);
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(taken, 100u);
}

}  // namespace
}  // namespace gputlm
