#include "models/copy_engine/core.h"

#include <algorithm>
#include <cassert>

#include "tlm/base/error.h"
#include "tlm/counter_table.h"

namespace gputlm {

CopyEngineCore::CopyEngineCore(const CopyEngineConfig& config, const Surroundings& around, AccessSource& accesses)
    : config_(config), network_(around.network), linked_(around.host_queue.has_value()), source_(accesses),
      for_engines_(std::size_t{around.clients} * around.copies_in_flight),
      for_sms_(std::size_t{around.clients} * around.copies_in_flight),
      device_(memory(around.network.link, config.packets)), host_{Outbox<Access>(1, around.host_queue.value_or(1)),
                                                                  Inbox<Access>(around.host_queue.value_or(1)),
                                                                  Ring<Request>(config.packets)},
      engines_(config.engines + (around.sms.empty() ? 0 : 1)), packets_(config.packets), free_of_sms_(0) {
  clients_.reserve(around.clients);  // ports refer to them
  for (unsigned c = 0; c < around.clients; ++c) {
    const unsigned most = around.copies_in_flight;
    clients_.push_back({Inbox<Copy>(most), Outbox<Copy>(1, most), Ring<Copy*>(most)});
  }
  for (unsigned p = config.packets; p > 0; --p) free_packets_.push_back(static_cast<std::uint16_t>(p - 1));
  gpcs_.reserve(around.sms.size());
  for (const Surroundings::Sms& sms : around.sms) {
    const auto gpc = static_cast<std::uint16_t>(gpcs_.size());
    const std::size_t first = packets_.size();
    const std::size_t packets = sms.count * std::max<Bytes>(1, config.sm_bytes / config.packet);
    packets_.resize(first + packets);
    assert(packets_.size() <= std::size_t{1} << 16);
    gpcs_.push_back({sms.network, memory(sms.network.link, packets)});
    for (std::size_t p = first; p < packets_.size(); ++p) packets_[p].gpc = gpc;
  }
  if (around.peers) {
    messages_ = &around.peers->messages;
    for (unsigned i = 0; i < around.peers->count; ++i) peers_.emplace_back(around.peers->link);
  }
  // The GPCs take turns; at the end, only GPCs with more SMs remain.
  std::vector<std::uint16_t> order;
  std::vector<std::size_t> of_gpc(gpcs_.size()), turn(packets_.size());
  for (std::size_t p = config.packets; p < packets_.size(); ++p) {
    order.push_back(static_cast<std::uint16_t>(p));
    turn[p] = of_gpc[packets_[p].gpc]++;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint16_t a, std::uint16_t b) { return turn[a] < turn[b]; });
  free_of_sms_ = Ring<std::uint16_t>(order.size());
  for (const std::uint16_t packet : order) free_of_sms_.push(packet);
  ended_.resize(kWindow * order.size());
}

CopyEngineCore::Memory CopyEngineCore::memory(const Link& link, std::size_t packets) const {
  // An unaligned packet touches one more line than it holds.
  return {Outbox<Access>(link.request.width, link.request.queue), Inbox<Access>(link.response.queue),
          Ring<Request>(packets * (config_.packet / kLineBytes + 1))};
}

Cycle CopyEngineCore::advance(Cycle until) {
  while (true) {
    const Cycle now = next();
    if (now >= until) return now;
    if (!peers_.empty()) hear_peers(now);
    take_replies(device_, now);
    take_replies(host_, now);
    for (Gpc& gpc : gpcs_) take_replies(gpc.memory, now);
    if (forward_ && forward_->next() <= now) end_passed_over(now);
    take_copies(now);
    if (forward_ && forward_->next() <= now) go_on(now);
    begin_packets(now);
    send(device_, &network_, now);
    send(host_, nullptr, now);
    for (Gpc& gpc : gpcs_) send(gpc.memory, &gpc.network, now);
    if (!peers_.empty()) tell_peers(now);
    for (Client& client : clients_) {
      if (client.next_completion() > now) continue;
      client.completions.send(now, *client.ended.pop());
      client.copies.freed(now);
    }
  }
}

