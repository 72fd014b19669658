/// Streams: the queues between host threads and the engines of the GPU (cuda-hierarchy, sections II-C and III-B; Amert et
/// al., "GPU Scheduling on the NVIDIA TX2", RTSS 2017). Commands of a stream run one after the other; only the one at the
/// head may go to its engine, and it leaves its stream when it has ended. A command of the default stream waits for all
/// commands that were issued before it to the blocking streams of its application, and they for it.
#pragma once

#include <deque>
#include <vector>

#include "models/host/workload.h"

namespace gputlm {

class Streams {
 public:
  /// `workload` outlives the streams.
  explicit Streams(const Workload& workload);

  /// Puts a command, `call` of a host thread, into its stream. `iteration`: how often it has been before; `start`: its
  /// release time counts from there.
  void issue(const HostCall& call, std::uint32_t iteration, Cycle start);
  /// How many have been issued: the place that the next one has in the order of all.
  std::uint64_t issued() const { return issued_; }
  /// The head of the stream, if it may begin now; null if there is none, it has begun, or waits for others.
  const HostCall* ready(StreamId stream) const;
  /// The head, which was ready, has gone to its engine.
  void begin(StreamId stream) { streams_[stream].begun = true; }
  /// The head has ended.
  void end(StreamId stream);
  /// All commands of the stream that were issued before place `order` have ended.
  bool ended_before(StreamId stream, std::uint64_t order) const { return oldest(stream) >= order; }
  /// The same of all streams of an application.
  bool all_ended_before(ApplicationId application, std::uint64_t order) const;
  /// Commands in the stream.
  std::size_t size(StreamId stream) const { return streams_[stream].commands.size(); }
  const HostCall& head(StreamId stream) const { return *streams_[stream].commands.front().call; }
  std::uint32_t iteration(StreamId stream) const { return streams_[stream].commands.front().iteration; }
  Cycle start(StreamId stream) const { return streams_[stream].commands.front().start; }
  bool begun(StreamId stream) const { return streams_[stream].begun; }
  /// The stream that the default stream's order makes the head of `stream` wait for, if there is one.
  std::optional<StreamId> held_by(StreamId stream) const;
  const std::vector<StreamId>& of(ApplicationId application) const { return of_application_[application]; }
  std::optional<StreamId> default_of(ApplicationId application) const { return default_[application]; }

  /// The event is reached.
  void record(std::uint32_t event) { reached_[event] = true; }
  /// The application is launched again: none of its events is reached any more.
  void forget_events(ApplicationId application);

 private:
  struct Command {
    const HostCall* call;
    std::uint64_t order;
    std::uint32_t iteration;
    Cycle start;
  };
  struct Stream {
    std::deque<Command> commands;  ///< that have not ended
    bool begun = false;            ///< the head has
  };

  /// Place of the oldest command that has not ended.
  std::uint64_t oldest(StreamId stream) const {
    return streams_[stream].commands.empty() ? kNever : streams_[stream].commands.front().order;
  }

  const Workload& workload_;
  std::vector<Stream> streams_;
  std::vector<std::vector<StreamId>> of_application_;
  std::vector<std::optional<StreamId>> default_;  ///< of each application
  std::vector<bool> reached_;                     ///< events
  std::uint64_t issued_ = 0;
};

}  // namespace gputlm
