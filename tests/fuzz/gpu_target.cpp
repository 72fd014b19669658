#include <nlohmann/json.hpp>

#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "platform/run/check_fits.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/use.h"

namespace gputlm::fuzz {
namespace {

/// What has been read is written and read again: the same.
void attack_gpu(const std::string& text) {
  const GpuConfig config = parse_gpu(text, kName);
  validate(config, {kName, 0});
  const std::string written = to_json(config).dump(2);
  const GpuConfig again = parse_gpu(written, kName);
  validate(again, {kName, 0});
  require(to_json(again).dump(2) == written, "a GPU that is written and read again is another");
  check_memory(config, {kName, 0}, {}, {}, kMaxMemory);
  build_cores(config);
}

const Registration of_gpu{{"gpu", Grammar::kYaml, attack_gpu, {"platform/input/presets"}}};

}  // namespace
}  // namespace gputlm::fuzz
