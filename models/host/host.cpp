#include "models/host/host.h"

#include <string>

namespace gputlm {

namespace {

/// The first port has the plain name.
std::string port_name(const char* name, unsigned gpu) {
  return gpu == 0 ? name : std::string(name) + "_" + std::to_string(gpu);
}

}  // namespace

Host::Host(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Links& links,
           const HostConfig& config, unsigned of_application, const Workload& workload, const HostedGpus& gpus)
    : Unit(module_name, core_clock), core_(config, workload, core_clock, links.launches.request.queue, of_application,
                                           pool_, copy_pool_, word_pool_, gpus) {
  const Link& link = links.launches;
  for (unsigned i = 0; i < gpus.count; ++i) {
    launches.emplace_back(port_name("launches", i), *this, link, core_.launches(i), core_.completions(i));
    if (gpus.turns.by_turns)
      pending.emplace_back(port_name("pending", i), *this, links.pending, core_.pending_work(i),
                           core_.pending_work_heard(i));
  }
  core_.run_end().notice = core_clock.at_or_after(link.latency);
  tells_end(link.latency);
  core_.run_end().on_last = [this](Cycle at) { end_run(clock().edge(at)); };
  for (const CopyCommand& copy : workload.copies) {
    const unsigned gpu = core_.gpu_of(workload.streams[copy.stream].application);
    copies.try_emplace(gpu, port_name("copies", gpu), *this, link, core_.copies(gpu), core_.copy_ends(gpu));
  }
  wake(0);
}

Host::~Host() = default;

}  // namespace gputlm
