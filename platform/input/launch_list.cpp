#include "platform/input/launch_list.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tlm/error.h"

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
  std::set<std::string> contested;  // labels that may be the same as another with its number
  for (const auto& [text, label] : labels) {
    const std::size_t sign = text.rfind('#');
    if (sign == text.npos || label.launches > 1) continue;
    if (const auto numbered = labels.find(text.substr(0, sign));
        numbered != labels.end() && numbered->second.launches > 1)
      contested.insert(text);
  }
  std::set<std::string> used;  // of those
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

}  // namespace gputlm
