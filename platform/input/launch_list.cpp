#include "platform/input/launch_list.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

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
  std::stable_sort(commands_.begin(), commands_.end(), [](const Command& a, const Command& b) {
    return std::make_pair(a.launch.phase, a.position) < std::make_pair(b.launch.phase, b.position);
  });
  std::map<std::string, std::size_t> total, number;
  for (const Command& command : commands_) ++total[command.launch.label];
  std::set<std::string> used;
  for (Command& command : commands_) {
    std::string& text = command.launch.label;
    if (total[text] > 1) text += "#" + std::to_string(++number[text]);
    if (!used.insert(text).second)
      throw InputError(command.launch.file, command.launch.line,
                       "two launches are labelled '" + text + "', but labels must differ");
    if (command.call) {
      const auto [thread, place] = *command.call;
      workload.threads[thread].calls[place].what = static_cast<std::uint32_t>(workload.launches.size());
    }
    workload.launches.push_back(std::move(command.launch));
  }
  commands_.clear();
}

}  // namespace gputlm
