#include <sstream>

#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "platform/run/check_fits.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/use.h"

namespace gputlm::fuzz {
namespace {

/// Each line is what follows a `--set`. What has been set is what is shown, in a form that sets it again.
void attack_settings(const std::string& text) {
  static const GpuConfig gpu = load_gpu(kDefaultGpu);
  GpuConfig config = gpu;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) set_assignment(config, line);
  validate(config, {"--set", 0});
  GpuConfig again = gpu;
  for (const Parameter& parameter : parameters())
    set_assignment(again, parameter.name + "=" + parameter_text(parameter, config));
  for (const Parameter& parameter : parameters()) {
    require(parameter_text(parameter, again) == parameter_text(parameter, config),
            parameter.name + " is not what it has been set to");
  }
  check_memory(config, {"--set", 0}, {}, {}, kMaxMemory);
  build_cores(config);
}

const Registration of_settings{{"settings", Grammar::kLines, attack_settings}};

}  // namespace
}  // namespace gputlm::fuzz
