/// The whole configuration of a GPU: plain values, one struct per unit. platform/input/parameters.* names, documents and
/// checks every field; platform/input/presets/*.yaml set them.
#pragma once

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "models/cluster_network/config.h"
#include "models/copy_engine/config.h"
#include "models/dram/config.h"
#include "models/host/config.h"
#include "models/host_link/config.h"
#include "models/host_memory/config.h"
#include "models/instances.h"
#include "models/l2/config.h"
#include "models/memory_map/config.h"
#include "models/mmu/config.h"
#include "models/noc/config.h"
#include "models/sm/config.h"
#include "models/work_distributor/config.h"

namespace gputlm {

struct GpuConfig {
  std::string name;
  unsigned sms = 1;
  unsigned sms_per_gpc = 2;  ///< consecutive SM ids share a GPC; the last GPC may have fewer
  /// SMs of each GPC if they differ, each at most sms_per_gpc, `sms` in total: "18+18+16"; "even": sms_per_gpc each.
  std::string gpc_sms = "even";
  double core_mhz = 1000;  ///< clock of SMs, work distributor, GPC ports, crossbar and L2
  SmConfig sm;
  NocConfig noc;
  ClusterNetworkConfig cluster_network;
  L2Config l2;
  MemoryMapConfig address_map;
  DramConfig dram;
  WorkDistributorConfig work_distributor;
  HostConfig host;
  CopyEngineConfig copy_engine;
  HostLinkConfig host_link;
  HostMemoryConfig host_memory;
  MmuConfig mmu;
  MigConfig mig;
  std::vector<InstanceSpec> instances;  ///< instances into which the GPU is divided; empty: not divided
  /// For an instance with GPCs of both halves of its GPU: number of its GPCs in the first half; 0: half of all, rounded up.
  unsigned gpcs_of_first_half = 0;

  /// SMs by GPC, with consecutive ids. Follows gpc_sms, not `sms`; 0 for parts that are not a number.
  std::vector<unsigned> sms_of_gpcs() const {
    std::vector<unsigned> all;
    if (gpc_sms == "even") {
      for (unsigned left = sms; left > 0; left -= all.back()) all.push_back(std::min(sms_per_gpc, left));
      return all;
    }
    for (std::size_t at = 0; at <= gpc_sms.size();) {
      const std::size_t end = std::min(gpc_sms.find('+', at), gpc_sms.size());
      unsigned& count = all.emplace_back(0);
      const auto [stop, error] = std::from_chars(gpc_sms.data() + at, gpc_sms.data() + end, count);
      if (error != std::errc() || stop != gpc_sms.data() + end) count = 0;
      at = end + 1;
    }
    return all;
  }
  unsigned sms_of_gpc(unsigned gpc) const { return sms_of_gpcs()[gpc]; }
  unsigned gpcs() const { return static_cast<unsigned>(sms_of_gpcs().size()); }
  /// Number of GPCs in the first half: one more than in the second half if the total is odd.
  unsigned gpcs_in_first_half() const { return gpcs_of_first_half > 0 ? gpcs_of_first_half : (gpcs() + 1) / 2; }
  /// L2 partition of a GPC, by halves of the GPCs.
  std::uint8_t partition_of_gpc(unsigned gpc) const {
    return l2.partitions > 1 && gpc >= gpcs_in_first_half() ? std::uint8_t{1} : std::uint8_t{0};
  }
  unsigned slices() const { return dram.channels * l2.slices_per_channel; }
};

}  // namespace gputlm
