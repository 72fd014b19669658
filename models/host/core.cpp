#include "models/host/core.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace gputlm {

using Kind = HostCall::Kind;
namespace {

/// Number of launches, copies and loops of the workload.
std::size_t awaited_ends(const Workload& workload) {
  std::size_t ends = workload.launches.size() + workload.copies.size();
  for (const ThreadSpec& thread : workload.threads) {
    ends += static_cast<std::size_t>(std::count_if(thread.calls.begin(), thread.calls.end(),
                                                   [](const HostCall& c) { return c.kind == Kind::kRepeat; }));
  }
  return ends;
}

bool is_of_host(const CopyCommand& copy) {
  return copy.kind == CopyKind::kHostToDevice || copy.kind == CopyKind::kDeviceToHost;
}

/// Whether more than one GPU copies over the link, or may do so at any time.
bool several_use_link(const HostedGpus& gpus, const Workload& workload) {
  if (!gpus.share_link || gpus.count == 1) return false;
  if (!workload.managed.empty()) return true;
  std::set<unsigned> users;
  for (const CopyCommand& copy : workload.copies) {
    if (is_of_host(copy)) users.insert(gpus.of_application[workload.streams[copy.stream].application]);
  }
  return users.size() > 1;
}

template <class Item>
void forget(std::vector<const Item*>& items, const Item& ended) {
  items.erase(std::find(items.begin(), items.end(), &ended));
}

}  // namespace

HostCore::Gpu::Gpu(const HostCore& host, unsigned kernels_in_flight, RunEnd& run_end)
    : ready_launches(host.applications_.size()), ready_copies(host.applications_.size()),
      launches(1, kernels_in_flight), completions(kernels_in_flight, run_end, host.workload_),
      copies(1, kernels_in_flight), copy_ends(kernels_in_flight, run_end, host.workload_),
      words(1, static_cast<unsigned>(host.applications_.size())), words_heard(2 * words.credits()) {}

HostCore::HostCore(const HostConfig& config, const Workload& workload, const Clock& clock, unsigned kernels_in_flight,
                   unsigned of_application, ItemSource<KernelLaunch>& launches, ItemSource<Copy>& copies,
                   ItemSource<PendingWork>& words, const HostedGpus& gpus)
    : config_(config), workload_(workload), clock_(clock), source_(launches), copy_source_(copies), word_source_(words),
      turns_(gpus.turns), specs_(host_threads(workload)), threads_(specs_.size()), queues_(workload),
      streams_(workload.streams.size()), applications_(workload.applications.size()), jobs_(workload.jobs.size()),
      barriers_of_(specs_.size()), threads_of_(workload.applications.size()), for_stream_(workload.streams.size()),
      for_device_(workload.applications.size()), for_event_(workload.events.size()),
      hosts_for_event_(workload.events.size()), launched_(workload.launches.size()), copied_(workload.copies.size()),
      most_in_flight_(of_application), next_id_(static_cast<KernelId>(workload.launches.size())),
      access_policies_(workload.streams, workload.launches), has_modes_(workload.has_modes()),
      awaited_(awaited_ends(workload)), run_end_(awaited_), gpu_of_application_(gpus.of_application),
      link_is_shared_(several_use_link(gpus, workload)) {
  for (unsigned i = 0; i < gpus.count; ++i) gpus_.emplace_back(*this, kernels_in_flight, run_end_);
  for (const LaunchCommand& launch : workload.launches) {
    ++streams_[launch.stream].launches;
    if (launch.job) ++jobs_[*launch.job].commands;
    if (phase_sizes_.size() <= launch.phase) phase_sizes_.resize(launch.phase + 1, 0);
    ++phase_sizes_[launch.phase];
  }
  for (const CopyCommand& copy : workload.copies) {
    if (copy.job) ++jobs_[*copy.job].commands;
  }
  for (Job& job : jobs_) job.left = job.commands;
  for (std::size_t t = 0; t < specs_.size(); ++t) {
    const std::vector<HostCall>& calls = specs_[t].calls;
    Application& application = applications_[specs_[t].application];
    application.left = application.calls += calls.size();
    threads_of_[specs_[t].application].push_back(t);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (calls[i].kind == Kind::kBarrier) join_barrier(t, calls[i].what, i);
      if (calls[i].kind != Kind::kRepeat) continue;
      for (Barrier& barrier : barriers_) {  // a thread can reach a call in a loop until the loop has ended
        for (Barrier::Member& member : barrier.members) {
          if (member.thread == t && member.last > calls[i].what) member.last = i;
        }
      }
    }
  }
  if (!phase_sizes_.empty()) left_in_phase_ = phase_sizes_[0];
  pass_ended_phases(0);
  for (std::size_t t = 0; t < threads_.size(); ++t) list(t);
}

