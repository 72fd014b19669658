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
}

const HostCall* Streams::ready(StreamId stream) const {
  const Stream& s = streams_[stream];
  if (s.commands.empty() || s.begun || held_by(stream)) return nullptr;
  const HostCall& head = *s.commands.front().call;
  return head.kind == HostCall::Kind::kWaitEvent && !reached_[head.what] ? nullptr : &head;
}

void Streams::end(StreamId stream) {
  streams_[stream].commands.pop_front();
  streams_[stream].begun = false;
}

bool Streams::all_ended_before(ApplicationId application, std::uint64_t order) const {
  const std::vector<StreamId>& streams = of_application_[application];
  return std::all_of(streams.begin(), streams.end(), [&](StreamId s) { return ended_before(s, order); });
}

std::optional<StreamId> Streams::held_by(StreamId stream) const {
  const StreamSpec& spec = workload_.streams[stream];
  const std::optional<StreamId>& null = default_[spec.application];
  if (!null || spec.kind == StreamKind::kNonBlocking) return std::nullopt;
  const std::uint64_t order = oldest(stream);
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
