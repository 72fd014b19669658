/// Sets of SMs as users write them (platform/input/id_set.h).
#pragma once

#include <string>

#include "models/kernel/launch.h"
#include "platform/input/yaml_reader.h"

namespace gputlm {

/// SMs `first` to `last`, both included; `last` < kMaxSms.
SmSet sm_range(unsigned first, unsigned last);
/// Throws as read_ids() does.
SmSet read_sm_set(const YamlNode& node);
/// "0-29,35"; empty for an empty set.
std::string to_text(const SmSet& sms);

}  // namespace gputlm
