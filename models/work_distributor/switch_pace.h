/// The time that blocks take to leave their SMs or to come back, learnt from switches whose state was moved in packets: if
/// nothing else uses the memory, a switch takes as long as one that moved as much from as many SMs.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "tlm/context_switch.h"

namespace gputlm {

class SwitchPace {
 public:
  /// A switch begins on `sms` SMs, which move `bytes` of state together. Returns ContextSwitch::pace of each of them.
  std::uint32_t begin(bool brings_back, unsigned sms, Bytes bytes);
  /// An SM has done it.
  void done(const ContextSwitch& command);

 private:
  /// Number of switches moved in packets before the pace counts as known: the first finds an L2 without any state.
  static constexpr unsigned kSample = 3;

  struct Situation {
    unsigned switches = 0;
    Bytes bytes = 0;  ///< bytes that SMs have moved, and the cycles that they took
    Cycle cycles = 0;
  };
  /// Whether blocks come back; SMs and bytes, in steps of an eighth of a power of two.
  using Key = std::tuple<bool, unsigned, unsigned>;

  std::map<Key, Situation> situations_;
  Situation* now_ = nullptr;  ///< situation of the switch in progress
};

}  // namespace gputlm
