#include "platform/examiner/fields.h"

#include <cmath>
#include <string>

#include "platform/files/numbers.h"
#include "tlm/base/numbers.h"

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

namespace gputlm {

SmSet read_sm_mask(const YamlNode& node) {
  std::string digits = node.possibly_empty_text();
  const bool inverted = !digits.empty() && digits[0] == '~';
  if (inverted) digits.erase(0, 1);
  if (digits.rfind("0x", 0) != 0 && digits.rfind("0X", 0) != 0) digits.insert(0, "0x");
  const auto mask = parse_whole(digits);
  if (!mask || digits.size() > 18) node.refuse("up to 16 hexadecimal digits, as in 0x3 or ~0x3");
  SmSet sms;
  for (unsigned sm = 0; sm < kMaxSms; ++sm) {
    const unsigned tpc = sm / kSmsOfTpc;
    const bool bit = tpc < 64 && ((*mask >> tpc) & 1) != 0;
    sms.set(sm, bit == inverted);
  }
  return sms;
}

}  // namespace gputlm
