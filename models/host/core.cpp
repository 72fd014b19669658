#include "models/host/core.h"

#include <algorithm>

namespace gputlm {

HostCore::HostCore(const Workload& workload, const Clock& clock, unsigned kernels_in_flight,
                   ItemSource<KernelLaunch>& launches)
    : workload_(workload), clock_(clock), source_(launches), streams_(workload.streams.size()),
      applications_(workload.applications.size()), next_id_(static_cast<KernelId>(workload.launches.size())),
      launches_(1, kernels_in_flight), completions_(kernels_in_flight, workload.launches.size()) {
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const LaunchCommand& launch = workload.launches[i];
    streams_[launch.stream].launches.push_back(static_cast<KernelId>(i));
    if (phase_sizes_.size() <= launch.phase) phase_sizes_.resize(launch.phase + 1, 0);
    ++phase_sizes_[launch.phase];
    Application& application = applications_[workload.streams[launch.stream].application];
    application.left = ++application.launches;
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
  if (stream.running || stream.next == stream.launches.size()) return kNever;
  const LaunchCommand& launch = workload_.launches[stream.launches[stream.next]];
  if (launch.phase != phase_) return kNever;
  return std::max({stream.free_at, released(launch), launches_.ready_at()});
}

Cycle HostCore::released(const LaunchCommand& command) const {
  const Application& application = applications_[workload_.streams[command.stream].application];
  return (application.iteration ? application.start : phase_start_) + clock_.at_or_after(command.release);
}

Cycle HostCore::advance(Cycle until) {
  while (true) {
    Cycle next = completions_.next();
    Stream* first = nullptr;
    std::uint32_t iteration = 0;  // of `first`
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      const Cycle at = due(streams_[s]);
      if (at > next || at == kNever || (at == next && !first)) continue;  // ends of kernels go before launches
      // Of those due in the same cycle what has been launched less often: where room is scarce, launches again and
      // again would keep others out for ever.
      const std::uint32_t times = applications_[workload_.streams[s].application].iteration;
      if (at == next && times >= iteration) continue;
      next = at;
      first = &streams_[s];
      iteration = times;
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
  const KernelId place = stream.launches[stream.next++];
  const LaunchCommand& command = workload_.launches[place];
  const StreamSpec& spec = workload_.streams[command.stream];
  const std::uint32_t iteration = applications_[spec.application].iteration;
  KernelLaunch& launch = source_.allocate();
  launch.identity.application = spec.application;
  launch.identity.stream = command.stream;
  launch.identity.kernel = iteration ? next_id_++ : place;
  launch.command = place;
  launch.iteration = iteration;
  launch.priority = spec.priority;
  launch.budget = command.budget;
  launch.alone_cycles = command.alone_cycles;
  if (const auto& sms = workload_.applications[spec.application].sms) launch.sms = *sms;
  launch.kernel = command.kernel.get();
  launch.released = released(command);
  launch.submitted = now;
  stream.running = &launch;
  launches_.send(now, launch);
}

void HostCore::complete(KernelLaunch& kernel, Cycle now) {
  if (kernels_ended.watched()) kernels_ended.note({kernel, now});
  Stream& stream = streams_[kernel.identity.stream];
  stream.running = nullptr;
  stream.free_at = now;
  if (kernel.iteration == 0) {
    ++ended_;
    --left_in_phase_;
  }
  const ApplicationId application = kernel.identity.application;
  source_.release(kernel);
  if (--applications_[application].left == 0 && !done() && workload_.applications[application].relaunch) {
    launch_again(application, now);
  }
}

void HostCore::launch_again(ApplicationId which, Cycle now) {
  Application& application = applications_[which];
  application.left = application.launches;
  ++application.iteration;
  application.start = now;
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    if (workload_.streams[s].application == which) streams_[s].next = 0;
  }
}

std::vector<const KernelLaunch*> HostCore::running() const {
  std::vector<const KernelLaunch*> launches;
  for (const Stream& stream : streams_) {
    if (stream.running) launches.push_back(stream.running);
  }
  return launches;
}

std::vector<std::string> HostCore::waiting() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const Stream& stream = streams_[i];
    const std::size_t finished = stream.next - (stream.running ? 1 : 0);
    if (finished == stream.launches.size()) continue;
    lines.push_back("stream " + workload_.streams[i].name + ": " + std::to_string(finished) + " of " +
                    std::to_string(stream.launches.size()) + " launches ended" +
                    (stream.running ? ", waiting for " + workload_.launches[stream.running->command].label : ""));
  }
  return lines;
}

}  // namespace gputlm
