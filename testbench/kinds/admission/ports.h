/// Admissions to the queues of DRAM controllers: parameters and ports of rtl/reserved_admission.sv, which describes them.
#pragma once

#include "testbench/ports/ports.h"

namespace gputlm {

#define ADMISSION_SIZE(P)                                                                                 \
  P(entries, Entries, 8, 128, kAnyValue, 32, "entries", "of the memory controller's queue")               \
  P(applications, Apps, 2, 8, kAnyValue, 2, "apps", "applications")                                       \
  P(length_bits, LengthW, 1, 8, kAnyValue, 3, "length-bits", "bits of the number of bursts of an access") \
  P(has_shared, HasShared, 0, 1, kAnyValue, 1, "shared", "1: with shared entries; 0: a partition")
GPUTLM_SIZE(Admission, ADMISSION_SIZE);

/// One length per application.
using AdmissionLengths = Numbers<AdmissionSize::Most::applications, AdmissionSize::Most::length_bits>;

#define ADMISSION_PORTS(IN, OUT)                                   \
  IN(reserved, std::uint32_t, bits_to_name(s.entries + 1))         \
  IN(shared, std::uint32_t, bits_to_name(s.entries + 1))           \
  IN(head_valid, std::uint32_t, s.applications)                    \
  IN(head_length, AdmissionLengths, s.applications* s.length_bits) \
  IN(admit_ready, bool, 1)                                         \
  IN(leave_valid, bool, 1)                                         \
  IN(leave_app, std::uint32_t, bits_to_name(s.applications))       \
  OUT(admit_valid, bool, 1)                                        \
  OUT(admit, std::uint32_t, s.applications)                        \
  OUT(admit_app, std::uint32_t, bits_to_name(s.applications))
GPUTLM_PORTS(Admission, ADMISSION_PORTS);

}  // namespace gputlm
