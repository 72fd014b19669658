#include "platform/run/gpu.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/cluster_network/cluster_network.h"
#include "models/cluster_network/links.h"
#include "models/contention/contention.h"
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
#include "platform/run/contention_setup.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// The GPU treats a platform's kernels and streams like those of a workload.
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

GpuParts checked(const GpuConfig& config, const GpuInterface& interface) {
  if (!config.instances.empty())
    throw InputError(config.instances.front().file, config.instances.front().line,
                     "found instances, allowed: none, since the GPU is not driven by a workload's host");
  if (interface.mailbox.streams.empty()) throw InputError("the mailbox: found no stream, allowed: 1 or more");
  for (const StreamSpec& stream : interface.mailbox.streams) {
    if (stream.application < interface.applications.size()) continue;
    throw InputError(fmt::format("stream {}: found application {}, allowed: 0 to {}", stream.name, stream.application,
                                 interface.applications.size() - 1));
  }
  const Workload workload = workload_of(interface);
  check_fits(config, workload);
  return {config, workload};
}

DurationTable tables_of(const GpuConfig& config, const DurationTable* given) {
  if (given) return *given;
  if (!sm_models().at(config.sm.model).has(Property::kNeedsDurations) || config.sm.durations == "none") return {};
  return load_durations(config.sm.durations);
}

bool regulates_l2(const GpuConfig& config) {
  return regulator_places().at(config.noc.regulator_place).make == RegulatorPlace::kL2;
}

bool makes_copies_within(const CopyCommand& copy) {
  return copy.kind == CopyKind::kDeviceToDevice || copy.kind == CopyKind::kMemset;
}

}  // namespace

/// Adds the units of the GPU, or of an instance, stage by stage, and binds each to earlier ones. `number`: that of the
/// instance, if there are several.
class Gpu::PartBuilder {
 public:
  /// Links that every GPU has.
  struct Links {
    Links(const Clock& clock, const GpuConfig& config, std::size_t applications)
        : host(host_link(clock, config.work_distributor,
                         context_count(config.work_distributor.application, applications))),
          launch(launch_link(clock, config.work_distributor, config.sm.blocks)),
          switches(switch_link(clock, config.work_distributor)),
          signals(signal_link(clock, config.work_distributor, config.sm.blocks)),
          clusters(cluster_link(clock, config.cluster_network)),
          pending(pending_link(clock, config.work_distributor,
                               context_count(config.work_distributor.application, applications))),
          contention(contention_link(clock, config.work_distributor.launch_latency, config.sm.blocks)),
          sm(sm_link(clock, config.noc)), gpc(gpc_link(clock, config.noc)), core(core_link(clock, config.noc)),
          slice(slice_link(clock, config.noc, queue_of_channel(config.l2))),
          memory(dram_link(clock, config.dram, config.l2.queue, config.noc.clock(clock))),
          translation(translation_link(clock, config.noc.hop_latency, config.sm.tlb.misses)),
          shootdown(shootdown_link(clock, config.noc.hop_latency)),
          copies_of_others(link_use_link(clock, config.noc.hop_latency)) {}
    Link host, launch, switches, signals, clusters, pending, contention, sm, gpc, core, slice, memory, translation,
        shootdown, copies_of_others;
  };
  /// Number of units of each kind, including those of earlier parts.
  struct Counts {
    unsigned parts = 0, sms = 0, gpcs = 0, networks = 0, slices = 0, channels = 0;
  };

  PartBuilder(Gpu& gpu, Part& part, const Links& links, Counts& counts)
      : part_(part), config_(part.instance.config), sms_of_gpcs_(config_.sms_of_gpcs()), clock_(gpu.clock_),
        noc_clock_(config_.noc.clock(clock_)), assembly_(gpu.assembly_), links_(links), counts_(counts),
        is_one_of_several_(gpu.division_.size() > 1), number_(counts.parts++) {}