void HostCore::join_barrier(std::size_t thread, std::uint32_t barrier, std::size_t call) {
  if (barriers_.size() <= barrier) barriers_.resize(barrier + 1);
  std::vector<Barrier::Member>& members = barriers_[barrier].members;
  if (members.empty() || members.back().thread != thread) {
    members.push_back({thread, call});
    barriers_of_[thread].push_back(barrier);
  }
  members.back().last = call;
}

void HostCore::pass_ended_phases(Cycle now) {
  if (left_in_phase_ > 0 || phase_ + 1 >= phase_sizes_.size()) return;
  if (hi_mode_) leave_hi_mode_when_idle(now);  // a phase begins in mode lo, unless copies continue
  while (left_in_phase_ == 0 && phase_ + 1 < phase_sizes_.size()) left_in_phase_ = phase_sizes_[++phase_];
  phase_start_ = now;
  for (std::size_t t = 0; t < threads_.size(); ++t) list(t);
}

Cycle HostCore::advance(Cycle until) {
  while (true) {
    const Cycle now = next();
    if (now >= until) return now;
    for (Gpu& gpu : gpus_) {
      while (gpu.completions.next() <= now) complete(gpu.completions.pop(now), now);  // before launches
      while (gpu.copy_ends.next() <= now) complete(gpu.copy_ends.pop(now), now);
      while (gpu.words_heard.next() <= now) word_source_.release(gpu.words_heard.pop(now));
    }
    settle(now);
    for (Gpu& gpu : gpus_) {
      if (gpu.launches.ready_at() <= now) {
        if (const auto stream = gpu.ready_launches.next()) submit_launch(*stream, now);
      }
      if (gpu.copies.ready_at() <= now) {
        if (const auto stream = gpu.ready_copies.next()) submit_copy(*stream, now);
      }
      if (!gpu.in_doubt.empty()) say_what_is_pending(gpu, now);
    }
  }
}

Cycle HostCore::next() {
  Cycle next = first_due();
  if (!delays_.empty()) next = std::min(next, delays_.top().first);
  for (Gpu& gpu : gpus_) {
    next = std::min({next, gpu.completions.next(), gpu.copy_ends.next(), gpu.words_heard.next()});
    if (!gpu.in_doubt.empty()) next = std::min(next, gpu.words.ready_at());
    if (gpu.ready_launches.next()) next = std::min(next, gpu.launches.ready_at());
    if (gpu.ready_copies.next()) next = std::min(next, gpu.copies.ready_at());
  }
  return next;
}

void HostCore::look_at(StreamId stream, Cycle now) {
  if (streams_[stream].let_go) return;
  const ApplicationId application = workload_.streams[stream].application;
  const HostCall* head = queues_.ready(stream);
  for (; head; head = queues_.ready(stream)) {
    if (head->is_for_engine()) {
      if (!has_modes_ || !is_passed_over(*head, now)) break;
      pass_over(stream, *head, now);
      continue;
    }
    if (head->kind == Kind::kRecordEvent) {
      queues_.record(head->what);
      doubt(application);
      wake(streams_to_look_at_, for_event_[head->what]);
      wake(threads_to_look_at_, hosts_for_event_[head->what]);
    }
    queues_.end(stream);
    look_behind(stream);
    end_one(application, now);
  }
  if (head) {
    streams_[stream].let_go = true;
    if (const Femtoseconds delay = delay_of(*head)) {
      begin_delay(stream, delay, now);
    } else {
      ready(stream);
    }
  } else if (queues_.is_at_next(stream) && queues_.next(stream).kind == Kind::kWaitEvent && !queues_.held_by(stream)) {
    for_event_[queues_.next(stream).what].push_back(stream);
  }
}

Femtoseconds HostCore::delay_of(const HostCall& command) const {
  return command.kind == Kind::kLaunch ? workload_.launches[command.what].delay : workload_.copies[command.what].delay;
}

