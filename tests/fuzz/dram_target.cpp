#include "platform/input/preset.h"
#include "platform/run/check_fits.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/use.h"
#include "tlm/base/error.h"

namespace gputlm::fuzz {
namespace {

void attack_dram(const std::string& text) {
  GpuConfig config = load_gpu(kDefaultGpu);
  config.dram = parse_dram(text, kName);
  if (const std::string what = contradiction(config.dram); !what.empty()) throw InputError(kName, 0, what);
  check_memory(config, {kName, 0}, {}, {}, kMaxMemory);
  build_cores(config);
}

const Registration of_dram{{"dram", Grammar::kYaml, attack_dram, {"platform/input/presets/dram"}}};

}  // namespace
}  // namespace gputlm::fuzz
