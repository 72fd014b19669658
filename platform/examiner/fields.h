/// The format of configurations of cuda_scheduling_examiner (docs/examiner.md). The rows of the configuration and its
/// benchmarks stand in scenario.cpp, those of what a plug-in takes (additional_info) in the plug-in's file.
#pragma once

#include <cstdint>
#include <limits>

#include "models/kernel/launch.h"
#include "platform/input/yaml_reader.h"
#include "tlm/format_field.h"

namespace gputlm::examiner {

extern FileFormat configuration_format;

namespace benchmark {
extern const FormatField kThreads, kBlocks, kData;  ///< what plug-ins tell of
}

/// A number as the tool takes it, which keeps all as doubles (cJSON) and casts those that count: 1e9 and 4096.0 are
/// whole, too. 1.5 is refused, of which the tool would take 1.
std::uint64_t whole_number(const YamlNode& node, std::uint64_t least = 0,
                           std::uint64_t most = std::numeric_limits<std::int64_t>::max());
/// Whether the mapping has the key, and `true` there.
bool is_true(const YamlNode& map, const FormatField& field);
/// Warns of keys that no row of the place has.
void note_unknown_keys(const YamlNode& map, const char* place, std::vector<std::string>& warnings);

}  // namespace gputlm::examiner

/// `sm_mask` of a configuration (libsmctrl; Bakita and Anderson, "Hardware Compute Partitioning on NVIDIA GPUs", RTAS
/// 2023): a hexadecimal number whose bit n, set, disables TPC n; behind a `~`, enables it.
namespace gputlm {

inline constexpr unsigned kSmsOfTpc = 2;  ///< TPC n has SMs 2n and 2n + 1

/// The SMs that are left. TPCs beyond the mask's 64 bits have no bit that is set.
SmSet read_sm_mask(const YamlNode& node);

}  // namespace gputlm
