#include "platform/examiner/sm_mask.h"

#include <string>

namespace gputlm {

SmSet read_sm_mask(const JsonNode& node) {
  std::string digits = node.text();
  const bool inverted = !digits.empty() && digits[0] == '~';
  if (inverted) digits.erase(0, 1);
  if (digits.rfind("0x", 0) == 0 || digits.rfind("0X", 0) == 0) digits.erase(0, 2);
  if (digits.empty() || digits.size() > 16 || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
    node.fail("found '" + node.text() + "', allowed: up to 16 hexadecimal digits, as in 0x3 or ~0x3");
  const std::uint64_t mask = std::stoull(digits, nullptr, 16);
  SmSet sms;
  for (unsigned sm = 0; sm < kMaxSms; ++sm) {
    const unsigned tpc = sm / kSmsOfTpc;
    const bool bit = tpc < 64 && ((mask >> tpc) & 1) != 0;
    sms.set(sm, bit == inverted);
  }
  return sms;
}

}  // namespace gputlm
