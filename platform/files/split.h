/// Splits a text.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace gputlm {

/// The parts between occurrences of `at`, possibly empty: one more than there are occurrences.
inline std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size(); from += parts.back().size() + 1)
    parts.emplace_back(text.substr(from, std::min(text.find(at, from), text.size()) - from));
  return parts;
}

}  // namespace gputlm
