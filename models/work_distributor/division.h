/// The SMs that a block may join if L1 and shared memory are one array (carveout.h): rules by name,
/// WorkDistributorConfig::division.
///
/// Since Volta, a launch's descriptor has three sizes of shared memory: the one by which an SM without blocks is divided,
/// and the smallest and the largest with which an SM accepts its blocks (NVIDIA, open-gpu-doc, clc3c0qmd.h: TARGET_, MIN_ and
/// MAX_SM_CONFIG_SHARED_MEM_SIZE). What the driver writes there is not published; the rules follow from measurements.
#pragma once

#include "models/policy/policy.h"

namespace gputlm {

struct DivisionRule {
  bool launch_decides =
      false;         ///< the smallest size is what the launch wants of an SM without blocks, not what a block takes
  unsigned sms = 1;  ///< number of neighbours with one division, which changes when none of them has a block
};

Decision<DivisionRule>& divisions();

}  // namespace gputlm