void HostCore::begin_delay(StreamId stream, Femtoseconds delay, Cycle now) {
  delays_.push({now + clock_.at_or_after(delay), stream});
  streams_[stream].delays = true;
  ++of(workload_.streams[stream].application).due;
}

void HostCore::end_delays(Cycle now) {
  for (; !delays_.empty() && delays_.top().first <= now; delays_.pop()) {
    const auto stream = static_cast<StreamId>(delays_.top().second);
    --of(workload_.streams[stream].application).due;
    ready(stream);
  }
}

void HostCore::ready(StreamId stream) {
  const ApplicationId application = workload_.streams[stream].application;
  Gpu& gpu = of(application);
  streams_[stream].delays = false;
  ReadyStreams& ready = queues_.next(stream).kind == Kind::kLaunch ? gpu.ready_launches : gpu.ready_copies;
  ready.add(application, {applications_[application].iteration, workload_.streams[stream].priority, stream});
}

void HostCore::look_behind(StreamId stream) {
  const StreamSpec& spec = workload_.streams[stream];
  wake(threads_to_look_at_, for_stream_[stream]);
  wake(threads_to_look_at_, for_device_[spec.application]);
  streams_to_look_at_.add(stream);
  const auto null = queues_.default_of(spec.application);
  if (null && spec.kind == StreamKind::kBlocking) streams_to_look_at_.add(*null);
  if (spec.kind == StreamKind::kDefault) {
    for (const StreamId other : queues_.of(spec.application)) streams_to_look_at_.add(other);
  }
}

void HostCore::submit_launch(StreamId stream, Cycle now) {
  const KernelId place = queues_.next(stream).what;
  const LaunchCommand& command = workload_.launches[place];
  const StreamSpec& spec = workload_.streams[stream];
  const std::uint32_t iteration = queues_.iteration(stream);
  KernelLaunch& launch = source_.allocate();
  launch.identity.application = spec.application;
  launch.identity.stream = stream;
  launch.identity.kernel = iteration ? next_id_++ : place;
  launch.identity.access_policy = access_policies_.of_launch(place);
  launch.command = place;
  launch.iteration = iteration;
  launch.priority = spec.priority;
  launch.budget = command.budget;
  launch.alone_cycles = command.alone_cycles;
  if (const auto& sms = workload_.applications[spec.application].sms) launch.sms = *sms;
  if (command.sms) launch.sms &= *command.sms;
  launch.cache_config = command.cache_config;
  launch.shared_percent = command.shared_percent;
  launch.kernel = command.kernel.get();
  if (command.programmatic && queues_.follows_launch(stream))
    launch.after = streams_[stream].running.back()->identity.kernel;
  launch.released = queues_.start(stream) + clock_.at_or_after(command.release);
  launch.submitted = now;
  begin_job(command.job, launch.released);
  if (stream_steps.watched()) note(StreamStep::Step::kSubmitted, queues_.next(stream), iteration, now);
  streams_[stream].running.push_back(&launch);
  streams_[stream].let_go = false;
  Gpu& gpu = of(spec.application);
  gpu.ready_launches.take();
  gpu.ready_launches.shut(spec.application, ++applications_[spec.application].in_flight == most_in_flight_);
  ++gpu.under_way;
  queues_.begin(stream);
  applications_[spec.application].said = launch.more_pending = turns_.by_turns && holds_next(spec.application, false);
  gpu.launches.send(now, launch);
  look_at_next(stream, now);
}

void HostCore::submit_copy(StreamId stream, Cycle now) {
  Gpu& gpu = of(workload_.streams[stream].application);
  gpu.ready_copies.take();
  const std::uint32_t place = queues_.next(stream).what;
  const CopyCommand& command = workload_.copies[place];
  Copy& copy = copy_source_.allocate();
  copy.identity.application = workload_.streams[stream].application;
  copy.identity.stream = stream;
  copy.command = place;
  copy.iteration = queues_.iteration(stream);
  copy.kind = command.kind;
  copy.from = command.from;
  copy.to = command.to;
  copy.bytes = command.bytes;
  copy.pageable = command.pageable;
  copy.staged = command.staged;
  copy.undisturbed = undisturbed(gpu, command);
  copy.submitted = now;
  if (stream_steps.watched()) note(StreamStep::Step::kSubmitted, queues_.next(stream), copy.iteration, now);
  streams_[stream].copying.push_back(&copy);
  streams_[stream].let_go = false;
  ++gpu.under_way;
  queues_.begin(stream);
  doubt(copy.identity.application);
  gpu.copies.send(now, copy);
  look_at_next(stream, now);
}

