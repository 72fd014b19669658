#include "platform/run/gpu.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/copy_engine/copy_engine.h"
#include "models/dram/controller.h"
#include "models/dram/links.h"
#include "models/host_link/host_link.h"
#include "models/host_link/links.h"
#include "models/host_memory/host_memory.h"
#include "models/l2/slice.h"
#include "models/mmu/links.h"
#include "models/mmu/mmu.h"
#include "models/noc/crossbar.h"
#include "models/noc/gpc_port.h"
#include "models/noc/links.h"
#include "models/noc/switch_core.h"
#include "models/sm/sm.h"
#include "models/work_distributor/links.h"
#include "platform/input/durations_file.h"
#include "platform/run/check_fits.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

/// As far as the GPU can tell, a platform's kernels and streams are those of a workload.
Workload workload_of(const GpuInterface& interface) {
  Workload workload;
  workload.applications = interface.applications;
  workload.streams = interface.mailbox.streams;
  workload.managed = interface.managed;
  for (const auto& kernel : interface.mailbox.kernels) {
    LaunchCommand launch;
    launch.label = kernel->name;
    launch.kernel = kernel;
    workload.launches.push_back(std::move(launch));
  }
  return workload;
}

void check(const GpuConfig& config, const GpuInterface& interface) {
  if (interface.mailbox.streams.empty()) throw InputError("the mailbox: found no stream, allowed: 1 or more");
  for (const StreamSpec& stream : interface.mailbox.streams) {
    if (stream.application < interface.applications.size()) continue;
    throw InputError(fmt::format("stream {}: found application {}, allowed: 0 to {}", stream.name, stream.application,
                                 interface.applications.size() - 1));
  }
  check_fits(config, workload_of(interface));
}

std::optional<BlockDurations> durations_of(const GpuConfig& config, const Workload& workload,
                                           const DurationTable* table) {
  if (!sm_models().at(config.sm.model).has(Property::kNeedsDurations)) return std::nullopt;
  if (table) return durations_for(config, workload, *table, "what has been calibrated");
  const std::string& file = config.sm.durations;
  return durations_for(config, workload, file == "none" ? DurationTable() : load_durations(file),
                       "sm.durations=" + file);
}

}  // namespace

/// Adds units stage by stage, each bound to those that are there already.
class Gpu::Builder {
 public:
  Builder(Gpu& gpu, const GpuConfig& config, std::size_t applications)
      : gpu_(gpu), config_(config), clock_(gpu.clock_), assembly_(gpu.assembly_),
        host_(host_link(clock_, config.work_distributor,
                        context_count(config.work_distributor.application, applications))),
        launch_(launch_link(clock_, config.work_distributor, config.sm.blocks)),
        switches_(switch_link(clock_, config.work_distributor)), sm_(sm_link(clock_, config.noc)),
        gpc_(gpc_link(clock_, config.noc)), slice_(slice_link(clock_, config.noc, queue_of_channel(config.l2))),
        memory_(dram_link(clock_, config.dram, config.l2.queue)),
        translation_(translation_link(clock_, config.noc.hop_latency, config.sm.tlb.misses)),
        shootdown_(shootdown_link(clock_, config.noc.hop_latency)) {}

  void add_host(const Workload& workload) {
    Host& host =
        assembly_.add<Host>("host", clock_, host_, config_.host, config_.work_distributor.kernels_in_flight, workload);
    gpu_.parts_.host = &host;
    launches_ = &host.launches;
    if (host.copies) copies_ = &*host.copies;
    sms_copy_ = config_.copy_engine.sm_bytes > 0 &&
                std::any_of(workload.copies.begin(), workload.copies.end(), [](const CopyCommand& copy) {
                  return copy.kind == CopyKind::kDeviceToDevice || copy.kind == CopyKind::kMemset;
                });
  }

  void add_mailbox(const MailboxSetup& setup) {
    const WorkDistributorConfig& distribution = config_.work_distributor;
    Mailbox& mailbox = assembly_.add<Mailbox>(
        "mailbox", clock_, host_, setup,
        MailboxCore::Limits{host_.request.queue, distribution.kernels_in_flight, distribution.priorities});
    gpu_.parts_.mailbox = &mailbox;
    launches_ = &mailbox.launches;
    if (mailbox.copies) copies_ = &*mailbox.copies;
    sms_copy_ = copies_ && config_.copy_engine.sm_bytes > 0;
  }

