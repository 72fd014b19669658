/// Reports of the work distributor: its counts, the blocks in flight, and what it waits for.
#include "models/work_distributor/core.h"

namespace gputlm {

PolicyTally WorkDistributorCore::policies() const {
  PolicyTally tally;
  engine_.count(tally);
  return tally;
}

std::vector<WorkDistributorCore::Outstanding> WorkDistributorCore::outstanding() const {
  std::vector<Outstanding> all;
  for (const SmLink& sm : sms_) {
    for (const BlockLaunch* const block : sm.blocks) {
      Outstanding& one = all.emplace_back(Outstanding{block->identity.kernel});
      if (foreseen_ ? block->start < until_ : block->start > 0) one.start = block->start;
      one.counters = block->counters;
      // The instructions that it will have issued are known already, but count at its end.
      if (foreseen_ && block->end >= until_) one.counters.instructions = one.counters.thread_instructions = 0;
    }
  }
  return all;
}

std::vector<std::string> WorkDistributorCore::waiting() const {
  std::vector<std::string> lines;
  for (std::size_t c = 0; c < engine_.contexts(); ++c) {
    for (const KernelState& k : engine_.context(c).kernels()) {
      lines.push_back("kernel " + k.launch->kernel->name + " (launch " + std::to_string(k.launch->identity.kernel) +
                      "): " + std::to_string(k.dispatched) + " of " + std::to_string(k.blocks) +
                      " blocks dispatched, " + std::to_string(k.ended) + " ended" +
                      (engine_.on(c) ? "" : ", its application is not on the execution engine"));
    }
  }
  for (const Dependent& dependent : dependents_) {
    if (dependent.begun) continue;
    lines.push_back("kernel " + dependent.launch->kernel->name + " (launch " +
                    std::to_string(dependent.launch->identity.kernel) + "): waits until all blocks of launch " +
                    std::to_string(dependent.after) + " have ended or let it begin");
  }
  return lines;
}

}  // namespace gputlm
