/// The link between host and GPU as a program's copies show it: a GPU's file says what its link can do, not what the machine
/// on which a program was measured has (lanes and generation of the slot, a virtual machine, the host's memory).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/config.h"
#include "platform/programs/dependences.h"
#include "platform/programs/program.h"

namespace gputlm {

struct MeasuredLink {
  double gb_per_s = 0;     ///< 10^9 bytes of data a second, of the fastest copy, which nothing held up
  std::size_t copies = 0;  ///< that it was the fastest of
  std::string first;       ///< label of the first of these
};

/// By copies from or to pinned memory, each of 4 MiB or more, so that what comes before a copy's first byte is nothing
/// beside it. None: the program has none.
std::optional<MeasuredLink> measured_link(const Program& program);

/// 10^9 bytes of data a second that the link carries.
double gb_per_s(const HostLinkConfig& link);

/// What HostLinkConfig::lane_gbits must be for a link of the same lanes and packets to carry data at that pace. None: it
/// does within 20 %, or there is no link.
std::optional<double> lane_gbits_of(const MeasuredLink& measured, const HostLinkConfig& link);

/// The setting by which a run has the link of the machine that the programs were measured on, where they agree on it. None:
/// `link` is that, or they have not shown any.
std::optional<std::string> link_setting(const std::vector<Program>& programs, const HostLinkConfig& link);

/// Says that the program was measured on another link than that of `gpu`, and whether `settings`, of the workload, give it
/// its own. None: it was not.
std::optional<ProgramCheck> link_check(const Program& program, const GpuConfig& gpu,
                                       const std::vector<std::string>& settings);

}  // namespace gputlm