Cycle CopyEngineCore::next() const {
  Cycle next = std::min(device_.next(), host_.next());
  for (const Client& client : clients_) next = std::min({next, client.next_completion(), client.copies.next()});
  for (const Gpc& gpc : gpcs_) next = std::min(next, gpc.memory.next());
  for (const Peer& peer : peers_) {
    next = std::min({next, peer.told.next(), peer.hears.next()});
    if (peer.knows != (on_link_ > 0)) next = std::min(next, peer.tells.ready_at());
  }
  for (std::size_t e = 0; e < engines_.size(); ++e) {
    if (goes_on(e) && (is_sms(e) ? sms_go_on() : !free_packets_.empty())) {
      next = std::min(next, engines_[e].next);
    }
  }
  return forward_ ? std::min(next, forward_->next()) : next;
}

void CopyEngineCore::take_copies(Cycle now) {
  for (Client& client : clients_) {
    while (client.copies.ready(now)) {
      const Cycle arrived = client.copies.next();
      Copy& copy = client.copies.take();
      if (copy.bytes == 0) throw InputError("a transaction came to the copy engines that is no copy");
      copy.arrived = arrived;
      (is_for_sms(copy) ? for_sms_ : for_engines_).push({&client, &copy});
    }
  }
  for (std::size_t e = 0; e < engines_.size(); ++e) {
    Ring<Waiting>& waiting = is_sms(e) ? for_sms_ : for_engines_;
    if (engines_[e].copy || waiting.empty()) continue;
    const auto [client, copy] = waiting.pop();
    copy->started = now;
    copy->engine = static_cast<std::uint16_t>(e);
    engines_[e] = {client, copy, 0, copy->bytes, now + (is_sms(e) ? config_.sm_setup : config_.setup)};
    on_link_ += uses_link(*copy);
    if (forward_) take_forward(e);
  }
}

void CopyEngineCore::hear_peers(Cycle now) {
  bool news = false;
  for (Peer& peer : peers_) {
    while (peer.told.ready(now)) messages_->release(peer.told.pop(now));
    while (peer.hears.ready(now)) {
      LinkUse& use = peer.hears.pop(now);
      peer.has_copy = use.in_use;
      news = true;
      peer.heard.send(std::max(now, peer.heard.ready_at()), use);
    }
  }
  if (news && forward_)
    forward_->share_link(std::any_of(peers_.begin(), peers_.end(), [](const Peer& peer) { return peer.has_copy; }));
}

/// Tells of a copy when an engine takes it, some hundred cycles before its first packet: skipped copies of the peers are then
/// moved in packets again.
void CopyEngineCore::tell_peers(Cycle now) {
  for (Peer& peer : peers_) {
    if (peer.knows == (on_link_ > 0) || peer.tells.ready_at() > now) continue;
    LinkUse& use = messages_->allocate();
    use.in_use = peer.knows = on_link_ > 0;
    peer.tells.send(now, use);
  }
}

void CopyEngineCore::begin_packets(Cycle now) {
  // Engines take turns, which continue where they ended: if packets are scarce, an engine must not keep the others out.
  const std::size_t first = turn_;
  for (std::size_t i = 0; i < config_.engines && !free_packets_.empty(); ++i) {
    const std::size_t e = (first + i) % config_.engines;
    if (!goes_on(e) || engines_[e].next > now) continue;
    const std::uint16_t slot = free_packets_.back();
    free_packets_.pop_back();
    begin_packet(e, slot, now);
    turn_ = (e + 1) % config_.engines;
  }
  if (!gpcs_.empty()) begin_packets_of_sms(now);
}

/// Begins no packet far beyond the first unfinished one: packets in flight stay close in memory, as do the open DRAM rows.
void CopyEngineCore::begin_packets_of_sms(Cycle now) {
  const Engine& sms = engines_.back();
  while (goes_on(config_.engines) && sms.next <= now && sms_go_on()) {
    const std::uint16_t packet = free_of_sms_.pop();
    packets_[packet].number = begun_of_sms_++;
    begin_packet(config_.engines, packet, now);
  }
}

/// The CPU copies a part of pageable memory into or out of a pinned buffer while the engine moves the previous part.
bool CopyEngineCore::is_staged_by_parts(const Copy& copy) const {
  const bool host = copy.kind == CopyKind::kHostToDevice || copy.kind == CopyKind::kDeviceToHost;
  return host && copy.pageable && !(copy.staged && copy.bytes <= config_.staging);
}

