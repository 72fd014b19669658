/// The host's threads: due times of calls, their execution, and the waits of blocked threads.
#include <algorithm>

#include "models/host/core.h"

namespace gputlm {

using Kind = HostCall::Kind;

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

void HostCore::list(std::size_t thread) {
  const Thread& t = threads_[thread];
  const Cycle at = due(thread);
  if (at == t.listed) return;
  note_due(thread, at);
  if (at != kNever) due_.push({at, thread});
}

void HostCore::note_due(std::size_t thread, Cycle at) {
  Thread& t = threads_[thread];
  Gpu& gpu = of(specs_[thread].application);
  gpu.due += (at != kNever);
  gpu.due -= (t.listed != kNever);
  t.listed = at;
}

Cycle HostCore::first_due() {
  while (!due_.empty() && threads_[due_.top().second].listed != due_.top().first) due_.pop();
  return due_.empty() ? kNever : due_.top().first;
}

void HostCore::take_due(Cycle now) {
  while (first_due() <= now) {
    const std::size_t thread = due_.top().second;
    due_.pop();
    note_due(thread, kNever);
    threads_to_look_at_.add(thread);
  }
}

void HostCore::settle(Cycle now) {
  if (hi_mode_) leave_hi_mode_when_idle(now);
  end_delays(now);
  take_due(now);
  while (!threads_to_look_at_.empty() || !streams_to_look_at_.empty()) {
    threads_to_look_at_.round([&](std::size_t thread) {
      if (threads_[thread].blocked) {
        unblock(thread, now);
      } else if (due(thread) <= now) {
        make_call(thread, now);
      }
      take_due(now);
    });
    streams_to_look_at_.round([&](std::size_t stream) { look_at(static_cast<StreamId>(stream), now); });
    take_due(now);
  }
  if (hi_mode_) leave_hi_mode_when_idle(now);
}

void HostCore::make_call(std::size_t thread, Cycle now) {
  const HostCall& c = call(thread);
  Thread& t = threads_[thread];
  const Cycle begin = c.is_of_the_interface() ? now - config_.call_cycles : t.free_at;
  if (!c.is_for_engine() || has_room(c.stream)) return carry_out(thread, begin, now);
  t.blocked = t.wants_room = true;
  t.free_at = begin;
  for_stream_[c.stream].push_back(thread);
}

void HostCore::carry_out(std::size_t thread, Cycle begin, Cycle now) {
  Thread& t = threads_[thread];
  const HostCall& c = call(thread);
  if (c.has_stream()) issue(thread, now);
  if (c.synchronizes() || (c.kind == Kind::kCopy && workload_.copies[c.what].holds_thread())) {
    t.blocked = true;
    t.free_at = begin;
    t.order = queues_.issued();
    threads_to_look_at_.add(thread);
    if (c.kind == Kind::kBarrier) wake_barriers_of(thread);
    return;
  }
  if (c.kind == Kind::kReleaseJob) {
    const JobSpec& job = workload_.jobs[c.what];
    begin_job(c.what, job.when_reached ? now : start(thread) + clock_.at_or_after(job.release));
    if (has_modes_) note_under_way(c.what);
  }
  if (c.kind == Kind::kLoop) {
    t.loops = true;
    t.loop = t.iteration = now;
    t.count = 0;
  }
  if (c.kind != Kind::kRepeat || !repeat(thread, now)) end_call(thread, begin, now);
}

void HostCore::issue(std::size_t thread, Cycle now) {
  const HostCall& c = call(thread);
  std::uint32_t iteration = 0;
  if (c.kind == Kind::kLaunch) iteration = launched_[c.what]++;
  if (c.kind == Kind::kCopy) iteration = copied_[c.what]++;
  queues_.issue(c, iteration, start(thread));
  if (has_modes_) note_under_way(job_of(c));
  if (queues_.size(c.stream) == 1) streams_[c.stream].follows = false;
  doubt(specs_[thread].application);
  if (stream_steps.watched()) note(StreamStep::Step::kIssued, c, iteration, now);
  if (queues_.size(c.stream) == 1 || (queues_.next_overlaps(c.stream) && &queues_.next(c.stream) == &c))
    streams_to_look_at_.add(c.stream);
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
  const HostCall& c = call(thread);
  note_call(thread, begin, now);
  t.blocked = false;
  if (c.kind == Kind::kRepeat) t.loops = false;
  ++t.next;
  t.free_at = now;
  list(thread);
  wake_barriers_of(thread);
  if (!c.has_stream()) end_one(specs_[thread].application, now);  // a command ends by itself
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
  list(thread);
  applications_[specs_[thread].application].left += end - t.next;
  for (std::size_t i = t.next; i < end; ++i) {
    if (calls[i].kind == Kind::kLaunch) ++streams_[calls[i].stream].launches;
    if (calls[i].kind != Kind::kLaunch && calls[i].kind != Kind::kCopy) continue;
    ++awaited_;
    run_end_.expect(1);
  }
  return true;
}

void HostCore::unblock(std::size_t thread, Cycle now) {
  Thread& t = threads_[thread];
  const HostCall& c = call(thread);
  if (c.kind == Kind::kBarrier) return open_barrier(c.what, now);
  if (t.wants_room) {
    if (!has_room(c.stream)) return for_stream_[c.stream].push_back(thread);
    t.blocked = t.wants_room = false;
    return carry_out(thread, t.free_at, now);
  }
  if (c.kind == Kind::kSynchronizeEvent) {
    if (queues_.reached(c.what)) return end_call(thread, t.free_at, now);
    return hosts_for_event_[c.what].push_back(thread);
  }
  const ApplicationId application = specs_[thread].application;
  const bool device = c.kind == Kind::kSynchronizeDevice;
  if (device ? queues_.all_ended_before(application, t.order) : queues_.ended_before(c.stream, t.order)) {
    end_call(thread, t.free_at, now);
  } else {
    (device ? for_device_[application] : for_stream_[c.stream]).push_back(thread);
  }
}

void HostCore::wake(Rounds& rounds, Waiting& waiting) {
  for (const std::size_t who : waiting) rounds.add(who);
  waiting.clear();
}

void HostCore::wake_barriers_of(std::size_t thread) {
  for (const std::uint32_t barrier : barriers_of_[thread]) {
    if (!all_have_come(barrier)) continue;
    for (const Barrier::Member& member : barriers_[barrier].members) {
      if (arrived(member, barrier)) threads_to_look_at_.add(member.thread);
    }
  }
}

bool HostCore::arrived(const Barrier::Member& member, std::uint32_t barrier) const {
  const Thread& t = threads_[member.thread];
  return t.blocked && call(member.thread).kind == Kind::kBarrier && call(member.thread).what == barrier;
}

bool HostCore::all_have_come(std::uint32_t barrier) const {
  const std::vector<Barrier::Member>& members = barriers_[barrier].members;
  return std::all_of(members.begin(), members.end(),
                     [&](const Barrier::Member& m) { return threads_[m.thread].next > m.last || arrived(m, barrier); });
}

void HostCore::open_barrier(std::uint32_t barrier, Cycle now) {
  if (!all_have_come(barrier)) return;
  for (const Barrier::Member& member : barriers_[barrier].members) {
    if (arrived(member, barrier)) end_call(member.thread, threads_[member.thread].free_at, now);
  }
}

}  // namespace gputlm
