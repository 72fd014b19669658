/// A trace of PyTorch's profiler (Kineto), as `export_chrome_trace()` writes it: JSON, plain or compressed. Names are those
/// of libkineto's output_json.cpp and CuptiActivity.cpp, and those of its earlier versions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "platform/programs/program.h"

namespace gputlm {

/// Reads the kernels, copies and memsets of one device: `device`, or else the one with the most kernels. Of the file, only
/// these are ever in memory. Throws InputError that says which event, or where the JSON is none.
Program read_kineto(const std::string& path, std::optional<std::uint64_t> device = std::nullopt);

}  // namespace gputlm
