/// Sets of numbered units as users write them: ids and ranges of ids, `[0-29, 35]`, or a single one.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/launch.h"
#include "platform/input/yaml_reader.h"
#include "tlm/base/numbers.h"
#include "tlm/base/text.h"

namespace gputlm {

/// {"0-29", "35"}
template <std::size_t N>
std::vector<std::string> id_ranges(const std::bitset<N>& ids) {
  std::vector<std::string> ranges;
  for (std::size_t first = 0; first < N; ++first) {
    if (!ids[first]) continue;
    std::size_t last = first;
    while (last + 1 < N && ids[last + 1]) ++last;
    ranges.push_back(std::to_string(first) + (last > first ? "-" + std::to_string(last) : ""));
    first = last;
  }
  return ranges;
}

/// "0-29,35"; empty for an empty set.
template <std::size_t N>
std::string ids_text(const std::bitset<N>& ids) {
  return fmt::format("{}", fmt::join(id_ranges(ids), ","));
}

/// `unit` names the numbered thing ("SM"), `article` stands before it. Throws InputError for an empty set, an item that is
/// neither an id nor a range, and a repeated id.
template <std::size_t N>
std::bitset<N> read_ids(const YamlNode& node, const char* article, const char* unit) {
  const auto read_item = [&](const YamlNode& item) {
    const std::string& text = item.text();
    std::string_view rest = text;
    const auto first = take_number<unsigned>(rest);
    auto last = first;
    if (starts_with(rest, "-")) {
      rest.remove_prefix(1);
      last = take_number<unsigned>(rest);
    }
    if (!rest.empty() || !first || !last || *first > *last || *last >= N)
      item.refuse(fmt::format("the id of {} {}, 0 to {}, or a range like 0-29", article, unit, N - 1));
    std::bitset<N> ids;
    for (unsigned id = *first; id <= *last; ++id) ids.set(id);
    return ids;
  };
  if (!node.is_list()) return read_item(node);
  std::bitset<N> ids;
  for (const YamlNode& item : node.items()) {
    const std::bitset<N> more = read_item(item);
    if ((ids & more).any()) item.fail(fmt::format("{} {} is given twice", unit, ids_text(ids & more)));
    ids |= more;
  }
  if (ids.none()) node.fail(fmt::format("the list is empty, but an application needs {} {}", article, unit));
  return ids;
}

// Sets of SMs as users write them (platform/input/id_set.h).

/// SMs `first` to `last`, both included; `last` < kMaxSms.
SmSet sm_range(unsigned first, unsigned last);
/// Throws InputError as read_ids() does.
SmSet read_sm_set(const YamlNode& node);
/// "0-29,35"; empty for an empty set.
std::string to_text(const SmSet& sms);

}  // namespace gputlm
