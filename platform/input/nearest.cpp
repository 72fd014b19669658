#include "platform/input/nearest.h"

#include <algorithm>
#include <cctype>

namespace gputlm {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1)});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string nearest_name(std::string_view found, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 100;  // nobody mistypes more, and the time is the product of the lengths
  std::string nearest;
  std::size_t fewest = 0;
  if (found.size() > kLongest) return nearest;
  for (const std::string& name : names) {
    if (name.size() > kLongest) continue;
    const std::size_t edits = edit_distance(found, name);
    if (edits > std::max(found.size(), name.size()) / 2) continue;
    if (nearest.empty() || edits < fewest) {
      nearest = name;
      fewest = edits;
    }
  }
  return nearest;
}

std::string suggestion(std::string_view found, const std::vector<std::string>& names) {
  constexpr std::size_t kLongList = 16;
  const std::string nearest = nearest_name(found, names);
  std::string text;
  if (!nearest.empty()) text = "; did you mean '" + nearest + "'?";
  if (names.empty() || (names.size() > kLongList && !nearest.empty())) return text;
  text += nearest.empty() ? "; allowed: " : " allowed: ";
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text;
}

}  // namespace gputlm
