#include "platform/input/nearest.h"

#include <algorithm>
#include <cctype>

namespace gputlm {
namespace {

constexpr std::size_t kMaxMeant = 3;

/// The letters, in lower case, and digits of a text.
std::string letters_and_digits(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) kept += static_cast<char>(std::tolower(byte));
  }
  return kept;
}

/// Whether `text` contains `sought`, not followed by further digits: tx3 does not match rtx3070.
bool has(const std::string& text, const std::string& sought) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const std::size_t at = text.find(sought);
  if (at == std::string::npos) return false;
  const std::size_t end = at + sought.size();
  return end == text.size() || !digit(text[end]) || !digit(text[end - 1]);
}

}  // namespace

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

std::vector<std::string> names_meant(std::string_view found, const std::vector<std::string>& names) {
  constexpr std::size_t kMax = 100;  // longer texts are not typos, and the time is the product of the lengths
  std::vector<std::string> nearest;
  std::size_t fewest = 0;
  if (found.size() > kMax) return nearest;
  for (const std::string& name : names) {
    if (name.size() > kMax) continue;
    const std::size_t edits = edit_distance(found, name);
    if (edits > std::max(found.size(), name.size()) / 2) continue;
    if (nearest.empty() || edits < fewest) {
      nearest = {name};
      fewest = edits;
    } else if (edits == fewest && nearest.size() < kMaxMeant && name != nearest.back()) {
      nearest.push_back(name);
    }
  }
  return nearest;
}

std::vector<std::string> names_meant(std::string_view found, const std::vector<KnownName>& names) {
  constexpr std::size_t kShortest = 3;  // fewer letters occur in every second description
  std::vector<std::string> just_names;
  for (const KnownName& known : names) just_names.push_back(known.name);
  std::vector<std::string> nearest = names_meant(found, just_names);
  const bool numbered = std::any_of(found.begin(), found.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!nearest.empty() && (!numbered || edit_distance(found, nearest.front()) == 0)) return nearest;
  const std::string sought = letters_and_digits(found);
  std::vector<std::string> meant;
  for (const KnownName& known : names) {
    if (sought.size() < kShortest || meant.size() == kMaxMeant) break;
    if (has(letters_and_digits(known.name), sought) || has(letters_and_digits(known.description), sought))
      meant.push_back(known.name);
  }
  return meant.empty() ? nearest : meant;
}

std::string question(const std::vector<std::string>& meant) {
  std::string text;
  for (std::size_t i = 0; i < meant.size(); ++i)
    text += (i == 0 ? "" : i + 1 < meant.size() ? ", " : " or ") + ("'" + meant[i] + "'");
  return text.empty() ? "" : "; did you mean " + text + "?";
}

std::string suggestion(std::string_view found, const std::vector<KnownName>& names) {
  constexpr std::size_t kLongList = 24;
  std::string text = question(names_meant(found, names));
  if (names.empty() || (names.size() > kLongList && !text.empty())) return text;
  text += text.empty() ? "; allowed: " : " allowed: ";
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : ", ") + names[i].name;
  return text;
}

std::string suggestion(std::string_view found, const std::vector<std::string>& names) {
  std::vector<KnownName> known;
  for (const std::string& name : names) known.push_back({name, ""});
  return suggestion(found, known);
}

std::string byte_suggestion(std::string_view found) {
  const std::size_t digits = std::min(found.find_first_not_of("0123456789"), found.size());
  std::string unit = letters_and_digits(found.substr(digits));
  if (digits == 0 || unit.empty() || unit.size() > 3 || digits + unit.size() > found.size()) return "";
  const char prefix = unit.front();
  if (prefix != 'k' && prefix != 'm' && prefix != 'g') return "";
  if (unit.size() > 1 && unit.substr(1) != "b" && unit.substr(1) != "ib" && unit.substr(1) != "i") return "";
  const std::string meant =
      std::string(found.substr(0, digits)) + static_cast<char>(std::toupper(static_cast<unsigned char>(prefix))) + "iB";
  return meant == found ? "" : question({meant});
}

}  // namespace gputlm
