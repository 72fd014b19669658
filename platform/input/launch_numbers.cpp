#include "platform/input/launch_numbers.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "tlm/error.h"

namespace gputlm {
namespace {

/// A number at the beginning of [at, end), which it takes; 0: there is none.
std::size_t take_number(const char*& at, const char* end) {
  std::size_t number = 0;
  const auto [next, error] = std::from_chars(at, end, number);
  if (error != std::errc()) return 0;
  at = next;
  return number;
}

}  // namespace

LaunchNumbers LaunchNumbers::read(const YamlNode& node) {
  LaunchNumbers numbers;
  for (const YamlNode& item : node.is_list() ? node.items() : std::vector<YamlNode>{node}) {
    const std::string text = item.text();
    const char* const end = text.data() + text.size();
    for (const char* at = text.data();; ++at) {
      const char* const begin = at;
      const std::size_t first = take_number(at, end);
      std::size_t last = first;
      if (at != end && *at == '-') last = take_number(++at, end);
      if (first == 0 || last < first || (at != end && *at != ','))
        item.fail("found '" + text + "', allowed: numbers of launches from 1 on and ranges, like 3-9 or [1, 3-5]");
      numbers.ranges_.push_back({first, last, std::string(begin, at)});
      if (at == end) break;
    }
  }
  if (numbers.ranges_.empty()) node.fail("the list is empty, but at least one launch is needed");
  return numbers;
}

std::string LaunchNumbers::text() const {
  std::string text;
  for (const Range& range : ranges_) text += (text.empty() ? "" : ",") + range.text;
  return text;
}

bool LaunchNumbers::contains(std::size_t number) const {
  return ranges_.empty() || std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
           return range.first <= number && number <= range.last;
         });
}

void LaunchNumbers::check(std::size_t launches) const {
  for (const Range& range : ranges_) {
    if (range.first > launches)
      throw InputError("found launches " + range.text + ", but the trace has " +
                       (launches == 1 ? "launch 1 only" : "launches 1 to " + std::to_string(launches)));
  }
}

}  // namespace gputlm