  void add_work_distributor(const std::vector<ApplicationSpec>& specs) {
    Applications applications{{}, clock_};
    for (const ApplicationSpec& application : specs) applications.shares.push_back(application.share);
    distributor_ = &assembly_.add<WorkDistributor>(
        "work_distributor", clock_, WorkDistributor::Links{host_, launch_, switches_}, config_.work_distributor,
        with_arrays(config_.sm, config_.sm.l1.bytes), config_.sms, applications);
    gpu_.parts_.work_distributor = distributor_;
    assembly_.bind(*launches_, distributor_->launches);
  }

  void add_sms() {
    const bool preempts = distributor_->core().preempts();
    Sm::Links links{launch_, sm_};
    if (config_.mmu.enabled) links.mmu = Sm::Mmu{translation_, shootdown_, config_.mmu.page_bytes};
    if (preempts) links.switches = switches_;
    for (unsigned i = 0; i < config_.sms; ++i) {
      const NetworkInterface network{static_cast<std::uint16_t>(i), config_.noc.flits(), sm_, gpu_.memory_map_,
                                     config_.partition_of_gpc(i / config_.sms_per_gpc)};
      sms_.push_back(&assembly_.add<Sm>(fmt::format("sm_{}", i), clock_, links, config_.sm, static_cast<SmId>(i),
                                        network, gpu_.durations_ ? &*gpu_.durations_ : nullptr));
      assembly_.bind(distributor_->sms[i], sms_[i]->launches);
      if (preempts) assembly_.bind(distributor_->switches[i], *sms_[i]->switches);
    }
    gpu_.parts_.sms = sms_;
  }

  void add_gpcs() {
    for (unsigned i = 0; i < config_.gpcs(); ++i) {
      const unsigned first = i * config_.sms_per_gpc, count = config_.sms_of_gpc(i);
      gpcs_.push_back(
          &assembly_.add<GpcPort>(fmt::format("gpc_{}", i), clock_, GpcPort::Links{sm_, gpc_}, first, count));
      for (unsigned k = 0; k < count; ++k) assembly_.bind(sms_[first + k]->memory, gpcs_[i]->sms[k]);
    }
  }

  /// Its inputs: the GPCs, and then copy engines, the SMs of each GPC when they copy, MMU and memory port, if they exist.
  void add_crossbar(bool pages_migrate, bool memory_port) {
    pages_migrate_ = pages_migrate;
    const bool copies = copies_ || pages_migrate;  // who has none does not pay for them
    const unsigned copying = sms_copy_ ? config_.gpcs() : 0;
    const unsigned inputs = config_.gpcs() + copies + copying + config_.mmu.enabled + memory_port;
    if (inputs > SwitchCore::kMaxInputs) {
      throw InputError(fmt::format(
          "the crossbar: found {} inputs, {} GPCs{}{}{}{}, allowed: {}", inputs, config_.gpcs(),
          copies ? ", the copy engines" : "", copying ? fmt::format(", {} for copies by SMs", copying) : "",
          config_.mmu.enabled ? ", the MMU" : "", memory_port ? ", the memory port" : "", SwitchCore::kMaxInputs));
    }
    const unsigned outputs = config_.slices() * config_.l2.applications;
    const unsigned crossings = config_.l2.partitions > 1 ? PartitionConnection::kDirections : 0;
    if (config_.l2.partitions > 1 && outputs + crossings > SwitchCore::kMaxInputs) {
      throw InputError(
          fmt::format("l2.partitions: found {}, for which with {} slices and l2.applications={} the crossbar "
                      "needs {} ports, allowed: {}",
                      config_.l2.partitions, config_.slices(), config_.l2.applications, outputs + crossings,
                      SwitchCore::kMaxInputs));
    }
    if (config_.l2.applications > 1 && outputs > SwitchCore::kMaxInputs) {
      throw InputError(
          fmt::format("l2.applications: found {}, which with {} slices are {} ports of the crossbar, allowed: {}",
                      config_.l2.applications, config_.slices(), outputs, SwitchCore::kMaxInputs));
    }
    Crossbar::Links links{gpc_, slice_};
    if (config_.l2.partitions > 1) links.partitions = partition_connection(config_.noc);
    crossbar_ = &assembly_.add<Crossbar>("crossbar", clock_, links, inputs, config_.sms_per_gpc, config_.slices(),
                                         config_.l2.applications);
    for (unsigned i = 0; i < config_.gpcs(); ++i) assembly_.bind(gpcs_[i]->crossbar, crossbar_->initiators[i]);
    next_input_ = config_.gpcs();
    if (copies) add_copy_engines();
  }

