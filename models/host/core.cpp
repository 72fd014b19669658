#include "models/host/core.h"

#include <algorithm>
#include <tuple>

namespace gputlm {

using Kind = HostCall::Kind;
namespace {

/// Launches, copies and loops of the workload.
std::size_t awaited_ends(const Workload& workload) {
  std::size_t ends = workload.launches.size() + workload.copies.size();
  for (const ThreadSpec& thread : workload.threads) {
    ends += static_cast<std::size_t>(std::count_if(thread.calls.begin(), thread.calls.end(),
                                                   [](const HostCall& c) { return c.kind == Kind::kRepeat; }));
  }
  return ends;
}

}  // namespace

HostCore::HostCore(const HostConfig& config, const Workload& workload, const Clock& clock, unsigned kernels_in_flight,
                   unsigned of_application, ItemSource<KernelLaunch>& launches, ItemSource<Copy>& copies)
    : config_(config), workload_(workload), clock_(clock), source_(launches), copy_source_(copies),
      specs_(host_threads(workload)), threads_(specs_.size()), queues_(workload), streams_(workload.streams.size()),
      applications_(workload.applications.size()), jobs_(workload.jobs.size()), launched_(workload.launches.size()),
      copied_(workload.copies.size()), most_in_flight_(of_application),
      next_id_(static_cast<KernelId>(workload.launches.size())), awaited_(awaited_ends(workload)), run_end_(awaited_),
      launches_(1, kernels_in_flight), completions_(kernels_in_flight, run_end_, workload),
      copies_(1, kernels_in_flight), copy_ends_(kernels_in_flight, run_end_, workload) {
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
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (calls[i].kind == Kind::kBarrier) join_barrier(t, calls[i].what, i);
      if (calls[i].kind != Kind::kRepeat) continue;
      for (Barrier& barrier : barriers_) {  // what is in a loop can be come to until that has ended
        for (Barrier::Member& member : barrier.members) {
          if (member.thread == t && member.last > calls[i].what) member.last = i;
        }
      }
    }
  }
  if (!phase_sizes_.empty()) left_in_phase_ = phase_sizes_[0];
  pass_ended_phases(0);
}

void HostCore::join_barrier(std::size_t thread, std::uint32_t barrier, std::size_t call) {
  if (barriers_.size() <= barrier) barriers_.resize(barrier + 1);
  std::vector<Barrier::Member>& members = barriers_[barrier].members;
  if (members.empty() || members.back().thread != thread) members.push_back({thread, call});
  members.back().last = call;
}

void HostCore::pass_ended_phases(Cycle now) {
  while (left_in_phase_ == 0 && phase_ + 1 < phase_sizes_.size()) {
    left_in_phase_ = phase_sizes_[++phase_];
    phase_start_ = now;
  }
}

Cycle HostCore::advance(Cycle until) {
  while (true) {
    const Cycle now = next();
    if (now >= until) return now;
    while (completions_.next() <= now) complete(completions_.pop(now), now);  // ends of kernels go before launches
    while (copy_ends_.next() <= now) complete(copy_ends_.pop(now), now);
    settle(now);
    if (launches_.ready_at() <= now) {
      if (const auto stream = first_ready(Kind::kLaunch)) submit_launch(*stream, now);
    }
    if (copies_.ready_at() <= now) {
      if (const auto stream = first_ready(Kind::kCopy)) submit_copy(*stream, now);
    }
  }
}

Cycle HostCore::next() const {
  Cycle next = std::min(completions_.next(), copy_ends_.next());
  for (std::size_t t = 0; t < threads_.size(); ++t) next = std::min(next, due(t));
  if (first_ready(Kind::kLaunch)) next = std::min(next, launches_.ready_at());
  if (first_ready(Kind::kCopy)) next = std::min(next, copies_.ready_at());
  return next;
}

