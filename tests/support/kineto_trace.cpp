#include "tests/support/kineto_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace gputlm {
namespace {

using captured::Direction;
using captured::Memory;
using captured::Wait;

// cupti_strings.cpp memcpyKindString.
const char* name_of(Direction direction) {
  switch (direction) {
    case Direction::kHostToDevice: return "HtoD";
    case Direction::kDeviceToHost: return "DtoH";
    case Direction::kDeviceToDevice: return "DtoD";
    case Direction::kHostToHost: return "HtoH";
    case Direction::kPeerToPeer: return "PtoP";
  }
  throw std::logic_error("no such direction of a copy");
}

// cupti_strings.cpp memoryKindString.
const char* name_of(Memory memory) {
  switch (memory) {
    case Memory::kPageable: return "Pageable";
    case Memory::kPinned: return "Pinned";
    case Memory::kDevice: return "Device";
    case Memory::kArray: return "Array";
    case Memory::kManaged: return "Managed";
  }
  throw std::logic_error("no such kind of memory");
}

// cupti_strings.cpp syncTypeString.
const char* name_of(Wait kind) {
  switch (kind) {
    case Wait::kEvent: return "Event Sync";
    case Wait::kStreamForEvent: return "Stream Wait Event";
    case Wait::kStream: return "Stream Sync";
    case Wait::kContext: return "Context Sync";
  }
  throw std::logic_error("no such wait");
}

// RoctracerActivity_inl.h getMemcpySrcDstString: host or device is all that a packet says.
const char* source_of(Direction direction) {
  return direction == Direction::kHostToDevice || direction == Direction::kHostToHost ? "Host" : "Device";
}
const char* target_of(Direction direction) {
  return direction == Direction::kDeviceToHost || direction == Direction::kHostToHost ? "Host" : "Device";
}

// hipMemcpyKind, hip_runtime_api.h.
int hip_kind(Direction direction) {
  switch (direction) {
    case Direction::kHostToHost: return 0;
    case Direction::kHostToDevice: return 1;
    case Direction::kDeviceToHost: return 2;
    default: return 3;
  }
}

// CuptiActivity.h bandwidth.
std::string bandwidth(std::uint64_t bytes, captured::Span span) {
  if (span.length() == 0) return "\"N/A\"";
  return fmt::format("{}", static_cast<double>(bytes) / static_cast<double>(span.length()));
}

std::string text_of(captured::Shape s) { return fmt::format("[{}, {}, {}]", s.x, s.y, s.z); }

// Arguments of HIP's extended launch are work items of the whole grid, and Kineto takes them for blocks
// (RoctracerLogger.cpp, HIP_API_ID_hipExtModuleLaunchKernel).
bool takes_work_items(const std::string& call) { return call == "hipExtModuleLaunchKernel"; }

}  // namespace

std::uint32_t KinetoTrace::call(Thread thread, Call call, const std::string& name) {
  return add_call(thread, call, name, false);
}

std::uint32_t KinetoTrace::launch(Thread thread, Call call, const Stream& stream, const captured::Kernel& kernel,
                                  Span span, const std::string& name) {
  if (is_cuda()) {
    const char* usual = kernel.cluster.x > 0 ? "cudaLaunchKernelExC"
                        : kernel.cooperative ? "cudaLaunchCooperativeKernel"
                                             : "cudaLaunchKernel";
    const std::uint32_t correlation = add_call(thread, call, name.empty() ? usual : name, true);
    add_kernel(kernel, stream, span, correlation);
    return correlation;
  }
  const std::string function = name.empty() ? "hipLaunchKernel" : name;
  captured::Kernel written = kernel;
  if (takes_work_items(function)) {
    written.grid.x *= kernel.block.x;
    written.grid.y *= kernel.block.y;
    written.grid.z *= kernel.block.z;
  }
  // "shared memory" is what the launch adds; a kernel's own is nowhere.
  const std::uint32_t correlation =
      add_call(thread, call, function, true, fmt::format("\"kernel\": \"{}\", ", kernel.name),
               fmt::format(",\n      \"grid\": {},\n      \"block\": {},\n      \"shared memory\": {}",
                           text_of(written.grid), text_of(written.block), kernel.dynamic_shared));
  add_kernel(written, stream, span, correlation);
  return correlation;
}

std::uint32_t KinetoTrace::launched_before(const Stream& stream, const captured::Kernel& kernel, Span span) {
  add_kernel(kernel, stream, span, ++correlations_);
  return correlations_;
}

