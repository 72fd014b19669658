#include "platform/input/arrivals_form.h"

#include <cmath>
#include <string>

#include "models/host/arrivals.h"
#include "platform/input/release_table.h"

namespace gputlm {
namespace {

constexpr const char* kList = "releases_us";
constexpr Microseconds kRelease{0, kMaxReleaseUs};

using schema::Json;

void check(const YamlMap& map) {
  if (map.find(kList)) {
    for (const MapForm::Key& key : arrivals_form().keys()) {
      if (key.name == kList) continue;
      if (const auto other = map.find(key.name))
        other->fail("a launch has 'releases_us' or '" + key.name + "', not both");
    }
  }
  const auto repeat = map.find("repeat");
  const bool again = repeat && repeat->unsigned_number(1, kMaxRepeats) > 1;
  for (const char* key : {"period_us", "sporadic_us"}) {
    const auto node = map.find(key);
    if (node && !again) node->fail("'" + std::string(key) + "' needs a 'repeat' of 2 or more");
  }
  const auto seed = map.find("seed");
  if (seed && !map.find("sporadic_us") && !map.find("jitter_us"))
    seed->fail("'seed' has no effect without 'sporadic_us' or 'jitter_us'");
}

void say(Json& schema) {
  const Json repeated{{"required", {"repeat"}}, {"properties", {{"repeat", {{"minimum", 2}}}}}};
  Json others = Json::array();
  for (const MapForm::Key& key : arrivals_form().keys()) {
    if (key.name != kList) others.push_back({{"required", {key.name}}});
  }
  schema["dependencies"] = {{"period_us", repeated},
                            {"sporadic_us", repeated},
                            {"seed", schema::any_key({"sporadic_us", "jitter_us"})},
                            {kList, {{"not", {{"anyOf", others}}}}}};
}

std::vector<Femtoseconds> read_list(const YamlNode& list) {
  if (list.is_map()) return read_release_table(list);
  std::vector<Femtoseconds> times;
  for (const YamlNode& item : list.items()) {
    const Femtoseconds time = forms::read(item, kRelease);
    if (!times.empty() && time < times.back()) item.fail("found a release before the one before it");
    times.push_back(time);
  }
  if (times.empty()) list.fail("the list is empty, but at least one release is needed");
  return times;
}

}  // namespace

const MapForm& arrivals_form() {
  static const MapForm form =
      MapForm("release")
          .fields<Arrivals>()
          .key(kList, schema::any_of({schema::list(forms::schema_of(kRelease), 1), schema::reference("release table")}),
               "In the place of all these: a list of times, or a CSV file's")
          .rule({check, say});
  return form;
}

std::vector<Femtoseconds> read_arrivals(const YamlMap& map, std::uint64_t seed) {
  if (const auto list = map.find(kList)) return read_list(*list);
  Arrivals arrivals;
  read_fields(map, arrivals);
  if (!arrivals.seed) arrivals.seed = seed;
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

std::optional<Femtoseconds> read_min_interarrival(const YamlMap& map) {
  Arrivals arrivals;
  if (!map.find("sporadic_us")) return std::nullopt;
  read_fields(map, arrivals);
  if (arrivals.sporadic == 0 || arrivals.period == 0 || arrivals.jitter > 0) return std::nullopt;
  return arrivals.period;
}

}  // namespace gputlm
