#include "models/host/streams.h"

#include <algorithm>

namespace gputlm {

Streams::Streams(const Workload& workload)
    : workload_(workload), streams_(workload.streams.size()), of_application_(workload.applications.size()),
      default_(workload.applications.size()), reached_(workload.events.size()) {
  for (StreamId s = 0; s < workload.streams.size(); ++s) {
    const StreamSpec& spec = workload.streams[s];
    of_application_[spec.application].push_back(s);
    if (spec.kind == StreamKind::kDefault) default_[spec.application] = s;
  }
}

void Streams::issue(const HostCall& call, std::uint32_t iteration, Cycle start) {
  streams_[call.stream].commands.push_back({&call, issued_++, iteration, start});
  if (call.is_for_engine()) ++streams_[call.stream].under_way;
}

bool Streams::overlaps(const HostCall& call) const {
  if (call.kind == HostCall::Kind::kLaunch) return workload_.launches[call.what].overlaps;
  return call.kind == HostCall::Kind::kCopy && workload_.copies[call.what].overlaps;
}

const HostCall* Streams::ready(StreamId stream) const {
  const Stream& s = streams_[stream];
  if (s.begun == s.commands.size()) return nullptr;
  const HostCall& next = *s.commands[s.begun].call;
  if (s.begun > 0 && !overlaps(next)) return nullptr;
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
    if (workload_.events[e].application == application) reached_[e] = false;
  }
}

}  // namespace gputlm
