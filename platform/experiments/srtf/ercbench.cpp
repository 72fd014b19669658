#include "platform/experiments/srtf/ercbench.h"

#include "models/kernel/program_kernel.h"
#include "platform/input/nearest.h"
#include "platform/lab/embedded_program.h"
#include "platform/lab/reference.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

constexpr Address kInstanceBytes = Address{1} << 40;

ErcbenchKernel kernel_of(const std::string& name, const std::string& short_name, const std::string& file) {
  const auto fact = [&](const char* key) { return reference("srtf").number("kernels." + name + "." + key); };
  return {name,
          short_name,
          file,
          static_cast<unsigned>(fact("residency")),
          static_cast<unsigned>(fact("threads")),
          static_cast<std::uint64_t>(fact("blocks")),
          static_cast<Cycle>(fact("runtime")),
          static_cast<Cycle>(fact("mean_t")),
          fact("rsd_percent")};
}

}  // namespace

const std::array<ErcbenchKernel, 8>& ercbench() {
  static const std::array<ErcbenchKernel, 8> kernels{kernel_of("AES-d", "AES-d", "aes-d"),
                                                     kernel_of("AES-e", "AES-e", "aes-e"),
                                                     kernel_of("ImageDenoising-nlm2", "NLM2", "nlm2"),
                                                     kernel_of("JPEG-d", "JPEG-d", "jpeg-d"),
                                                     kernel_of("JPEG-e", "JPEG-e", "jpeg-e"),
                                                     kernel_of("RayTracing", "Ray", "raytracing"),
                                                     kernel_of("SAD", "SAD", "sad"),
                                                     kernel_of("SHA1", "SHA1", "sha1")};
  return kernels;
}

std::size_t ercbench_index(const std::string& short_name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < ercbench().size(); ++i) {
    if (ercbench()[i].short_name == short_name) return i;
    names.push_back(ercbench()[i].short_name);
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