  void connect(InitiatorPort<KernelLaunch>& launches) { assembly_.bind(launches, part_.work_distributor->launches); }
  void connect(InitiatorPort<PendingWork>& pending) { assembly_.bind(pending, *part_.work_distributor->pending); }
  /// `by_sms`: some copies are, or may be, within the device.
  void will_copy(InitiatorPort<Copy>& copies, bool by_sms) {
    copies_ = &copies;
    sms_copy_ = config_.copy_engine.sm_bytes > 0 && by_sms;
  }
  void pages_will_migrate() { pages_migrate_ = true; }
  /// Some kernels may begin before a kernel that they depend on has ended.
  void kernels_will_depend() { kernels_depend_ = true; }
  /// Some kernels may wait for data from other blocks of their cluster, or from TMA.
  void kernels_are_asynchronous() { asynchronous_ = true; }
  bool has_copy_engines() const { return copies_ || pages_migrate_; }

  void add_work_distributor(std::vector<EngineShare> shares) {
    const Applications applications{std::move(shares), clock_};
    WorkDistributor::Links links{links_.host, links_.launch, links_.switches, links_.pending};
    if (kernels_depend_) links.signals = links_.signals;
    part_.work_distributor = &assembly_.add<WorkDistributor>(
        name("work_distributor"), clock_, links, config_.work_distributor, with_arrays(config_.sm, config_.sm.l1.bytes),
        config_.sms, applications, static_cast<SmId>(part_.instance.first_sm), sms_of_gpcs_);
  }

  void add_sms() {
    const bool preempts = part_.work_distributor->core().preempts();
    Sm::Links links{links_.launch, links_.sm};
    if (config_.mmu.enabled) links.mmu = Sm::Mmu{links_.translation, links_.shootdown, config_.mmu.page_bytes};
    if (preempts) links.switches = links_.switches;
    if (kernels_depend_) links.signals = links_.signals;
    Contention* const contention = add_contention();
    if (contention) links.contention = links_.contention;
    if (asynchronous_) {
      links.asynchronous = Sm::Asynchronous{config_.cluster_network, std::nullopt};
      if (config_.work_distributor.non_portable_cluster_blocks > 1) links.asynchronous->network = links_.clusters;
    }
    std::vector<Sm*>& sms = part_.sms;
    for (unsigned gpc = 0; gpc < sms_of_gpcs_.size(); ++gpc) {
      for (unsigned k = 0; k < sms_of_gpcs_[gpc]; ++k) {
        const NetworkInterface network{static_cast<std::uint16_t>(gpc * config_.sms_per_gpc + k), config_.noc.flits(),
                                       links_.sm, part_.memory_map, config_.partition_of_gpc(gpc)};
        const unsigned id = counts_.sms++;
        sms.push_back(&assembly_.add<Sm>(fmt::format("sm_{}", id), clock_, links, config_.sm, static_cast<SmId>(id),
                                         network, part_.durations ? &*part_.durations : nullptr));
        const std::size_t i = sms.size() - 1;
        assembly_.bind(part_.work_distributor->sms[i], sms[i]->launches);
        if (preempts) assembly_.bind(part_.work_distributor->switches[i], *sms[i]->switches);
        if (contention) {
          assembly_.bind(*sms[i]->counts, contention->counts[i]);
          assembly_.bind(contention->rates[i], *sms[i]->rates);
        }
        if (!kernels_depend_) continue;
        assembly_.bind(part_.work_distributor->grids_ended[i], *sms[i]->grids_ended);
        assembly_.bind(*sms[i]->blocks_let_go, part_.work_distributor->blocks_let_go[i]);
      }
    }
  }

  Contention* add_contention() {
    if (!part_.contention) return nullptr;
    return &assembly_.add<Contention>(name("contention"), clock_, links_.contention, *part_.contention, config_.sms);
  }

  /// The GPCs' networks for clusters, if SMs use them.
  void add_cluster_networks() {
    for (unsigned i = 0, first_sm = 0; i < sms_of_gpcs_.size(); first_sm += sms_of_gpcs_[i++]) {
      const unsigned count = sms_of_gpcs_[i];
      if (!part_.sms[first_sm]->asks) return;
      auto& network = assembly_.add<ClusterNetwork>(fmt::format("cluster_network_{}", counts_.networks++), clock_,
                                                    links_.clusters, static_cast<SmId>(first_sm), count);
      for (unsigned k = 0; k < count; ++k) {
        assembly_.bind(*part_.sms[first_sm + k]->asks, network.asking[k]);
        assembly_.bind(network.asked[k], *part_.sms[first_sm + k]->asked);
      }
    }
  }

