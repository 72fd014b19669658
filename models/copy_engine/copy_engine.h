/// The SystemC module of the copy engines: copies come in from the host; the GPU's memory is reached over the crossbar,
/// the host's over the host link.
#pragma once

#include <deque>
#include <optional>

#include "models/copy_engine/core.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

class CopyEngines final : public Unit {
 public:
  struct Links {
    Link copies;  ///< link for the commands of each client
    Link crossbar;
    std::optional<Link> host;  ///< none: the host's memory is the GPU's
    Link peers = {};           ///< link to the engines of each other instance on the same link to the host
  };
  /// `sms`: the SMs that make copies within the device; none: engines make them. Arguments given by reference must outlive
  /// the module. `peers`: number of other instances on the same link to the host.
  CopyEngines(const sc_core::sc_module_name& name, const Clock& clock, const Links& links,
              const CopyEngineConfig& config, const NetworkInterface& network, unsigned clients = 1,
              const std::vector<CopyEngineCore::Surroundings::Sms>& sms = {}, unsigned peers = 0);
  ~CopyEngines() override;

  CopyEngineCore& core() { return core_; }
  std::vector<std::string> waiting() const override { return core_.waiting(); }
  void report(Report& all, Cycle) override { all.add(core_.statistics()); }

 private:
  Cycle compute(Cycle until) override { return core_.advance(until); }

  PayloadPool<Access> pool_;
  PayloadPool<LinkUse> messages_;
  CopyEngineCore core_;

 public:
  std::deque<TargetPort<Copy>> copies;  ///< copies from each client
  InitiatorPort<Access> crossbar;
  std::deque<InitiatorPort<Access>> sms;  ///< accesses of the SMs of each GPC to the crossbar
  std::optional<InitiatorPort<Access>> host;
  std::deque<InitiatorPort<LinkUse>> tells;  ///< messages to each peer
  std::deque<TargetPort<LinkUse>> hears;     ///< messages of each peer
};

}  // namespace gputlm
