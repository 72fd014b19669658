#include "platform/input/launch_numbers.h"

#include <algorithm>
#include <string_view>

#include "tlm/error.h"
#include "tlm/numbers.h"
#include "tlm/text.h"

namespace gputlm {

LaunchNumbers LaunchNumbers::read(const YamlNode& node) {
  LaunchNumbers numbers;
  for (const YamlNode& item : node.is_list() ? node.items() : std::vector<YamlNode>{node}) {
    const std::string text = item.text();
    for (std::string_view rest = text;; rest.remove_prefix(1)) {
      const std::string_view begin = rest;
      const std::size_t first = take_number<std::size_t>(rest).value_or(0);
      std::size_t last = first;
      if (starts_with(rest, "-")) {
        rest.remove_prefix(1);
        last = take_number<std::size_t>(rest).value_or(0);
      }
      if (first == 0 || last < first || (!rest.empty() && rest.front() != ','))
        item.refuse("numbers of launches from 1 on and ranges, like 3-9 or [1, 3-5]");
      numbers.ranges_.push_back({first, last, std::string(begin.substr(0, begin.size() - rest.size()))});
      if (rest.empty()) break;
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
