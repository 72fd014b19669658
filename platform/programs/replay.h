/// A program as applications of a workload: kernels whose blocks spin as long as measured, copies of the same size, waits,
/// and the host's threads with their calls. It can then run under other policies and beside other applications.
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

/// When a command enters its stream, in addition to the constraints of its stream and events.
enum class Release : std::uint8_t {
  kProgram,  ///< when the host calls for it, with the measured gap after the return of its previous call
  kLaunch,   ///< at the time of the host's call; if unknown, at the measured start
  kStart,    ///< at the measured start
  kNone,     ///< immediately
};
/// Names of the releases, in their order.
const std::vector<std::string>& release_names();

/// How an application runs a program.
struct ProgramRun {
  std::optional<Release> release = std::nullopt;  ///< none: kProgram if calls were recorded, else kLaunch
  std::optional<unsigned> measured_sms =
      std::nullopt;                            ///< number of SMs of GPU parts whose size the program does not say
  std::string label_prefix = {};               ///< prefix of the labels of its launches and copies
  std::optional<int> priority = std::nullopt;  ///< priority of all its streams, instead of the measured ones
  LaunchCommand launch = {};                   ///< common properties of its launches
  /// Start times, relative to the start of the application; a run does not begin before the previous one has ended.
  std::vector<Femtoseconds> releases = {0};
  TaskSpec task = {};     ///< task of which each run is a job; no jobs if it has no name
  std::string jobs = {};  ///< name of ranges of which each is a job of a task of that name; empty: no jobs
  std::string file = {};  ///< name of the file that configures this, for messages
  std::size_t line = 0;
};

/// A command of the program as the workload has it.
struct ReplayedCommand {
  std::string label;
  bool is_copy = false;
  Nanoseconds start = 0, end = 0;  ///< measured times
};

/// What was run, for comparison with the measurement.
struct ReplayedProgram {
  std::string path;
  MeasuredGpu gpu;
  Release release = Release::kProgram;
  std::vector<ReplayedCommand> commands;
  std::vector<ProgramCheck> checks;
  std::optional<std::size_t> with_demand =
      std::nullopt;  ///< number of kernels with a profile; none: there is no profile
};

/// Origin of a workload that has programs.
struct ReplayOrigin final : WorkloadOrigin {
  std::vector<ReplayedProgram> programs;
};

/// Adds the program's streams, threads, launches, copies and events. `applications`: by the program's streams. Assumptions
/// are added to the workload's warnings. Throws InputError if no range has the name `run.jobs`.
ReplayedProgram add_program(const Program& program, const std::vector<ApplicationId>& applications,
                            const ProgramRun& run, const GpuConfig& gpu, Workload& workload, LaunchList& launches);

/// A workload of programs that start together. A single program becomes one application per context, named after its process.
/// Several become applications called `names`, which also prefix the labels of their commands.
Workload replayed(const std::vector<Program>& programs, const std::vector<std::string>& names, const ProgramRun& run,
                  const GpuConfig& gpu);

}  // namespace gputlm
