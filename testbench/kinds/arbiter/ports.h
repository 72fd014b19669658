/// Arbiters of DRAM controllers: parameters and ports of rtl/fr_rr_fcfs_arbiter.sv, which describes them.
#pragma once

#include "testbench/ports/ports.h"

namespace gputlm {

#define ARBITER_SIZE(P)                                                                                \
  P(entries, Entries, 8, 128, kAnyValue, 32, "entries", "requests that wait in one memory controller") \
  P(banks, Banks, 1, 64, kPowersOfTwo, 16, "banks", "banks")                                           \
  P(applications, Apps, 1, 8, kAnyValue, 4, "apps", "applications")                                    \
  P(row_bits, RowW, 1, 32, kAnyValue, 14, "row-bits", "bits of a row number")                          \
  P(has_cap, HasCap, 0, 1, kAnyValue, 1, "cap", "1: with the logic that caps row hits")
GPUTLM_SIZE(Arbiter, ARBITER_SIZE);

inline constexpr unsigned kHitCapBits = 8, kHighestHitCap = static_cast<unsigned>(largest_of(kHitCapBits));

#define ARBITER_PORTS(IN, OUT)                                \
  IN(req_valid, bool, 1)                                      \
  IN(req_bank, std::uint32_t, bits_to_name(s.banks))          \
  IN(req_row, std::uint32_t, s.row_bits)                      \
  IN(req_app, std::uint32_t, bits_to_name(s.applications))    \
  IN(req_id, std::uint32_t, bits_to_name(s.entries))          \
  IN(row_valid, bool, 1)                                      \
  IN(row_open, bool, 1)                                       \
  IN(row_bank, std::uint32_t, bits_to_name(s.banks))          \
  IN(row_row, std::uint32_t, s.row_bits)                      \
  IN(ask_valid, bool, 1)                                      \
  IN(ask_bank, std::uint32_t, bits_to_name(s.banks))          \
  IN(hit_cap, std::uint32_t, kHitCapBits)                     \
  IN(grant_ready, bool, 1)                                    \
  OUT(req_ready, bool, 1)                                     \
  OUT(grant_valid, bool, 1)                                   \
  OUT(grant, BitSet<ArbiterSize::Most::entries>, s.entries)   \
  OUT(grant_id, std::uint32_t, bits_to_name(s.entries))       \
  OUT(grant_row, std::uint32_t, s.row_bits)                   \
  OUT(grant_app, std::uint32_t, bits_to_name(s.applications)) \
  OUT(grant_hit, bool, 1)
GPUTLM_PORTS(Arbiter, ARBITER_PORTS);

}  // namespace gputlm
