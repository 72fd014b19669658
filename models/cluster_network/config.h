#pragma once

namespace gputlm {

/// The network between the SMs of a GPC, for blocks of a cluster.
struct ClusterNetworkConfig {
  /// Core cycles from an SM into the network, and from there to an SM. With four of them a load of another block's shared memory
  /// takes 181 cycles on an H800, at 29 within the SM (Luo et al., "Dissecting the NVIDIA Hopper Architecture through
  /// Microbenchmarking and Multiple Level Analysis", arXiv:2501.12084, section 7.1).
  unsigned hop_latency = 36;
  unsigned bytes = 16;            ///< that an SM sends, and receives, a cycle
  unsigned multicast_bytes = 70;  ///< the same of what a multicast brings, which the reply network carries
  unsigned queue = 96;            ///< packets that each end of a link holds
};

}  // namespace gputlm
