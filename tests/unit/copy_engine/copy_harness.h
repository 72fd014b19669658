/// Copy engines between a host and two memories that answer after a fixed time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "models/copy_engine/core.h"
#include "tests/unit/sm/plain_items.h"

namespace gputlm::test {

inline constexpr Cycle kHop = 20;
inline constexpr Cycle kMemory = 100;
inline constexpr Cycle kPacket = 2 * (2 * kHop + kMemory);  ///< latency of a packet, which is read and then written
inline const Clock kClock(1000000);

/// What leaves an outbox comes back, or goes on, a hop later.
inline void carry(Outbox<Access>& from, std::deque<std::pair<Cycle, Access*>>& to, Cycle after) {
  for (const auto& departure : from.departures())
    to.emplace_back(departure.slot / from.width() + after, departure.item);
  from.departures().clear();
}
inline void deliver(std::deque<std::pair<Cycle, Access*>>& from, Inbox<Access>& to, Cycle until) {
  for (; !from.empty() && from.front().first < until; from.pop_front())
    to.push(from.front().first, *from.front().second);
}
template <class Receiver, class Sender>
void give_back(Receiver& receiver, Sender& sender) {
  std::sort(receiver.freed_slots().begin(), receiver.freed_slots().end());
  for (const Cycle at : receiver.freed_slots()) sender.credit(at + kHop, 1);
  receiver.freed_slots().clear();
}

inline const Link kNetwork{1, {1, 1, 64}, {1, 1, 64}};
inline const Link kWide{1, {1, 16, 1024}, {1, 16, 1024}};  ///< link of the SMs of a GPC
inline constexpr std::uint16_t kPlace = 7, kPlaceOfSms = 100;

class CopyHarness {
 public:
  /// `sms`: number of SMs of each GPC that make copies.
  explicit CopyHarness(const CopyEngineConfig& config, bool linked = true, const std::vector<unsigned>& sms = {})
      : map_(MemoryMapConfig{}, 4), of_sms_(sms.size()), core(config, around(linked, sms), accesses_),
        packets_of_sms(sms.size()) {}

  Copy& copy(CopyKind kind, Bytes bytes, Cycle at = 0, Address from = 0x10000, Address to = 0x80000000) {
    Copy& copy = *copies_.emplace_back(std::make_unique<Copy>());
    copy.kind = kind;
    copy.bytes = bytes;
    copy.from = from;
    copy.to = to;
    copy.command = static_cast<std::uint32_t>(copies_.size() - 1);
    wanted_.emplace_back(at, &copy);
    return copy;
  }
  bool run(const std::function<Cycle()>& window, Cycle limit = 1000000) {
    for (Cycle now = 0; now < limit;) {
      const Cycle until = now + window();
      for (; !wanted_.empty() && wanted_.front().first < until; wanted_.pop_front())
        core.copies().push(wanted_.front().first, *wanted_.front().second);
      deliver(device_, core.device_replies(), until);
      deliver(host_, core.host_replies(), until);
      for (std::size_t g = 0; g < of_sms_.size(); ++g) deliver(of_sms_[g], core.sm_replies(g), until);
      core.advance(until);
      look(core.device_requests(), kPlace);
      for (std::size_t g = 0; g < of_sms_.size(); ++g) {
        look(core.sm_requests(g), static_cast<std::uint16_t>(kPlaceOfSms + g));
        packets_of_sms[g] += core.sm_requests(g).departures().size();
        carry(core.sm_requests(g), of_sms_[g], 2 * kHop + kMemory);
        give_back(core.sm_replies(g), core.sm_requests(g));
      }
      for (const auto& departure : core.host_requests().departures())
        seen(departure.item->write ? host_written : host_read, *departure.item);
      carry(core.device_requests(), device_, 2 * kHop + kMemory);
      carry(core.host_requests(), host_, 2 * kHop + kMemory);
      give_back(core.device_replies(), core.device_requests());
      give_back(core.host_replies(), core.host_requests());
      for (const auto& departure : core.completions().departures()) {
        ended.push_back(departure.item->command);
        core.completions().credit(departure.slot + 2 * kHop, 1);
      }
      core.completions().departures().clear();
      core.copies().freed_slots().clear();
      now = until;
      if (ended.size() == copies_.size()) return accesses_.in_use() == 0;
    }
    return false;
  }
  bool run(Cycle limit = 1000000) {
    return run([] { return kHop; }, limit);
  }

 private:
  CopyEngineCore::Surroundings around(bool linked, const std::vector<unsigned>& sms) const {
    CopyEngineCore::Surroundings all{16, {kPlace, {40, 8}, kNetwork, map_}, linked ? std::optional(64u) : std::nullopt};
    for (const unsigned count : sms) {
      const auto place = static_cast<std::uint16_t>(kPlaceOfSms + all.sms.size());
      all.sms.push_back({{place, {40, 8}, kWide, map_}, count});
    }
    return all;
  }
  void look(Outbox<Access>& requests, std::uint16_t source) {
    for (const auto& departure : requests.departures()) {
      const Access& access = *departure.item;
      EXPECT_EQ(access.address / kLineBytes, (access.address + access.bytes - 1) / kLineBytes) << "leaves its line";
      EXPECT_EQ(access.source, source);
      seen(access.write ? device_written : device_read, access);
    }
  }
  static void seen(std::map<Address, unsigned>& bytes, const Access& access) {
    for (Address a = access.address; a < access.address + access.bytes; ++a) ++bytes[a];
  }

  MemoryMap map_;
  PlainItems<Access> accesses_;
  std::vector<std::unique_ptr<Copy>> copies_;
  std::deque<std::pair<Cycle, Copy*>> wanted_;
  std::deque<std::pair<Cycle, Access*>> device_, host_;
  std::vector<std::deque<std::pair<Cycle, Access*>>> of_sms_;

 public:
  CopyEngineCore core;
  std::vector<std::size_t> packets_of_sms;  ///< number of accesses by SMs of each GPC
  std::vector<std::uint32_t> ended;
  std::map<Address, unsigned> device_read, device_written, host_read, host_written;  ///< how often each byte was
};

/// Two default packets of 256 bytes are under way on an SM.
inline CopyEngineConfig two_packets_on_an_sm() {
  CopyEngineConfig config;
  config.sm_bytes = 512;
  config.sm_setup = 700;
  return config;
}

}  // namespace gputlm::test
