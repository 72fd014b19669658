/// `gputlm cost --activity`: the energy of blocks as they take the decisions that a run has recorded.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "platform/files/table.h"
#include "testbench/cost/clock_gating.h"
#include "testbench/cost/energy.h"
#include "testbench/cost/study.h"
#include "testbench/kind/kind.h"

namespace gputlm {

struct BlockEnergy {
  const cost::BlockType* block = nullptr;
  cost::Geometry geometry;
  std::string policy;       ///< that the block's decisions were compared with
  double clock_mhz = 0;     ///< of the run
  std::uint64_t taken = 0;  ///< decisions: bursts served, accesses let in, instructions issued
  Played played;
  cost::Energy energy;
  cost::ClockGating gating;
  double changing_registers = 0;  ///< of all, in a cycle: no gating can leave less

  double nanoseconds() const { return static_cast<double>(played.cycles) * 1e3 / clock_mhz; }
  double leakage_pj() const { return energy.leakage_uw * nanoseconds() * 1e-3; }
  double clock_pj() const { return energy.clock_pj * static_cast<double>(played.cycles); }
  double gated_clock_pj() const { return clock_pj() * gating.share; }
  double internal_pj() const { return energy.internal_pj * static_cast<double>(played.cycles); }
  double switching_pj() const { return energy.switching_pj * static_cast<double>(played.cycles); }
  /// All of it; with its clock gated or not.
  double total_pj(bool gated) const {
    return leakage_pj() + (gated ? gated_clock_pj() : clock_pj()) + internal_pj() + switching_pj();
  }
};

/// The kind of decision that a block of rtl/ takes, and the policy: modules are called POLICY_KIND.
const Kind& kind_of(const cost::BlockType& block);
std::string policy_of(const cost::BlockType& block);

/// Of the block and of the one that it is compared with, in each row of the study, whose files are still in the request's
/// folder. The block is the best netlist of each. A user's own is to decide as
/// `own_policy`. Several at a time, as the request says; `proceed` as for run_study().
/// Throws InputError when a netlist does not decide as its policy does.
std::vector<BlockEnergy> block_energies(const cost::StudyRequest& request, const cost::Study& study, const Kind& kind,
                                        const RecordedDecisions& decisions, const std::string& own_policy,
                                        const std::function<bool(std::size_t, std::size_t)>& proceed);

/// A row for each.
Table energy_table(const std::vector<BlockEnergy>& energies);
/// For a terminal: the table, and what it says.
std::string energy_text(const std::vector<BlockEnergy>& energies, const std::string& run);

}  // namespace gputlm
