#include "platform/experiments/cuda_hierarchy/same_sm_rule.h"

#include <algorithm>

#include "models/work_distributor/placement.h"

namespace gputlm {
namespace {

/// A few SMs with some warps taken, and the policy under test.
class Bench {
 public:
  Bench(const std::string& placement, unsigned mw)
      : mw_(mw), policy_(make_placement(placement, {sm_order("ascending", kSms)})), free_(kSms) {
    for (unsigned sm = 0; sm < kSms; ++sm) all_.set(sm);
  }

  /// Whether a block of y warps goes to `sm` if that has `there` warps and every other SM `elsewhere`.
  bool goes_to(SmId sm, unsigned there, unsigned elsewhere, unsigned y) {
    for (SmId i = 0; i < kSms; ++i) free_[i] = warps(mw_ - (i == sm ? there : elsewhere), mw_);
    BlockDemand demand;
    demand.takes = warps(y, 1);
    return policy_->choose(demand, free_, all_) == sm;
  }

  static constexpr SmId kFirst = 0, kLast = 3;

 private:
  static constexpr unsigned kSms = 4;

  static Resources warps(unsigned n, unsigned blocks) {
    Resources r;
    r.threads = n * static_cast<unsigned>(kWarpSize);
    r.warps = n;
    r.blocks = blocks;
    return r;
  }

  unsigned mw_;
  std::unique_ptr<Placement> policy_;
  std::vector<Resources> free_;
  SmSet all_;
};

}  // namespace

bool equation2(unsigned mw, unsigned x, unsigned y) { return mw - x >= ((mw - y) / y + 1) * y; }

bool equation3(unsigned mw, unsigned z, unsigned x, unsigned y) { return (mw - z) - x >= ((mw - z - y) / y + 1) * y; }

bool equation4(unsigned mw, unsigned z, unsigned x, unsigned y) {
  const unsigned largest = (mw - x) / y * y;
  return mw - z < largest && largest <= mw - x;
}

std::size_t sm_by_equation3(const std::vector<unsigned>& warps, unsigned mw, unsigned y) {
  const unsigned z = *std::min_element(warps.begin(), warps.end());
  const auto found =
      std::find_if(warps.begin(), warps.end(), [&](unsigned here) { return equation3(mw, z, here - z, y); });
  return static_cast<std::size_t>(found - warps.begin());  // the SM with the fewest warps always qualifies
}

Count policy_follows_equation2(const std::string& placement, unsigned mw) {
  Bench bench(placement, mw);
  Count count;
  for (unsigned x = 1; x <= mw; ++x) {
    for (unsigned y = 1; y <= mw; ++y) count.add(bench.goes_to(Bench::kFirst, x, 0, y) == equation2(mw, x, y));
  }
  return count;
}

Count policy_follows_equation3(const std::string& placement, unsigned mw) {
  Bench bench(placement, mw);
  Count count;
  for (unsigned z = 0; z < mw; ++z) {
    for (unsigned x = 1; x <= mw - z; ++x) {
      for (unsigned y = 1; y <= mw - z; ++y) {
        count.add(bench.goes_to(Bench::kFirst, z + x, z, y) == equation3(mw, z, x, y));
      }
    }
  }
  return count;
}

Count policy_follows_equation4(const std::string& placement, unsigned mw) {
  Bench bench(placement, mw);
  Count count;
  for (unsigned z = 1; z <= mw; ++z) {
    for (unsigned x = 1; x <= mw; ++x) {
      // The SM left idle by the first kernel is the last one in the GPU's order.
      for (unsigned y = 1; y <= mw - std::min(x, z); ++y) {
        count.add(bench.goes_to(Bench::kLast, x, z, y) == equation4(mw, z, x, y));
      }
    }
  }
  return count;
}

}  // namespace gputlm
