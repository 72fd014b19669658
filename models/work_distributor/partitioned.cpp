#include <algorithm>

#include "models/work_distributor/application.h"

namespace gputlm {
namespace {

/// All applications at once, each a context of its own that may be kept to some of the SMs, or of the threads of each
/// (NVIDIA, "Multi-Process Service", execution resource provisioning). Those with a share of the SMs get consecutive
/// ones, in the order of the workload, each beginning behind those of the one before; when all are taken, with SM 0
/// again.
class Partitioned final : public ApplicationPolicy {
 public:
  explicit Partitioned(const ApplicationSetup& setup) {
    unsigned next = 0;
    for (const EngineShare& share : setup.shares) {
      ContextLimits limits;
      if (share.sm_percent) {
        limits.sms.reset();
        for (unsigned i = setup.sms * *share.sm_percent / 100; i > 0; --i) {
          limits.sms.set(next);
          next = next + 1 == setup.sms ? 0 : next + 1;
        }
      }
      if (share.thread_percent) limits.threads = setup.sm_threads * *share.thread_percent / 100;
      limits_.push_back(limits);
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
