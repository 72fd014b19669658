/// The eight ERCBench kernels of srtf (tables 2 and 3), as the program carries them: workloads/ercbench/*.yaml.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/kernel/kernel.h"
#include "models/kernel/program.h"
#include "platform/input/preset.h"
#include "tlm/time.h"

namespace gputlm {

struct ErcbenchKernel {
  const char* name;        ///< in the paper's tables
  const char* short_name;  ///< in ours
  const char* file;        ///< workloads/ercbench/FILE.yaml
  unsigned residency;      ///< blocks on an SM, at most (table 2)
  unsigned threads;        ///< of a block (table 2)
  std::uint64_t blocks;    ///< of the grid (table 2)
  Cycle runtime;           ///< alone on the simulator (table 3)
  Cycle mean_t;            ///< mean duration of a block (table 3)
  double rsd_percent;      ///< its relative standard deviation (table 3)
};

/// In the order of the tables, which is that of the names.
inline constexpr std::array<ErcbenchKernel, 8> kErcbench{{
    {"AES-d", "AES-d", "aes-d", 6, 256, 1429, 234154, 14529, 12.52},
    {"AES-e", "AES-e", "aes-e", 6, 256, 1429, 226335, 14031, 12.1},
    {"ImageDenoising-nlm2", "NLM2", "nlm2", 8, 64, 4096, 692686, 19873, 2.87},
    {"JPEG-d", "JPEG-d", "jpeg-d", 8, 64, 512, 24853, 5238, 29.58},
    {"JPEG-e", "JPEG-e", "jpeg-e", 8, 64, 512, 25383, 5367, 32.95},
    {"RayTracing", "Ray", "raytracing", 5, 128, 2048, 416563, 15167, 65.71},
    {"SAD", "SAD", "sad", 8, 61, 1584, 441297, 32332, 6.57},
    {"SHA1", "SHA1", "sha1", 8, 64, 1539, 22224223, 1708531, 7.98},
}};

/// By name. Generated from workloads/ercbench/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& ercbench_sources();

/// Index into kErcbench of the kernel with this short name. Throws InputError if there is none.
std::size_t ercbench_index(const std::string& short_name);

/// `most_blocks`: a larger grid is cut to that many blocks; 0: as it is. `instance`: each has memory of its own.
ProgramSpec ercbench_program(const ErcbenchKernel& kernel, std::uint64_t most_blocks = 0, unsigned instance = 0);
std::shared_ptr<Kernel> ercbench_kernel(const ErcbenchKernel& kernel, std::uint64_t seed, std::uint64_t most_blocks = 0,
                                        unsigned instance = 0);

}  // namespace gputlm