  void add_gpcs() {
    for (unsigned i = 0, first_sm = 0; i < sms_of_gpcs_.size(); first_sm += sms_of_gpcs_[i++]) {
      const unsigned count = sms_of_gpcs_[i];
      gpcs_.push_back(&assembly_.add<GpcPort>(fmt::format("gpc_{}", counts_.gpcs++), noc_clock_,
                                              GpcPort::Links{links_.sm, links_.gpc}, i * config_.sms_per_gpc, first_sm,
                                              count, at_l2() ? Regulation() : part_.shares.regulation));
      for (unsigned k = 0; k < count; ++k) assembly_.bind(part_.sms[first_sm + k]->memory, gpcs_[i]->sms[k]);
    }
  }

  /// The inputs: the GPCs, then copy engines, the SMs of each GPC if they copy, MMU and memory port, if these exist.
  void add_crossbar(bool memory_port) {
    const bool copies = has_copy_engines();  // a GPU without copies does not pay for them
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
    Crossbar::Links links{links_.gpc, links_.slice, {}, links_.core, config_.gpcs()};
    if (config_.l2.partitions > 1) links.partitions = partition_connection(config_.noc);
    FlitArbitration arbitration{config_.noc.arbiter, config_.noc.options};
    if (config_.noc.mhz > 0) arbitration.issued = {clock_, noc_clock_};
    crossbar_ = &assembly_.add<Crossbar>(name("crossbar"), noc_clock_, links, inputs, config_.sms_per_gpc,
                                         config_.slices(), config_.l2.applications, arbitration);
    for (unsigned i = 0; i < config_.gpcs(); ++i) assembly_.bind(gpcs_[i]->crossbar, crossbar_->initiators[i]);
    next_input_ = config_.gpcs();
  }

  /// The first client is the host, if it copies; the last one is the MMU, if pages migrate. `host`: the link to the host's
  /// memory, if there is one.
  /// `peers`: number of other parts on that link.
  CopyEngines& add_copy_engines(const std::optional<Link>& host, unsigned peers) {
    const unsigned clients = (copies_ ? 1 : 0) + (pages_migrate_ ? 1 : 0);
    std::vector<CopyEngineCore::Surroundings::Sms> sms;
    for (unsigned i = 0; sms_copy_ && i < config_.gpcs(); ++i) {
      sms.push_back({network(next_input_ + 1 + i, config_.partition_of_gpc(i)), config_.sms_of_gpc(i)});
    }
    CopyEngines& engines = assembly_.add<CopyEngines>(
        name("copy_engines"), clock_, CopyEngines::Links{links_.host, links_.core, host, links_.copies_of_others},
        config_.copy_engine, next_network(), clients, sms, peers);
    part_.copy_engines = &engines;
    if (copies_) assembly_.bind(*copies_, engines.copies.front());
    bind_next_input(engines.crossbar);
    for (InitiatorPort<Access>& gpc : engines.sms) bind_next_input(gpc);
    return engines;
  }

  /// The part's own MMU, to which the managed allocations belong.
  void add_mmu(const std::vector<ManagedAllocation>& allocations) {
    Mmu::Links links{links_.translation, links_.shootdown, links_.core, std::nullopt};
    if (pages_migrate_) links.copies = links_.host;
    std::vector<AddressRange> managed;
    for (const ManagedAllocation& allocation : allocations) managed.push_back({allocation.address, allocation.bytes});
    std::vector<SmId> ids;
    for (unsigned i = 0; i < config_.sms; ++i) ids.push_back(static_cast<SmId>(part_.instance.first_sm + i));
    Mmu& mmu = assembly_.add<Mmu>(name("mmu"), clock_, links, config_.mmu, std::vector<MmuCore::Part>{part_of_mmu()},
                                  ids, managed);
    if (mmu.copies) assembly_.bind(*mmu.copies, part_.copy_engines->copies.back());
    bind(mmu, 0, 0);
  }
  /// This part's view of a shared MMU.
  MmuCore::Part part_of_mmu() const { return {config_.sms, next_network()}; }
  /// `place`: index among the sharing parts; `first_sm`: index of this part's first SM among the SMs of all sharing parts.
  void bind(Mmu& mmu, std::size_t place, std::size_t first_sm) {
    bind_next_input(mmu.crossbars[place]);
    for (unsigned i = 0; i < config_.sms; ++i) {
      assembly_.bind(*part_.sms[i]->translations, mmu.translations[first_sm + i]);
      assembly_.bind(mmu.shootdowns[first_sm + i], *part_.sms[i]->shootdowns);
    }
  }

