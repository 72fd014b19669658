#include "models/noc/flit_arbiter.h"

namespace gputlm {

ObjectDecision<FlitArbiter, FlitArbiterSetup>& flit_arbiters() {
  static ObjectDecision<FlitArbiter, FlitArbiterSetup> all("crossbar output", 12, "noc.arbiter");
  return all;
}

}  // namespace gputlm