  void add_mmu(const std::vector<ManagedAllocation>& allocations) {
    Mmu::Links links{translation_, shootdown_, gpc_, std::nullopt};
    if (pages_migrate_) links.copies = host_;
    std::vector<AddressRange> managed;
    for (const ManagedAllocation& allocation : allocations) managed.push_back({allocation.address, allocation.bytes});
    Mmu& mmu = assembly_.add<Mmu>("mmu", clock_, links, config_.mmu, config_.sms, next_network(), managed);
    bind_next_input(mmu.crossbar);
    if (mmu.copies) assembly_.bind(*mmu.copies, engines_->copies.back());
    for (unsigned i = 0; i < config_.sms; ++i) {
      assembly_.bind(*sms_[i]->translations, mmu.translations[i]);
      assembly_.bind(mmu.shootdowns[i], *sms_[i]->shootdowns);
    }
  }

  void add_memory_port(const MemoryPortConfig& config, const ServedMemory& memory) {
    MemoryPort& port = assembly_.add<MemoryPort>("memory_port", clock_, config, next_network(), memory);
    gpu_.parts_.memory_port = &port;
    bind_next_input(port.crossbar);
  }

  /// L2 and DRAM.
  void add_memory() {
    const unsigned channels = config_.l2.applications, memory_channels = channels_of_link(config_.dram);
    std::vector<L2Slice*> slices;
    for (unsigned i = 0; i < config_.slices(); ++i) {
      slices.push_back(&assembly_.add<L2Slice>(fmt::format("l2_{}", i), clock_,
                                               L2Slice::Links{slice_, memory_, config_.noc.flits(), memory_channels},
                                               config_.l2, i, gpu_.memory_map_));
      for (unsigned k = 0; k < channels; ++k)
        assembly_.bind(crossbar_->slices[i * channels + k], slices[i]->crossbar[k]);
    }
    const unsigned per_channel = config_.l2.slices_per_channel;
    for (unsigned i = 0; i < config_.dram.channels; ++i) {
      auto& channel = assembly_.add<DramController>(fmt::format("dram_{}", i), memory_, config_.dram, per_channel);
      for (unsigned k = 0; k < per_channel * memory_channels; ++k) {
        L2Slice& slice = *slices[i * per_channel + k / memory_channels];
        assembly_.bind(slice.memory[k % memory_channels], channel.ports[k]);
      }
    }
  }

 private:
  /// Of what sits at the next input of the crossbar by itself; in the first half of a GPU that has two.
  NetworkInterface next_network() const { return network(next_input_); }
  NetworkInterface network(unsigned input, std::uint8_t partition = 0) const {
    const auto port = static_cast<std::uint16_t>(input * config_.sms_per_gpc);
    return {port, config_.noc.flits(), gpc_, gpu_.memory_map_, partition};
  }
  void bind_next_input(InitiatorPort<Access>& port) { assembly_.bind(port, crossbar_->initiators[next_input_++]); }

  /// Their first client is the host, if it copies; the last one is the MMU, if pages migrate.
  void add_copy_engines() {
    CopyEngines::Links links{host_, gpc_, std::nullopt};
    if (config_.host_link.lanes > 0) links.host = host_packet_link(clock_, config_.host_link, config_.noc.hop_latency);
    const unsigned clients = (copies_ ? 1 : 0) + (pages_migrate_ ? 1 : 0);
    std::vector<CopyEngineCore::Surroundings::Sms> sms;
    for (unsigned i = 0; sms_copy_ && i < config_.gpcs(); ++i) {
      sms.push_back({network(next_input_ + 1 + i, config_.partition_of_gpc(i)), config_.sms_of_gpc(i)});
    }
    engines_ =
        &assembly_.add<CopyEngines>("copy_engines", clock_, links, config_.copy_engine, next_network(), clients, sms);
    if (links.host) {
      const Link across = host_packet_link(clock_, config_.host_link, config_.host_link.latency);
      auto& link =
          assembly_.add<HostLink>("host_link", clock_, HostLink::Links{*links.host, across}, config_.host_link);
      auto& memory = assembly_.add<HostMemory>("host_memory", clock_, across, config_.host_memory);
      assembly_.bind(*engines_->host, link.device);
      assembly_.bind(link.host, memory.port);
    }
    gpu_.parts_.copy_engines = engines_;
    if (copies_) assembly_.bind(*copies_, engines_->copies.front());
    bind_next_input(engines_->crossbar);
    for (InitiatorPort<Access>& gpc : engines_->sms) bind_next_input(gpc);
  }

