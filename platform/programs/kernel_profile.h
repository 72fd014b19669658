/// What a profiler counted of launches, and how the kernels of a captured program come by it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/kernel/demand.h"
#include "models/kernel/kernel.h"
#include "platform/programs/program.h"

namespace gputlm {

struct ProfiledLaunch {
  std::string name;                 ///< of the kernel, as the profiler has it
  std::optional<Dim3> grid, block;  ///< none: not known, or only how many
  std::optional<std::uint64_t> blocks, threads;
  std::uint64_t launches = 1;  ///< that it stands for, as their mean
  KernelDemand demand;
};

/// In the order of the program's launches.
struct KernelProfile {
  std::string path;
  std::vector<ProfiledLaunch> launches;
};

/// Reads what `ncu --csv` prints (platform/programs/ncu_fields.h). Throws InputError.
KernelProfile read_profile(const std::string& path);
/// Likewise; `path` is what messages name.
KernelProfile parse_profile(const std::string& text, const std::string& path);

/// Gives the kernels of `program` the demands of the profiles' launches. Those of a name, grid and block belong together; a
/// name that is written otherwise is the same if it has the same function, and the profile only one such. As many launches as
/// the program has: the n-th to the n-th, by their calls. Else all have the mean of the profile's, as it does not say which
/// it left out; a single one stands for all. What a profile does not know is of the next that does. What no kernel took is
/// among the program's notes.
void join(Program& program, const std::vector<KernelProfile>& profiles);

}  // namespace gputlm
