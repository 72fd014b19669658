/// A capture of NVIDIA's Nsight Systems, exported to SQLite (`nsys export --type sqlite`). Tables and columns are those of
/// its documentation, "SQLite Schema Reference"; columns that only some versions have are used if present.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "platform/programs/program.h"

namespace gputlm {

/// Reads the kernels and copies of one device: `device`, or else the one with the most kernels. Throws InputError with table
/// and row.
Program read_nsight(const std::string& path, std::optional<std::uint64_t> device = std::nullopt);

}  // namespace gputlm
