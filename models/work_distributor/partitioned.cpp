#include "models/work_distributor/application.h"
#include "models/work_distributor/sm_share.h"

namespace gputlm {
namespace {

/// All applications at once, each a context of its own that may be kept to some of the SMs, or of the threads of each
/// (NVIDIA, "Multi-Process Service", execution resource provisioning; CUDA Driver API, "Green Contexts"). Those with a share
/// of the SMs get consecutive ones: green contexts first, as no two of them have an SM together, then the others, each in
/// the order of the workload and beginning behind those of the one before; when all are taken, with SM 0 again.
class Partitioned final : public ApplicationPolicy {
 public:
  using Options = SmGranularity;

  Partitioned(const ApplicationSetup& setup, const Options& options) : limits_(setup.shares.size()) {
    unsigned next = 0;
    for (const bool alone : {true, false}) {
      for (std::size_t a = 0; a < limits_.size(); ++a) {
        const auto share = sm_share(setup.shares[a], setup.sms, options);
        if (!share || share->alone != alone) continue;
        SmSet& sms = limits_[a].sms.reset();
        for (unsigned i = share->given; i > 0; --i) {
          sms.set(next);
          next = next + 1 == setup.sms ? 0 : next + 1;
        }
      }
    }
    for (std::size_t a = 0; a < limits_.size(); ++a) {
      const auto percent = setup.shares[a].thread_percent;
      if (percent) limits_[a].threads = setup.sm_threads * *percent / 100;
    }
  }
  bool together() const override { return true; }
  ContextLimits limits(ApplicationId application) const override {
    return application < limits_.size() ? limits_[application] : ContextLimits{};
  }

 private:
  std::vector<ContextLimits> limits_;
};

}  // namespace

GPUTLM_REGISTER {
  application_policies().add<Partitioned>({{"partitioned", 4},
                                           "All at once, each kept to its share of the SMs and of their threads (MPS)",
                                           "NVIDIA, Multi-Process Service",
                                           {Property::kHeedsShares}});
}

}  // namespace gputlm