Cycle HostCore::due(std::size_t thread) const {
  const Thread& t = threads_[thread];
  if (t.blocked || t.next == specs_[thread].calls.size()) return kNever;
  const HostCall& c = call(thread);
  if (c.kind == Kind::kHostFunction) return t.free_at + clock_.at_or_after(c.time);
  if (c.kind == Kind::kWaitUntil) return std::max(t.free_at, start(thread) + clock_.at_or_after(c.time));
  if (c.kind == Kind::kReleaseJob) {
    const JobSpec& job = workload_.jobs[c.what];
    if (job.phase != phase_) return kNever;
    return std::max(t.free_at, start(thread) + clock_.at_or_after(job.release));
  }
  if (c.kind >= Kind::kBarrier) return t.free_at;
  if (c.kind != Kind::kLaunch) return t.free_at + config_.call_cycles;
  const LaunchCommand& launch = workload_.launches[c.what];
  if (launch.phase != phase_) return kNever;
  return std::max(t.free_at, start(thread) + clock_.at_or_after(launch.release)) + config_.call_cycles;
}

Cycle HostCore::start(std::size_t thread) const {
  if (threads_[thread].loops) return threads_[thread].iteration;
  const Application& application = applications_[specs_[thread].application];
  return application.iteration ? application.start : phase_start_;
}

void HostCore::settle(Cycle now) {
  for (bool more = true; more;) {
    more = false;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      if (threads_[t].blocked ? unblock(t, now) : due(t) <= now && make_call(t, now)) more = true;
    }
    for (StreamId s = 0; s < streams_.size(); ++s) {
      if (pass_events(s, now)) more = true;
    }
  }
}

bool HostCore::make_call(std::size_t thread, Cycle now) {
  Thread& t = threads_[thread];
  const HostCall& c = call(thread);
  const Cycle begin = c.is_of_the_interface() ? now - config_.call_cycles : t.free_at;
  if (c.has_stream()) issue(thread, now);
  if (c.synchronizes() || (c.kind == Kind::kCopy && workload_.copies[c.what].holds_thread())) {
    t.blocked = true;
    t.free_at = begin;
    t.order = queues_.issued();
    return true;
  }
  if (c.kind == Kind::kReleaseJob)
    begin_job(c.what, start(thread) + clock_.at_or_after(workload_.jobs[c.what].release));
  if (c.kind == Kind::kLoop) {
    t.loops = true;
    t.loop = t.iteration = now;
    t.count = 0;
  }
  if (c.kind == Kind::kRepeat && repeat(thread, now)) return true;
  end_call(thread, begin, now);
  if (c.kind == Kind::kRepeat) t.loops = false;
  return true;
}

void HostCore::issue(std::size_t thread, Cycle now) {
  const HostCall& c = call(thread);
  std::uint32_t iteration = 0;
  if (c.kind == Kind::kLaunch) iteration = launched_[c.what]++;
  if (c.kind == Kind::kCopy) iteration = copied_[c.what]++;
  queues_.issue(c, iteration, start(thread));
  if (stream_steps.watched()) note(StreamStep::Step::kIssued, c, iteration, now);
}

void HostCore::note_call(std::size_t thread, Cycle begin, Cycle now) {
  if (!calls_made.watched()) return;
  const Thread& t = threads_[thread];
  const HostCall& c = call(thread);
  std::uint32_t iteration = t.loops ? t.count : applications_[specs_[thread].application].iteration;
  if (c.kind == Kind::kLaunch) iteration = launched_[c.what] - 1;
  if (c.kind == Kind::kCopy) iteration = copied_[c.what] - 1;
  calls_made.note({static_cast<std::uint32_t>(thread), static_cast<std::uint32_t>(t.next), iteration, begin, now});
}

void HostCore::end_call(std::size_t thread, Cycle begin, Cycle now) {
  Thread& t = threads_[thread];
  const bool has_ended = !call(thread).has_stream();  // a command ends by itself
  note_call(thread, begin, now);
  t.blocked = false;
  ++t.next;
  t.free_at = now;
  if (has_ended) end_one(specs_[thread].application, now);
}

