#include "platform/input/workload_file_trace.h"

#include <filesystem>
#include <utility>

#include "models/kernel/random.h"
#include "platform/input/trace_files.h"
#include "platform/input/workload_file_arrivals.h"
#include "platform/input/workload_limits.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

std::string path_of(const YamlNode& trace) {
  return (std::filesystem::path(trace.file()).parent_path() / trace.text()).lexically_normal().string();
}

/// What is wrong with the trace is said with the place that names it.
template <class Do>
auto at(const YamlNode& node, Do what) {
  try {
    return what();
  } catch (const InputError& error) {
    node.fail(error.what());
  }
}

}  // namespace

bool is_trace_application(const YamlNode& application) {
  if (!application.is_map()) return false;
  for (const auto& [key, value] : application.entries()) {
    if (key == "trace") return true;
  }
  return false;
}

const std::vector<std::string>& trace_application_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> all{"trace", "kernels", "priority", "budget", "deadline_us"};
    all.insert(all.end(), arrival_keys().begin(), arrival_keys().end());
    return all;
  }();
  return keys;
}

std::string default_trace_name(const YamlMap& map) { return trace_name(path_of(map.at("trace"))); }

void read_trace_application(const YamlMap& map, TraceRun run, std::size_t number, std::uint64_t seed,
                            Workload& workload, LaunchList& launches) {
  const YamlNode trace = map.at("trace");
  if (number == kMaxTraces) trace.fail("there are more than " + std::to_string(kMaxTraces) + " traces");
  LaunchNumbers numbers;
  const auto kernels = map.find("kernels");
  if (kernels) numbers = LaunchNumbers::read(*kernels);
  if (const auto priority = map.find("priority"))
    run.priority = static_cast<int>(priority->signed_number(kMinPriority, kMaxPriority));
  if (const auto budget = map.find("budget"))
    run.budget = static_cast<std::uint8_t>(budget->unsigned_number(1, kMaxBudget));
  if (const auto time = map.find("deadline_us")) run.deadline = femtoseconds(time->number(0, kMaxReleaseUs));
  const std::string& name = workload.applications[run.application].name;
  run.releases = read_arrivals(map, derive(seed, hash_name(name)));
  run.is_task = run.releases.size() > 1 || run.deadline || map.find("jitter_us");
  run.file = trace.file();
  run.line = trace.line();
  const Trace loaded =
      at(kernels ? *kernels : trace, [&] { return load_trace(path_of(trace), numbers, number * kTraceAddresses); });
  add_trace(loaded, run, workload, launches);
}

}  // namespace gputlm
