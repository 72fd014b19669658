/// Descriptions of what the host waits for, for reports.
#include "models/host/core.h"

namespace gputlm {

using Kind = HostCall::Kind;

std::vector<const KernelLaunch*> HostCore::running() const {
  std::vector<const KernelLaunch*> launches;
  for (const Stream& stream : streams_) {
    launches.insert(launches.end(), stream.running.begin(), stream.running.end());
  }
  return launches;
}

std::vector<std::string> HostCore::waiting() const {
  std::vector<std::string> lines;
  const auto name = [&](StreamId stream) { return "stream " + workload_.streams[stream].name; };
  for (StreamId s = 0; s < streams_.size(); ++s) {
    const Stream& stream = streams_[s];
    if (stream.ended == stream.launches && queues_.size(s) == 0) continue;
    std::string line =
        name(s) + ": " + std::to_string(stream.ended) + " of " + std::to_string(stream.launches) + " launches ended";
    if (!stream.running.empty()) {
      line += ", waiting for " + workload_.launches[stream.running.front()->command].label;
    } else if (!stream.copying.empty()) {
      line += ", waiting for " + workload_.copies[stream.copying.front()->command].label;
    } else if (const auto other = queues_.size(s) ? queues_.held_by(s) : std::nullopt) {
      line += ", waiting for " + name(*other) + " (default stream)";
    } else if (queues_.has_next(s) && queues_.next(s).kind == Kind::kWaitEvent) {
      line += ", waiting for event " + workload_.events[queues_.next(s).what].name;
    }
    lines.push_back(std::move(line));
  }
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    if (!threads_[t].blocked) continue;
    const HostCall& c = call(t);
    const std::string what = c.kind == Kind::kBarrier             ? "other threads"
                             : c.kind == Kind::kSynchronizeDevice ? "all its application's streams"
                             : c.kind == Kind::kSynchronizeEvent  ? "event " + workload_.events[c.what].name
                             : threads_[t].wants_room             ? "room in " + name(c.stream)
                                                                  : name(c.stream);
    lines.push_back("thread " + specs_[t].name + ": waiting for " + what +
                    (c.line ? " in line " + std::to_string(c.line) : ""));
  }
  return lines;
}

}  // namespace gputlm
