#include "models/host/core.h"

#include <algorithm>

namespace gputlm {

HostCore::HostCore(const Workload& workload, const Clock& clock, unsigned kernels_in_flight,
                   ItemSource<KernelLaunch>& launches, KernelObserver& observer)
    : workload_(workload), clock_(clock), source_(launches), observer_(observer), streams_(workload.streams.size()),
      released_(workload.launches.size(), 0), submitted_(workload.launches.size(), 0), launches_(1, kernels_in_flight),
      completions_(kernels_in_flight) {
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const LaunchCommand& launch = workload.launches[i];
    streams_[launch.stream].launches.push_back(static_cast<KernelId>(i));
    if (phase_sizes_.size() <= launch.phase) phase_sizes_.resize(launch.phase + 1, 0);
    ++phase_sizes_[launch.phase];
  }
  if (!phase_sizes_.empty()) left_in_phase_ = phase_sizes_[0];
  pass_ended_phases(0);
}

void HostCore::pass_ended_phases(Cycle now) {
  while (left_in_phase_ == 0 && phase_ + 1 < phase_sizes_.size()) {
    left_in_phase_ = phase_sizes_[++phase_];
    phase_start_ = now;
  }
}

Cycle HostCore::due(const Stream& stream) const {
  if (stream.busy || stream.next == stream.launches.size()) return kNever;
  const LaunchCommand& launch = workload_.launches[stream.launches[stream.next]];
  if (launch.phase != phase_) return kNever;
  return std::max({stream.free_at, phase_start_ + clock_.at_or_after(launch.release), launches_.ready_at()});
}

Cycle HostCore::advance(Cycle until) {
  while (true) {
    Cycle next = completions_.next();
    Stream* first = nullptr;
    for (Stream& stream : streams_) {
      const Cycle at = due(stream);
      if (at < next) {
        next = at;
        first = &stream;
      }
    }
    if (next >= until) return next;
    if (first) {
      submit(*first, next);
    } else {
      complete(completions_.pop(next), next);
    }
    pass_ended_phases(next);
  }
}

void HostCore::submit(Stream& stream, Cycle now) {
  const KernelId id = stream.launches[stream.next++];
  const LaunchCommand& command = workload_.launches[id];
  const StreamSpec& spec = workload_.streams[command.stream];
  KernelLaunch& launch = source_.allocate();
  launch.application = spec.application;
  launch.stream = command.stream;
  launch.id = id;
  launch.priority = spec.priority;
  launch.kernel = command.kernel.get();
  stream.busy = true;
  released_[id] = phase_start_ + clock_.at_or_after(command.release);
  submitted_[id] = now;
  launches_.send(now, launch);
}

void HostCore::complete(KernelLaunch& kernel, Cycle now) {
  observer_.kernel_ended(kernel, released_[kernel.id], submitted_[kernel.id], now);
  Stream& stream = streams_[kernel.stream];
  stream.busy = false;
  stream.free_at = now;
  ++ended_;
  --left_in_phase_;
  source_.release(kernel);
}

std::vector<std::string> HostCore::waiting() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const Stream& stream = streams_[i];
    const std::size_t finished = stream.next - (stream.busy ? 1 : 0);
    if (finished == stream.launches.size()) continue;
    lines.push_back("stream " + workload_.streams[i].name + ": " + std::to_string(finished) + " of " +
                    std::to_string(stream.launches.size()) + " launches ended" +
                    (stream.busy ? ", waiting for " + workload_.launches[stream.launches[stream.next - 1]].label : ""));
  }
  return lines;
}

}  // namespace gputlm