void CopyEngineCore::begin_packet(std::size_t which, std::uint16_t slot, Cycle now) {
  Engine& engine = engines_[which];
  const Copy& copy = *engine.copy;
  const Bytes bytes = std::min(config_.packet, copy.bytes - engine.begun);
  Packet& packet = packets_[slot];
  packet.engine = static_cast<std::uint16_t>(which);
  packet.writing = copy.kind == CopyKind::kMemset;
  packet.to = copy.to + engine.begun;
  packet.bytes = bytes;
  if (copy.kind == CopyKind::kMemset) {
    request(slot, false, packet.to, bytes, true);
  } else {
    request(slot, reads_host(copy), copy.from + engine.begun, bytes, false);
  }
  engine.begun += bytes;
  if (!is_sms(which)) {
    const Bytes rate = is_staged_by_parts(copy) ? config_.pageable_bytes_per_cycle : config_.bytes_per_cycle;
    engine.next = std::max(engine.next, now) + (bytes + rate - 1) / rate;
  }
  if (forward_) engine.next = std::max(engine.next, forward_->not_before(which, engine.begun));
  if (copy.undisturbed && !forward_) pass_over_the_middle(engine, now);
}

/// The first half of the detail warms up, the second half measures. Then the engine rests for as long as the middle would
/// take, and moves the end packet by packet, so that the final cache state is right.
void CopyEngineCore::pass_over_the_middle(Engine& engine, Cycle now) {
  if (engine.begun == config_.detail / 2) engine.steady = now;
  if (engine.begun != config_.detail || engine.copy->bytes <= 2 * config_.detail) return;
  const std::uint64_t packets = (engine.copy->bytes - 2 * config_.detail) / config_.packet;
  const std::uint64_t measured = config_.detail / 2 / config_.packet;
  engine.begun += packets * config_.packet;
  engine.left -= packets * config_.packet;
  engine.next = now + packets * (now - engine.steady) / measured;
  statistics_.passed_over += packets * config_.packet;
}

void CopyEngineCore::request(std::uint16_t slot, bool host, Address address, Bytes bytes, bool write) {
  Packet& packet = packets_[slot];
  Memory& memory = host ? host_ : packet.gpc == kNoGpc ? device_ : gpcs_[packet.gpc].memory;
  for (const Address end = address + bytes; address < end;) {
    const Bytes piece = host ? bytes : std::min(end - address, kLineBytes - address % kLineBytes);
    memory.pending.push({slot, static_cast<std::uint16_t>(piece), write, address});
    ++packet.outstanding;
    address += piece;
  }
}

/// `network`: network to the GPU's memory; null: host memory.
void CopyEngineCore::send(Memory& memory, const NetworkInterface* network, Cycle now) {
  while (!memory.pending.empty() && memory.requests.ready_at() <= now) {
    const Request request = memory.pending.pop();
    const Copy& copy = *engines_[packets_[request.packet].engine].copy;
    Access& access = source_.allocate();
    access.address = request.address;
    access.bytes = request.bytes;
    access.write = request.write;
    access.partial = request.write && (request.address % kSectorBytes != 0 || request.bytes % kSectorBytes != 0);
    access.identity = copy.identity;
    access.slot = request.packet;
    access.issued = now;
    if (network) network->address(access);
    Bytes& counter = network ? (request.write ? statistics_.device_written : statistics_.device_read)
                             : (request.write ? statistics_.host_written : statistics_.host_read);
    counter += request.bytes;
    memory.requests.send(now, access);
  }
}

void CopyEngineCore::take_replies(Memory& memory, Cycle now) {
  while (memory.replies.ready(now)) {
    Access& access = memory.replies.pop(now);
    const std::uint16_t slot = access.slot;
    source_.release(access);
    Packet& packet = packets_[slot];
    if (--packet.outstanding > 0) continue;
    if (packet.writing) {
      end_packet(slot, now);
    } else {
      packet.writing = true;
      request(slot, writes_host(*engines_[packet.engine].copy), packet.to, packet.bytes, true);
    }
  }
}

