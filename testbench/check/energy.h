/// `gputlm cost --activity`: the energy of blocks while they take the decisions that a run recorded.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "platform/files/table.h"
#include "testbench/cost/energy.h"
#include "testbench/cost/study.h"
#include "testbench/kind/kind.h"

namespace gputlm {

struct BlockEnergy {
  const cost::BlockType* block = nullptr;
  cost::Geometry geometry;
  std::string policy;       ///< policy whose decisions were compared with the block's
  double clock_mhz = 0;     ///< clock of the run, MHz
  std::uint64_t taken = 0;  ///< number of decisions: bursts served, accesses let in, instructions issued
  Played played;
  cost::Energy energy;
  cost::ClockGating gating;
  double changing_registers = 0;  ///< share of registers that change in a cycle: no clock gating can be better

  double nanoseconds() const { return static_cast<double>(played.cycles) * 1e3 / clock_mhz; }
  double leakage_pj() const { return energy.leakage_uw * nanoseconds() * 1e-3; }
  double clock_pj() const { return energy.clock_pj * static_cast<double>(played.cycles); }
  double gated_clock_pj() const { return clock_pj() * gating.share; }
  double internal_pj() const { return energy.internal_pj * static_cast<double>(played.cycles); }
  double switching_pj() const { return energy.switching_pj * static_cast<double>(played.cycles); }
  /// Total energy, with clock gating or without.
  double total_pj(bool gated) const {
    return leakage_pj() + (gated ? gated_clock_pj() : clock_pj()) + internal_pj() + switching_pj();
  }
};

/// The kind of decision of a block of rtl/, and its policy: modules are called POLICY_KIND.
const Kind& kind_of(const cost::BlockType& block);
std::string policy_of(const cost::BlockType& block);

/// The energies of the block and of its baseline, in each row of the study, whose files must still be in the request's
/// folder. The best netlist of each is used. A user's own block must decide as `own_policy` does. Several are computed at a
/// time, as the request says; `proceed` as for run_study(). Throws InputError if a netlist does not decide as its policy
/// does.
std::vector<BlockEnergy> block_energies(const cost::StudyRequest& request, const cost::Study& study, const Kind& kind,
                                        const RecordedDecisions& decisions, const std::string& own_policy,
                                        const std::function<bool(std::size_t, std::size_t)>& proceed);

/// One row per block.
Table energy_table(const std::vector<BlockEnergy>& energies);
/// For a terminal: the table, with explanations.
std::string energy_text(const std::vector<BlockEnergy>& energies, const std::string& run);

}  // namespace gputlm
