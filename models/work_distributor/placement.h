/// Placement: which SM gets the next block.
#pragma once

#include <bitset>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/work_distributor/resources.h"
#include "tlm/access.h"

namespace gputlm {

inline constexpr std::size_t kMaxSms = 256;
using SmSet = std::bitset<kMaxSms>;

/// The policy. It is asked for each block and sees the SMs as they are then.
class Placement {
 public:
  virtual ~Placement() = default;
  /// SM for a block, out of those in `allowed`; none if it fits on none of them. Changes nothing.
  virtual std::optional<SmId> choose(const BlockDemand& demand, const std::vector<Resources>& free,
                                     const SmSet& allowed) const = 0;
  /// The choice was carried out.
  virtual void placed(SmId sm) = 0;
  /// The GPU is idle: no kernel is in flight.
  virtual void idle() = 0;
};

/// Order in which SMs are preferred among equals, by name: `ascending`, or `evens_then_odds` (most-room, section 4.3).
/// Throws InputError for another name.
std::vector<SmId> sm_order(const std::string& name, unsigned sms);

/// Makes the policy called `name` for SMs in order of preference. Throws InputError if there is none.
std::unique_ptr<Placement> make_placement(const std::string& name, std::vector<SmId> order);
std::vector<std::string> placement_names();

std::unique_ptr<Placement> make_most_room(std::vector<SmId> order);
std::unique_ptr<Placement> make_round_robin(std::vector<SmId> order);

}  // namespace gputlm
