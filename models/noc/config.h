#pragma once

#include <string>

#include "models/policy/options.h"
#include "tlm/base/time.h"
#include "tlm/flit_format.h"

namespace gputlm {

/// GPC ports and crossbar: separate request and reply networks, flits, credits.
struct NocConfig {
  /// Clock of GPC ports, crossbar and L2 slices; 0: that of the SMs. On NVIDIA's GPUs they differ: Nsight Compute has both
  /// (sm__cycles_elapsed.avg.per_second, lts__cycles_elapsed.avg.per_second), and a few SMs of an RTX A6000 read DRAM at
  /// 42.0 GB/s each, 32 bytes at 1312 MHz, while the SMs' maximum clock is 1800 MHz (silicon/scaling).
  double mhz = 0;
  unsigned flit_bytes = 40;             ///< payload and header of one flit
  unsigned header_bytes = 8;            ///< header bytes of a packet
  unsigned hop_latency = 20;            ///< core cycles of a flit between two units, each way
  unsigned queue = 56;                  ///< packets that an input holds per flit/cycle of its link
  unsigned gpc_request_flits = 4;       ///< flits per cycle from a GPC port to the crossbar
  unsigned gpc_reply_flits = 4;         ///< flits per cycle from the crossbar to a GPC port
  unsigned slice_flits = 1;             ///< flits per cycle to and from an L2 slice
  std::string arbiter = "round_robin";  ///< policy that chooses the next packet of a crossbar output (flit_arbiter.h)
  // Between the two halves, if the L2 has two partitions.
  unsigned partition_latency = 106;  ///< additional cycles of `mhz`, each way, to a line in the other half
  unsigned partition_flits = 16;     ///< flits per cycle, each way

  PolicyOptions options;  ///< options of arbiters
  // If an application has a memory budget (models/regulator/budget.h):
  std::string regulator = "hard";
  std::string regulator_place = "sm_port";

  /// `core`: clock of the SMs.
  Clock clock(const Clock& core) const { return mhz > 0 ? Clock::from_mhz(mhz) : core; }
  FlitFormat flits() const { return {flit_bytes, header_bytes}; }
};

}  // namespace gputlm
