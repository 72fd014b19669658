#include "models/work_distributor/application.h"

namespace gputlm {
namespace {

/// No policy stands above the kernel order: all applications form one context, as the streams of one application do. This
/// is the case that srtf and most-room study.
class Concurrent final : public ApplicationPolicy {
 public:
  bool together() const override { return true; }
};

}  // namespace

GPUTLM_REGISTER {
  application_policies().add<Concurrent>({{"concurrent", 1},
                                          "All applications are one context: only the kernel order tells them apart",
                                          "srtf, section 5; most-room, section 5",
                                          {Property::kOneContext}});
}

}  // namespace gputlm
