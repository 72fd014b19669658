#include "platform/experiments/cuda_hierarchy/interferer.h"

#include <fmt/format.h>

namespace gputlm {

void add_interferer(Workload& workload, const Interferer& interferer) {
  constexpr Address kFirst = 0x10'0000'0000, kApart = 0x1'0000'0000;
  const auto application = static_cast<ApplicationId>(workload.applications.size());
  const auto stream = static_cast<StreamId>(workload.streams.size());
  const std::string name = fmt::format("{} {}", interferer.what, application);
  workload.applications.push_back({name});
  workload.applications.back().relaunch = true;
  workload.streams.push_back({name, application, 0});
  ThreadSpec thread{name, application};
  for (unsigned i = 0; i < interferer.at_once; ++i) {
    CopyCommand copy;
    copy.label = fmt::format("{} #{}", name, i + 1);
    copy.stream = stream;
    copy.kind = interferer.what == "memset" ? CopyKind::kMemset : CopyKind::kHostToDevice;
    copy.to = kFirst + application * kApart;
    copy.from = copy.kind == CopyKind::kMemset ? 0 : copy.to + kApart / 2;
    copy.bytes = interferer.bytes;
    thread.calls.push_back({HostCall::Kind::kCopy, stream, static_cast<std::uint32_t>(workload.copies.size())});
    workload.copies.push_back(std::move(copy));
  }
  if (interferer.pause > 0) {
    thread.calls.push_back({HostCall::Kind::kSynchronizeStream, stream});
    thread.calls.push_back({HostCall::Kind::kHostFunction, 0, 0, interferer.pause});
  }
  workload.threads.push_back(std::move(thread));
}

}  // namespace gputlm
