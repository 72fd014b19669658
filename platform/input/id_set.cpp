#include "platform/input/id_set.h"

namespace gputlm {

SmSet sm_range(unsigned first, unsigned last) {
  SmSet sms;
  for (unsigned sm = first; sm <= last; ++sm) sms.set(sm);
  return sms;
}

SmSet read_sm_set(const YamlNode& node) { return read_ids<kMaxSms>(node, "an", "SM"); }

std::string to_text(const SmSet& sms) { return ids_text(sms); }

}  // namespace gputlm
