#include "platform/run/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "models/dram/controller.h"
#include "models/dram/links.h"
#include "models/host_link/host_link.h"
#include "models/host_link/links.h"
#include "models/host_memory/host_memory.h"
#include "models/l2/slice.h"
#include "models/mmu/links.h"
#include "models/noc/crossbar.h"
#include "models/noc/gpc_port.h"
#include "models/noc/links.h"
#include "models/sm/sm.h"
#include "models/work_distributor/links.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

constexpr unsigned kMostInputs = 64;  // of a switch (models/noc/switch_core.h)

}  // namespace

Gpu::Gpu(const GpuConfig& config, const Workload& workload, unsigned window, bool check_protocol)
    : Gpu(config, workload, nullptr, window, check_protocol) {}

Gpu::Gpu(const GpuConfig& config, const Workload& workload, const ForeignHost& host, bool check_protocol)
    : Gpu(config, workload, &host, 0, check_protocol) {}

Gpu::Gpu(const GpuConfig& config, const Workload& workload, const ForeignHost* foreign, unsigned window,
         bool check_protocol)
    : clock_(Clock::from_mhz(config.core_mhz)),
      memory_map_(config.address_map, config.slices(), config.l2.slices_per_channel), assembly_(check_protocol) {
  const unsigned per_channel = config.l2.slices_per_channel;
  const WorkDistributorConfig& distribution = config.work_distributor;
  const Link host =
      host_link(clock_, distribution, context_count(distribution.application, workload.applications.size()));
  const Link launch = launch_link(clock_, config.work_distributor, config.sm.blocks);
  const Link switches = switch_link(clock_, distribution);
  const Link sm = sm_link(clock_, config.noc);
  const Link gpc = gpc_link(clock_, config.noc);
  const Link slice = slice_link(clock_, config.noc, config.l2.queue);
  const Link memory = dram_link(clock_, config.dram, config.l2.queue);
  const bool translates = config.mmu.enabled;
  const bool pages_migrate = translates && config.host_link.lanes > 0 && !workload.managed.empty();
  const Link translation = translation_link(clock_, config.noc.hop_latency, config.sm.tlb.misses);
  const Link shootdown = shootdown_link(clock_, config.noc.hop_latency);
  Sm::Links sm_links{launch, sm};
  if (translates) sm_links.mmu = Sm::Mmu{translation, shootdown, config.mmu.page_bytes};

  if (!foreign)
    host_ = &assembly_.add<Host>("host", clock_, host, config.host, distribution.kernels_in_flight, workload);
  Applications applications{{}, clock_};
  for (const ApplicationSpec& application : workload.applications) applications.shares.push_back(application.share);
  work_distributor_ =
      &assembly_.add<WorkDistributor>("work_distributor", clock_, WorkDistributor::Links{host, launch, switches},
                                      distribution, config.sm, config.sms, applications);
  host_ ? assembly_.bind(host_->launches, work_distributor_->launches)
        : assembly_.bind(foreign->launches, work_distributor_->launches);
  const bool preempts = work_distributor_->core().preempts();
  if (preempts) sm_links.switches = switches;
  std::vector<Sm*> sms;
  for (unsigned i = 0; i < config.sms; ++i) {
    const NetworkInterface network{static_cast<std::uint16_t>(i), config.noc.flits(), sm, memory_map_};
    sms.push_back(
        &assembly_.add<Sm>(fmt::format("sm_{}", i), clock_, sm_links, config.sm, static_cast<SmId>(i), network));
    assembly_.bind(work_distributor_->sms[i], sms[i]->launches);
    if (preempts) assembly_.bind(work_distributor_->switches[i], *sms[i]->switches);
  }
  std::vector<GpcPort*> gpcs;
  for (unsigned i = 0; i < config.gpcs(); ++i) {
    const unsigned first = i * config.sms_per_gpc, count = std::min(config.sms_per_gpc, config.sms - first);
    gpcs.push_back(&assembly_.add<GpcPort>(fmt::format("gpc_{}", i), clock_, GpcPort::Links{sm, gpc}, first, count));
    for (unsigned k = 0; k < count; ++k) assembly_.bind(sms[first + k]->memory, gpcs[i]->sms[k]);
  }
  const bool host_copies = host_ ? host_->copies.has_value() : foreign->copies != nullptr;
  const bool copies = host_copies || pages_migrate;  // who has none does not pay for them
  const unsigned inputs = config.gpcs() + copies + translates;
  if (inputs > kMostInputs) {
    throw InputError(fmt::format("the crossbar: found {} inputs, {} GPCs{}{}, allowed: {}", inputs, config.gpcs(),
                                 copies ? ", the copy engines" : "", translates ? ", the MMU" : "", kMostInputs));
  }
  auto& crossbar = assembly_.add<Crossbar>("crossbar", clock_, Crossbar::Links{gpc, slice}, inputs, config.sms_per_gpc,
                                           config.slices());
  CopyEngines* engines = nullptr;
  if (copies) {
    engines = &add_copy_engines(config, host, gpc, host_copies, pages_migrate);
    if (host_copies) {
      host_ ? assembly_.bind(*host_->copies, engines->copies.front())
            : assembly_.bind(*foreign->copies, engines->copies.front());
    }
    assembly_.bind(engines->crossbar, crossbar.initiators[config.gpcs()]);
  }
  if (translates) {
    Mmu::Links links{translation, shootdown, gpc, std::nullopt};
    if (pages_migrate) links.copies = host;
    Mmu& mmu = add_mmu(config, links, inputs - 1, workload);
    assembly_.bind(mmu.crossbar, crossbar.initiators[inputs - 1]);
    if (mmu.copies) assembly_.bind(*mmu.copies, engines->copies.back());
    for (unsigned i = 0; i < config.sms; ++i) {
      assembly_.bind(*sms[i]->translations, mmu.translations[i]);
      assembly_.bind(mmu.shootdowns[i], *sms[i]->shootdowns);
    }
  }
  for (unsigned i = 0; i < config.gpcs(); ++i) assembly_.bind(gpcs[i]->crossbar, crossbar.initiators[i]);
  std::vector<L2Slice*> slices;
  for (unsigned i = 0; i < config.slices(); ++i) {
    slices.push_back(&assembly_.add<L2Slice>(
        fmt::format("l2_{}", i), clock_, L2Slice::Links{slice, memory, config.noc.flits()}, config.l2, i, memory_map_));
    assembly_.bind(crossbar.slices[i], slices[i]->crossbar);
  }
  for (unsigned i = 0; i < config.dram.channels; ++i) {
    auto& channel = assembly_.add<DramController>(fmt::format("dram_{}", i), memory, config.dram, per_channel);
    for (unsigned k = 0; k < per_channel; ++k) assembly_.bind(slices[i * per_channel + k]->memory, channel.ports[k]);
  }
  if (window == 0) return;
  const Femtoseconds look_ahead = window * clock_.period();
  if (look_ahead > assembly_.shortest_hop()) {
    throw InputError(fmt::format("--window: found {}, allowed: 1 to {} cycles, the shortest hop of {}", window,
                                 assembly_.shortest_hop() / clock_.period(), config.name));
  }
  assembly_.set_window(look_ahead);
}