bool HostCore::repeat(std::size_t thread, Cycle now) {
  Thread& t = threads_[thread];
  const HostCall& c = call(thread);
  const bool last =
      (c.count > 0 && t.count + 1 >= c.count) || (c.time > 0 && now - t.loop >= clock_.at_or_after(c.time));
  if (last) {
    --awaited_;
    run_end_.ended(now);
    return false;
  }
  note_call(thread, t.free_at, now);
  ++t.count;
  const std::vector<HostCall>& calls = specs_[thread].calls;
  const std::size_t end = t.next;
  t.next = c.what + 1;
  t.free_at = t.iteration = now;
  applications_[specs_[thread].application].left += end - t.next;
  for (std::size_t i = t.next; i < end; ++i) {
    if (calls[i].kind == Kind::kLaunch) ++streams_[calls[i].stream].launches;
    if (calls[i].kind != Kind::kLaunch && calls[i].kind != Kind::kCopy) continue;
    ++awaited_;
    run_end_.expect(1);
  }
  return true;
}

bool HostCore::unblock(std::size_t thread, Cycle now) {
  const Thread& t = threads_[thread];
  const HostCall& c = call(thread);
  if (c.kind == Kind::kBarrier) return open_barrier(c.what, now);
  const ApplicationId application = specs_[thread].application;
  const bool ended = c.kind == Kind::kSynchronizeDevice ? queues_.all_ended_before(application, t.order)
                                                        : queues_.ended_before(c.stream, t.order);
  if (ended) end_call(thread, t.free_at, now);
  return ended;
}

bool HostCore::arrived(const Barrier::Member& member, std::uint32_t barrier) const {
  const Thread& t = threads_[member.thread];
  return t.blocked && call(member.thread).kind == Kind::kBarrier && call(member.thread).what == barrier;
}

bool HostCore::open_barrier(std::uint32_t barrier, Cycle now) {
  const std::vector<Barrier::Member>& members = barriers_[barrier].members;
  const auto holds = [&](const Barrier::Member& m) {
    return threads_[m.thread].next <= m.last && !arrived(m, barrier);
  };
  if (std::any_of(members.begin(), members.end(), holds)) return false;
  for (const Barrier::Member& member : members) {
    if (arrived(member, barrier)) end_call(member.thread, threads_[member.thread].free_at, now);
  }
  return true;
}

bool HostCore::pass_events(StreamId stream, Cycle now) {
  bool passed = false;
  for (const HostCall* head = queues_.ready(stream);
       head && (head->kind == Kind::kRecordEvent || head->kind == Kind::kWaitEvent); head = queues_.ready(stream)) {
    if (head->kind == Kind::kRecordEvent) queues_.record(head->what);
    queues_.end(stream);
    end_one(workload_.streams[stream].application, now);
    passed = true;
  }
  return passed;
}

std::optional<StreamId> HostCore::first_ready(Kind kind) const {
  std::optional<StreamId> first;
  // What has been launched less often goes first: where room is scarce, launches again and again would keep others out
  // for ever. Then by priority.
  std::tuple<std::uint32_t, int> least;
  for (StreamId s = 0; s < streams_.size(); ++s) {
    const HostCall* head = queues_.ready(s);
    if (!head || head->kind != kind) continue;
    const StreamSpec& spec = workload_.streams[s];
    if (kind == Kind::kLaunch && applications_[spec.application].in_flight == most_in_flight_) continue;
    const std::tuple<std::uint32_t, int> key{applications_[spec.application].iteration, spec.priority};
    if (first && key >= least) continue;
    least = key;
    first = s;
  }
  return first;
}

void HostCore::submit_launch(StreamId stream, Cycle now) {
  const KernelId place = queues_.head(stream).what;
  const LaunchCommand& command = workload_.launches[place];
  const StreamSpec& spec = workload_.streams[stream];
  const std::uint32_t iteration = queues_.iteration(stream);
  KernelLaunch& launch = source_.allocate();
  launch.identity.application = spec.application;
  launch.identity.stream = stream;
  launch.identity.kernel = iteration ? next_id_++ : place;
  launch.command = place;
  launch.iteration = iteration;
  launch.priority = spec.priority;
  launch.budget = command.budget;
  launch.alone_cycles = command.alone_cycles;
  if (const auto& sms = workload_.applications[spec.application].sms) launch.sms = *sms;
  if (command.sms) launch.sms &= *command.sms;
  launch.cache_config = command.cache_config;
  launch.kernel = command.kernel.get();
  launch.released = queues_.start(stream) + clock_.at_or_after(command.release);
  launch.submitted = now;
  begin_job(command.job, launch.released);
  if (stream_steps.watched()) note(StreamStep::Step::kSubmitted, queues_.head(stream), iteration, now);
  streams_[stream].running = &launch;
  ++applications_[spec.application].in_flight;
  queues_.begin(stream);
  launches_.send(now, launch);
}

