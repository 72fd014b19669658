/// Sets of SMs as users write them: ids and ranges of ids, `[0-29, 35]` or a single one.
#pragma once

#include <string>
#include <vector>

#include "models/kernel/launch.h"
#include "platform/input/yaml_reader.h"

namespace gputlm {

/// SMs `first` to `last`, both included; `last` < kMaxSms.
SmSet sm_range(unsigned first, unsigned last);
/// Throws InputError for a set that is empty, an item that is no id or range, and an SM that is given twice.
SmSet read_sm_set(const YamlNode& node);
/// {"0-29", "35"}
std::vector<std::string> sm_ranges(const SmSet& sms);
/// "0-29,35"; empty for an empty set.
std::string to_text(const SmSet& sms);

}  // namespace gputlm
