#include "models/cache/replacement.h"

namespace gputlm {

ReplacementDecision& l1_replacements() {
  static ReplacementDecision all("L1 replacement", 6, "sm.l1.replacement");
  return all;
}

ReplacementDecision& l2_replacements() {
  static ReplacementDecision all("L2 replacement", 7, "l2.replacement");
  return all;
}

std::unique_ptr<Replacement> make_replacement(const ReplacementDecision& decision, const std::string& name,
                                              const ReplacementSetup& setup) {
  return decision.at(name).make(setup);
}

GPUTLM_REGISTER {
  for (ReplacementDecision* const decision : {&l1_replacements(), &l2_replacements()}) {
    decision->add(
        PolicyInfo{{"lru", 1}, "The line that was used least recently", "GPGPU-Sim and Accel-Sim, all caches"},
        [](const ReplacementSetup&) { return nullptr; });
  }
}

}  // namespace gputlm
