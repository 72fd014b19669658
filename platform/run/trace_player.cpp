#include "platform/run/trace_player.h"

#include <algorithm>
#include <string>

#include "models/dram/link_timing.h"

namespace gputlm {

TracePlayer::TracePlayer(const sc_core::sc_module_name& name, Femtoseconds window, const DramConfig& dram,
                         const AddressMapConfig& address_map, const PlayerConfig& config, AddressTrace& trace)
    : WindowedModule(name, window), clock_(Clock::from_mhz(dram.command_mhz)), config_(config),
      map_(address_map, dram.channels), hop_(dram.latency + 1), trace_(trace) {
  const LinkTiming timing = dram_link(clock_, clock_, dram);
  for (unsigned i = 0; i < dram.channels; ++i) {
    channels_.push_back(std::make_unique<Channel>("socket_" + std::to_string(i), *this, timing, dram));
  }
  pending_ = trace_.next(access_);
  if (pending_) channel_ = map_.slice(access_.address);
  wake(0);
}

Femtoseconds TracePlayer::advance(Femtoseconds until) {
  const Cycle end = clock_.at_or_after(until);
  for (;;) {
    Channel* const answered = next_answered();
    const Cycle response = answered ? answered->responses.next() : kNever;
    const Cycle request = next_issue();
    const Cycle next = std::min(response, request);
    if (next >= end) return clock_.edge(next);
    if (response <= request) {
      take_response(*answered);
    } else {
      issue(request);
    }
  }
}

TracePlayer::Channel* TracePlayer::next_answered() const {
  Channel* first = nullptr;
  for (const auto& channel : channels_) {
    if (channel->responses.next() < (first ? first->responses.next() : kNever)) first = channel.get();
  }
  return first;
}

Cycle TracePlayer::next_issue() const {
  if (!pending_ || (config_.outstanding != 0 && in_flight_ >= config_.outstanding)) return kNever;
  return std::max({channels_[channel_]->requests.ready_at(), access_.earliest, not_before_});
}

void TracePlayer::issue(Cycle now) {
  Access& access = pool_.allocate();
  access.address = map_.channel_address(channel_, map_.local(access_.address & ~(config_.bytes - 1)));
  access.bytes = static_cast<std::uint16_t>(config_.bytes);
  access.write = access_.write;
  access.application = access_.application;
  access.issued = now + hop_;
  channels_[channel_]->requests.send(now, access);
  ++issued_;
  ++in_flight_;
  not_before_ = now + config_.interval;
  read_next();
}

void TracePlayer::read_next() {
  try {
    pending_ = trace_.next(access_);
  } catch (...) {  // SystemC would turn it into an error of its own
    failure_ = std::current_exception();
    pending_ = false;
  }
  if (pending_) channel_ = map_.slice(access_.address);
}

void TracePlayer::take_response(Channel& channel) {
  const Cycle now = channel.responses.next();
  Access& access = channel.responses.pop(now);
  if (access.application >= latencies_.size()) latencies_.resize(access.application + std::size_t{1});
  ApplicationLatency& latency = latencies_[access.application];
  (access.write ? latency.writes : latency.reads).add(now - hop_ - access.issued);
  pool_.release(access);
  --in_flight_;
  not_before_ = std::max(not_before_, now);
}

}  // namespace gputlm
