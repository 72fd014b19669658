/// Devices and controllers of all kinds, for tests of properties that hold for any.
#pragma once

#include <random>

#include "models/dram/config.h"

namespace gputlm {

/// HBM2 in pseudo-channel mode, by the numbers of platform/input/presets/dram/hbm2.yaml.
inline DramConfig hbm2() {
  DramConfig config;
  config.command_mhz = 1000;
  config.bus_bits = 64;
  config.bits_per_cycle = 2;
  config.command_buses = 2;
  config.banks = 32;
  config.bank_groups = 8;
  config.row_bytes = 1024;
  DramTiming& t = config.timing;
  t.tCL = 17, t.tWL = 7, t.tRCDRD = 12, t.tRCDWR = 6, t.tRP = 14, t.tRAS = 28, t.tRC = 42;
  t.tRRDS = 4, t.tRRDL = 6, t.tFAW = 16, t.tCCDS = 2, t.tCCDL = 3, t.tWTRS = 4, t.tWTRL = 9;
  t.tRTW = 6, t.tWR = 14, t.tRTP = 5, t.tREFI = 3900, t.tRFC = 220;
  return config;
}

inline DramConfig random_config(unsigned seed) {
  std::mt19937 random(seed);
  const auto one_in = [&](unsigned n) { return random() % n == 0; };
  DramConfig config = one_in(3) ? hbm2() : DramConfig{};
  if (one_in(4)) {  // GDDR6-like
    config = DramConfig{};
    config.bus_bits = 16;
    config.timing = {20, 8, 20, 20, 20, 50, 62, 10, 0, 0, 4, 4, 9, 0, 2, 20, 4, 0, 0};
  }
  config.bank_groups = 1u << random() % 4;
  if (one_in(6)) config.timing.tRRDS = 0, config.timing.tRRDL = 7;
  config.scheduler = one_in(3) ? "fcfs" : one_in(2) ? "fr_rr_fcfs" : "fr_fcfs";
  config.row_hit_cap = one_in(3) ? 2 : 0;
  config.page = one_in(2) ? "closed" : "open";
  config.queue = one_in(3) ? 8 : 64;
  config.bank_hash = one_in(2);
  if (one_in(2)) {
    config.write_queue = one_in(2) ? 8 : 32;
    config.write_high = config.write_queue / 2 + 1;
    config.write_low = static_cast<unsigned>(random() % config.write_high);
  }
  if (one_in(2)) {
    config.timing.tFAW = config.timing.tRRDS + static_cast<unsigned>(random() % 40);
    if (config.timing.tRRDL > config.timing.tFAW) config.timing.tFAW = config.timing.tRRDL;
  }
  if (one_in(2)) {
    config.timing.tRFC = 30 + static_cast<unsigned>(random() % 100);
    config.timing.tREFI = 400 + static_cast<unsigned>(random() % 800);
  }
  config.command_buses = one_in(2) ? 2 : 1;
  return config;
}

}  // namespace gputlm