void KinetoTrace::add_kernel(const captured::Kernel& kernel, const Stream& stream, Span span, std::uint32_t correlation,
                             const std::optional<Node>& node) {
  if (!is_cuda()) {
    // A graph's kernels are tasks; a shape is copied from a call that has one.
    std::string args =
        fmt::format("\n      \"device\": {}, \"stream\": {},\n      \"correlation\": {}, \"kind\": \"{}\"",
                    stream.context.device, stream.id, correlation, node ? "Dispatch Task" : "Dispatch Kernel");
    if (!node) args += fmt::format(",\n      \"grid\": {}, \"block\": {}", text_of(kernel.grid), text_of(kernel.block));
    return add_work("kernel", kernel.name, stream, span, correlation, args);
  }
  // DeviceProperties.cpp: blocks and warps by the SMs of the device, infinite without one.
  std::string blocks = "\"inf\"", warps = "\"inf\"";
  int occupancy = 0;
  if (stream.context.device < devices_.size()) {
    const Device& device = devices_[stream.context.device];
    const float per_sm = static_cast<float>(kernel.grid.product()) / static_cast<float>(device.sms);
    const float threads = static_cast<float>(kernel.block.product());
    blocks = std::to_string(per_sm);
    warps = std::to_string(per_sm * threads / 32);
    occupancy =
        static_cast<int>(0.5F + std::min(100.0F, 100 * per_sm * threads / static_cast<float>(device.threads_per_sm)));
  }
  add_work("kernel", kernel.name, stream, span, correlation,
           fmt::format("\n      \"queued\": 0, \"device\": {}, \"context\": {},"
                       "\n      \"stream\": {}, \"correlation\": {},"
                       "\n      \"registers per thread\": {},"
                       "\n      \"shared memory\": {},"
                       "\n      \"blocks per SM\": {},"
                       "\n      \"warps per SM\": {},"
                       "\n      \"grid\": {},"
                       "\n      \"block\": {},"
                       "\n      \"est. achieved occupancy %\": {}{}",
                       stream.context.device, stream.context.id, stream.id, correlation, kernel.registers,
                       kernel.static_shared + kernel.dynamic_shared, blocks, warps, text_of(kernel.grid),
                       text_of(kernel.block), occupancy, graph_ids(node)));
}

std::string KinetoTrace::graph_ids(const std::optional<Node>& node) const {
  if (!graph_ids_) return {};
  const std::uint64_t id = node ? std::uint64_t{node->graph} << 32 | node->node : 0;
  return fmt::format(",\n      \"graph id\": {}, \"graph node id\": {}", node ? node->graph : 0, id);
}

std::uint32_t KinetoTrace::copy(Thread thread, Call call, const Stream& stream, const captured::Copy& copy, Span span,
                                std::optional<Direction> packet) {
  if (!is_cuda()) {
    // What was asked for, in texts.
    const std::uint32_t correlation = add_call(
        thread, call, "hipMemcpyAsync", true, {},
        fmt::format(", \"src\": \"0x7f0000000000\", \"dst\": \"0x7f1000000000\", \"bytes\": \"{}\", \"kind\": \"{}\"",
                    copy.bytes, hip_kind(copy.direction)));
    const Direction moved = packet.value_or(copy.direction);
    add_work("gpu_memcpy", fmt::format("Memcpy {} ({} -> {})", name_of(moved), source_of(moved), target_of(moved)),
             stream, span, correlation,
             fmt::format("\n      \"device\": {}, \"stream\": {},\n      \"correlation\": {}, \"kind\": \"{}\","
                         "\n      \"bytes\": {}, \"memory bandwidth (GB/s)\": {}",
                         stream.context.device, stream.id, correlation, name_of(moved), copy.bytes,
                         bandwidth(copy.bytes, span)));
    return correlation;
  }
  const std::uint32_t correlation = add_call(thread, call, "cudaMemcpyAsync", true);
  const std::string where =
      copy.direction == Direction::kPeerToPeer
          ? fmt::format(
                "\n      \"fromDevice\": {0}, \"inDevice\": {0}, \"toDevice\": {1},"
                "\n      \"fromContext\": {2}, \"inContext\": {2}, \"toContext\": {3},",
                stream.context.device, copy.peer, stream.context.id, stream.context.id + 1)
          : fmt::format("\n      \"device\": {}, \"context\": {},", stream.context.device, stream.context.id);
  add_work("gpu_memcpy",
           fmt::format("Memcpy {} ({} -> {})", name_of(copy.direction), name_of(copy.from), name_of(copy.to)), stream,
           span, correlation,
           where + fmt::format("\n      \"stream\": {}, \"correlation\": {},"
                               "\n      \"bytes\": {}, \"memory bandwidth (GB/s)\": {}{}",
                               stream.id, correlation, copy.bytes, bandwidth(copy.bytes, span), graph_ids({})));
  return correlation;
}

std::uint32_t KinetoTrace::memset(Thread thread, Call call, const Stream& stream, std::uint64_t bytes, Span span) {
  const std::uint32_t correlation = add_call(thread, call, is_cuda() ? "cudaMemsetAsync" : "hipMemsetAsync", is_cuda());
  const std::string args =
      is_cuda()
          ? fmt::format(
                "\n      \"device\": {}, \"context\": {},\n      \"stream\": {}, \"correlation\": {},"
                "\n      \"bytes\": {}, \"memory bandwidth (GB/s)\": {}{}",
                stream.context.device, stream.context.id, stream.id, correlation, bytes, bandwidth(bytes, span),
                graph_ids({}))
          : fmt::format("\n      \"device\": {}, \"stream\": {},\n      \"correlation\": {}, \"kind\": \"Device\"",
                        stream.context.device, stream.id, correlation);
  add_work("gpu_memset", "Memset (Device)", stream, span, correlation, args);
  return correlation;
}

