/// What applications may use of a GPU, a mechanism a file (share_*.cpp): SMs and threads, L2 slices and DRAM channels, ways and
/// a set-aside part of the L2, memory bandwidth, device memory. A mechanism is checked before a run, sets up what the units of
/// a part of the GPU are told, and says what of it has no effect.
#pragma once

#include <string>
#include <vector>

#include "models/cache/line.h"
#include "models/config.h"
#include "models/host/workload.h"
#include "models/l2/set_aside.h"
#include "models/memory_map/memory_map.h"
#include "models/policy/policy.h"
#include "models/regulator/regulation.h"
#include "platform/run/instances.h"

namespace gputlm {

/// Who shares what.
struct Sharing {
  const GpuConfig& gpu;  ///< the whole
  const Workload& workload;
  const GpuParts& parts;

  const std::vector<ApplicationSpec>& applications() const { return workload.applications; }
};

/// What the units of a part are told; lists are by application.
struct PartShares {
  Regulation regulation;        ///< none if no application there has a budget
  std::vector<WaySet> l2_ways;  ///< empty if none asks for some
  SetAsideSetup set_aside;
  std::vector<std::vector<unsigned>> colours;  ///< L2 slices of pages, in rising order; empty: all
  std::vector<ColouredRange> coloured_ranges;  ///< those of allocations
};

struct ShareMechanism {
  /// Throws InputError for what the GPU does not have.
  void (*check)(const Sharing& sharing);
  void (*set_up)(const Sharing& sharing, std::size_t part, PartShares& shares);
  /// A line for each thing that has no effect, or another than its value says.
  void (*warn)(const Sharing& sharing, std::vector<std::string>& lines);
};
extern const ShareMechanism kSmShares, kPageColours, kMemoryBudgets, kL2Ways, kDeviceMemory, kSetAside;
inline constexpr const ShareMechanism* kShares[] = {&kSmShares, &kPageColours,  &kMemoryBudgets,
                                                    &kL2Ways,   &kDeviceMemory, &kSetAside};

PartShares shares_of(const Sharing& sharing, std::size_t part);

/// L2 slices that pages of the application and of its allocations lie in, in rising order; empty: all, as it asks for none.
std::vector<unsigned> coloured_slices(const GpuConfig& config, const ApplicationSpec& application);

/// Whether what is set, `what`, is heeded by the policy; if not, a line says which would.
bool is_heeded(bool is_set, const std::string& what, const DecisionInfo& decision, const std::string& policy,
               Property heeds, std::vector<std::string>& lines);

}  // namespace gputlm