  MemoryPort& add_memory_port(const MemoryPortConfig& config, const ServedMemory& memory) {
    MemoryPort& port = assembly_.add<MemoryPort>("memory_port", clock_, config, next_network(), memory);
    bind_next_input(port.crossbar);
    return port;
  }

  /// L2 and DRAM.
  void add_memory() {
    const unsigned channels = config_.l2.applications, memory_channels = channels_of_link(config_.dram);
    std::vector<L2Slice*>& slices = part_.slices;
    for (unsigned i = 0; i < config_.slices(); ++i) {
      slices.push_back(
          &assembly_.add<L2Slice>(fmt::format("l2_{}", counts_.slices++), noc_clock_,
                                  L2Slice::Links{links_.slice, links_.memory, config_.noc.flits(), memory_channels},
                                  config_.l2, i, part_.memory_map, at_l2() ? part_.shares.regulation : Regulation(),
                                  part_.shares.l2_ways, part_.shares.set_aside));
      for (unsigned k = 0; k < channels; ++k)
        assembly_.bind(crossbar_->slices[i * channels + k], slices[i]->crossbar[k]);
    }
    const unsigned per_channel = config_.l2.slices_per_channel;
    for (unsigned i = 0; i < config_.dram.channels; ++i) {
      auto& channel = assembly_.add<DramController>(fmt::format("dram_{}", counts_.channels++), links_.memory,
                                                    config_.dram, per_channel);
      for (unsigned k = 0; k < per_channel * memory_channels; ++k) {
        L2Slice& slice = *slices[i * per_channel + k / memory_channels];
        assembly_.bind(slice.memory[k % memory_channels], channel.ports[k]);
      }
    }
  }

 private:
  std::string name(const char* unit) const { return is_one_of_several_ ? fmt::format("{}_{}", unit, number_) : unit; }
  /// Whether memory budgets are enforced at the L2 and not at the SMs.
  bool at_l2() const { return regulates_l2(config_); }
  /// The interface of the unit at the next input of the crossbar, in the first half of a GPU with two.
  NetworkInterface next_network() const { return network(next_input_); }
  NetworkInterface network(unsigned input, std::uint8_t partition = 0) const {
    const auto port = static_cast<std::uint16_t>(input * config_.sms_per_gpc);
    return {port, config_.noc.flits(), links_.core, part_.memory_map, partition};
  }
  void bind_next_input(InitiatorPort<Access>& port) { assembly_.bind(port, crossbar_->initiators[next_input_++]); }

  Part& part_;
  const GpuConfig& config_;
  const std::vector<unsigned> sms_of_gpcs_;
  const Clock& clock_;
  const Clock noc_clock_;
  Assembly& assembly_;
  const Links& links_;
  Counts& counts_;
  bool is_one_of_several_;
  unsigned number_;
  InitiatorPort<Copy>* copies_ = nullptr;  ///< port of the host; null if the host does not copy
  bool sms_copy_ = false;                  ///< the SMs perform copies, or may
  bool pages_migrate_ = false;
  bool kernels_depend_ = false;
  bool asynchronous_ = false;  ///< some kernels are asynchronous
  std::vector<GpcPort*> gpcs_;
  Crossbar* crossbar_ = nullptr;
  unsigned next_input_ = 0;
};

/// Adds the host, the parts, and the units that they share.
class Gpu::Builder {
 public:
  Builder(Gpu& gpu, const GpuConfig& config, std::size_t applications)
      : gpu_(gpu), config_(config), links_(gpu.clock_, config, applications) {
    for (Part& part : gpu.parts_) parts_.emplace_back(gpu, part, links_, counts_);
  }