bool HostCore::undisturbed(Gpu& gpu, const CopyCommand& copy) const {
  return gpu.under_way == 0 && gpu.due == 0 && !gpu.ready_launches.next() && !gpu.ready_copies.next() &&
         !(link_is_shared_ && is_of_host(copy));
}

void HostCore::complete(Copy& copy, Cycle now) {
  if (copies_ended.watched()) copies_ended.note({copy, now});
  const StreamId stream = copy.identity.stream;
  if (stream_steps.watched())
    stream_steps.note({now, stream, copy.command, copy.iteration, true, StreamStep::Step::kEnded});
  const ApplicationId application = copy.identity.application;
  forget(streams_[stream].copying, copy);
  streams_[stream].follows = false;
  doubt(application);
  Gpu& gpu = of(application);
  --gpu.under_way;
  queues_.end(stream, Kind::kCopy, copy.command, copy.iteration);
  look_behind(stream);
  end_of_job(workload_.copies[copy.command].job, copy.iteration, now);
  if (gpu.copy_ends.awaited(copy)) --awaited_;
  copy_source_.release(copy);
  end_one(application, now);
}

void HostCore::complete(KernelLaunch& kernel, Cycle now) {
  if (kernels_ended.watched()) kernels_ended.note({kernel, now});
  if (stream_steps.watched()) {
    stream_steps.note({now, kernel.identity.stream, kernel.command, kernel.iteration, false, StreamStep::Step::kEnded});
  }
  Stream& stream = streams_[kernel.identity.stream];
  forget(stream.running, kernel);
  stream.follows = true;
  ++stream.ended;
  const ApplicationId application = kernel.identity.application;
  doubt(application);
  Gpu& gpu = of(application);
  --gpu.under_way;
  queues_.end(kernel.identity.stream, Kind::kLaunch, kernel.command, kernel.iteration);
  look_behind(kernel.identity.stream);
  end_of_job(workload_.launches[kernel.command].job, kernel.iteration, now);
  if (gpu.completions.awaited(kernel)) --awaited_;
  if (kernel.iteration == 0) {
    ++ended_;
    --left_in_phase_;
  }
  --applications_[application].in_flight;
  gpu.ready_launches.shut(application, false);
  source_.release(kernel);
  end_one(application, now);
  pass_ended_phases(now);
}

void HostCore::note(StreamStep::Step step, const HostCall& command, std::uint32_t iteration, Cycle now) {
  if (command.kind != Kind::kLaunch && command.kind != Kind::kCopy) return;
  stream_steps.note({now, command.stream, command.what, iteration, command.kind == Kind::kCopy, step});
}

void HostCore::begin_job(std::optional<std::uint32_t> job, Cycle released) {
  if (job && jobs_[*job].released == kNever) jobs_[*job].released = released;
}

void HostCore::end_of_job(std::optional<std::uint32_t> which, std::uint32_t iteration, Cycle now) {
  if (!which) return;
  Job& job = jobs_[*which];
  if (--job.left > 0) return;
  if (has_modes_) under_way_.erase(std::find(under_way_.begin(), under_way_.end(), *which));
  if (job.dropped) {
    if (jobs_dropped.watched()) jobs_dropped.note({*which, iteration, now});
  } else if (jobs_ended.watched()) {
    jobs_ended.note({*which, iteration, job.released, now, job.in_hi_mode});
  }
  job = {job.commands, job.commands, kNever};  // for the next launch of its application
}

void HostCore::end_one(ApplicationId application, Cycle now) {
  if (--applications_[application].left == 0 && !done() && workload_.applications[application].relaunch) {
    launch_again(application, now);
  }
}

void HostCore::launch_again(ApplicationId which, Cycle now) {
  Application& application = applications_[which];
  application.left = application.calls;
  ++application.iteration;
  application.start = now;
  for (const std::size_t t : threads_of_[which]) {
    note_due(t, kNever);
    threads_[t] = {0, now};
    list(t);
  }
  for (const StreamId s : queues_.of(which)) streams_[s].ended = 0;
  queues_.forget_events(which);
}

}  // namespace gputlm
