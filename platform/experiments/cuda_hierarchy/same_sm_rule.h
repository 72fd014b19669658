/// When two blocks share an SM: Equations 2, 3 and 4 of cuda-hierarchy (section III-C), and the number of cases in which a
/// placement policy agrees with them. All sizes are in warps; `mw` is the capacity of an SM.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gputlm {

/// Equation 2: a block of x warps is on an SM of an otherwise idle GPU; one of y warps goes to the same SM.
/// 1 <= x, y <= mw.
bool equation2(unsigned mw, unsigned x, unsigned y);

/// Equation 3: the same, with z warps on every SM before. x, y <= mw - z.
bool equation3(unsigned mw, unsigned z, unsigned x, unsigned y);

/// Equation 4: every SM but one has a block of z warps, that one has a block of x warps, and a block of y warps goes
/// to that one.
bool equation4(unsigned mw, unsigned z, unsigned x, unsigned y);

/// Index of the SM that a block of y warps goes to, by the procedure of the section's worked example (Figure 5, right): the
/// SMs are checked in the GPU's order, each with its current warps, and the first for which Equation 3 holds gets the block.
/// z is the minimum over all SMs; y fits on the SM that has the fewest.
std::size_t sm_by_equation3(const std::vector<unsigned>& warps, unsigned mw, unsigned y);

/// Number of cases in which something holds, out of all cases.
struct Count {
  std::uint64_t holds = 0;
  std::uint64_t of = 0;
  void add(bool hold) { holds += hold ? 1 : 0, ++of; }
};

/// Over all x, y (and z) that fit: does the policy choose the SM in question exactly if the equation holds? The policy is
/// called directly, for SMs with as many block slots as warps, since the section considers only warps.
Count policy_follows_equation2(const std::string& placement, unsigned mw);
Count policy_follows_equation3(const std::string& placement, unsigned mw);
Count policy_follows_equation4(const std::string& placement, unsigned mw);

}  // namespace gputlm