void HostCore::submit_copy(StreamId stream, Cycle now) {
  const std::uint32_t place = queues_.head(stream).what;
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
  copy.undisturbed = undisturbed(stream);
  copy.submitted = now;
  if (stream_steps.watched()) note(StreamStep::Step::kSubmitted, queues_.head(stream), copy.iteration, now);
  streams_[stream].copying = &copy;
  queues_.begin(stream);
  copies_.send(now, copy);
}

bool HostCore::undisturbed(StreamId stream) const {
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    if (due(t) != kNever) return false;
  }
  for (StreamId s = 0; s < streams_.size(); ++s) {
    if (s != stream && (streams_[s].running || streams_[s].copying || queues_.ready(s))) return false;
  }
  return true;
}

void HostCore::complete(Copy& copy, Cycle now) {
  if (copies_ended.watched()) copies_ended.note({copy, now});
  const StreamId stream = copy.identity.stream;
  if (stream_steps.watched()) note(StreamStep::Step::kEnded, queues_.head(stream), copy.iteration, now);
  const ApplicationId application = copy.identity.application;
  streams_[stream].copying = nullptr;
  queues_.end(stream);
  end_of_job(workload_.copies[copy.command].job, copy.iteration, now);
  if (copy_ends_.awaited(copy)) --awaited_;
  copy_source_.release(copy);
  end_one(application, now);
}

void HostCore::complete(KernelLaunch& kernel, Cycle now) {
  if (kernels_ended.watched()) kernels_ended.note({kernel, now});
  if (stream_steps.watched()) {
    note(StreamStep::Step::kEnded, queues_.head(kernel.identity.stream), kernel.iteration, now);
  }
  Stream& stream = streams_[kernel.identity.stream];
  stream.running = nullptr;
  ++stream.ended;
  queues_.end(kernel.identity.stream);
  end_of_job(workload_.launches[kernel.command].job, kernel.iteration, now);
  if (completions_.awaited(kernel)) --awaited_;
  if (kernel.iteration == 0) {
    ++ended_;
    --left_in_phase_;
  }
  const ApplicationId application = kernel.identity.application;
  --applications_[application].in_flight;
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
  if (jobs_ended.watched()) jobs_ended.note({*which, iteration, job.released, now});
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
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    if (specs_[t].application == which) threads_[t] = {0, now};
  }
  for (StreamId s = 0; s < streams_.size(); ++s) {
    if (workload_.streams[s].application == which) streams_[s].ended = 0;
  }
  queues_.forget_events(which);
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
  const auto name = [&](StreamId stream) { return "stream " + workload_.streams[stream].name; };
  for (StreamId s = 0; s < streams_.size(); ++s) {
    const Stream& stream = streams_[s];
    if (stream.ended == stream.launches && queues_.size(s) == 0) continue;
    std::string line =
        name(s) + ": " + std::to_string(stream.ended) + " of " + std::to_string(stream.launches) + " launches ended";
    if (stream.running) {
      line += ", waiting for " + workload_.launches[stream.running->command].label;
    } else if (stream.copying) {
      line += ", waiting for " + workload_.copies[stream.copying->command].label;
    } else if (const auto other = queues_.size(s) ? queues_.held_by(s) : std::nullopt) {
      line += ", waiting for " + name(*other) + " (default stream)";
    } else if (queues_.size(s) && queues_.head(s).kind == Kind::kWaitEvent) {
      line += ", waiting for event " + workload_.events[queues_.head(s).what].name;
    }
    lines.push_back(std::move(line));
  }
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    if (!threads_[t].blocked) continue;
    const HostCall& c = call(t);
    const std::string what = c.kind == Kind::kBarrier             ? "other threads"
                             : c.kind == Kind::kSynchronizeDevice ? "all its application's streams"
                                                                  : name(c.stream);
    lines.push_back("thread " + specs_[t].name + ": waiting for " + what +
                    (c.line ? " in line " + std::to_string(c.line) : ""));
  }
  return lines;
}

}  // namespace gputlm
