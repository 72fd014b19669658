/// Arbiters at the outputs of the crossbar: parameters and ports of rtl/weighted_flit_arbiter.sv, which describes them.
#pragma once

#include "testbench/ports/ports.h"

namespace gputlm {

#define FLIT_ARBITER_SIZE(P)                                                                            \
  P(inputs, Inputs, 2, 256, kAnyValue, 8, "inputs", "inputs of a switch")                               \
  P(applications, Apps, 1, 8, kAnyValue, 4, "apps", "applications")                                     \
  P(weight_bits, WeightW, 1, 8, kAnyValue, 6, "weight-bits", "bits of an application's weight")         \
  P(length_bits, LengthW, 1, 8, kAnyValue, 4, "length-bits", "bits of the number of flits of a packet") \
  P(age_bits, AgeW, 1, 16, kAnyValue, 12, "age-bits", "bits of a packet's age")
GPUTLM_SIZE(FlitArbiter, FLIT_ARBITER_SIZE);

/// One bit per input.
using InputBits = BitSet<FlitArbiterSize::Most::inputs>;
template <unsigned most>
using NumberByInput = Numbers<FlitArbiterSize::Most::inputs, most>;
using InputApplications = NumberByInput<bits_to_name(FlitArbiterSize::Most::applications)>;
using InputLengths = NumberByInput<FlitArbiterSize::Most::length_bits>;
using InputAges = NumberByInput<FlitArbiterSize::Most::age_bits>;
/// One weight per application.
using FlitWeights = Numbers<FlitArbiterSize::Most::applications, FlitArbiterSize::Most::weight_bits>;

#define FLIT_ARBITER_PORTS(IN, OUT)                                       \
  IN(head_valid, InputBits, s.inputs)                                     \
  IN(head_app, InputApplications, s.inputs* bits_to_name(s.applications)) \
  IN(head_flits, InputLengths, s.inputs* s.length_bits)                   \
  IN(head_age, InputAges, s.inputs* s.age_bits)                           \
  IN(weight, FlitWeights, s.applications* s.weight_bits)                  \
  IN(grant_ready, bool, 1)                                                \
  OUT(grant_valid, bool, 1)                                               \
  OUT(grant, InputBits, s.inputs)                                         \
  OUT(grant_input, std::uint32_t, bits_to_name(s.inputs))
GPUTLM_PORTS(FlitArbiter, FLIT_ARBITER_PORTS);

}  // namespace gputlm
