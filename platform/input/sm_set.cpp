#include "platform/input/sm_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "tlm/numbers.h"
#include "tlm/text.h"

namespace gputlm {
namespace {

SmSet read_item(const YamlNode& node) {
  const std::string text = node.text();
  std::string_view rest = text;
  const auto first = take_number<unsigned>(rest);
  auto last = first;
  if (starts_with(rest, "-")) {
    rest.remove_prefix(1);
    last = take_number<unsigned>(rest);
  }
  if (!rest.empty() || !first || !last || *first > *last || *last >= kMaxSms) {
    node.refuse("the id of an SM, 0 to " + std::to_string(kMaxSms - 1) + ", or a range like 0-29");
  }
  return sm_range(*first, *last);
}

}  // namespace

SmSet sm_range(unsigned first, unsigned last) {
  SmSet sms;
  for (unsigned sm = first; sm <= last; ++sm) sms.set(sm);
  return sms;
}

SmSet read_sm_set(const YamlNode& node) {
  if (!node.is_list()) return read_item(node);
  SmSet sms;
  for (const YamlNode& item : node.items()) {
    const SmSet more = read_item(item);
    if ((sms & more).any()) item.fail("SM " + to_text(sms & more) + " is given twice");
    sms |= more;
  }
  if (sms.none()) node.fail("the list is empty, but an application needs an SM");
  return sms;
}

std::vector<std::string> sm_ranges(const SmSet& sms) {
  std::vector<std::string> ranges;
  for (std::size_t first = 0; first < kMaxSms; ++first) {
    if (!sms[first]) continue;
    std::size_t last = first;
    while (last + 1 < kMaxSms && sms[last + 1]) ++last;
    ranges.push_back(std::to_string(first) + (last > first ? "-" + std::to_string(last) : ""));
    first = last;
  }
  return ranges;
}

std::string to_text(const SmSet& sms) { return fmt::format("{}", fmt::join(sm_ranges(sms), ",")); }

}  // namespace gputlm
