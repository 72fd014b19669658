/// Which SMs a block may join where L1 and shared memory are one array (carveout.h): the rule by name,
/// WorkDistributorConfig::division.
///
/// A launch's descriptor names three sizes of shared memory since Volta: the one that an SM without blocks is divided by,
/// and the smallest and the largest with which an SM takes its blocks (NVIDIA, open-gpu-doc, clc3c0qmd.h: TARGET_, MIN_ and
/// MAX_SM_CONFIG_SHARED_MEM_SIZE). What the driver writes there is not published; the rules are what measurements ask for.
#pragma once

#include "models/policy/policy.h"

namespace gputlm {

struct DivisionRule {
  bool launch_decides =
      false;         ///< the smallest is what the launch wants of an SM without blocks, not what a block takes
  unsigned sms = 1;  ///< neighbours with one division: it changes when none of them has a block
};

Decision<DivisionRule>& divisions();

}  // namespace gputlm
