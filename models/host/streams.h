/// Streams: the queues between host threads and the engines of the GPU (cuda-hierarchy, sections II-C and III-B; Amert et
/// al., "GPU Scheduling on the NVIDIA TX2", RTSS 2017). Commands of a stream run in order; only the head may go to its
/// engine, and it leaves its stream when it has ended. A command that overlaps may go when the one before it has begun;
/// then several have begun, and they end in any order. A command of the default stream waits for all commands issued before
/// it to the blocking streams of its application, and commands there wait for it.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "models/host/workload.h"

namespace gputlm {

class Streams {
 public:
  /// `workload` outlives the streams.
  explicit Streams(const Workload& workload);

  /// Puts a command, `call` of a host thread, into its stream. `iteration`: earlier issues of it; `start`: origin of its
  /// release time.
  void issue(const HostCall& call, std::uint32_t iteration, Cycle start);
  /// Number of commands issued, which is the next one's place in the global order.
  std::uint64_t issued() const { return issued_; }
  /// The stream's next command that has not begun, if it may begin now; otherwise null.
  const HostCall* ready(StreamId stream) const;
  /// The ready command has gone to its engine.
  void begin(StreamId stream) { ++streams_[stream].begun; }
  /// The next command, which needs no engine, or one that had begun, has ended.
  void end(StreamId stream) { end(stream, next(stream).kind, next(stream).what, iteration(stream)); }
  void end(StreamId stream, HostCall::Kind kind, std::uint32_t what, std::uint32_t iteration);
  /// Whether all commands of the stream issued before place `order` have ended.
  bool ended_before(StreamId stream, std::uint64_t order) const { return oldest(stream) >= order; }
  /// The same for all streams of an application.
  bool all_ended_before(ApplicationId application, std::uint64_t order) const;
  /// Commands in the stream, including those that ended before an earlier one.
  std::size_t size(StreamId stream) const { return streams_[stream].commands.size(); }
  /// Launches, copies and memsets in it that have not ended.
  std::size_t under_way(StreamId stream) const { return streams_[stream].under_way; }
  bool has_next(StreamId stream) const { return streams_[stream].commands.size() > streams_[stream].begun; }
  /// Whether all commands before the next one have ended.
  bool is_at_next(StreamId stream) const { return has_next(stream) && streams_[stream].begun == 0; }
  /// Whether the next command need not wait for the end of those before it.
  bool next_overlaps(StreamId stream) const { return has_next(stream) && overlaps(streams_[stream]); }
  /// Whether the next command follows a launch that has begun and not ended.
  bool follows_launch(StreamId stream) const { return follows_launch(streams_[stream]); }
  const HostCall& next(StreamId stream) const { return *of_next(stream).call; }
  std::uint32_t iteration(StreamId stream) const { return of_next(stream).iteration; }
  Cycle start(StreamId stream) const { return of_next(stream).start; }
  /// The stream for which the next command of `stream` waits by the order of the default stream, if any.
  std::optional<StreamId> held_by(StreamId stream) const;
  /// Whether the stream holds a launch that has not begun and waits only for launches that have begun, in its stream or in
  /// streams for whose events or order it waits: kernels that run, or whose end is not known yet.
  bool launch_follows_kernels(StreamId stream) const;
  /// Whether the stream holds a launch that has not begun, for whatever reason.
  bool holds_launch(StreamId stream) const;
  const std::vector<StreamId>& of(ApplicationId application) const { return of_application_[application]; }
  std::optional<StreamId> default_of(ApplicationId application) const { return default_[application]; }

  /// Marks the event as reached.
  void record(std::uint32_t event) { reached_[event] = true; }
  bool reached(std::uint32_t event) const { return reached_[event]; }
  /// Resets the application's events for a relaunch.
  void forget_events(ApplicationId application);

 private:
  struct Command {
    const HostCall* call;
    std::uint64_t order;
    std::uint32_t iteration;
    Cycle start;
    bool ended = false;  ///< it has ended before an earlier command

    bool is(HostCall::Kind kind, std::uint32_t what, std::uint32_t of_iteration) const {
      return !ended && call->kind == kind && call->what == what && iteration == of_iteration;
    }
  };
  struct Stream {
    std::deque<Command> commands;  ///< commands from the first uncompleted one on
    std::size_t begun = 0;         ///< number of these that have begun, at the front
    std::size_t under_way = 0;
  };

  /// Limit for following chains of event waits without a launch between them.
  static constexpr unsigned kDeepest = 4;

  bool only_launches_have_begun(const Stream& stream) const;
  bool event_follows_kernels(std::uint32_t event, unsigned depth) const;
  bool is_held_by_kernels(StreamId stream, std::uint64_t order) const;
  const Command& of_next(StreamId stream) const { return streams_[stream].commands[streams_[stream].begun]; }
  static bool follows_launch(const Stream& stream);
  bool overlaps(const Stream& stream) const;

  /// Place of the oldest uncompleted command.
  std::uint64_t oldest(StreamId stream) const {
    return streams_[stream].commands.empty() ? kNever : streams_[stream].commands.front().order;
  }

  const Workload& workload_;
  std::vector<Stream> streams_;
  std::vector<std::vector<StreamId>> of_application_;
  std::vector<std::optional<StreamId>> default_;   ///< default stream of each application
  std::vector<bool> reached_;                      ///< whether each event has been reached
  std::vector<std::optional<StreamId>> recorder_;  ///< stream of the command that records each event
  std::uint64_t issued_ = 0;
};

}  // namespace gputlm
