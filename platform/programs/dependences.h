/// What held each command of a program back, and for how long, by the measured times: its call, its stream, events, the
/// default stream. What is left of the time until it began is its delay: what driver and GPU take, which is added again when
/// the program runs under other policies. And what each call of the host waited for.
///
/// The model has latencies of its own between host and GPU; a delay is what the measurement has beyond them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/programs/program.h"
#include "tlm/time.h"

namespace gputlm {

/// Times of a program count from `origin`, in femtoseconds, as those of the model do.
using Time = std::int64_t;

/// The model's own, for kernels or for copies.
struct CommandLatency {
  Time begin = 0;  ///< from the host's submission to what profilers call its start
  Time end = 0;    ///< from what they call its end to the host's knowledge of it
};

struct CommandTiming {
  Time issued = 0;  ///< by its call; by its measured start where there is none
  Time delay = 0;   ///< from when nothing held it to its submission
  bool overlaps = false;
  bool has_call = false;
  /// It waited for room when nothing else held it but its call: it goes so much before that, as what the GPU takes to launch
  /// it passed while it waited.
  Time early = 0;
};

struct CallTiming {
  Time start = 0;
  bool waits = false;  ///< the model's thread waits in it
  Time resumed = 0;    ///< when the thread went on: the time to the next call counts from there
};

/// What stands in a stream, in its order.
struct StreamEntry {
  enum class Kind : std::uint8_t { kCommand, kRecord, kWait };
  Kind kind = Kind::kCommand;
  std::size_t what = 0;  ///< in Program::commands, or an event
  Time issued = 0;
};

/// Something that is taken for true and that the times of a capture refute, or that it does not say.
struct ProgramCheck {
  std::string name;  ///< short, for results
  std::string
      meaning;  ///< a sentence without its subject, the number: "waits for events end after what waits begins; ..."
  std::size_t count = 0;
  std::string first = {};  ///< label of the first command, or where it is in the capture
};

struct Dependences {
  Time end = 0;                                   ///< of the last command or call
  std::vector<CommandTiming> commands;            ///< as Program::commands
  std::vector<std::vector<CallTiming>> calls;     ///< as Program::threads and their calls
  std::vector<std::vector<StreamEntry>> streams;  ///< as Program::streams
  std::vector<bool> waited_for;                   ///< events that somebody waits for
  std::vector<bool> blocking;    ///< streams that the default stream's order holds, as their times allow
  std::size_t launch_queue = 0;  ///< commands of a stream with which calls found it full; 0: none did
  std::vector<ProgramCheck> checks;
};

struct DependenceSetup {
  CommandLatency kernels, copies;
  Time kernel_launch = 0;  ///< the model's, from a kernel's arrival until its blocks may be sent
  Nanoseconds origin = 0;
  /// How much of the GPU a kernel takes while all of its blocks that fit are there: 1 is all of it. And while each SM has one.
  std::function<double(const MeasuredKernel&)> share_of_gpu, least_share_of_gpu;
};

Dependences dependences(const Program& program, const DependenceSetup& setup);

}  // namespace gputlm