NetworkInterface Gpu::network_interface(const GpuConfig& config, const Link& network, unsigned input) const {
  const auto port = static_cast<std::uint16_t>(input * config.sms_per_gpc);
  return {port, config.noc.flits(), network, memory_map_};
}

CopyEngines& Gpu::add_copy_engines(const GpuConfig& config, const Link& commands, const Link& network, bool host_copies,
                                   bool pages_migrate) {
  CopyEngines::Links links{commands, network, std::nullopt};
  if (config.host_link.lanes > 0) links.host = host_packet_link(clock_, config.host_link, config.noc.hop_latency);
  const unsigned clients = host_copies + pages_migrate;
  auto& engines = assembly_.add<CopyEngines>("copy_engines", clock_, links, config.copy_engine,
                                             network_interface(config, network, config.gpcs()), clients);
  if (!links.host) return engines;
  const Link across = host_packet_link(clock_, config.host_link, config.host_link.latency);
  auto& link = assembly_.add<HostLink>("host_link", clock_, HostLink::Links{*links.host, across}, config.host_link);
  auto& memory = assembly_.add<HostMemory>("host_memory", clock_, across, config.host_memory);
  assembly_.bind(*engines.host, link.device);
  assembly_.bind(link.host, memory.port);
  return engines;
}

Mmu& Gpu::add_mmu(const GpuConfig& config, const Mmu::Links& links, unsigned input, const Workload& workload) {
  std::vector<AddressRange> managed;
  for (const ManagedAllocation& allocation : workload.managed)
    managed.push_back({allocation.address, allocation.bytes});
  return assembly_.add<Mmu>("mmu", clock_, links, config.mmu, config.sms,
                            network_interface(config, links.crossbar, input), managed);
}

void Gpu::collect(RunResult& result, Cycle now) {
  const Report report = assembly_.report(clock_.edge(now));
  result.sms = report.all<SmStatistics>();
  result.noc.gpc_requests = sum(report.all<SwitchStatistics>("gpc requests"));
  result.noc.gpc_replies = sum(report.all<SwitchStatistics>("gpc replies"));
  result.noc.crossbar_requests = sum(report.all<SwitchStatistics>("crossbar requests"));
  result.noc.crossbar_replies = sum(report.all<SwitchStatistics>("crossbar replies"));
  result.slices = report.all<L2Statistics>();
  result.channels = report.all<DramStatistics>();
  result.policies = sum(report.all<PolicyTally>()).records();
  result.engine = report.all<std::vector<EngineStatistics>>().front();
  result.copying.engines = sum(report.all<CopyEngineStatistics>());
  result.copying.link = sum(report.all<HostLinkStatistics>());
  result.copying.memory = sum(report.all<HostMemoryStatistics>());
  result.translation.sm_tlbs = sum(report.all<SmTlbStatistics>());
  result.translation.mmu = sum(report.all<MmuStatistics>());
}

}  // namespace gputlm
