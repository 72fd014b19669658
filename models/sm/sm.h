/// The SystemC module of a streaming multiprocessor: blocks come in on one port, memory accesses leave on another.
#pragma once

#include <optional>
#include <utility>

#include "models/sm/sm_model.h"
#include "tlm/port.h"
#include "tlm/report.h"

namespace gputlm {

class Sm final : public Unit {
 public:
  /// The links to the MMU, and its page size.
  struct Mmu {
    Link translations;
    Link shootdowns;
    Bytes page_bytes;
  };
  /// The setup for kernels that wait for other blocks of their cluster or for TMA.
  struct Asynchronous {
    ClusterNetworkConfig config;
    std::optional<Link> network;  ///< none: there are no clusters
  };
  struct Links {
    Link launches;
    Link memory;
    std::optional<Mmu> mmu = std::nullopt;          ///< none: addresses need no translation
    std::optional<Link> switches = std::nullopt;    ///< none: blocks stay until they end
    std::optional<Link> signals = std::nullopt;     ///< none: no kernel begins before one that it depends on has ended
    std::optional<Link> contention = std::nullopt;  ///< none: no kernel has a demand
    std::optional<Asynchronous> asynchronous = std::nullopt;  ///< none: no kernel waits for its cluster or TMA
  };
  /// `config` names the model; `durations` is for a model that needs them. Arguments given by reference, except the clock and
  /// the links, must outlive the SM.
  Sm(const sc_core::sc_module_name& name, const Clock& clock, const Links& links, const SmConfig& config, SmId id,
     const NetworkInterface& network, const BlockDurations* durations = nullptr);
  ~Sm() override;

  SmModel& core() { return *core_; }
  const SmModel& core() const { return *core_; }
  std::vector<std::string> waiting() const override { return core_->waiting(); }
  void report(Report& report, Cycle end) override {
    report.add(core_->statistics(end));
    ByApplication<BlockCounters> counters;
    ByApplication<OccupancyStatistics> occupancy;
    for (const auto& [application, its] : core_->applications(end)) {
      counters.emplace(application, its.counters);
      occupancy.emplace(application, its.occupancy);
    }
    report.add(std::move(counters));
    report.add(std::move(occupancy));
    report.add(core_->policies());
    if (rates) report.add(core_->lost());
    if (const SmTlb* const tlb = core_->tlb()) report.add(tlb->statistics());
  }

 private:
  Cycle compute(Cycle until) override { return core_->advance(until); }

  PayloadPool<Access> pool_;
  PayloadPool<Translation> translation_pool_;
  PayloadPool<GridSignal> signal_pool_;
  PayloadPool<BlockCount> count_pool_;
  PayloadPool<ClusterPacket> packet_pool_;
  ClusterNetworkConfig network_config_;
  std::unique_ptr<SmModel> core_;

 public:
  TargetPort<BlockLaunch> launches;                        ///< blocks from the work distributor
  InitiatorPort<Access> memory;                            ///< accesses to the GPC port
  std::optional<InitiatorPort<Translation>> translations;  ///< requests to the MMU
  std::optional<TargetPort<Shootdown>> shootdowns;         ///< shootdowns from the MMU
  std::optional<TargetPort<ContextSwitch>> switches;       ///< commands from the work distributor
  std::optional<TargetPort<GridSignal>> grids_ended;       ///< signals from the work distributor
  std::optional<InitiatorPort<GridSignal>> blocks_let_go;  ///< signals to the work distributor
  std::optional<InitiatorPort<BlockCount>> counts;         ///< numbers of blocks to the contention unit
  std::optional<TargetPort<BlockRate>> rates;              ///< paces from the contention unit
  std::optional<InitiatorPort<ClusterPacket>> asks;        ///< requests over the cluster network to SMs of the GPC
  std::optional<TargetPort<ClusterPacket>> asked;          ///< requests from these SMs
};

}  // namespace gputlm
