/// Which L2 slices the pages of an application lie in (ApplicationSpec::dram_channels, l2_slices, allocations).
#pragma once

#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/memory_map/memory_map.h"
#include "platform/run/instances.h"

namespace gputlm {

/// On its GPU or instance, in rising order, those of its allocations included; empty: all, as it asks for none.
std::vector<unsigned> coloured_slices(const GpuConfig& config, const ApplicationSpec& application);

/// By application, of a GPU or an instance on which those with `is_there` run, as MemoryMap has them.
std::vector<std::vector<unsigned>> page_colours(const GpuConfig& config,
                                                const std::vector<ApplicationSpec>& applications,
                                                const std::vector<bool>& is_there);

/// Those of allocations, likewise.
std::vector<ColouredRange> coloured_ranges(const GpuConfig& config, const std::vector<ApplicationSpec>& applications,
                                           const std::vector<bool>& is_there);

/// Throws InputError for channels or slices that there are not, and for allocations that overlap or end within a line.
void check_page_colours(const GpusOfApplications& gpus, const Workload& workload);

}  // namespace gputlm
