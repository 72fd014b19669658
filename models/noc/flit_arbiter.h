/// The decision at an output of the crossbar: which input's packet leaves next, with all its flits in a row.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "models/noc/input_turn.h"
#include "models/policy/policy.h"
#include "tlm/base/time.h"

namespace gputlm {

/// Number of applications that an arbiter distinguishes: by their number modulo this.
inline constexpr unsigned kArbitratedApplications = 8;

/// The first packet of an input for the output.
struct FlitHead {
  Cycle issued =
      0;  ///< cycle in which a unit issued the access, in the clock of FlitHeads::now; for a reply, its request
  std::uint16_t flits = 1;
  std::uint8_t application = 0;  ///< number of the application, below kArbitratedApplications
  std::uint32_t arrival = 0;     ///< lower half of the cycle of arrival at the switch
};

/// The packets that wait for the output.
struct FlitHeads {
  InputSet inputs;        ///< inputs with a packet; not empty
  const FlitHead* heads;  ///< indexed by input; meaningless for other inputs
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
  /// Wraps a policy of a plugin in a guard (models/policy/seam.h).
  static std::unique_ptr<FlitArbiter> guarded(std::unique_ptr<FlitArbiter> policy, const PolicySeam& seam);
  /// Returns one of the inputs with a packet. Called when the link is free and the receiver has room.
  virtual unsigned next(const FlitHeads& heads) const = 0;
  /// The packet `head` of `input`, which was next, leaves.
  virtual void served(unsigned input, const FlitHead& head) = 0;
};

/// The parameters of a policy.
struct FlitArbiterSetup {
  unsigned inputs = 8;         ///< number of inputs of the switch, at most kMaxSwitchInputs
  PolicyOptions options = {};  ///< NocConfig::options
};

/// All policies.
ObjectDecision<FlitArbiter, FlitArbiterSetup>& flit_arbiters();

/// The policy that is built into every output (OutputQueue) and takes no call.
inline constexpr const char* kRoundRobin = "round_robin";

/// A policy and its options.
struct FlitArbitration {
  std::string policy = kRoundRobin;
  PolicyOptions options = {};
  std::optional<ClockChange> issued = {};  ///< conversion of Access::issued, if networks and SMs have different clocks
};

}  // namespace gputlm