  void add_host(const Workload& workload) {
    const HostedGpus gpus{static_cast<unsigned>(parts_.size()), gpu_.division_.of_applications(),
                          config_.host_link.lanes > 0,
                          turn_taking(config_.work_distributor.application, config_.work_distributor.options)};
    Host& host = gpu_.assembly_.add<Host>("host", gpu_.clock_, Host::Links{links_.host, links_.pending}, config_.host,
                                          config_.work_distributor.kernels_in_flight, workload, gpus);
    gpu_.host_ = &host;
    for (auto& [i, copies] : host.copies) {
      const auto is_ours = [&, part = i](const CopyCommand& copy) {
        return makes_copies_within(copy) && gpu_.division_.of(workload.streams[copy.stream].application) == part;
      };
      parts_[i].will_copy(copies, std::any_of(workload.copies.begin(), workload.copies.end(), is_ours));
    }
    for (const LaunchCommand& launch : workload.launches) {
      PartBuilder& part = parts_[gpu_.division_.of(workload.streams[launch.stream].application)];
      if (launch.programmatic) part.kernels_will_depend();
      if (launch.kernel->is_asynchronous()) part.kernels_are_asynchronous();
    }
    for (InitiatorPort<KernelLaunch>& launches : host.launches) launches_.push_back(&launches);
    for (InitiatorPort<PendingWork>& pending : host.pending) pending_.push_back(&pending);
  }

  void add_mailbox(const MailboxSetup& setup) {
    const WorkDistributorConfig& distribution = config_.work_distributor;
    Mailbox& mailbox = gpu_.assembly_.add<Mailbox>(
        "mailbox", gpu_.clock_, Mailbox::Links{links_.host, links_.pending}, setup,
        MailboxCore::Limits{links_.host.request.queue, distribution.kernels_in_flight, distribution.priorities,
                            turn_taking(distribution.application, distribution.options), links_.pending.request.queue});
    gpu_.mailbox_ = &mailbox;
    for (const auto& kernel : setup.kernels) {
      if (kernel->is_asynchronous()) parts_.front().kernels_are_asynchronous();
    }
    if (mailbox.copies) parts_.front().will_copy(*mailbox.copies, true);
    launches_ = {&mailbox.launches};
    if (mailbox.pending) pending_ = {&*mailbox.pending};
  }

