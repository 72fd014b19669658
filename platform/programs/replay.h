/// A program as applications of a workload: kernels whose blocks spin as long as they took, copies of as many bytes, waits,
/// and the host's threads with their calls, to be run again under other policies and beside others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/input/launch_list.h"
#include "platform/programs/dependences.h"
#include "platform/programs/program.h"

namespace gputlm {

/// When a command goes into its stream, beside what its stream and events hold it for.
enum class Release : std::uint8_t {
  kProgram,  ///< when the host, which answers, calls for it: as long after the return of its call before as was measured
  kLaunch,   ///< when the host called for it; where that is not known, when it began
  kStart,    ///< when it began
  kNone,     ///< at once
};
/// Names of the releases, in their order.
const std::vector<std::string>& release_names();

/// How an application runs a program.
struct ProgramRun {
  std::optional<Release> release = std::nullopt;        ///< none: kProgram where calls were recorded, else kLaunch
  std::optional<unsigned> measured_sms = std::nullopt;  ///< of parts of the GPU whose size the program does not say
  std::string label_prefix = {};                        ///< of its launches and copies
  std::optional<int> priority = std::nullopt;           ///< of all its streams, in the place of theirs
  LaunchCommand launch = {};                            ///< what its launches have alike
  /// When it begins, each time: after the start of the application, and not before its end the time before.
  std::vector<Femtoseconds> releases = {0};
  TaskSpec task = {};     ///< each time is a job of it; without a name: of none
  std::string jobs = {};  ///< each range of this name is a job of a task of that name; empty: none is
  std::string file = {};  ///< where that is said, for messages
  std::size_t line = 0;
};

/// A command of the program as the workload has it.
struct ReplayedCommand {
  std::string label;
  bool is_copy = false;
  Nanoseconds start = 0, end = 0;  ///< as measured
};

/// What was run, to be held against what was measured.
struct ReplayedProgram {
  std::string path;
  MeasuredGpu gpu;
  Release release = Release::kProgram;
  std::vector<ReplayedCommand> commands;
  std::vector<ProgramCheck> checks;
  std::optional<std::size_t> with_demand = std::nullopt;  ///< kernels that a profile has; none: there is no profile
};

/// A workload that has programs.
struct ReplayOrigin final : WorkloadOrigin {
  std::vector<ReplayedProgram> programs;
};

/// Adds the program's streams, threads, launches, copies and events. `applications`: of each of its streams. What is assumed
/// is among the workload's warnings. Throws InputError if there is no range of the name of `run.jobs`.
ReplayedProgram add_program(const Program& program, const std::vector<ApplicationId>& applications,
                            const ProgramRun& run, const GpuConfig& gpu, Workload& workload, LaunchList& launches);

/// Programs at once. Of one, an application for each of its contexts, named after its process; of several, named `names`, which
/// begin the labels of their commands, too.
Workload replayed(const std::vector<Program>& programs, const std::vector<std::string>& names, const ProgramRun& run,
                  const GpuConfig& gpu);

}  // namespace gputlm
