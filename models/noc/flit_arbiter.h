/// The decision at an output of the crossbar: of which input a packet leaves next, all flits of it one behind the other.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "models/noc/input_turn.h"
#include "models/policy/policy.h"
#include "tlm/time.h"

namespace gputlm {

/// Applications that an arbiter tells apart: by number modulo this.
inline constexpr unsigned kArbitratedApplications = 8;

/// The first packet of an input, of those for the output.
struct FlitHead {
  Cycle issued =
      0;  ///< when a unit has issued the access, in cycles of FlitHeads::now; a reply has that of its request
  std::uint16_t flits = 1;
  std::uint8_t application = 0;  ///< below kArbitratedApplications
  std::uint32_t arrival = 0;     ///< lower half of the cycle in which it came to the switch
};

/// What waits for the output.
struct FlitHeads {
  InputSet inputs;        ///< that have a packet; some do
  const FlitHead* heads;  ///< by input; of the others they mean nothing
  Cycle now;

  template <class Visit>
  void for_each(Visit visit) const {
    for (unsigned word = 0; word < inputs.size(); ++word) {
      for (std::uint64_t left = inputs[word]; left != 0; left &= left - 1) {
        const unsigned input = word * 64 + static_cast<unsigned>(__builtin_ctzll(left));
        visit(input, heads[input]);
      }
    }
  }
};

class FlitArbiter : public PolicyObject {
 public:
  /// With a guard around it: for policies of plugins (models/policy/seam.h).
  static std::unique_ptr<FlitArbiter> guarded(std::unique_ptr<FlitArbiter> policy, const PolicySeam& seam);
  /// One of the inputs that have a packet. Asked when the link is free and the receiver has room.
  virtual unsigned next(const FlitHeads& heads) const = 0;
  /// The packet `head` of `input`, which was next, leaves.
  virtual void served(unsigned input, const FlitHead& head) = 0;
};

/// What a policy is made for.
struct FlitArbiterSetup {
  unsigned inputs = 8;         ///< of the switch, at most kMaxSwitchInputs
  PolicyOptions options = {};  ///< NocConfig::options
};

/// All policies.
ObjectDecision<FlitArbiter, FlitArbiterSetup>& flit_arbiters();

/// The policy that every output has built in (OutputQueue), where it takes no call.
inline constexpr const char* kRoundRobin = "round_robin";

/// A policy and its options.
struct FlitArbitration {
  std::string policy = kRoundRobin;
  PolicyOptions options = {};
  std::optional<ClockChange> issued = {};  ///< of Access::issued, where the networks have another clock than the SMs
};

}  // namespace gputlm
