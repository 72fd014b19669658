#include "platform/run/gpu.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/dram/links.h"
#include "models/noc/links.h"
#include "models/work_distributor/links.h"
#include "tlm/error.h"

namespace gputlm {

Gpu::Gpu(const GpuConfig& config, const Workload& workload, unsigned window, bool check_protocol, BlockObserver& blocks,
         KernelObserver& kernels)
    : clock_(Clock::from_mhz(config.core_mhz)),
      memory_map_(config.address_map, config.slices(), config.l2.slices_per_channel), assembly_(check_protocol) {
  const unsigned per_channel = config.l2.slices_per_channel;
  const Link host = host_link(clock_, config.work_distributor);
  const Link launch = launch_link(clock_, config.work_distributor, config.sm.blocks);
  const Link sm = sm_link(clock_, config.noc);
  const Link gpc = gpc_link(clock_, config.noc);
  const Link slice = slice_link(clock_, config.noc, config.l2.queue);
  const Link memory = dram_link(clock_, config.dram, config.l2.queue);

  host_ = &assembly_.add<Host>("host", clock_, host, workload, kernels);
  work_distributor_ = &assembly_.add<WorkDistributor>("work_distributor", clock_, WorkDistributor::Links{host, launch},
                                                      config.work_distributor, config.sm, config.sms, blocks);
  for (unsigned i = 0; i < config.sms; ++i) {
    sms_.push_back(&assembly_.add<Sm>(
        fmt::format("sm_{}", i), clock_, Sm::Links{launch, sm}, config.sm, static_cast<SmId>(i),
        NetworkInterface{static_cast<std::uint16_t>(i), config.noc.flits(), sm.request.queue, memory_map_}));
  }
  for (unsigned i = 0; i < config.gpcs(); ++i) {
    const unsigned first = i * config.sms_per_gpc;
    gpcs_.push_back(&assembly_.add<GpcPort>(fmt::format("gpc_{}", i), clock_, GpcPort::Links{sm, gpc}, first,
                                            std::min(config.sms_per_gpc, config.sms - first)));
  }
  crossbar_ = &assembly_.add<Crossbar>("crossbar", clock_, Crossbar::Links{gpc, slice}, config.gpcs(),
                                       config.sms_per_gpc, config.slices());
  for (unsigned i = 0; i < config.slices(); ++i) {
    slices_.push_back(&assembly_.add<L2Slice>(
        fmt::format("l2_{}", i), clock_, L2Slice::Links{slice, memory, config.noc.flits()}, config.l2, i, memory_map_));
  }
  for (unsigned i = 0; i < config.dram.channels; ++i) {
    channels_.push_back(&assembly_.add<DramController>(fmt::format("dram_{}", i), memory, config.dram, per_channel));
  }

  assembly_.bind(host_->launches, work_distributor_->launches);
  for (unsigned i = 0; i < config.sms; ++i) {
    assembly_.bind(work_distributor_->sms[i], sms_[i]->launches);
    assembly_.bind(sms_[i]->memory, gpcs_[i / config.sms_per_gpc]->sms[i % config.sms_per_gpc]);
  }
  for (unsigned i = 0; i < config.gpcs(); ++i) assembly_.bind(gpcs_[i]->crossbar, crossbar_->initiators[i]);
  for (unsigned i = 0; i < config.slices(); ++i) {
    assembly_.bind(crossbar_->slices[i], slices_[i]->crossbar);
    assembly_.bind(slices_[i]->memory, channels_[i / per_channel]->ports[i % per_channel]);
  }
  const Femtoseconds look_ahead = window * clock_.period();
  if (look_ahead > assembly_.shortest_hop()) {
    throw InputError(fmt::format("--window: found {}, allowed: 1 to {} cycles, the shortest hop of {}", window,
                                 assembly_.shortest_hop() / clock_.period(), config.name));
  }
  assembly_.set_window(look_ahead);
}

Gpu::~Gpu() = default;

void Gpu::collect(RunResult& result, Cycle now) const {
  for (const Sm* sm : sms_) result.sms.push_back(sm->core().statistics(now));
  for (const GpcPort* gpc : gpcs_) {
    result.noc.gpc_requests += gpc->requests().statistics();
    result.noc.gpc_replies += gpc->replies().statistics();
  }
  result.noc.crossbar_requests = crossbar_->requests().statistics();
  result.noc.crossbar_replies = crossbar_->replies().statistics();
  for (const L2Slice* slice : slices_) result.slices.push_back(slice->core().statistics());
  for (DramController* channel : channels_) result.channels.push_back(channel->statistics(clock_.edge(now)));
}

}  // namespace gputlm