  Gpu& gpu_;
  const GpuConfig& config_;
  const Clock& clock_;
  Assembly& assembly_;
  const Link host_, launch_, switches_, sm_, gpc_, slice_, memory_, translation_, shootdown_;
  InitiatorPort<KernelLaunch>* launches_ = nullptr;  ///< of the host,
  InitiatorPort<Copy>* copies_ = nullptr;            ///< and null if it does not copy
  bool sms_copy_ = false;                            ///< what it copies within the device, or may
  WorkDistributor* distributor_ = nullptr;
  std::vector<Sm*> sms_;
  std::vector<GpcPort*> gpcs_;
  Crossbar* crossbar_ = nullptr;
  unsigned next_input_ = 0;
  bool pages_migrate_ = false;
  CopyEngines* engines_ = nullptr;
};

Gpu::Gpu(const GpuConfig& config, const Workload& workload, unsigned window, bool check_protocol,
         const DurationTable* durations)
    : clock_(Clock::from_mhz(config.core_mhz)),
      memory_map_(config.address_map, config.slices(), config.l2.slices_per_channel),
      durations_(durations_of(config, workload, durations)), assembly_(check_protocol) {
  Builder builder(*this, config, workload.applications.size());
  builder.add_host(workload);
  builder.add_work_distributor(workload.applications);
  builder.add_sms();
  builder.add_gpcs();
  const bool pages_migrate = config.mmu.enabled && config.host_link.lanes > 0 && !workload.managed.empty();
  builder.add_crossbar(pages_migrate, false);
  if (config.mmu.enabled) builder.add_mmu(workload.managed);
  builder.add_memory();
  if (window == 0) return;
  const Femtoseconds look_ahead = window * clock_.period();
  if (look_ahead > assembly_.shortest_hop()) {
    throw InputError(fmt::format("--window: found {}, allowed: 1 to {} cycles, the shortest hop of {}", window,
                                 assembly_.shortest_hop() / clock_.period(), config.name));
  }
  assembly_.set_step(look_ahead);
}

Gpu::Gpu(const GpuConfig& config, const GpuInterface& interface, bool check_protocol)
    : clock_(Clock::from_mhz(config.core_mhz)),
      memory_map_(config.address_map, config.slices(), config.l2.slices_per_channel),
      durations_(durations_of(config, workload_of(interface), nullptr)), assembly_(check_protocol) {
  check(config, interface);
  if (interface.data) store_.emplace(interface.memory_bytes);
  Builder builder(*this, config, interface.applications.size());
  builder.add_mailbox(interface.mailbox);
  builder.add_work_distributor(interface.applications);
  builder.add_sms();
  builder.add_gpcs();
  const bool pages_migrate = config.mmu.enabled && config.host_link.lanes > 0 && !interface.managed.empty();
  builder.add_crossbar(pages_migrate, interface.memory_port.has_value());
  if (config.mmu.enabled) builder.add_mmu(interface.managed);
  if (interface.memory_port) {
    builder.add_memory_port(*interface.memory_port, {interface.memory_bytes, store_ ? &*store_ : nullptr});
  }
  builder.add_memory();
}

void Gpu::make_use_of_spins(const Workload& workload) {
  WorkDistributorCore& distributor = parts_.work_distributor->core();
  if (!durations_ || distributor.preempts()) return;
  const auto only_spins = [&](const LaunchCommand& launch) {
    return durations_->profile(*launch.kernel) == BlockDurations::kOnlySpins;
  };
  if (!std::all_of(workload.launches.begin(), workload.launches.end(), only_spins)) return;
  if (parts_.copy_engines && !parts_.memory_port) parts_.copy_engines->core().only_copies_move();
  if (assembly_.checks_protocol()) return;
  std::vector<SmForesight*> sms;
  for (Sm* const sm : parts_.sms) {
    if (sm->sampled() || sm->core().blocks.watched() || !sm->core().foresight()) return;
    sms.push_back(sm->core().foresight());
  }
  const Link& link = parts_.work_distributor->sms.front().link();
  distributor.foresee(std::move(sms), clock_.at_or_after(link.latency + link.request.flit));
}

void Gpu::collect(RunResult& result, Cycle now) {
  const Report report = assembly_.report(clock_.edge(now));
  result.units = unit_counters(report);
  result.policies = sum(report.all<PolicyTally>()).records();
}

}  // namespace gputlm
