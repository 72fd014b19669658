#pragma once

#include <string>

#include "models/policy/options.h"

namespace gputlm {

struct WorkDistributorConfig {
  std::string application = "concurrent";
  std::string kernel_order = "leftover";
  std::string placement = "most_room";
  PolicyOptions options;                        ///< of application policies, kernel orders and placements
  std::string division = "room";                ///< which SMs a block may join (division.h)
  std::string sm_order = "ascending";           ///< tie-break order of the SMs: `ascending` or `evens_then_odds`
  std::string cluster_placement = "most_room";  ///< which GPC gets a cluster
  bool clusters_keep_gpc = true;  ///< one for which no GPC has room keeps one clear of blocks that come after it
  unsigned cluster_blocks = 8;    ///< of a cluster, at most
  /// Maximum blocks of a non-portable cluster; 1: there are no clusters, and blocks are placed one by one.
  unsigned non_portable_cluster_blocks = 16;
  unsigned kernels_in_flight = 128;          ///< of a context; beyond that launches wait at the host
  unsigned dispatch_interval = 1;            ///< core cycles between two dispatches
  unsigned dispatch_width = 1;               ///< blocks sent in one dispatch at most, each to another SM
  unsigned launch_latency = 20;              ///< core cycles from work distributor to SM, and back
  unsigned host_latency = 500;               ///< core cycles from host to work distributor, and back
  unsigned host_ns = 0;                      ///< the same as a time, independent of the core's clock; 0: host_latency
  unsigned kernel_launch_latency = 0;        ///< core cycles from a kernel's arrival until its blocks may be sent
  unsigned kernel_completion_latency = 0;    ///< core cycles from its last block's end until the host is told
  unsigned shared_memory_threshold = 3072;   ///< bytes a block; up to it shared memory does not decide placement
  unsigned shared_memory_granularity = 256;  ///< bytes
  unsigned registers_threshold = 32;         ///< a thread; up to it registers do not decide placement
  unsigned priorities = 2;                   ///< levels of streams, 0 down (cuda-hierarchy, section III-B)
};

}  // namespace gputlm
