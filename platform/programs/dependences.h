/// What delayed each command of a program, and for how long, judged by the measured times: its call, its stream, events, the
/// default stream. The rest of the time until its start is its delay, the time that driver and GPU take; it is added again
/// when the program runs under other policies. Also what each call of the host waited for.
///
/// The model has host-GPU latencies of its own; a delay is what the measurement has in addition.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/programs/program.h"
#include "tlm/base/time.h"

namespace gputlm {

/// Femtoseconds since `origin` of the program, as in the model.
using Time = std::int64_t;

/// The model's own latency, for kernels or for copies.
struct CommandLatency {
  Time begin = 0;  ///< time from the host's submission to the start that profilers report
  Time end = 0;    ///< time from the end that profilers report to the host's notice of it
};

struct CommandTiming {
  Time issued = 0;  ///< time of its call; its measured start if there is none
  Time delay = 0;   ///< time from when nothing held it any more to its submission
  bool overlaps = false;
  bool has_call = false;
  /// If only its call held it: it waited in a full queue. It is then submitted earlier by this time, because the
  /// launch overhead passed while it waited.
  Time early = 0;
};

struct CallTiming {
  Time start = 0;
  bool waits = false;  ///< the model's thread waits in this call
  Time resumed = 0;    ///< when the thread continued: the time to the next call counts from here
};

/// An entry of a stream, in order.
struct StreamEntry {
  enum class Kind : std::uint8_t { kCommand, kRecord, kWait };
  Kind kind = Kind::kCommand;
  std::size_t what = 0;  ///< index in Program::commands, or an event
  Time issued = 0;
};

/// An assumption that the times of a capture refute, or that the capture does not confirm.
struct ProgramCheck {
  std::string name;     ///< short name for results
  std::string meaning;  ///< a predicate for the number of cases: "waits for events end after what waits begins; ..."
  std::size_t count = 0;
  std::string first = {};  ///< label of the first command, or its place in the capture
};

struct Dependences {
  Time end = 0;                                   ///< end of the last command or call
  std::vector<CommandTiming> commands;            ///< indexed as Program::commands
  std::vector<std::vector<CallTiming>> calls;     ///< indexed as Program::threads and their calls
  std::vector<std::vector<StreamEntry>> streams;  ///< indexed as Program::streams
  std::vector<bool> waited_for;                   ///< by event: whether anything waits for it
  std::vector<bool> blocking;  ///< by stream: whether the default stream's order applies, as far as the times allow
  std::size_t launch_queue =
      0;  ///< number of pending commands of a stream at which calls found the queue full; 0: never
          ///< full
  std::vector<ProgramCheck> checks;
};

struct DependenceSetup {
  CommandLatency kernels, copies;
  Time kernel_launch = 0;  ///< the model's time from a kernel's arrival until its blocks may be sent
  Nanoseconds origin = 0;
  /// The share of the GPU that a kernel takes when all blocks that fit are resident (1: all of it), and when each SM has one.
  std::function<double(const MeasuredKernel&)> share_of_gpu, least_share_of_gpu;
};

Dependences dependences(const Program& program, const DependenceSetup& setup);

}  // namespace gputlm
