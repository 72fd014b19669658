/// The format of configurations of cuda_scheduling_examiner (docs/examiner.md). scenario.cpp has the rows of the
/// configuration and its benchmarks; each plug-in's file has the rows of its additional_info.
#pragma once

#include <cstdint>
#include <limits>

#include "models/kernel/launch.h"
#include "platform/input/yaml_reader.h"
#include "tlm/base/format_field.h"

namespace gputlm::examiner {

extern FileFormat configuration_format;

namespace benchmark {
extern const FormatField kThreads, kBlocks, kData;  ///< used in messages of plug-ins
}

/// Reads a number as the tool does, which stores all numbers as doubles (cJSON) and casts counts: 1e9 and 4096.0 are whole,
/// too. 1.5, which the tool truncates to 1, is refused.
std::uint64_t whole_number(const YamlNode& node, std::uint64_t least = 0,
                           std::uint64_t most = std::numeric_limits<std::int64_t>::max());
/// Whether the key is present with the value `true`.
bool is_true(const YamlNode& map, const FormatField& field);
/// Warns of keys that no row of the place describes.
void note_unknown_keys(const YamlNode& map, const char* place, std::vector<std::string>& warnings);

}  // namespace gputlm::examiner

/// `sm_mask` of a configuration (libsmctrl; Bakita and Anderson, "Hardware Compute Partitioning on NVIDIA GPUs", RTAS 2023):
/// a hexadecimal number in which a set bit n disables TPC n or, after a `~`, enables it.
namespace gputlm {

inline constexpr unsigned kSmsOfTpc = 2;  ///< TPC n has SMs 2n and 2n + 1

/// The enabled SMs. TPCs beyond the mask's 64 bits count as having a cleared bit.
SmSet read_sm_mask(const YamlNode& node);

}  // namespace gputlm
