#include "platform/run/policies_json.h"

#include <nlohmann/json.hpp>

namespace gputlm {

nlohmann::ordered_json policies_json(const std::vector<PolicyRecord>& policies) {
  auto json = nlohmann::ordered_json::object();
  for (const PolicyRecord& record : policies) {
    json[record.parameter]["name"] = record.policy;
    for (const PolicyCount& count : record.counters) json[record.parameter]["counters"][count.name] = count.value;
  }
  return json;
}

}  // namespace gputlm
