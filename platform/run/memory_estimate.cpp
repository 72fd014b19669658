#include "platform/run/memory_estimate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "tlm/access.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

// Measured: resident memory of runs that differ in nothing else.
constexpr Bytes kBytesOfLine = 21;
constexpr Bytes kBytesOfProgram = Bytes{16} << 20;

/// The parts that input decides.
struct Parts {
  Bytes l1, l2, launches;
};
Parts parts_of(const GpuConfig& config, const Workload& workload) {
  return {config.sms * (config.sm.l1.bytes / kLineBytes) * kBytesOfLine, config.l2.bytes / kLineBytes * kBytesOfLine,
          (workload.launches.size() + workload.copies.size()) * kBytesOfLaunch};
}

std::string mebibytes(Bytes bytes) { return fmt::format("{} MiB", bytes >> 20); }

}  // namespace

Bytes default_memory_limit() {
  Bytes most = static_cast<Bytes>(::sysconf(_SC_PHYS_PAGES)) * static_cast<Bytes>(::sysconf(_SC_PAGESIZE));
  Bytes of_container = 0;
  // "max", where there is no limit, is no number.
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> of_container) most = std::min(most, of_container);
  return most / 4 * 3;
}

Bytes estimated_memory(const GpuConfig& config, const Workload& workload) {
  const auto [l1, l2, launches] = parts_of(config, workload);
  return kBytesOfProgram + l1 + l2 + launches;
}

void check_memory(const GpuConfig& config, const Origin& origin, const Origins& origins, const Workload& workload,
                  Bytes limit) {
  const auto [l1, l2, launches] = parts_of(config, workload);
  if (l1 + l2 + launches <= limit) return;
  const std::string allowed = fmt::format("allowed: {} of memory (--max-memory)", mebibytes(limit));
  if (launches > l1 + l2) {
    const bool any = !workload.launches.empty();
    throw InputError(any ? workload.launches.back().file : workload.copies.back().file,
                     any ? workload.launches.back().line : workload.copies.back().line,
                     fmt::format("found {} launches and copies, each repetition one, which take about {}; {}",
                                 workload.launches.size() + workload.copies.size(), mebibytes(launches), allowed));
  }
  fail_together(fmt::format("sms x sm.l1.bytes and l2.bytes, {} x {} and {}, take about {}; {}", config.sms,
                            config.sm.l1.bytes, config.l2.bytes, mebibytes(l1 + l2), allowed),
                origin, origins);
}

}  // namespace gputlm
