/// Converts traces in the tracer's own compressed form (`.tracez`, Accel-Sim 2.0) to text: the lines that its traceDsm
/// writes, which are those of a .traceg. The layout is that of the tracer's tracez_format.h: a header as text up to a zero
/// byte; the size of a dictionary, the instructions per part, the dictionary; for each warp its instructions in parts, each
/// a zstd frame; an index of the blocks and their warps; the offset of the index. Numbers are little-endian.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "models/kernel/byte_source.h"

namespace gputlm {

/// Maximum length of the header.
inline constexpr std::size_t kMaxTracezHeader = 64 * 1024;

/// `begin`: the first kMaxTracezHeader bytes of a file.
bool is_tracez(std::string_view begin);

/// Opens such a file. Throws InputError.
std::unique_ptr<ByteSource> open_tracez(const std::string& path);

}  // namespace gputlm