KinetoTrace::Record KinetoTrace::record_event(Thread thread, Call call, const Stream& stream, std::uint32_t event,
                                              std::int64_t reached) {
  // Not recorded on ROCm (RoctracerLogger.cpp startLogging).
  const std::uint32_t correlation = is_cuda() ? add_call(thread, call, "cudaEventRecord", false) : ++correlations_;
  if (is_cuda() && sync_events_ && reached > 0)
    add({"cuda_event",
         "cudaEvent",
         stream.context.device,
         stream.id,
         {reached, reached + 1},
         fmt::format("\"External id\": {0},\n      \"event_id\": {1},\n      \"stream\": {2}, \"correlation\": {0},"
                     "\n      \"device\": {3}, \"context\": {4}",
                     correlation, event, stream.id, stream.context.device, stream.context.id),
         correlation});
  return {event, ++records_, stream, correlation};
}

std::uint32_t KinetoTrace::add_wait(Wait kind, Call call, const captured::Context& context,
                                    std::optional<std::uint32_t> stream, std::uint32_t correlation,
                                    const Record* record) {
  if (!is_cuda() || !sync_events_) return correlation;
  const std::int64_t number = stream ? std::int64_t{*stream} : -1;
  std::string source;
  if (record)
    source = fmt::format(
        "\n      \"wait_on_stream\": {},\n      \"wait_on_cuda_event_record_corr_id\": {},"
        "\n      \"wait_on_cuda_event_id\": {},",
        record->stream.id, record->call, record->event);
  const Event event{
      "cuda_sync",
      name_of(kind),
      context.device,
      number,
      {call.at, call.returns()},
      fmt::format("\"External id\": {0},\n      \"cuda_sync_kind\": \"{1}\",{2}"
                  "\n      \"stream\": {3}, \"correlation\": {0},\n      \"device\": {4}, \"context\": {5}",
                  correlation, name_of(kind), source, number, context.device, context.id),
      correlation};
  if (kind == Wait::kStreamForEvent)
    waits_of_streams_.push_back({{context, *stream}, event});  // written at the end, if its stream has work
  else
    add(event);
  return correlation;
}

std::uint32_t KinetoTrace::wait_event(Thread thread, Call call, const Stream& stream, const Record& record) {
  const std::uint32_t correlation =
      add_call(thread, call, is_cuda() ? "cudaStreamWaitEvent" : "hipStreamWaitEvent", false);
  return add_wait(Wait::kStreamForEvent, call, stream.context, stream.id, correlation, &record);
}
std::uint32_t KinetoTrace::synchronize_event(Thread thread, Call call, const Record& record) {
  const std::uint32_t correlation =
      add_call(thread, call, is_cuda() ? "cudaEventSynchronize" : "hipEventSynchronize", false);
  return add_wait(Wait::kEvent, call, record.stream.context, {}, correlation, &record);
}
std::uint32_t KinetoTrace::synchronize_stream(Thread thread, Call call, const Stream& stream) {
  const std::uint32_t correlation =
      add_call(thread, call, is_cuda() ? "cudaStreamSynchronize" : "hipStreamSynchronize", false);
  return add_wait(Wait::kStream, call, stream.context, stream.id, correlation, nullptr);
}
std::uint32_t KinetoTrace::synchronize_device(Thread thread, Call call, std::uint32_t device, std::uint32_t context) {
  const std::uint32_t correlation =
      add_call(thread, call, is_cuda() ? "cudaDeviceSynchronize" : "hipDeviceSynchronize", false);
  return add_wait(Wait::kContext, call, {thread.process, device, context}, {}, correlation, nullptr);
}

std::uint32_t KinetoTrace::launch_graph(Thread thread, Call call, const std::vector<NodeRun>& nodes) {
  const std::uint32_t correlation = add_call(thread, call, is_cuda() ? "cudaGraphLaunch" : "hipGraphLaunch", is_cuda());
  ++graphs_;
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    add_kernel(nodes[i].kernel, nodes[i].stream, nodes[i].span, correlation, Node{graphs_, i});
  return correlation;
}

// cupti_strings.cpp overheadKindString; device -1, thread 0 and no args (CuptiActivity.h OverheadActivity).
KinetoTrace& KinetoTrace::overhead(Span span, captured::Overhead kind) {
  if (!is_cuda()) throw std::logic_error("Kineto records no overhead on ROCm");
  const bool full = kind == captured::Overhead::kCommandBufferFull;
  add({"overhead", full ? "Command Buffer Full" : "Lazy Function Loading", -1, 0, span, {}});
  return *this;
}

}  // namespace gputlm