void CopyEngineCore::end_packet(std::uint16_t slot, Cycle now) {
  const Packet& packet = packets_[slot];
  Engine& engine = engines_[packet.engine];
  engine.left -= packet.bytes;
  if (packet.gpc == kNoGpc) {
    free_packets_.push_back(slot);
  } else {
    free_of_sms_.push(slot);
    ended_[packet.number % ended_.size()] = true;
    for (; ended_[first_of_sms_ % ended_.size()]; ++first_of_sms_) ended_[first_of_sms_ % ended_.size()] = false;
  }
  if (forward_) forward_->moved(packet.engine, engine.copy->bytes - engine.left, now);
  end_if_moved(packet.engine, now);
}

void CopyEngineCore::end_if_moved(std::size_t which, Cycle now) {
  Engine& engine = engines_[which];
  if (engine.left > 0) return;
  on_link_ -= uses_link(*engine.copy);
  if (forward_) forward_->ended(which, now);
  engine.copy->ended = now;
  if (copies_moved.watched()) {
    copies_moved.note({*engine.copy, static_cast<unsigned>(engine.client - clients_.data())});
  }
  engine.client->ended.push(engine.copy);
  ++statistics_.copies;
  statistics_.by_sms += is_sms(engine.copy->engine);
  engine.copy = nullptr;
}

void CopyEngineCore::only_copies_move(const CopiedMemory& memory) {
  if (config_.learn) forward_.emplace(FastForward::Setup{config_.packet, config_.sample, engines_.size(), memory});
}

void CopyEngineCore::take_forward(std::size_t which) {
  using End = CopyTraffic::End;
  const Engine& engine = engines_[which];
  const Copy& copy = *engine.copy;
  CopyTraffic traffic;
  traffic.from = copy.kind == CopyKind::kMemset ? End::kNone : reads_host(copy) ? End::kHost : End::kMemory;
  traffic.to = writes_host(copy) ? End::kHost : End::kMemory;
  traffic.pageable = is_staged_by_parts(copy);
  traffic.by_sms = is_sms(which);
  // The beginning ends when the packets in flight have turned over twice.
  const std::size_t packets = traffic.by_sms ? packets_.size() - config_.packets : config_.packets;
  forward_->take(which, copy, traffic, engine.next, 2 * packets * config_.packet);
}

void CopyEngineCore::end_passed_over(Cycle now) {
  forward_->go_to(now);
  for (std::size_t e = 0; e < engines_.size(); ++e) {
    if (!forward_->is_over(e, now)) continue;
    pass_over(engines_[e], engines_[e].copy->bytes);
    if (engines_[e].left > 0) forward_->drains(e);
    end_if_moved(e, now);
  }
}

void CopyEngineCore::go_on(Cycle now) {
  forward_->go_to(now);
  if (!forward_->decide(now)) return;
  for (std::size_t e = 0; e < engines_.size(); ++e) {
    if (!engines_[e].copy || !forward_->moves(e)) continue;
    pass_over(engines_[e], forward_->moved_to(e) / config_.packet * config_.packet);
    engines_[e].next = std::max(engines_[e].next, now);
  }
  const std::deque<PassedOver> all = forward_->take_passed_over();
  if (!passed_over.watched() || in_flight()) return;
  for (PassedOver bytes : all) {
    bytes.until = now;
    passed_over.note(bytes);
  }
}

/// Skips bytes up to `until`. Packets that have begun end by themselves.
void CopyEngineCore::pass_over(Engine& engine, Bytes until) {
  if (until <= engine.begun) return;
  const Bytes passed = until - engine.begun;
  engine.begun += passed;
  engine.left -= passed;
  statistics_.passed_over += passed;
}

std::vector<std::string> CopyEngineCore::waiting() const {
  std::vector<std::string> lines;
  for (std::size_t e = 0; e < engines_.size(); ++e) {
    const Engine& engine = engines_[e];
    if (!engine.copy) continue;
    lines.push_back((is_sms(e) ? "copy by SMs" : "copy engine " + std::to_string(e)) + ": " +
                    std::to_string(engine.copy->bytes - engine.left) + " of " + std::to_string(engine.copy->bytes) +
                    " bytes copied");
  }
  return lines;
}

GPUTLM_REGISTER { add_counter_table<CopyEngineStatistics>("copy engines", {"copying.engines"}); }

}  // namespace gputlm
