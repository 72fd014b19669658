/// A trace of PyTorch's profiler (Kineto), as written by `export_chrome_trace()`: JSON, plain or compressed. Names are those
/// of libkineto's output_json.cpp and CuptiActivity.cpp, in the current and earlier versions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "platform/programs/program.h"

namespace gputlm {

/// Reads the kernels, copies and memsets of one device: `device`, or else the one with the most kernels. Only these are kept
/// in memory. Throws InputError that names the event, or the place where the JSON is invalid.
Program read_kineto(const std::string& path, std::optional<std::uint64_t> device = std::nullopt);

}  // namespace gputlm
