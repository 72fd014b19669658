#include "models/host/streams.h"

#include <algorithm>

namespace gputlm {

Streams::Streams(const Workload& workload)
    : workload_(workload), streams_(workload.streams.size()), of_application_(workload.applications.size()),
      default_(workload.applications.size()), reached_(workload.events.size()), recorder_(workload.events.size()) {
  for (StreamId s = 0; s < workload.streams.size(); ++s) {
    const StreamSpec& spec = workload.streams[s];
    of_application_[spec.application].push_back(s);
    if (spec.kind == StreamKind::kDefault) default_[spec.application] = s;
  }
}

void Streams::issue(const HostCall& call, std::uint32_t iteration, Cycle start) {
  streams_[call.stream].commands.push_back({&call, issued_++, iteration, start});
  if (call.is_for_engine()) ++streams_[call.stream].under_way;
  if (call.kind == HostCall::Kind::kRecordEvent) recorder_[call.what] = call.stream;
}

bool Streams::follows_launch(const Stream& stream) {
  if (stream.begun == 0) return false;
  const Command& before = stream.commands[stream.begun - 1];
  return !before.ended && before.call->kind == HostCall::Kind::kLaunch;
}

/// Whether the next command of the stream overlaps with those before it.
bool Streams::overlaps(const Stream& stream) const {
  const HostCall& call = *stream.commands[stream.begun].call;
  if (call.kind == HostCall::Kind::kLaunch) {
    const LaunchCommand& launch = workload_.launches[call.what];
    return launch.overlaps || (launch.programmatic && follows_launch(stream));
  }
  return call.kind == HostCall::Kind::kCopy && workload_.copies[call.what].overlaps;
}

const HostCall* Streams::ready(StreamId stream) const {
  const Stream& s = streams_[stream];
  if (s.begun == s.commands.size()) return nullptr;
  const HostCall& next = *s.commands[s.begun].call;
  if (s.begun > 0 && !overlaps(s)) return nullptr;
  if (held_by(stream)) return nullptr;
  return next.kind == HostCall::Kind::kWaitEvent && !reached_[next.what] ? nullptr : &next;
}

void Streams::end(StreamId stream, HostCall::Kind kind, std::uint32_t what, std::uint32_t iteration) {
  Stream& s = streams_[stream];
  if (kind <= HostCall::Kind::kCopy) --s.under_way;
  const auto ends = [&](const Command& command) { return command.is(kind, what, iteration); };
  if (!ends(s.commands.front())) {
    std::find_if(s.commands.begin(), s.commands.end(), ends)->ended = true;
    return;
  }
  do {
    s.commands.pop_front();
    if (s.begun > 0) --s.begun;
  } while (!s.commands.empty() && s.commands.front().ended);
}

bool Streams::all_ended_before(ApplicationId application, std::uint64_t order) const {
  const std::vector<StreamId>& streams = of_application_[application];
  return std::all_of(streams.begin(), streams.end(), [&](StreamId s) { return ended_before(s, order); });
}

std::optional<StreamId> Streams::held_by(StreamId stream) const {
  const StreamSpec& spec = workload_.streams[stream];
  const std::optional<StreamId>& null = default_[spec.application];
  if (!null || spec.kind == StreamKind::kNonBlocking) return std::nullopt;
  const std::uint64_t order = has_next(stream) ? of_next(stream).order : kNever;
  if (spec.kind == StreamKind::kBlocking) return ended_before(*null, order) ? std::nullopt : null;
  for (const StreamId other : of_application_[spec.application]) {
    if (workload_.streams[other].kind == StreamKind::kBlocking && !ended_before(other, order)) return other;
  }
  return std::nullopt;
}

void Streams::forget_events(ApplicationId application) {
  for (std::size_t e = 0; e < reached_.size(); ++e) {
    if (workload_.events[e].application != application) continue;
    reached_[e] = false;
    recorder_[e].reset();
  }
}

bool Streams::holds_launch(StreamId stream) const {
  const Stream& s = streams_[stream];
  return std::any_of(s.commands.begin() + static_cast<std::ptrdiff_t>(s.begun), s.commands.end(),
                     [](const Command& c) { return c.call->kind == HostCall::Kind::kLaunch; });
}

bool Streams::only_launches_have_begun(const Stream& stream) const {
  return std::all_of(stream.commands.begin(), stream.commands.begin() + static_cast<std::ptrdiff_t>(stream.begun),
                     [](const Command& c) { return c.ended || c.call->kind == HostCall::Kind::kLaunch; });
}

bool Streams::launch_follows_kernels(StreamId stream) const {
  const Stream& s = streams_[stream];
  if (!only_launches_have_begun(s)) return false;
  for (std::size_t i = s.begun; i < s.commands.size(); ++i) {
    const HostCall& call = *s.commands[i].call;
    if (call.kind == HostCall::Kind::kLaunch) return is_held_by_kernels(stream, s.commands[i].order);
    if (call.kind == HostCall::Kind::kCopy) return false;
    if (call.kind == HostCall::Kind::kWaitEvent && !event_follows_kernels(call.what, kDeepest)) return false;
  }
  return false;
}

/// Whether the stream that records the event has only kernels in flight before it. A launch there that has not begun answers
/// for its application itself or waits for something else, as do the commands behind it.
bool Streams::event_follows_kernels(std::uint32_t event, unsigned depth) const {
  if (reached_[event]) return true;
  if (depth == 0 || !recorder_[event]) return false;
  const Stream& s = streams_[*recorder_[event]];
  if (!only_launches_have_begun(s)) return false;
  for (std::size_t i = s.begun; i < s.commands.size(); ++i) {
    const HostCall& call = *s.commands[i].call;
    if (call.kind == HostCall::Kind::kRecordEvent && call.what == event) return true;
    if (call.kind <= HostCall::Kind::kCopy) return false;
    if (call.kind == HostCall::Kind::kWaitEvent && !event_follows_kernels(call.what, depth - 1)) return false;
  }
  return false;
}

/// Whether only launches that have begun hold the stream because of the order of the default stream, if it is held at all:
/// all commands issued before place `order` there that have not ended are such launches.
bool Streams::is_held_by_kernels(StreamId stream, std::uint64_t order) const {
  const StreamSpec& spec = workload_.streams[stream];
  const std::optional<StreamId>& null = default_[spec.application];
  if (!null || spec.kind == StreamKind::kNonBlocking) return true;
  const auto by_kernels = [&](StreamId other) {
    const Stream& s = streams_[other];
    if (ended_before(other, order)) return true;
    return only_launches_have_begun(s) && (s.begun == s.commands.size() || s.commands[s.begun].order >= order);
  };
  if (spec.kind == StreamKind::kBlocking) return by_kernels(*null);
  const std::vector<StreamId>& streams = of_application_[spec.application];
  return std::all_of(streams.begin(), streams.end(), [&](StreamId other) {
    return workload_.streams[other].kind != StreamKind::kBlocking || by_kernels(other);
  });
}

}  // namespace gputlm
