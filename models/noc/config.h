#pragma once

#include <string>

#include "models/policy/options.h"
#include "tlm/flit_format.h"
#include "tlm/time.h"

namespace gputlm {

/// GPC ports and crossbar: separate request and reply networks, flits, credits.
struct NocConfig {
  /// Clock of GPC ports, crossbar and L2 slices; 0: that of the SMs. On NVIDIA's GPUs it is another one: Nsight Compute has
  /// both (sm__cycles_elapsed.avg.per_second, lts__cycles_elapsed.avg.per_second), and few SMs of an RTX A6000 read DRAM at
  /// 42.0 GB/s each, 32 bytes of 1312 MHz, where the SMs' largest clock is 1800 MHz (silicon/scaling).
  double mhz = 0;
  unsigned flit_bytes = 40;             ///< payload and header of one flit
  unsigned header_bytes = 8;            ///< of a packet
  unsigned hop_latency = 20;            ///< core cycles a flit takes between two units, each way
  unsigned queue = 56;                  ///< packets an input holds for each flit a cycle of its link
  unsigned gpc_request_flits = 4;       ///< flits a cycle from a GPC port to the crossbar
  unsigned gpc_reply_flits = 4;         ///< flits a cycle from the crossbar to a GPC port
  unsigned slice_flits = 1;             ///< flits a cycle to and from an L2 slice
  std::string arbiter = "round_robin";  ///< which packet leaves next by an output of the crossbar (flit_arbiter.h)
  // Between the two halves, where the L2 has two partitions.
  unsigned partition_latency = 106;  ///< cycles of `mhz` more, each way, to a line in the other one
  unsigned partition_flits = 16;     ///< flits a cycle, each way

  PolicyOptions options;  ///< of policies here
  // Where an application has a memory budget (models/regulator/budget.h):
  std::string regulator = "hard";
  std::string regulator_place = "sm_port";

  /// `core`: of the SMs.
  Clock clock(const Clock& core) const { return mhz > 0 ? Clock::from_mhz(mhz) : core; }
  FlitFormat flits() const { return {flit_bytes, header_bytes}; }
};

}  // namespace gputlm
