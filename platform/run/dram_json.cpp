#include "platform/run/dram_json.h"

#include <nlohmann/json.hpp>

#include "platform/run/counters_json.h"

namespace gputlm {

nlohmann::ordered_json dram_json(const DramApplicationStatistics& s, Bytes burst) {
  nlohmann::ordered_json json{{"read_bytes", s.reads * burst}, {"written_bytes", s.writes * burst}};
  json.update(counters_json(s));
  return json;
}

}  // namespace gputlm
