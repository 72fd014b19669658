#pragma once

#include <string>

#include "models/policy/options.h"

namespace gputlm {

struct WorkDistributorConfig {
  std::string application = "concurrent";
  std::string kernel_order = "leftover";
  std::string placement = "most_room";
  PolicyOptions options;                        ///< options of application policies, kernel orders and placements
  std::string division = "room";                ///< rule for the SMs that a block may join (division.h)
  std::string sm_order = "ascending";           ///< tie-break order of the SMs: `ascending` or `evens_then_odds`
  std::string cluster_placement = "most_room";  ///< policy that chooses the GPC of a cluster
  bool clusters_keep_gpc = true;                ///< a cluster for which no GPC has room keeps one clear of later blocks
  unsigned cluster_blocks = 8;                  ///< maximum blocks of a cluster
  /// Maximum blocks of a non-portable cluster; 1: there are no clusters, and blocks are placed one by one.
  unsigned non_portable_cluster_blocks = 16;
  unsigned kernels_in_flight = 128;          ///< kernels in flight of a context; further launches wait at the host
  unsigned dispatch_interval = 1;            ///< core cycles between two dispatches
  unsigned dispatch_width = 1;               ///< maximum blocks sent in one dispatch, each to a different SM
  unsigned launch_latency = 20;              ///< core cycles from work distributor to SM, and back
  unsigned host_latency = 500;               ///< core cycles from host to work distributor, and back
  unsigned host_ns = 0;                      ///< the same in ns, independent of the core's clock; 0: host_latency
  unsigned kernel_launch_latency = 0;        ///< core cycles from a kernel's arrival until its blocks may be sent
  unsigned kernel_completion_latency = 0;    ///< core cycles from its last block's end until the host is told
  unsigned shared_memory_threshold = 3072;   ///< bytes per block up to which shared memory does not affect placement
  unsigned shared_memory_granularity = 256;  ///< unit in which shared memory is allocated, in bytes
  unsigned registers_threshold = 32;         ///< registers per thread up to which they do not affect placement
  unsigned priorities = 2;                   ///< priority levels of streams, 0 down (cuda-hierarchy, section III-B)
};

}  // namespace gputlm
