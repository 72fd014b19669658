#include "models/regulator/regulator.h"

namespace gputlm {

ObjectDecision<BandwidthRegulator, RegulatorSetup>& bandwidth_regulators() {
  static ObjectDecision<BandwidthRegulator, RegulatorSetup> all("bandwidth regulator", 20, "noc.regulator");
  return all;
}

Decision<RegulatorPlace>& regulator_places() {
  static Decision<RegulatorPlace> all("regulator place", 21, "noc.regulator_place");
  return all;
}

GPUTLM_REGISTER {
  const char* const source = "beyond the papers: docs/isolation.md";
  regulator_places().add({{"sm_port", 1},
                          "Where an SM's requests enter its GPC's port: each SM that the application may use has an "
                          "equal part of its budget",
                          source},
                         RegulatorPlace::kSmPort);
  regulator_places().add(
      {{"l2", 2}, "Where requests enter an L2 slice: each slice has an equal part of the budget", source},
      RegulatorPlace::kL2);
}

}  // namespace gputlm
