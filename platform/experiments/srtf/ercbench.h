/// The eight ERCBench kernels of srtf (tables 2 and 3, reference.yaml), as the program carries them: workloads/ercbench/*.yaml.
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
  std::string name;        ///< in the paper's tables
  std::string short_name;  ///< in ours
  std::string file;        ///< workloads/ercbench/FILE.yaml
  unsigned residency;      ///< blocks on an SM, at most (table 2)
  unsigned threads;        ///< of a block (table 2)
  std::uint64_t blocks;    ///< of the grid (table 2)
  Cycle runtime;           ///< alone on the simulator (table 3)
  Cycle mean_t;            ///< mean duration of a block (table 3)
  double rsd_percent;      ///< its relative standard deviation (table 3)
};

/// In the order of the tables, which is that of the names.
const std::array<ErcbenchKernel, 8>& ercbench();

/// By name. Generated from workloads/ercbench/*.yaml by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& ercbench_sources();

/// Index into ercbench() of the kernel with this short name. Throws InputError if there is none.
std::size_t ercbench_index(const std::string& short_name);

/// `most_blocks`: a larger grid is cut to that many blocks; 0: as it is. `instance`: each has memory of its own.
ProgramSpec ercbench_program(const ErcbenchKernel& kernel, std::uint64_t most_blocks = 0, unsigned instance = 0);
std::shared_ptr<Kernel> ercbench_kernel(const ErcbenchKernel& kernel, std::uint64_t seed, std::uint64_t most_blocks = 0,
                                        unsigned instance = 0);

}  // namespace gputlm
