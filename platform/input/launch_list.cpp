#include "platform/input/launch_list.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tlm/base/error.h"
#include "tlm/base/numbers.h"
#include "tlm/base/text.h"

namespace gputlm {

void LaunchList::add(Workload& workload, LaunchCommand launch, std::size_t position,
                     std::optional<std::size_t> thread) {
  std::optional<std::pair<std::size_t, std::size_t>> place;
  if (thread) {
    std::vector<HostCall>& calls = workload.threads[*thread].calls;
    place.emplace(*thread, calls.size());
    HostCall call;
    call.stream = launch.stream;
    call.line = launch.line;
    calls.push_back(call);
  }
  commands_.push_back({std::move(launch), position, place});
}

void LaunchList::move_to(Workload& workload) {
  std::vector<std::size_t> order(commands_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    return std::make_pair(commands_[a].launch.phase, commands_[a].position) <
           std::make_pair(commands_[b].launch.phase, commands_[b].position);
  });
  struct Label {
    std::size_t launches = 0, number = 0;
  };
  std::unordered_map<std::string, Label> labels;
  for (const Command& command : commands_) ++labels[command.launch.label].launches;
  std::set<std::string> contested;  // labels that may equal another label with its number
  for (const auto& [text, label] : labels) {
    const std::size_t sign = text.rfind('#');
    if (sign == text.npos || label.launches > 1) continue;
    if (const auto numbered = labels.find(text.substr(0, sign));
        numbered != labels.end() && numbered->second.launches > 1)
      contested.insert(text);
  }
  std::set<std::string> used;  // contested labels that are in use
  workload.launches.reserve(workload.launches.size() + order.size());
  for (const std::size_t place : order) {
    LaunchCommand& launch = commands_[place].launch;
    std::string& text = launch.label;
    if (Label& label = labels.at(text); label.launches > 1) text += "#" + std::to_string(++label.number);
    if (contested.count(text) > 0 && !used.insert(text).second)
      throw InputError(launch.file, launch.line, "two launches are labelled '" + text + "', but labels must differ");
    if (const auto& call = commands_[place].call)
      workload.threads[call->first].calls[call->second].what = static_cast<std::uint32_t>(workload.launches.size());
    workload.launches.push_back(std::move(launch));
  }
  commands_.clear();
}

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
