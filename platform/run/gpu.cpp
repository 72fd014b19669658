#include "platform/run/gpu.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/dram/link_timing.h"
#include "models/noc/link_timing.h"
#include "models/work_distributor/link_timing.h"

namespace gputlm {

/// The address map as one L2 slice sees it.
class Gpu::SliceTranslation final : public AddressTranslation {
 public:
  SliceTranslation(const SliceMap& map, unsigned slice) : map_(map), slice_(slice) {}
  Address tag_address(Address global) const override { return map_.local(global); }
  Address memory_address(Address local) const override { return map_.channel_address(slice_, local); }

 private:
  const SliceMap& map_;
  unsigned slice_;
};

unsigned largest_window(const GpuConfig& config) {
  return std::min({config.noc.hop_latency, config.dram.latency, config.work_distributor.launch_latency,
                   config.work_distributor.host_latency});
}

Gpu::Gpu(const GpuConfig& config, const Workload& workload, unsigned window_cycles, bool check_protocol,
         BlockObserver& blocks, KernelObserver& kernels)
    : config_(config), clock_(Clock::from_mhz(config.core_mhz)), check_protocol_(check_protocol),
      slice_map_(config.address_map, config.slices(), config.l2.slices_per_channel) {
  const Femtoseconds window = window_cycles * clock_.period();
  const WorkDistributorConfig& distributor = config.work_distributor;
  const unsigned per_channel = config.l2.slices_per_channel;

  host_ = std::make_unique<Host>("host", window, host_link(clock_, distributor), workload,
                                 distributor.kernels_in_flight, kernels);
  work_distributor_ =
      std::make_unique<WorkDistributor>("work_distributor", window, clock_, distributor, config.sm, config.sms, blocks);
  for (unsigned i = 0; i < config.sms; ++i) {
    sms_.push_back(std::make_unique<Sm>(fmt::format("sm_{}", i).c_str(), window, clock_, config.sm, config.noc,
                                        distributor, static_cast<SmId>(i), slice_map_, accesses_));
  }
  for (unsigned i = 0; i < config.gpcs(); ++i) {
    const unsigned first = i * config.sms_per_gpc;
    gpcs_.push_back(std::make_unique<GpcPort>(fmt::format("gpc_{}", i).c_str(), window, clock_, config.noc, first,
                                              std::min(config.sms_per_gpc, config.sms - first)));
  }
  crossbar_ = std::make_unique<Crossbar>("crossbar", window, clock_, config.noc, config.gpcs(), config.sms_per_gpc,
                                         config.slices(), config.l2.queue);
  L2SliceLinks slice_links;
  slice_links.flit_bytes = config.noc.flit_bytes;
  slice_links.header_bytes = config.noc.header_bytes;
  slice_links.reply_width = config.noc.slice_flits;
  slice_links.reply_credits = queue_depth(config.noc, config.noc.slice_flits);
  slice_links.memory_credits = config.dram.input_queue;
  slice_links.memory_reply_queue = config.l2.queue;
  const L2Slice::Timing slice_timing{noc_link(clock_, config.noc, config.noc.slice_flits, config.noc.slice_flits),
                                     dram_link(clock_, clock_, config.dram)};
  for (unsigned i = 0; i < config.slices(); ++i) {
    translations_.push_back(std::make_unique<SliceTranslation>(slice_map_, i));
    slices_.push_back(std::make_unique<L2Slice>(fmt::format("l2_{}", i).c_str(), window, config.l2, slice_links,
                                                slice_timing, i, config.slices(), *translations_.back(), accesses_));
  }
  for (unsigned i = 0; i < config.dram.channels; ++i) {
    channels_.push_back(std::make_unique<DramController>(fmt::format("dram_{}", i).c_str(), window, clock_, config.dram,
                                                         per_channel, config.l2.queue));
  }

  bind(host_->socket(), work_distributor_->host_socket());
  for (unsigned i = 0; i < config.sms; ++i) {
    bind(work_distributor_->sm_socket(i), sms_[i]->launch_socket());
    bind(sms_[i]->memory_socket(), gpcs_[i / config.sms_per_gpc]->sm_socket(i % config.sms_per_gpc));
  }
  for (unsigned i = 0; i < config.gpcs(); ++i) bind(gpcs_[i]->crossbar_socket(), crossbar_->gpc_socket(i));
  for (unsigned i = 0; i < config.slices(); ++i) {
    bind(crossbar_->slice_socket(i), slices_[i]->crossbar.socket);
    bind(slices_[i]->memory.socket, channels_[i / per_channel]->socket(i % per_channel));
  }
}

Gpu::~Gpu() = default;

void Gpu::bind(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_target_socket<>& target) {
  if (!check_protocol_) {
    initiator.bind(target);
    return;
  }
  checkers_.push_back(std::make_unique<ProtocolChecker>(fmt::format("checker_{}", checkers_.size()).c_str()));
  initiator.bind(checkers_.back()->target);
  checkers_.back()->initiator.bind(target);
}

void Gpu::stop_at(Cycle at) {
  const Femtoseconds end = clock_.edge(at);
  host_->stop_at(end);
  work_distributor_->stop_at(end);
  for (const auto& sm : sms_) sm->stop_at(end);
  for (const auto& gpc : gpcs_) gpc->stop_at(end);
  crossbar_->stop_at(end);
  for (const auto& slice : slices_) slice->stop_at(end);
  for (const auto& channel : channels_) channel->stop_at(end);
}

void Gpu::collect(RunResult& result, Cycle now) const {
  for (const auto& sm : sms_) result.sms.push_back(sm->core().statistics(now));
  for (const auto& gpc : gpcs_) {
    result.noc.gpc_requests += gpc->requests().statistics();
    result.noc.gpc_replies += gpc->replies().statistics();
  }
  result.noc.crossbar_requests = crossbar_->requests().statistics();
  result.noc.crossbar_replies = crossbar_->replies().statistics();
  for (const auto& slice : slices_) result.slices.push_back(slice->core().statistics());
  for (const auto& channel : channels_) result.channels.push_back(channel->statistics(clock_.edge(now)));
}

std::vector<std::string> Gpu::waiting() const {
  std::vector<std::string> lines = host_->core().waiting();
  const auto append = [&](const std::vector<std::string>& more) {
    lines.insert(lines.end(), more.begin(), more.end());
  };
  append(work_distributor_->core().waiting());
  for (const auto& sm : sms_) append(sm->core().waiting());
  for (std::size_t i = 0; i < gpcs_.size(); ++i) {
    const std::size_t held = gpcs_[i]->requests().held() + gpcs_[i]->replies().held();
    if (held) lines.push_back(fmt::format("GPC port {}: {} packets waiting", i, held));
  }
  if (const std::size_t held = crossbar_->requests().held() + crossbar_->replies().held()) {
    lines.push_back(fmt::format("crossbar: {} packets waiting", held));
  }
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    if (slices_[i]->core().fills_outstanding()) {
      lines.push_back(fmt::format("L2 slice {}: {} fills outstanding", i, slices_[i]->core().fills_outstanding()));
    }
  }
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    if (channels_[i]->core().in_flight()) {
      lines.push_back(fmt::format("DRAM channel {}: {} accesses in flight", i, channels_[i]->core().in_flight()));
    }
  }
  return lines;
}

std::vector<std::string> Gpu::protocol_violations() const {
  std::vector<std::string> all;
  for (const auto& checker : checkers_) {
    all.insert(all.end(), checker->violations().begin(), checker->violations().end());
  }
  return all;
}

std::uint64_t Gpu::checked_transactions() const {
  std::uint64_t sum = 0;
  for (const auto& checker : checkers_) sum += checker->transactions();
  return sum;
}

}  // namespace gputlm
