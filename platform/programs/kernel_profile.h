/// Counts of a profiler per launch, and how they are assigned to the kernels of a captured program.
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
  std::string name;                 ///< name of the kernel, as the profiler writes it
  std::optional<Dim3> grid, block;  ///< none: unknown, or only their totals
  std::optional<std::uint64_t> blocks, threads;
  std::uint64_t launches = 1;  ///< number of launches that it averages
  KernelDemand demand;
};

/// The profiled launches in the order of the program's.
struct KernelProfile {
  std::string path;
  std::vector<ProfiledLaunch> launches;
};

/// Reads what `ncu --csv` prints (platform/programs/ncu_fields.h). Throws InputError.
KernelProfile read_profile(const std::string& path);
/// The same from text; `path` stands for the file in messages.
KernelProfile parse_profile(const std::string& text, const std::string& path);

/// Assigns the demands of the profiled launches to the kernels of `program`. Launches with the same name, grid and block form
/// a group. A name that is written differently matches if it has the same function and the profile has only one such name. If
/// both sides have the same number of launches, the n-th matches the n-th, in the order of their calls. Otherwise all get the
/// mean of the profile's launches, since it does not say which it left out; a single one stands for all. What one profile
/// lacks is taken from the next. Unmatched profile entries are reported in the program's notes.
void join(Program& program, const std::vector<KernelProfile>& profiles);

}  // namespace gputlm
