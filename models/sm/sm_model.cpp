#include "models/sm/sm_model.h"

namespace gputlm {

Decision<std::function<std::unique_ptr<SmModel>(SmModelSetup)>>& sm_models() {
  static Decision<std::function<std::unique_ptr<SmModel>(SmModelSetup)>> all("SM model", 7, "sm.model");
  return all;
}

}  // namespace gputlm
