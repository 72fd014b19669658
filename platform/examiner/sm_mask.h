/// `sm_mask` of a configuration (libsmctrl; Bakita and Anderson, "Hardware Compute Partitioning on NVIDIA GPUs", RTAS
/// 2023): a hexadecimal number whose bit n, set, disables TPC n; behind a `~`, enables it.
#pragma once

#include "models/kernel/launch.h"
#include "platform/input/yaml_reader.h"

namespace gputlm {

inline constexpr unsigned kSmsOfTpc = 2;  ///< TPC n has SMs 2n and 2n + 1

/// The SMs that are left. TPCs beyond the mask's 64 bits have no bit that is set.
SmSet read_sm_mask(const YamlNode& node);

}  // namespace gputlm
