/// Numbers as users write them, with prefixes and units (tlm/base/numbers.h parses plain ones).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tlm/base/numbers.h"
#include "tlm/base/time.h"

namespace gputlm {

/// A whole number, decimal or hexadecimal (0x).
std::optional<std::uint64_t> parse_whole(std::string_view text);

/// A number of bytes, plain or with a unit: 4096, 48KiB, 2 MiB, 1GiB.
std::optional<Bytes> parse_size(std::string_view text);

/// Microseconds in decimal notation, optionally with an exponent: "1.5", "2e3". Exact up to nine decimals; further ones are
/// rounded, half away from zero. None if it is negative or exceeds 64 bits of femtoseconds.
std::optional<Femtoseconds> parse_microseconds(std::string_view text);

/// The shortest decimal that parse_microseconds() reads as the same time: "1.5" for 1,500,000,000 fs.
std::string microseconds_text(Femtoseconds time);

}  // namespace gputlm
