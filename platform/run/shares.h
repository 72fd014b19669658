/// What applications may use of a GPU, one mechanism per file (share_*.cpp): SMs and threads, L2 slices and DRAM channels,
/// ways and a set-aside part of the L2, memory bandwidth, device memory. A mechanism checks the workload before a run, sets
/// up the units of each part of the GPU, and reports settings that have no effect.
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

/// The GPU and the workload that shares it.
struct Sharing {
  const GpuConfig& gpu;  ///< the whole GPU
  const Workload& workload;
  const GpuParts& parts;

  const std::vector<ApplicationSpec>& applications() const { return workload.applications; }
};

/// The setup of the units of a part; lists are indexed by application.
struct PartShares {
  Regulation regulation;        ///< budgets; none if no application of this part has one
  std::vector<WaySet> l2_ways;  ///< ways of the L2; empty if no application asks for any
  SetAsideSetup set_aside;
  std::vector<std::vector<unsigned>> colours;  ///< L2 slices that pages may lie in, ascending; empty: all
  std::vector<ColouredRange> coloured_ranges;  ///< coloured ranges of allocations
};

struct ShareMechanism {
  /// Throws InputError for resources that the GPU does not have.
  void (*check)(const Sharing& sharing);
  void (*set_up)(const Sharing& sharing, std::size_t part, PartShares& shares);
  /// Adds a line for each setting that has no effect, or an effect other than its value says.
  void (*warn)(const Sharing& sharing, std::vector<std::string>& lines);
};
extern const ShareMechanism kSmShares, kPageColours, kMemoryBudgets, kL2Ways, kDeviceMemory, kSetAside;
inline constexpr const ShareMechanism* kShares[] = {&kSmShares, &kPageColours,  &kMemoryBudgets,
                                                    &kL2Ways,   &kDeviceMemory, &kSetAside};

PartShares shares_of(const Sharing& sharing, std::size_t part);

/// L2 slices that pages of the application and of its allocations lie in, ascending; empty: all, since it asks for none.
std::vector<unsigned> coloured_slices(const GpuConfig& config, const ApplicationSpec& application);

/// Whether the policy uses the setting `what`. If it is set and unused, a line says which policies would use it.
bool is_heeded(bool is_set, const std::string& what, const DecisionInfo& decision, const std::string& policy,
               Property heeds, std::vector<std::string>& lines);

}  // namespace gputlm
