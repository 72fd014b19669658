#include "platform/examiner/sm_mask.h"

#include <string>

#include "platform/files/numbers.h"

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
