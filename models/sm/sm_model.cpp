#include "models/sm/sm_model.h"

namespace gputlm {

Decision<std::function<std::unique_ptr<SmModel>(SmModelSetup)>>& sm_models() {
  static Decision<std::function<std::unique_ptr<SmModel>(SmModelSetup)>> all("SM model", 7, "sm.model");
  return all;
}

bool sends_accesses(const std::string& model) {
  const PolicyInfo& info = sm_models().at(model);
  return !info.has(Property::kNeedsDurations) || info.has(Property::kSendsRequests);
}

}  // namespace gputlm
