/// The SystemC module of the host.
#pragma once

#include <deque>
#include <map>

#include "models/host/core.h"
#include "tlm/port.h"

namespace gputlm {

class Host final : public Unit {
 public:
  struct Links {
    Link launches;  ///< link to each work distributor
    Link pending;   ///< another one to each, if contexts take turns
  };
  /// `of_application`: maximum number of kernels of an application in flight. Arguments given
  /// by reference must outlive the host.
  Host(const sc_core::sc_module_name& name, const Clock& clock, const Links& links, const HostConfig& config,
       unsigned of_application, const Workload& workload, const HostedGpus& gpus = {});
  ~Host() override;

  HostCore& core() { return core_; }
  const HostCore& core() const { return core_; }
  bool done() const override { return core_.done(); }
  std::vector<std::string> waiting() const override { return core_.waiting(); }

 private:
  Cycle compute(Cycle until) override { return core_.advance(until); }

  PayloadPool<KernelLaunch> pool_;
  PayloadPool<Copy> copy_pool_;
  PayloadPool<PendingWork> word_pool_;
  HostCore core_;

 public:
  std::deque<InitiatorPort<KernelLaunch>> launches;  ///< launches to the work distributor of each GPU
  std::deque<InitiatorPort<PendingWork>> pending;    ///< PendingWork to the same; none if contexts share the GPU
  /// Copies to the engines of each GPU whose applications copy, over a link like that to the work distributor.
  std::map<unsigned, InitiatorPort<Copy>> copies;
};

}  // namespace gputlm
