#include "models/host/host.h"

namespace gputlm {

Host::Host(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Link& link,
           const HostConfig& config, unsigned of_application, const Workload& workload)
    : Unit(module_name, core_clock),
      core_(config, workload, core_clock, link.request.queue, of_application, pool_, copy_pool_),
      launches("launches", *this, link, core_.launches(), core_.completions()) {
  core_.run_end().notice = core_clock.at_or_after(link.latency);
  tells_end(link.latency);
  core_.run_end().on_last = [this](Cycle at) { end_run(clock().edge(at)); };
  if (!workload.copies.empty()) copies.emplace("copies", *this, link, core_.copies(), core_.copy_ends());
  wake(0);
}

Host::~Host() = default;

}  // namespace gputlm
