#include "platform/input/preset.h"
#include "platform/input/workload_file.h"
#include "platform/run/check_fits.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/use.h"

namespace gputlm::fuzz {
namespace {

void attack_workload(const std::string& text) {
  static const GpuConfig gpu = load_gpu(kDefaultGpu);
  const Workload workload = load_workload_text(text, kName, 1);
  check_fits(gpu, workload);
  check_memory(gpu, {kDefaultGpu, 0}, {}, workload, kMaxMemory);
  without_effect(gpu, workload);
  use(workload);
}

const Registration of_workload{{"workload", Grammar::kYaml, attack_workload, {"workloads"}, "tests/integration"}};

}  // namespace
}  // namespace gputlm::fuzz