  /// `port`: into the memory, if there is one.
  void add_parts(const std::vector<ApplicationSpec>& applications, const std::vector<ManagedAllocation>& managed,
                 const MemoryPortConfig* port, const ServedMemory& memory) {
    const bool pages_migrate = config_.mmu.enabled && config_.host_link.lanes > 0 && !managed.empty();
    for (PartBuilder& part : parts_) {
      if (pages_migrate) part.pages_will_migrate();
    }
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      PartBuilder& part = parts_[i];
      part.add_work_distributor(gpu_.division_.engine_shares(i, applications));
      part.connect(*launches_[i]);
      if (!pending_.empty()) part.connect(*pending_[i]);
      part.add_sms();
      part.add_cluster_networks();
      part.add_gpcs();
      part.add_crossbar(port != nullptr);
      if (part.has_copy_engines()) add_copy_engines(part);
      if (config_.mmu.enabled && !shares_mmu(i)) part.add_mmu(managed);
      if (port) gpu_.memory_port_ = &part.add_memory_port(*port, memory);
      part.add_memory();
    }
    if (config_.mmu.enabled) add_shared_mmu(!managed.empty());
  }

 private:
  bool shares_mmu(std::size_t part) const { return gpu_.division_[part].spec.shared_tlb; }

  void add_copy_engines(PartBuilder& part) {
    std::optional<Link> host;
    if (config_.host_link.lanes > 0) host = host_packet_link(gpu_.clock_, config_.host_link, config_.noc.hop_latency);
    const auto copying =
        std::count_if(parts_.begin(), parts_.end(), [](const auto& p) { return p.has_copy_engines(); });
    CopyEngines& engines = part.add_copy_engines(host, host ? static_cast<unsigned>(copying) - 1 : 0);
    if (!host) return;
    if (!host_link_) add_host_link(*host, static_cast<unsigned>(copying));
    gpu_.assembly_.bind(*engines.host, host_link_->devices[on_link_.size()]);
    // A part's peers are the others in their order.
    const std::size_t self = on_link_.size();
    for (std::size_t other = 0; other < self; ++other) {
      gpu_.assembly_.bind(engines.tells[other], on_link_[other]->hears[self - 1]);
      gpu_.assembly_.bind(on_link_[other]->tells[self - 1], engines.hears[other]);
    }
    on_link_.push_back(&engines);
  }

  void add_host_link(const Link& device, unsigned devices) {
    const Link across = host_packet_link(gpu_.clock_, config_.host_link, config_.host_link.latency);
    host_link_ = &gpu_.assembly_.add<HostLink>("host_link", gpu_.clock_, HostLink::Links{device, across},
                                               config_.host_link, devices);
    auto& memory = gpu_.assembly_.add<HostMemory>("host_memory", gpu_.clock_, across, config_.host_memory);
    gpu_.assembly_.bind(host_link_->host, memory.port);
  }

  /// The MMU of the instances that share one.
  void add_shared_mmu(bool has_managed_memory) {
    std::vector<MmuCore::Part> sharing;
    std::vector<SmId> ids;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Instance& instance = gpu_.division_[i];
      if (!shares_mmu(i)) continue;
      if (has_managed_memory) {
        throw InputError(instance.spec.file, instance.spec.line,
                         "instance " + instance.spec.name +
                             ": found shared_tlb and managed memory, allowed: one of them, since each MMU handles its "
                             "own far faults");
      }
      sharing.push_back(parts_[i].part_of_mmu());
      for (unsigned sm = 0; sm < instance.config.sms; ++sm) ids.push_back(static_cast<SmId>(instance.first_sm + sm));
    }
    if (sharing.empty()) return;
    Mmu& mmu = gpu_.assembly_.add<Mmu>("shared_mmu", gpu_.clock_,
                                       Mmu::Links{links_.translation, links_.shootdown, links_.core, std::nullopt},
                                       config_.mmu, sharing, ids, std::vector<AddressRange>());
    std::size_t place = 0, first_sm = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!shares_mmu(i)) continue;
      parts_[i].bind(mmu, place++, first_sm);
      first_sm += gpu_.division_[i].config.sms;
    }
  }

  Gpu& gpu_;
  const GpuConfig& config_;
  const PartBuilder::Links links_;
  PartBuilder::Counts counts_;
  std::deque<PartBuilder> parts_;
  std::vector<InitiatorPort<KernelLaunch>*> launches_;  ///< ports of the host, one per part
  std::vector<InitiatorPort<PendingWork>*> pending_;    ///< one per part; none if contexts are not separate
  HostLink* host_link_ = nullptr;
  std::vector<CopyEngines*> on_link_;  ///< engines of the parts on the host link, in order
};

void Gpu::add_parts(const GpuConfig& gpu, const Workload& workload, const DurationTable* given) {
  const DurationTable tables = tables_of(gpu, given);
  const std::string source = given ? "what has been calibrated" : "sm.durations=" + gpu.sm.durations;
  for (std::size_t i = 0; i < division_.size(); ++i) {
    const GpuConfig& config = division_[i].config;
    Workload own;  // the launches that matter for durations
    own.launches = division_.launches(i, workload);
    std::optional<BlockDurations> durations;
    if (sm_models().at(config.sm.model).has(Property::kNeedsDurations))
      durations = durations_for(config, own, tables, source);
    PartShares shares = shares_of({gpu, workload, division_}, i);
    MemoryMap map(config.address_map, config.slices(), config.l2.slices_per_channel, shares.colours,
                  shares.coloured_ranges);
    parts_.push_back({division_[i], std::move(shares), std::move(map), std::move(durations),
                      contention_setup(gpu, config, own, tables)});
  }
}

Gpu::Gpu(const GpuConfig& config, const Workload& workload, unsigned window, bool check_protocol,
         const DurationTable* durations)
    : clock_(Clock::from_mhz(config.core_mhz)), division_(config, workload), assembly_(check_protocol) {
  add_parts(config, workload, durations);
  Builder builder(*this, config, workload.applications.size());
  builder.add_host(workload);
  builder.add_parts(workload.applications, workload.managed, nullptr, {});
  if (window == 0) return;
  const Femtoseconds look_ahead = window * clock_.period();
  if (look_ahead > assembly_.shortest_hop()) {
    throw InputError(fmt::format("--window: found {}, allowed: 1 to {} cycles, the shortest hop of {}", window,
                                 assembly_.shortest_hop() / clock_.period(), config.name));
  }
  assembly_.set_step(look_ahead);
}

