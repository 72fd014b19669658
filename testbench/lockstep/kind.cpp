#include "testbench/lockstep/kind.h"

namespace gputlm {

Registry<DesignKind>& design_kinds() {
  static Registry<DesignKind> all("kind of RTL that can be checked");
  return all;
}

Registry<BuiltInDesign>& built_in_designs() {
  static Registry<BuiltInDesign> all("design of this program");
  return all;
}

std::string model_of(const std::string& policy) { return policy.substr(0, policy.find('@')); }

unsigned bits_to_name(unsigned count) { return count > 2 ? 32 - static_cast<unsigned>(__builtin_clz(count - 1)) : 1; }

}  // namespace gputlm
