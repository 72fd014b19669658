#include "platform/experiments/srtf/ercbench.h"

#include <algorithm>

#include "models/kernel/program_kernel.h"
#include "platform/input/nearest.h"
#include "platform/lab/embedded_program.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

constexpr Address kInstanceBytes = Address{1} << 40;

}  // namespace

std::size_t ercbench_index(const std::string& short_name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kErcbench.size(); ++i) {
    if (kErcbench[i].short_name == short_name) return i;
    names.emplace_back(kErcbench[i].short_name);
  }
  throw InputError("there is no ERCBench kernel '" + short_name + "'" + suggestion(short_name, names));
}

ProgramSpec ercbench_program(const ErcbenchKernel& kernel, std::uint64_t most_blocks, unsigned instance) {
  ProgramSpec spec =
      embedded_program(ercbench_sources(), "workloads/ercbench", kernel.file, (instance + 1) * kInstanceBytes);
  if (most_blocks != 0 && spec.grid.count() > most_blocks) spec.grid = {static_cast<std::uint32_t>(most_blocks)};
  return spec;
}

std::shared_ptr<Kernel> ercbench_kernel(const ErcbenchKernel& kernel, std::uint64_t seed, std::uint64_t most_blocks,
                                        unsigned instance) {
  return std::make_shared<ProgramKernel>(ercbench_program(kernel, most_blocks, instance), seed);
}

}  // namespace gputlm
