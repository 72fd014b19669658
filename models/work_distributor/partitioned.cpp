#include "models/work_distributor/application.h"
#include "models/work_distributor/sm_share.h"

namespace gputlm {
namespace {

/// All applications at once, each in a context of its own that may be confined to some SMs, or to some threads of each SM
/// (NVIDIA, "Multi-Process Service", execution resource provisioning; CUDA Driver API, "Green Contexts"). Contexts with a share
/// of the SMs get consecutive SMs: first green contexts, as no two of them share an SM, with the remainder of the split behind
/// its groups, then the others. Both follow the order of the workload; each begins behind the SMs of the one before, or with
/// SM 0 again when all are taken.
class Partitioned final : public ApplicationPolicy {
 public:
  using Options = SmGranularity;

  Partitioned(const ApplicationSetup& setup, const Options& options) : limits_(setup.shares.size()) {
    const auto shares = sm_shares(setup.shares, setup.sms, options);
    unsigned next = 0;
    for (unsigned turn = 0; turn < 3; ++turn) {
      for (std::size_t a = 0; a < limits_.size(); ++a) {
        if (!shares[a] || turn_of(*shares[a]) != turn) continue;
        SmSet& sms = limits_[a].sms.reset();
        for (unsigned i = shares[a]->given; i > 0; --i) {
          sms.set(next);
          next = next + 1 == setup.sms ? 0 : next + 1;
        }
      }
    }
    for (std::size_t a = 0; a < limits_.size(); ++a) {
      const EngineShare& share = setup.shares[a];
      if (share.thread_percent) limits_[a].threads = setup.sm_threads * *share.thread_percent / 100;
      limits_[a].client_priority = share.mps_priority.value_or(0);
    }
  }
  bool together() const override { return true; }
  ContextLimits limits(ApplicationId application) const override {
    return application < limits_.size() ? limits_[application] : ContextLimits{};
  }

 private:
  static unsigned turn_of(const SmShare& share) { return !share.alone ? 2 : share.rest ? 1 : 0; }

  std::vector<ContextLimits> limits_;
};

}  // namespace

GPUTLM_REGISTER {
  application_policies().add<Partitioned>(
      {{"partitioned", 4},
       "All at once, each confined to its share of the SMs and of their threads (MPS)",
       "NVIDIA, Multi-Process Service",
       {Property::kHeedsShares}});
}

}  // namespace gputlm
