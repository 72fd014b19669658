#include "platform/input/workload_file_arrivals.h"

#include <algorithm>
#include <cmath>

#include "models/host/arrivals.h"
#include "platform/input/workload_limits.h"

namespace gputlm {
namespace {

std::vector<Femtoseconds> read_list(const YamlMap& map, const YamlNode& list) {
  for (const std::string& key : arrival_keys()) {
    if (key == "releases_us") continue;
    if (const auto other = map.find(key)) other->fail("a launch has 'releases_us' or '" + key + "', not both");
  }
  std::vector<Femtoseconds> times;
  for (const YamlNode& item : list.items()) {
    const Femtoseconds time = femtoseconds(item.number(0, kMaxReleaseUs));
    if (!times.empty() && time < times.back()) item.fail("found a release before the one before it");
    times.push_back(time);
  }
  if (times.empty()) list.fail("the list is empty, but at least one release is needed");
  return times;
}

}  // namespace

Femtoseconds femtoseconds(double microseconds) { return static_cast<Femtoseconds>(std::llround(microseconds * 1e9)); }

const std::vector<std::string>& arrival_keys() {
  static const std::vector<std::string> keys{"release_us", "repeat", "period_us",  "sporadic_us",
                                             "jitter_us",  "seed",   "releases_us"};
  return keys;
}

std::vector<Femtoseconds> read_arrivals(const YamlMap& map, std::uint64_t seed) {
  if (const auto list = map.find("releases_us")) return read_list(map, *list);
  Arrivals arrivals;
  arrivals.seed = seed;
  const auto time = [&](const char* key, double most = kMaxReleaseUs) {
    const auto node = map.find(key);
    return node ? femtoseconds(node->number(0, most)) : 0;
  };
  arrivals.first = time("release_us");
  if (const auto repeat = map.find("repeat")) arrivals.jobs = repeat->unsigned_number(1, kMaxRepeats);
  for (const char* key : {"period_us", "sporadic_us"}) {
    const auto node = map.find(key);
    if (node && arrivals.jobs < 2) node->fail("'" + std::string(key) + "' needs a 'repeat' of 2 or more");
  }
  arrivals.period = time("period_us");
  arrivals.sporadic = time("sporadic_us", kMaxSporadicUs);
  arrivals.jitter = time("jitter_us");
  if (const auto given = map.find("seed")) {
    if (!map.find("sporadic_us") && !map.find("jitter_us"))
      given->fail("'seed' has no effect without 'sporadic_us' or 'jitter_us'");
    arrivals.seed = given->unsigned_number();
  }
  const double last_us = (static_cast<double>(arrivals.first) +
                          static_cast<double>(arrivals.jobs - 1) *
                              (static_cast<double>(arrivals.period) + static_cast<double>(arrivals.sporadic))) *
                         1e-9;
  if (last_us > kMaxReleaseUs) {
    map.at(arrivals.period ? "period_us" : "sporadic_us")
        .fail("the last release would be at " + std::to_string(std::llround(last_us)) + " us, but at most " +
              std::to_string(std::llround(kMaxReleaseUs)) + " are allowed");
  }
  return release_times(arrivals);
}

}  // namespace gputlm
