#include "platform/run/trace_player.h"

#include <algorithm>
#include <string>

#include "models/dram/links.h"
#include "tlm/base/error.h"

namespace gputlm {

Link TracePlayer::link_to(const DramConfig& dram) {
  return dram_link(Clock::from_mhz(dram.command_mhz), dram, 4 * dram.latency + 64);
}

TracePlayer::TracePlayer(const sc_core::sc_module_name& module_name, const Link& link, const DramConfig& dram,
                         const MemoryMapConfig& address_map, const PlayerConfig& config, AddressTrace& trace)
    : Unit(module_name, Clock::from_mhz(dram.command_mhz)), config_(config), map_(address_map, dram.channels),
      rows_(dram),
      schedulers_(make_request_schedulers(dram.scheduler, {1, dram.queue, dram.row_hit_cap, dram.options})),
      hop_(dram.latency + 1), trace_(trace), virtual_channels_(channels_of_link(dram)) {
  queues_.reserve(std::size_t{dram.channels} * virtual_channels_);  // ports hold references to the queues
  for (unsigned i = 0; i < dram.channels * virtual_channels_; ++i) {
    queues_.push_back({Outbox<Access>(link.request.width, link.request.queue), Inbox<Access>(link.response.queue)});
    Queues& queues = queues_.back();
    channels.emplace_back("channel_" + std::to_string(i), *this, link, queues.requests, queues.responses);
  }
  channel_ = queues_.data();
  read_next();
  wake(0);
}

Cycle TracePlayer::compute(Cycle until) {
  Answer answer = next_answer();
  Cycle request = next_issue();
  for (;;) {
    const Cycle next = std::min(answer.at, request);
    if (next >= until) return next;
    if (answer.at <= request) {
      take(answer);
      answer = next_answer();
      // Without a limit on outstanding accesses, an answer makes no room; only the time of the next access changes.
      request = config_.outstanding != 0 ? next_issue() : std::max(request, not_before_);
    } else {
      issue(request);
      request = next_issue();
    }
  }
}

[[gnu::always_inline]] inline TracePlayer::Answer TracePlayer::next_answer() {
  Answer first;
  for (Queues& channel : queues_) {
    const Cycle at = channel.responses.next();
    if (at < first.at) first = {at, &channel};
  }
  return first;
}

[[gnu::always_inline]] inline Cycle TracePlayer::next_issue() const {
  if (!pending_ || (config_.outstanding != 0 && in_flight_ >= config_.outstanding)) return kNever;
  return std::max(channel_->requests.ready_at(), std::max(access_.earliest, not_before_));
}

[[gnu::always_inline]] inline void TracePlayer::issue(Cycle now) {
  Access& access = pool_.allocate();
  access.address = address_;
  access.bytes = static_cast<std::uint16_t>(config_.bytes);
  access.write = access_.write;
  access.identity.application = access_.application;
  access.issued = now + hop_;
  channel_->requests.send(now, access);
  ++issued_;
  ++in_flight_;
  last_issue_ = now;
  not_before_ = now + config_.interval;
  read_next();
}

[[gnu::always_inline]] inline void TracePlayer::read_next() {
  pending_ = trace_.next(access_);
  if (!pending_) return;
  if (access_.earliest != 0) place_in_time();
  address_ = access_.address & ~(config_.bytes - 1);
  if (queues_.size() > 1) find_channel();
  // Every scheduler can store almost all accesses: a row number is no larger than its address.
  if (access_.address >> 32 != 0 || access_.application != 0) check();
}

/// Converts the trace's cycles to those of the command clock.
void TracePlayer::place_in_time() {
  if (config_.trace_mhz != 0)
    access_.earliest = clock().edge_from(Clock::from_mhz(config_.trace_mhz).edge(access_.earliest));
  if (access_.relative) access_.earliest += last_issue_;
}

void TracePlayer::find_channel() {
  const unsigned channel = map_.slice(address_);
  address_ = map_.channel_address(channel, map_.local(address_));
  channel_ = &queues_[std::size_t{channel} * virtual_channels_ + access_.application % virtual_channels_];
}

void TracePlayer::check() const {
  try {
    schedulers_[0]->check({rows_.locate(address_).row, 0, 0, access_.application, access_.write});
  } catch (const InputError& error) {
    trace_.fail(error.what());
  }
}

[[gnu::always_inline]] inline void TracePlayer::take(const Answer& answer) {
  const Cycle now = answer.at;
  Access& access = answer.channel->responses.pop(now);
  if (access.identity.application >= latencies_.size()) latencies_.resize(access.identity.application + std::size_t{1});
  ApplicationLatency& latency = latencies_[access.identity.application];
  (access.write ? latency.writes : latency.reads).add(now - hop_ - access.issued);
  pool_.release(access);
  --in_flight_;
  not_before_ = std::max(not_before_, now);
}

}  // namespace gputlm
