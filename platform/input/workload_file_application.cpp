#include "platform/input/workload_file_application.h"

#include <utility>

#include "platform/input/sm_set.h"
#include "platform/input/workload_file_arrivals.h"
#include "platform/input/workload_limits.h"

namespace gputlm {
namespace {

EngineShare read_share(const YamlMap& map) {
  EngineShare share;
  const auto percent = [&](const char* key) -> std::optional<unsigned> {
    const auto node = map.find(key);
    return node ? std::optional(static_cast<unsigned>(node->unsigned_number(1, 100))) : std::nullopt;
  };
  share.sm_percent = percent("sm_percent");
  if (share.sm_percent && map.find("sms"))
    map.at("sm_percent").fail("an application has 'sms' or 'sm_percent', not both");
  share.thread_percent = percent("thread_percent");
  if (const auto slice = map.find("time_slice_us"))
    share.time_slice = femtoseconds(slice->number(kMinSliceUs, kMaxReleaseUs));
  if (const auto priority = map.find("timeslice_priority"))
    share.timeslice_priority = static_cast<TimeslicePriority>(priority->one_of({"low", "medium", "high"}));
  return share;
}

}  // namespace

std::vector<std::string> application_keys(const std::vector<std::string>& others) {
  std::vector<std::string> keys{"name",           "sms",           "relaunch",          "sm_percent",
                                "thread_percent", "time_slice_us", "timeslice_priority"};
  keys.insert(keys.end(), others.begin(), others.end());
  return keys;
}

ApplicationSpec read_application(const YamlMap& map, std::string name) {
  ApplicationSpec spec;
  spec.name = std::move(name);
  spec.file = map.node().file();
  spec.line = map.node().line();
  if (const auto sms = map.find("sms")) {
    spec.sms = read_sm_set(*sms);
    spec.line = sms->line();
  }
  if (const auto relaunch = map.find("relaunch")) spec.relaunch = relaunch->boolean();
  spec.share = read_share(map);
  return spec;
}

}  // namespace gputlm
