/// cpu_random_walk, cpu_inorder_walk: work of the host alone. A thread goes from element to element of a buffer in the host's
/// memory, each of which says where the next one is; the GPU has nothing to do.
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
                        "loads", "from 0 on; default 10^6, which the tool takes whatever it finds",
                        "src/cpu_random_walk.c and src/cpu_inorder_walk.c, MEMORY_ACCESS_COUNT");
const FormatField kSteps(configuration_format, kPlace, "steps", "loads, one after the other", "loads",
                         "from 0 on; default 10^6", kOurs);
const FormatField kStepNs(configuration_format, kPlace, "step_ns", "how long a step takes the host", "ns",
                          "a real above 0; default by data_size", kOurs);
const FormatField kComment(configuration_format, kPlace, "comment", "passed over", "", "", kOurs);
}  // namespace cpu_walk

// What a step takes on the host: assumed, as of a desktop processor. `step_ns` of additional_info has precedence.
constexpr std::uint64_t kInOrderNs = 2;    // a load of what has been prefetched
constexpr std::uint64_t kCachedNs = 10;    // one that the last-level cache serves
constexpr std::uint64_t kMemoryNs = 100;   // one that the DRAM serves
constexpr Bytes kCache = Bytes{16} << 20;  // the last-level cache

constexpr std::uint64_t kToolsSteps = 1'000'000;  // which it takes whatever additional_info says
constexpr std::uint64_t kMaxSteps = 1'000'000'000'000;

/// On average: of a buffer that is larger than the cache, random steps find there as much as fits.
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
  constexpr std::uint64_t kMaxNs = 18'000'000'000'000;  // five hours, as a run may last
  const auto time = static_cast<unsigned __int128>(steps) * *picoseconds / 1000;
  if (time > kMaxNs)
    p.entry.fail(fmt::format("found {} steps of {} ns on the host, allowed: five hours in all", steps,
                             static_cast<double>(*picoseconds) / 1000));
  program.execute();
  program.sleep(
      program.nanoseconds(static_cast<std::uint64_t>(time)));  // each thread of the host has a core of its own
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
