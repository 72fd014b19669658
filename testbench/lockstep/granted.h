/// Describes a wrong grant in the terms of its kind.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gputlm {

/// A line about a difference: "input 1 expected, input 2 granted". `of`: the type of thing granted; `found`: all grants.
inline std::string granted_text(const std::string& of, std::optional<unsigned> expected,
                                const std::vector<unsigned>& found) {
  std::string text =
      expected ? fmt::format("  {} {} expected, ", of, *expected) : fmt::format("  no {} expected, ", of);
  if (found.empty()) return text + "none granted\n";
  return text + fmt::format("{}{} {} granted\n", of, found.size() > 1 ? "s" : "", fmt::join(found, ", "));
}

/// A line with the value of an output, marked if it differs.
inline std::string expected_line(const char* port, std::uint64_t expected, std::uint64_t found) {
  return fmt::format("  {} {:<14} expected {:#x}, found {:#x}\n", expected == found ? ' ' : '*', port, expected, found);
}

}  // namespace gputlm
