/// cpu_random_walk, cpu_inorder_walk: work of the host alone. A thread follows a chain of elements in a buffer in the host's
/// memory, each of which points to the next one; the GPU is idle.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "platform/examiner/plugin.h"

namespace gputlm {
namespace {

namespace cpu_walk {
using examiner::configuration_format;
constexpr const char *kPlace = "cpu_random_walk, cpu_inorder_walk: additional_info",
                     *kOurs =
                         "this program (docs/examiner.md); src/cpu_random_walk.c and src/cpu_inorder_walk.c take none";
const FormatField kInfo(configuration_format, "cpu_random_walk, cpu_inorder_walk", "additional_info",
                        "loads, one after the other, from a buffer of data_size in elements of 8 B; or an object",
                        "loads", "from 0 on; default 10^6, which the tool always uses",
                        "src/cpu_random_walk.c and src/cpu_inorder_walk.c, MEMORY_ACCESS_COUNT");
const FormatField kSteps(configuration_format, kPlace, "steps", "loads, one after the other", "loads",
                         "from 0 on; default 10^6", kOurs);
const FormatField kStepNs(configuration_format, kPlace, "step_ns", "time of a step on the host", "ns",
                          "a real above 0; default by data_size", kOurs);
const FormatField kComment(configuration_format, kPlace, "comment", "passed over", "", "", kOurs);
}  // namespace cpu_walk

// Time of a step on the host: assumed values of a desktop processor. `step_ns` of additional_info takes precedence.
constexpr std::uint64_t kInOrderNs = 2;    // a load of prefetched data
constexpr std::uint64_t kCachedNs = 10;    // a load served by the last-level cache
constexpr std::uint64_t kMemoryNs = 100;   // a load served by DRAM
constexpr Bytes kCache = Bytes{16} << 20;  // the last-level cache

constexpr std::uint64_t kToolsSteps = 1'000'000;  // number of steps that the tool takes regardless of additional_info
constexpr std::uint64_t kMaxSteps = 1'000'000'000'000;

/// Mean over the steps: in a buffer larger than the cache, random steps hit the cache with the probability that it holds the
/// element.
std::uint64_t assumed_picoseconds(Bytes buffer, bool in_order) {
  if (in_order) return 1000 * kInOrderNs;
  if (buffer <= kCache) return 1000 * kCachedNs;
  return 1000 * kMemoryNs - 1000 * (kMemoryNs - kCachedNs) * kCache / buffer;
}

void build_cpu_walk(PluginProgram& program, bool in_order) {
  const PluginParameters& p = program.parameters();
  p.need_data(8);
  std::uint64_t steps = kToolsSteps;
  std::optional<std::uint64_t> picoseconds;
  if (p.info && p.info->is_map()) {
    program.check_keys(*p.info, cpu_walk::kPlace);
    if (const auto given = p.info->find(cpu_walk::kSteps)) steps = examiner::whole_number(*given, 0, kMaxSteps);
    if (const auto given = p.info->find(cpu_walk::kStepNs))
      picoseconds = static_cast<std::uint64_t>(std::llround(given->number(0.001, 1e6) * 1000));
  } else {
    steps = p.number_or(cpu_walk::kInfo, kToolsSteps, kMaxSteps);
  }
  if (!picoseconds) {
    picoseconds = assumed_picoseconds(p.data_size, in_order);
    program.warn(fmt::format("a step of the walk takes the host {} ns, which is assumed (additional_info: step_ns)",
                             static_cast<double>(*picoseconds) / 1000));
  }
  constexpr std::uint64_t kMaxNs = 18'000'000'000'000;  // five hours, the maximum length of a run
  const auto time = static_cast<unsigned __int128>(steps) * *picoseconds / 1000;
  if (time > kMaxNs)
    p.entry.fail(fmt::format("found {} steps of {} ns on the host, allowed: five hours in all", steps,
                             static_cast<double>(*picoseconds) / 1000));
  program.execute();
  program.sleep(program.nanoseconds(static_cast<std::uint64_t>(time)));  // each host thread has a core of its own
  program.copy_out();
}

GPUTLM_REGISTER {
  examiner_plugins().add(
      {{"cpu_random_walk"}, "CPU random walk", [](PluginProgram& program) { build_cpu_walk(program, false); }});
  examiner_plugins().add(
      {{"cpu_inorder_walk"}, "CPU in-order walk", [](PluginProgram& program) { build_cpu_walk(program, true); }});
}

}  // namespace
}  // namespace gputlm
