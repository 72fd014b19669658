/// Placement: which SM gets the next block.
#pragma once

#include <bitset>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/policy.h"
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

/// Orders in which SMs are preferred among equals (most-room, section 4.3); each takes the number of SMs.
const std::vector<Policy<std::vector<SmId> (*)(unsigned)>>& sm_orders();
/// The order called `name`. Throws InputError if there is none.
std::vector<SmId> sm_order(const std::string& name, unsigned sms);

/// All policies; each is made for SMs in order of preference.
const std::vector<Policy<std::unique_ptr<Placement> (*)(std::vector<SmId>)>>& placements();
/// Makes the policy called `name`. Throws InputError if there is none.
std::unique_ptr<Placement> make_placement(const std::string& name, std::vector<SmId> order);

std::unique_ptr<Placement> make_most_room(std::vector<SmId> order);
std::unique_ptr<Placement> make_round_robin(std::vector<SmId> order);

}  // namespace gputlm
