/// Kernel order: which kernel's block goes next, where it may go, and how many may be there.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "models/policy.h"
#include "models/work_distributor/placement.h"
#include "tlm/launch.h"

namespace gputlm {

/// A kernel in flight.
struct KernelState {
  KernelLaunch* launch = nullptr;
  SmSet sms = SmSet().set();       ///< of its partition: its blocks may go nowhere else
  Placement* placement = nullptr;  ///< of its partition
  BlockDemand demand;
  std::uint64_t blocks = 0;      ///< of the grid
  std::uint64_t dispatched = 0;  ///< blocks sent to SMs; the next one has this number
  std::uint64_t ended = 0;
  std::vector<std::uint16_t> resident;  ///< blocks on each SM
  SmSet visited;                        ///< SMs that have got a block
  bool all_dispatched() const { return dispatched == blocks; }
};

/// "The next block may be one of this kernel, on these SMs, where fewer than `residency_limit` of its blocks are."
struct Offer {
  std::size_t kernel = 0;  ///< index into the kernels in flight
  SmSet sms;
  unsigned residency_limit = std::numeric_limits<unsigned>::max();
};

/// The policy.
class KernelOrder {
 public:
  virtual ~KernelOrder() = default;
  /// Appends offers to `offers` (empty), most preferred first; the first that placement can carry out is. `kernels`
  /// are those in flight, in order of arrival. Only kernels with blocks left to dispatch may be offered, and only
  /// SMs of their partitions.
  virtual void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const = 0;
};

/// All policies.
const std::vector<Policy<std::unique_ptr<KernelOrder> (*)()>>& kernel_orders();
/// Makes the policy called `name`. Throws InputError if there is none.
std::unique_ptr<KernelOrder> make_kernel_order(const std::string& name);

std::unique_ptr<KernelOrder> make_leftover();

}  // namespace gputlm
