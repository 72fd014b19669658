#pragma once

#include <string>

#include "models/policy/options.h"
#include "tlm/base/time.h"

namespace gputlm {

/// Timing constraints, in cycles of the command clock, by their names in JEDEC's GDDR5 and HBM standards (JESD212,
/// JESD235): S for commands to different bank groups, L to the same one. An L of 0 is as long as its S.
struct DramTiming {
  unsigned tCL = 12, tWL = 4, tRCDRD = 12, tRCDWR = 12, tRP = 12, tRAS = 28, tRC = 40;
  unsigned tRRDS = 6, tRRDL = 0, tFAW = 0;
  unsigned tCCDS = 2, tCCDL = 3, tWTRS = 5, tWTRL = 0, tRTW = 2, tWR = 12;
  unsigned tRTP = 2;             ///< a read and its precharge share a bank: tRTPL with bank groups, tRTPS without
  unsigned tREFI = 0, tRFC = 0;  ///< all-bank refresh; 0: none
};

/// Energy of a channel's commands, and its standby power. All 0: unknown, and not reported. Micron, TN-41-01, "Calculating
/// memory system power for DDR3": a command's energy is its current in excess of the standby current, over its time.
struct DramEnergy {
  double activate_pj = 0;            ///< energy of an ACTIVATE and a PRECHARGE of a bank
  double read_pj = 0, write_pj = 0;  ///< energy of a burst
  double refresh_pj = 0;             ///< energy of a refresh of all banks
  double background_mw = 0;          ///< standby power, independent of activity

  bool known() const { return activate_pj > 0 || read_pj > 0 || write_pj > 0 || refresh_pj > 0 || background_mw > 0; }
};

inline constexpr unsigned kMaxDramBanks = 64;              ///< the controller keeps a set of banks in one machine word
inline constexpr unsigned kMinBurst = 32, kMaxBurst = 64;  ///< bytes of a burst
inline constexpr Bytes kMaxRow = 65536;

/// One memory controller and the DRAM behind it. Capacity is unlimited: rows are numbered as far as addresses go.
struct DramConfig {
  unsigned channels = 6;
  double command_mhz = 924;     ///< command clock
  unsigned burst_bytes = 32;    ///< bytes moved by one column command
  unsigned bus_bits = 32;       ///< data pins of a channel
  unsigned bits_per_cycle = 4;  ///< bits moved by a data pin in a command cycle
  unsigned command_buses = 1;   ///< number of buses; 2: one for row and one for column commands, as in HBM (JESD235)
  unsigned banks = 16;
  unsigned bank_groups = 4;
  Bytes row_bytes = 2048;     ///< bytes of a row of one bank
  unsigned queue = 64;        ///< requests (bursts) that the scheduler sees; only reads, if there is a write queue
  unsigned write_queue = 0;   ///< entries of a queue for writes; 0: one queue for both
  unsigned write_high = 0;    ///< pending writes from which writes go first,
  unsigned write_low = 0;     ///< until no more than these are pending
  unsigned input_queue = 64;  ///< accesses waiting to enter the queue
  unsigned applications = 1;  ///< applications admitted separately, by number modulo this (admission.h); 1: none
  unsigned reserved = 0;      ///< queue entries reserved for each of them; the rest is shared
  std::string admission = "reserved";  ///< policy that chooses whose access enters next (admission.h)
  /// Each application has a separate input queue, with an equal share of input_queue, and a separate path to it from the L2
  /// slice.
  bool virtual_channels = false;
  std::string scheduler = "fr_fcfs";
  PolicyOptions options;                ///< options of memory-request policies
  unsigned row_hit_cap = 0;             ///< column commands to an open row after which hits lose precedence; 0: no cap
  std::string page = "open";            ///< policy that closes rows (page_policy.h)
  unsigned latency = 20;                ///< core cycles between L2 slice and controller, each way
  std::string address_map = "default";  ///< bits of an address (address_map.h)
  bool bank_hash = true;                ///< XOR the bank with row bits, against bank camping
  DramTiming timing;
  DramEnergy energy;
};

inline constexpr unsigned kMaxCommandBuses = 2;

/// Data-bus cycles of a burst; 0 if not a whole number.
inline unsigned burst_cycles(const DramConfig& config) {
  const unsigned bits = config.bus_bits * config.bits_per_cycle;
  return bits != 0 && config.burst_bytes * 8 % bits == 0 ? config.burst_bytes * 8 / bits : 0;
}

/// Independent input queues of the controller per L2 slice or other initiator.
inline unsigned channels_of_link(const DramConfig& config) { return config.virtual_channels ? config.applications : 1; }
/// Accesses that one such queue holds.
inline unsigned input_queue_of(const DramConfig& config) { return config.input_queue / channels_of_link(config); }

/// The first rule between parameters that the configuration violates, with the values found; empty if none. Ranges of
/// single parameters are not checked.
std::string contradiction(const DramConfig& config);

}  // namespace gputlm
