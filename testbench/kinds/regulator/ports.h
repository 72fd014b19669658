/// Regulators of memory budgets: parameters and ports of rtl/bandwidth_regulator.sv, which describes them.
#pragma once

#include "testbench/ports/ports.h"

namespace gputlm {

#define REGULATOR_SIZE(P)                                                       \
  P(applications, Apps, 1, 8, kAnyValue, 4, "apps", "applications")             \
  P(token_bits, TokenW, 1, 32, kAnyValue, 16, "token-bits", "bits of a budget") \
  P(length_bits, LengthW, 1, 8, kAnyValue, 8, "length-bits", "bits of the number of bytes of a request")
GPUTLM_SIZE(Regulator, REGULATOR_SIZE);

/// One budget per application.
using RegulatorBudgets = Numbers<RegulatorSize::Most::applications, RegulatorSize::Most::token_bits>;
using RegulatorLengths = Numbers<RegulatorSize::Most::applications, RegulatorSize::Most::length_bits>;

#define REGULATOR_PORTS(IN, OUT)                                  \
  IN(budget, RegulatorBudgets, s.applications* s.token_bits)      \
  IN(begin, std::uint32_t, s.applications)                        \
  IN(head_valid, std::uint32_t, s.applications)                   \
  IN(head_bytes, RegulatorLengths, s.applications* s.length_bits) \
  IN(pass, std::uint32_t, s.applications)                         \
  OUT(fits, std::uint32_t, s.applications)
GPUTLM_PORTS(Regulator, REGULATOR_PORTS);

}  // namespace gputlm
