#include "models/work_distributor/application.h"

namespace gputlm {
namespace {

/// One application at a time, until it has no work left; then the one that has had work for longest, ties in order of
/// the workload (cuda-hierarchy, section I: "a non-preemptive FIFO, in which different applications can access the GPU in
/// a mutually exclusive manner").
class Exclusive final : public ApplicationPolicy {
 public:
  Turn next(const std::vector<Channel>& channels) override {
    std::size_t first = channels.size();
    for (std::size_t a = 0; a < channels.size(); ++a) {
      if (channels[a].has_work && (first == channels.size() || channels[a].since < channels[first].since)) first = a;
    }
    return {static_cast<ApplicationId>(first)};
  }
};

}  // namespace

GPUTLM_REGISTER {
  application_policies().add<Exclusive>({{"exclusive", 2},
                                         "One application at a time, until it has no work left, in order of arrival",
                                         "cuda-hierarchy, section I"});
}

}  // namespace gputlm
