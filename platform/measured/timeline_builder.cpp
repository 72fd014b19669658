#include "platform/measured/timeline_builder.h"

#include <algorithm>
#include <limits>

#include "models/kernel/program.h"
#include "platform/input/kernel_names.h"
#include "tlm/error.h"
#include "tlm/utf8.h"

namespace gputlm {
namespace {

constexpr Nanoseconds kMaxLength = std::int64_t{3'600'000'000'000};  // an hour
constexpr std::size_t kMaxCommands = 10'000'000;

}  // namespace

std::uint64_t choose_device(const std::map<std::uint64_t, std::size_t>& kernels, std::optional<std::uint64_t> wanted,
                            TimelineBuilder& builder) {
  std::string there;
  for (const auto& [device, count] : kernels) there += (there.empty() ? "" : ", ") + std::to_string(device);
  if (wanted && kernels.count(*wanted) == 0)
    throw InputError(
        "--device", 0,
        "found " + std::to_string(*wanted) + ", allowed: " + there + ", the devices with kernels in " + builder.path());
  const auto most = std::max_element(kernels.begin(), kernels.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  const std::uint64_t device = wanted ? *wanted : most != kernels.end() ? most->first : 0;
  if (kernels.size() > 1)
    builder.warn("has kernels of devices " + there + "; taken are those of device " + std::to_string(device) +
                 " (--device)");
  return device;
}

void TimelineBuilder::fail(const CapturePlace& place, const std::string& what) const {
  throw InputError(timeline_.path + ": " + place.list + ", " + place.item + " " + std::to_string(place.number) + ": " +
                   what);
}

std::uint32_t TimelineBuilder::checked(const CapturePlace& place, const char* what, std::int64_t value,
                                       std::int64_t least, std::int64_t most) const {
  if (value < least || value > most)
    fail(place, std::string("found ") + what + " " + std::to_string(value) + ", allowed: " + std::to_string(least) +
                    " to " + std::to_string(most));
  return static_cast<std::uint32_t>(value);
}

void TimelineBuilder::add_common(MeasuredCommand& command, const MeasuredStream& stream, const CapturePlace& place) {
  if (command.end < command.start) fail(place, "it ends before it starts");
  if (timeline_.kernels.size() + timeline_.copies.size() == kMaxCommands)
    throw InputError(timeline_.path, 0, "has more than " + std::to_string(kMaxCommands) + " kernels and copies");
  if (command.launched) command.launched = std::min(*command.launched, command.start);
  const auto [at, is_new] =
      places_.emplace(std::make_tuple(stream.process, stream.context, stream.id), timeline_.streams.size());
  if (is_new) timeline_.streams.push_back(stream);
  command.stream = at->second;
}

void TimelineBuilder::add(MeasuredKernel kernel, const MeasuredStream& stream, const CapturePlace& place) {
  add_common(kernel, stream, place);
  if (kernel.block.count() > kMaxThreadsPerBlock)
    fail(place, "found a block of " + std::to_string(kernel.block.count()) + " threads, allowed: up to " +
                    std::to_string(kMaxThreadsPerBlock));
  if (kernel.grid.count() > kMaxIterations)
    fail(place, "found a grid of more than " + std::to_string(kMaxIterations) + " blocks");
  kernel.name = demangled(kernel.name);
  if (kernel.name.empty()) kernel.name = "kernel";
  if (!is_plain_text(kernel.name)) fail(place, "the kernel's name is no text");
  timeline_.kernels.push_back(std::move(kernel));
}

void TimelineBuilder::add(MeasuredCopy copy, const MeasuredStream& stream, const CapturePlace& place) {
  add_common(copy, stream, place);
  if (copy.bytes > kMaxAllocated)
    fail(place, "found " + std::to_string(copy.bytes) + " bytes, allowed: up to " + std::to_string(kMaxAllocated));
  if (copy.bytes > 0) timeline_.copies.push_back(std::move(copy));
}

void TimelineBuilder::warn_of_graph_nodes(std::size_t kernels) {
  if (kernels > 0)
    warn(std::to_string(kernels) +
         " kernels are nodes of CUDA graphs; what they wait for in other streams is not known");
}

MeasuredStream* TimelineBuilder::find_stream(std::uint64_t process, std::uint64_t context, std::uint64_t id) {
  const auto found = places_.find({process, context, id});
  return found == places_.end() ? nullptr : &timeline_.streams[found->second];
}

MeasuredTimeline TimelineBuilder::finish(const std::map<std::uint64_t, std::string>& process_names) {
  order_commands();
  order_streams();
  label();
  check_length();
  std::map<std::uint64_t, std::string> names;
  for (const MeasuredStream& stream : timeline_.streams) {
    const auto known = process_names.find(stream.process);
    const bool usable = known != process_names.end() && !known->second.empty() && is_plain_text(known->second);
    names[stream.process] = usable ? known->second : "process " + std::to_string(stream.process);
  }
  for (auto& [process, name] : names) timeline_.process_names.push_back(std::move(name));
  return std::move(timeline_);
}

void TimelineBuilder::order_commands() {
  const auto earlier = [](const MeasuredCommand& a, const MeasuredCommand& b) { return a.start < b.start; };
  std::stable_sort(timeline_.kernels.begin(), timeline_.kernels.end(), earlier);
  std::stable_sort(timeline_.copies.begin(), timeline_.copies.end(), earlier);
}

/// Streams have been numbered as they came; now in the order of their keys.
void TimelineBuilder::order_streams() {
  std::vector<MeasuredStream> ordered;
  std::vector<std::size_t> place(places_.size());
  for (const auto& [key, number] : places_) {
    place[number] = ordered.size();
    ordered.push_back(timeline_.streams[number]);
  }
  timeline_.streams = std::move(ordered);
  for (MeasuredKernel& kernel : timeline_.kernels) kernel.stream = place[kernel.stream];
  for (MeasuredCopy& copy : timeline_.copies) copy.stream = place[copy.stream];
}

void TimelineBuilder::label() {
  std::vector<std::string> names;
  for (const MeasuredKernel& kernel : timeline_.kernels) names.push_back(kernel.name);
  names = short_names(names);
  std::map<std::string, std::size_t> total, number;
  for (const std::string& name : names) ++total[name];
  for (std::size_t i = 0; i < names.size(); ++i)
    timeline_.kernels[i].label = names[i] + (total[names[i]] > 1 ? "#" + std::to_string(++number[names[i]]) : "");
  for (std::size_t i = 0; i < timeline_.copies.size(); ++i)
    timeline_.copies[i].label = std::string(to_string(timeline_.copies[i].kind)) + "#" + std::to_string(i + 1);
}

void TimelineBuilder::check_length() const {
  Nanoseconds first = std::numeric_limits<Nanoseconds>::max();
  if (!timeline_.kernels.empty()) first = timeline_.kernels.front().start;
  if (!timeline_.copies.empty()) first = std::min(first, timeline_.copies.front().start);
  const auto check = [&](const MeasuredCommand& command) {
    if (command.end - first > kMaxLength)
      throw InputError(timeline_.path, 0,
                       "'" + shortened(command.label) + "' ends more than an hour after the first command starts");
  };
  for (const MeasuredKernel& kernel : timeline_.kernels) check(kernel);
  for (const MeasuredCopy& copy : timeline_.copies) check(copy);
}

}  // namespace gputlm
