/// The threads of a replay and their steps: the host's threads where it answers, or a lane per stream that waits until each of
/// its commands is due.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/programs/dependences.h"
#include "platform/programs/program.h"
#include "platform/programs/replay.h"

namespace gputlm {

/// A step of a thread of the workload; the same in each repetition.
struct ReplayStep {
  enum class Kind : std::uint8_t {
    kCommand,
    kRecord,
    kWait,
    kSynchronizeStream,
    kSynchronizeDevice,
    kSynchronizeEvent,
    kJob
  };
  Kind kind = Kind::kCommand;
  std::size_t what = 0;    ///< index of a command, event, stream or job
  std::size_t stream = 0;  ///< index in Program::streams
  Time at = 0;             ///< earliest time; with a simulated host, the gap after the previous step
  Time resumed = 0;        ///< time at which the thread continued
  bool blocking = false;
};

struct ReplayLane {
  std::string name;
  std::size_t stream = 0;  ///< a stream of its application
  std::vector<ReplayStep> steps = {};
};

/// The host's threads, and one for each stream with commands called for before the start of the capture.
std::vector<ReplayLane> lanes_of_threads(const Program& program, const Dependences& timing);
/// A lane per stream, for every release but kProgram. `origin`: time 0 of the replay.
std::vector<ReplayLane> lanes_of_streams(const Program& program, const Dependences& timing, Release release,
                                         Nanoseconds origin);

}  // namespace gputlm
