#include "platform/experiments/cuda_hierarchy/kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/kernel/program_kernel.h"

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

VectorAdd vector_add_sample(Bytes working_set) {
  constexpr std::uint32_t kThreads = 256, kElement = 4;
  return {static_cast<std::uint32_t>(working_set / (3 * kElement * kThreads)), kThreads, kElement, 1, working_set};
}

std::shared_ptr<Kernel> vector_add(const VectorAdd& shape, Address at) {
  const auto width = static_cast<std::int64_t>(shape.width), threads = static_cast<std::int64_t>(shape.threads);
  const std::int64_t stride = width * threads * shape.blocks;
  const auto loads = static_cast<std::int64_t>(shape.unrolled);
  const AffinePattern vector{width, static_cast<std::int64_t>(kWarpSize) * width, threads * width, loads * stride, 0};
  ProgramSpec spec;
  spec.name = "vector_add";
  spec.grid = {shape.blocks};
  spec.block = {shape.threads};
  for (const char* name : {"a", "b", "c"}) {
    spec.patterns.push_back({name, at, vector});
    at += Bytes{1} << 28;
  }
  const auto access = [&](ProgramElement element, std::int64_t n) {
    std::get<MemoryElement>(element.what).offset = n * stride;
    return element;
  };
  const auto registers = static_cast<std::uint8_t>(shape.width / 4);
  const auto of_a = [&](std::int64_t n) { return static_cast<std::uint8_t>(4 + 2 * registers * n); };
  const auto of_b = [&](std::int64_t n) { return static_cast<std::uint8_t>(of_a(n) + registers); };
  std::vector<ProgramElement> body;
  for (std::int64_t n = 0; n < loads; ++n) {
    body.push_back(access(load("a", shape.width, of_a(n)), n));
    body.push_back(access(load("b", shape.width, of_b(n)), n));
  }
  for (std::int64_t n = 0; n < loads; ++n) {
    for (std::uint8_t r = 0; r < registers; ++r) {
      const auto a = static_cast<std::uint8_t>(of_a(n) + r), b = static_cast<std::uint8_t>(of_b(n) + r);
      body.push_back(instruction(Pipe::kFp32, a, {a, b}));
    }
    body.push_back(access(store("c", shape.width, {of_a(n)}), n));
  }
  const Bytes iteration = 3 * static_cast<Bytes>(stride) * shape.unrolled;
  spec.body = {loop(static_cast<std::uint32_t>(std::max<Bytes>(1, shape.working_set / iteration)), std::move(body))};
  return std::make_shared<ProgramKernel>(spec, 0);
}

}  // namespace gputlm
