#pragma once

namespace gputlm {

/// The network between the SMs of a GPC, for blocks of a cluster.
struct ClusterNetworkConfig {
  /// Core cycles from an SM into the network, and from there to an SM. A load of another block's shared memory, which takes
  /// four of them, has 181 cycles on an H800, and 29 within the SM (Luo et al., "Dissecting the NVIDIA Hopper Architecture
  /// through Microbenchmarking and Multiple Level Analysis", arXiv:2501.12084, section 7.1).
  unsigned hop_latency = 36;
  unsigned bytes = 16;            ///< bytes that an SM sends, and that it receives, per cycle
  unsigned multicast_bytes = 70;  ///< the same for multicast data, which the reply network carries
  unsigned queue = 96;            ///< packets held by each end of a link
};

}  // namespace gputlm
