#include "models/work_distributor/work_distributor.h"

#include <string>

namespace gputlm {

WorkDistributor::WorkDistributor(const sc_core::sc_module_name& module_name, const Clock& core_clock,
                                 const Links& links, const WorkDistributorConfig& config, const SmLimits& sm,
                                 unsigned count, const Applications& applications, SmId first_sm,
                                 const std::vector<unsigned>& sms_of_gpcs)
    : Unit(module_name, core_clock), core_(config, sm, count, pool_, switch_pool_, applications, first_sm, sms_of_gpcs),
      launches("launches", *this, links.host, core_.launches(), core_.completions()) {
  if (core_.takes_turns())
    pending.emplace("pending", *this, links.pending, core_.pending_work(), core_.pending_work_heard());
  if (links.signals) core_.allow_signals(signal_pool_, *links.signals);
  add(core_.blocks_ended);  // told before the ends of their kernels, for all observers
  for (unsigned i = 0; i < count; ++i) {
    sms.emplace_back("sm_" + std::to_string(i), *this, links.sm, core_.block_launches(i), core_.block_completions(i));
    if (core_.preempts())
      switches.emplace_back("switches_" + std::to_string(i), *this, links.switches, core_.switches(i),
                            core_.switched(i));
    if (!links.signals) continue;
    const std::string number = std::to_string(i);
    grids_ended.emplace_back("grids_ended_" + number, *this, *links.signals, core_.grids_ended(i),
                             core_.grids_ended_heard(i));
    blocks_let_go.emplace_back("blocks_let_go_" + number, *this, *links.signals, core_.blocks_let_go(i),
                               core_.blocks_let_go_heard(i));
  }
}

WorkDistributor::~WorkDistributor() = default;

}  // namespace gputlm
