#include "platform/input/sm_set.h"

#include <charconv>

namespace gputlm {
namespace {

/// A number below kMaxSms at the beginning of [begin, end); moves `begin` behind it. kMaxSms: there is none.
unsigned take_id(const char*& begin, const char* end) {
  unsigned id = 0;
  const auto [next, error] = std::from_chars(begin, end, id);
  if (error != std::errc() || id >= kMaxSms) return kMaxSms;
  begin = next;
  return id;
}

SmSet read_item(const YamlNode& node) {
  const std::string text = node.text();
  const char* at = text.data();
  const char* const end = at + text.size();
  const unsigned first = take_id(at, end);
  unsigned last = first;
  if (at != end && *at == '-') last = take_id(++at, end);
  if (at != end || first > last || last >= kMaxSms) {
    node.fail("found '" + text + "', allowed: the id of an SM, 0 to " + std::to_string(kMaxSms - 1) +
              ", or a range like 0-29");
  }
  return sm_range(first, last);
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

std::string to_text(const SmSet& sms) {
  std::string text;
  for (const std::string& range : sm_ranges(sms)) text += (text.empty() ? "" : ",") + range;
  return text;
}

}  // namespace gputlm
