/// How long it takes that blocks leave their SMs or come back, learnt from switches whose state was moved in packets: where
/// nothing else is in the memory, a switch takes as long as one that moved as much from as many SMs.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "tlm/context_switch.h"

namespace gputlm {

class SwitchPace {
 public:
  /// A switch begins on `sms` SMs, which move `bytes` of state together. What ContextSwitch::pace is of each of them.
  std::uint32_t begin(bool brings_back, unsigned sms, Bytes bytes);
  /// An SM has done it.
  void done(const ContextSwitch& command);

 private:
  /// Moved in packets before the pace counts as known: the first of them met an L2 without any state.
  static constexpr unsigned kSample = 3;

  struct Situation {
    unsigned switches = 0;
    Bytes bytes = 0;  ///< of each SM, and how long it took
    Cycle cycles = 0;
  };
  /// Whether blocks come back; SMs and bytes, in steps of an eighth of a power of two.
  using Key = std::tuple<bool, unsigned, unsigned>;

  std::map<Key, Situation> situations_;
  Situation* now_ = nullptr;  ///< of the switch under way
};

}  // namespace gputlm
