#include "platform/examiner/fields.h"

#include <cmath>

#include "platform/files/numbers.h"
#include "tlm/numbers.h"

namespace gputlm::examiner {

FileFormat configuration_format{"cuda_scheduling_examiner configuration",
                                "users of cuda_scheduling_examiner, or its scripts",
                                "2018 to 2025, with JSON as additional_info"};

std::uint64_t whole_number(const YamlNode& node, std::uint64_t least, std::uint64_t most) {
  constexpr double kExact = 9007199254740992;  // up to 2^53 doubles are whole numbers
  if (node.is_scalar() && !parse_whole(node.node().text)) {
    const auto value = parse_number<double>(node.node().text);
    if (value && *value >= 0 && *value <= kExact && *value == std::floor(*value)) {
      const auto whole = static_cast<std::uint64_t>(*value);
      if (whole >= least && whole <= most) return whole;
    }
  }
  return node.unsigned_number(least, most);
}

bool is_true(const YamlNode& map, const FormatField& field) {
  const auto value = map.find(field);
  return value && value->boolean();
}

void note_unknown_keys(const YamlNode& map, const char* place, std::vector<std::string>& warnings) {
  map.note_unknown_keys(configuration_format.names(place), warnings);
}

}  // namespace gputlm::examiner
