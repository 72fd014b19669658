/// The SystemC module of a memory port: a target of the base protocol for a peer outside the model, which reads and
/// writes the GPU's memory through the crossbar, the L2 and DRAM.
#pragma once

#include "models/noc/memory_port_core.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

/// Link of a memory port and its initiator: an access of up to a line is one flit, each way.
inline Link memory_port_link(const Clock& clock, const MemoryPortConfig& config) {
  const Link::Direction direction{clock.period() * kLineBytes / config.bytes_per_cycle, 1, config.queue};
  return {config.latency * clock.period(), direction, direction};
}

class MemoryPort final : public Unit {
 public:
  /// `network`: the connection to the crossbar. `memory`: what may be accessed. Arguments given by reference must outlive it.
  MemoryPort(const sc_core::sc_module_name& name, const Clock& clock, const MemoryPortConfig& config,
             const NetworkInterface& network, const ServedMemory& memory);
  ~MemoryPort() override;

  bool done() const override { return core_.outstanding() == 0; }
  std::vector<std::string> waiting() const override;
  void report(Report& all, Cycle) override { all.add(core_.statistics()); }

 private:
  Cycle compute(Cycle until) override { return core_.advance(until); }

  PayloadPool<Access> pool_;
  MemoryPortCore core_;

 public:
  TargetPort<Access> port;  ///< accesses from outside
  InitiatorPort<Access> crossbar;
};

}  // namespace gputlm
