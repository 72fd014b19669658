#include "models/copy_engine/core.h"

#include <algorithm>

#include "tlm/counter_table.h"
#include "tlm/error.h"

namespace gputlm {

CopyEngineCore::CopyEngineCore(const CopyEngineConfig& config, const Surroundings& around, AccessSource& accesses)
    : config_(config), network_(around.network), linked_(around.host_queue.has_value()), source_(accesses),
      // A packet that is not aligned touches a line more than it holds.
      device_{Outbox<Access>(around.network.link.request.width, around.network.link.request.queue),
              Inbox<Access>(around.network.link.response.queue),
              Ring<Request>(config.packets * (config.packet / kLineBytes + 1))},
      host_{Outbox<Access>(1, around.host_queue.value_or(1)), Inbox<Access>(around.host_queue.value_or(1)),
            Ring<Request>(config.packets)},
      engines_(config.engines), packets_(config.packets) {
  clients_.reserve(around.clients);  // ports refer to them
  for (unsigned c = 0; c < around.clients; ++c) {
    const unsigned most = around.copies_in_flight;
    clients_.push_back({Inbox<Copy>(most), Outbox<Copy>(1, most), Ring<Copy*>(most)});
  }
  for (unsigned p = config.packets; p > 0; --p) free_packets_.push_back(static_cast<std::uint16_t>(p - 1));
}

Cycle CopyEngineCore::advance(Cycle until) {
  while (true) {
    const Cycle now = next();
    if (now >= until) return now;
    take_replies(device_, now);
    take_replies(host_, now);
    take_copies(now);
    begin_packets(now);
    send(device_, false, now);
    send(host_, true, now);
    for (Client& client : clients_) {
      if (client.next_completion() > now) continue;
      client.completions.send(now, *client.ended.pop());
      client.copies.freed(now);
    }
  }
}

Cycle CopyEngineCore::next() const {
  Cycle next = std::min(device_.replies.next(), host_.replies.next());
  const bool free = engine_free();
  for (const Client& client : clients_) {
    next = std::min(next, client.next_completion());
    if (free) next = std::min(next, client.copies.next());
  }
  if (!free_packets_.empty()) {
    for (const Engine& engine : engines_) {
      if (engine.copy && engine.begun < engine.copy->bytes) next = std::min(next, engine.next);
    }
  }
  for (const Memory* memory : {&device_, &host_}) {
    if (!memory->pending.empty()) next = std::min(next, memory->requests.ready_at());
  }
  return next;
}

bool CopyEngineCore::engine_free() const {
  return std::any_of(engines_.begin(), engines_.end(), [](const Engine& e) { return !e.copy; });
}

CopyEngineCore::Client& CopyEngineCore::next_client() {
  return *std::min_element(clients_.begin(), clients_.end(),
                           [](const Client& a, const Client& b) { return a.copies.next() < b.copies.next(); });
}

void CopyEngineCore::take_copies(Cycle now) {
  for (Engine& engine : engines_) {
    Client& client = next_client();
    if (engine.copy || !client.copies.ready(now)) continue;
    const Cycle arrived = client.copies.next();
    Copy& copy = client.copies.take();
    if (copy.bytes == 0) throw InputError("a transaction came to the copy engines that is no copy");
    copy.arrived = arrived;
    copy.started = now;
    copy.engine = static_cast<std::uint16_t>(&engine - engines_.data());
    engine = {&client, &copy, 0, copy.bytes, now + config_.setup, 0};
  }
}

void CopyEngineCore::begin_packets(Cycle now) {
  // By turns, which go on where they ended: where packets are scarce, an engine must not keep the others out.
  const std::size_t first = turn_;
  for (std::size_t i = 0; i < engines_.size() && !free_packets_.empty(); ++i) {
    const std::size_t e = (first + i) % engines_.size();
    const Engine& engine = engines_[e];
    if (!engine.copy || engine.next > now || engine.begun == engine.copy->bytes) continue;
    begin_packet(e, now);
    turn_ = (e + 1) % engines_.size();
  }
}

void CopyEngineCore::begin_packet(std::size_t which, Cycle now) {
  Engine& engine = engines_[which];
  const Copy& copy = *engine.copy;
  const std::uint16_t slot = free_packets_.back();
  free_packets_.pop_back();
  const Bytes bytes = std::min(config_.packet, copy.bytes - engine.begun);
  packets_[slot] = {static_cast<std::uint16_t>(which), 0, copy.kind == CopyKind::kMemset, copy.to + engine.begun,
                    bytes};
  if (copy.kind == CopyKind::kMemset) {
    request(slot, false, packets_[slot].to, bytes, true);
  } else {
    request(slot, reads_host(copy), copy.from + engine.begun, bytes, false);
  }
  engine.begun += bytes;
  const bool host = copy.kind == CopyKind::kHostToDevice || copy.kind == CopyKind::kDeviceToHost;
  const Bytes rate = host && copy.pageable ? config_.pageable_bytes_per_cycle : config_.bytes_per_cycle;
  engine.next = std::max(engine.next, now) + (bytes + rate - 1) / rate;
  if (copy.undisturbed) pass_over_the_middle(engine, now);
}

/// What the first half of the detail has to get into its stride, the second half measures. Then the engine rests for as
/// long as the middle would take, and does the end again packet by packet, so that caches are left as they would be.
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
  Memory& memory = host ? host_ : device_;
  Packet& packet = packets_[slot];
  for (const Address end = address + bytes; address < end;) {
    const Bytes piece = host ? bytes : std::min(end - address, kLineBytes - address % kLineBytes);
    memory.pending.push({slot, static_cast<std::uint16_t>(piece), write, address});
    ++packet.outstanding;
    address += piece;
  }
}

void CopyEngineCore::send(Memory& memory, bool host, Cycle now) {
  if (memory.pending.empty() || memory.requests.ready_at() > now) return;
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
  if (!host) network_.address(access);
  Bytes& counter = host ? (request.write ? statistics_.host_written : statistics_.host_read)
                        : (request.write ? statistics_.device_written : statistics_.device_read);
  counter += request.bytes;
  memory.requests.send(now, access);
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
  Engine& engine = engines_[packets_[slot].engine];
  engine.left -= packets_[slot].bytes;
  free_packets_.push_back(slot);
  if (engine.left > 0) return;
  engine.copy->ended = now;
  if (copies_moved.watched()) {
    copies_moved.note({*engine.copy, static_cast<unsigned>(engine.client - clients_.data())});
  }
  engine.client->ended.push(engine.copy);
  ++statistics_.copies;
  engine.copy = nullptr;
}

std::vector<std::string> CopyEngineCore::waiting() const {
  std::vector<std::string> lines;
  for (std::size_t e = 0; e < engines_.size(); ++e) {
    const Engine& engine = engines_[e];
    if (!engine.copy) continue;
    lines.push_back("copy engine " + std::to_string(e) + ": " + std::to_string(engine.copy->bytes - engine.left) +
                    " of " + std::to_string(engine.copy->bytes) + " bytes copied");
  }
  return lines;
}

GPUTLM_REGISTER { add_counter_table<CopyEngineStatistics>("copy engines", {"copying.engines"}); }

}  // namespace gputlm
