#pragma once

#include <string>

#include "tlm/time.h"

namespace gputlm {

/// Timing constraints, in cycles of the command clock.
struct DramTiming {
  unsigned tCL = 12, tWL = 4, tRCD = 12, tRP = 12, tRAS = 28, tRC = 40, tRRD = 6, tFAW = 0;
  unsigned tCCD = 2, tCCDL = 3, tWTR = 5, tRTW = 2, tWR = 12, tRTP = 2;
};

/// One memory controller and the DRAM behind it. Capacity is unlimited: rows are numbered as far as addresses go.
struct DramConfig {
  unsigned channels = 6;
  double command_mhz = 924;   ///< command clock
  unsigned burst_bytes = 32;  ///< moved by one column command; it takes tCCD on the data bus
  unsigned banks = 16;
  unsigned bank_groups = 4;
  Bytes row_bytes = 2048;     ///< of one bank
  unsigned queue = 64;        ///< requests (bursts) the scheduler sees
  unsigned input_queue = 64;  ///< accesses waiting to enter it
  std::string scheduler = "fr_fcfs";
  unsigned row_hit_cap = 0;  ///< column commands to an open row after which hits lose precedence; 0: no cap
  unsigned latency = 20;     ///< core cycles between L2 slice and controller, each way
  bool bank_hash = true;     ///< XOR the bank with row bits, against bank camping
  DramTiming timing;
};

/// How addresses spread over channels and slices.
struct AddressMapConfig {
  Bytes interleave = 256;    ///< consecutive bytes in one slice
  bool channel_hash = true;  ///< rotate the slice order by a hash of the upper bits, against partition camping
};

}  // namespace gputlm