Gpu::Gpu(const GpuConfig& config, const GpuInterface& interface, bool check_protocol)
    : clock_(Clock::from_mhz(config.core_mhz)), division_(checked(config, interface)), assembly_(check_protocol) {
  add_parts(config, workload_of(interface), nullptr);
  if (interface.data) store_.emplace(interface.memory_bytes);
  Builder builder(*this, config, interface.applications.size());
  builder.add_mailbox(interface.mailbox);
  builder.add_parts(interface.applications, interface.managed,
                    interface.memory_port ? &*interface.memory_port : nullptr,
                    {interface.memory_bytes, store_ ? &*store_ : nullptr});
}

std::vector<WorkDistributor*> Gpu::work_distributors() {
  std::vector<WorkDistributor*> all;
  for (const Part& part : parts_) all.push_back(part.work_distributor);
  return all;
}

void Gpu::make_use_of_spins(const Workload& workload) {
  for (Part& part : parts_) make_use_of_spins(part, workload);
}

void Gpu::make_use_of_spins(Part& part, const Workload& workload) {
  WorkDistributorCore& distributor = part.work_distributor->core();
  if (!part.durations) return;
  const auto number = static_cast<std::size_t>(&part.instance - &division_[0]);
  const auto only_spins = [&](const LaunchCommand& launch) {
    return division_.of(workload.streams[launch.stream].application) != number ||
           part.durations->profile(*launch.kernel) == BlockDurations::kOnlySpins;
  };
  if (!std::all_of(workload.launches.begin(), workload.launches.end(), only_spins)) return;
  if (part.copy_engines && !memory_port_ && !(regulates_l2(part.instance.config) && part.shares.regulation.is_given()))
    pass_over_copies(part);
  if (distributor.preempts()) distributor.learn_switches();
  if (part.contention || assembly_.checks_protocol()) return;  // the end of a block with a demand is not known
  std::vector<SmForesight*> sms;
  for (Sm* const sm : part.sms) {
    if (sm->sampled() || sm->core().blocks.watched() || !sm->core().foresight()) return;
    sms.push_back(sm->core().foresight());
  }
  const Link& link = part.work_distributor->sms.front().link();
  distributor.foresee(std::move(sms), clock_.at_or_after(link.latency + link.request.flit));
}

void Gpu::pass_over_copies(Part& part) {
  const L2Config& l2 = part.instance.config.l2;
  const DramConfig& dram = part.instance.config.dram;
  const Femtoseconds refresh = dram.timing.tREFI * Clock::from_mhz(dram.command_mhz).period();
  CopyEngineCore& engines = part.copy_engines->core();
  engines.only_copies_move({l2.enabled ? l2.bytes : 0, !l2.write_through, clock_.at_or_after(refresh)});
  // Time after which a later packet can have reached the L2. No unit lags by more than twice this time.
  const Femtoseconds way =
      part.copy_engines->crossbar.link().latency + part.slices.front()->crossbar.front().link().latency;
  const Clock clock = clock_, of_slices = part.slices.front()->clock();
  part.copy_engines->watch(engines.passed_over, [&part, way, clock, of_slices,
                                                 lines = std::uint64_t{0}](const PassedOver& bytes) mutable {
    const Femtoseconds until = clock.edge(bytes.until);
    const Cycle past = of_slices.at_or_before(until - std::min(until, 2 * way)),
                at = of_slices.at_or_after(until + way);
    Access access;
    access.bytes = kLineBytes;
    access.write = bytes.write;
    access.identity.application = bytes.application;
    for (Address line = bytes.first / kLineBytes * kLineBytes; line < bytes.first + bytes.bytes; line += kLineBytes) {
      access.address = line;
      access.partition = static_cast<std::uint8_t>(part.instance.config.l2.partitions > 1 ? lines++ / 2 % 2 : 0);
      part.slices[part.memory_map.slice(line, bytes.application)]->core().warm(past, at, access);
    }
  });
}

void Gpu::collect(RunResult& result, Cycle now) {
  const Report report = assembly_.report(clock_.edge(now));
  result.units = unit_counters(report);
  result.policies = sum(report.all<PolicyTally>()).records();
}

}  // namespace gputlm
