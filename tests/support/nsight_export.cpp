#include "tests/support/nsight_export.h"

#include <algorithm>
#include <stdexcept>

namespace gputlm {
namespace {

using captured::Direction;
using captured::Memory;
using captured::Wait;

// CUPTI_SYNCHRONIZATION_INVALID_VALUE; columns are unsigned.
constexpr std::int64_t kNone = 0xFFFFFFFF;
// ENUM_NSYS_EVENT_CLASS.
constexpr int kRuntimeApi = 0, kDriverApi = 1, kGraphNode = 77, kGraphExecutable = 94, kGraph = 95, kCudaOverhead = 103;
// ENUM_NSYS_EVENT_TYPE.
constexpr int kMark = 34, kPushPop = 59, kStartEnd = 60, kDomain = 75;

/// Hardware 0 in the bits from 56 on, machine 1 from 48 on, the process from 24 on (SE).
std::int64_t global_pid(std::uint32_t process) { return std::int64_t{1} << 48 | std::int64_t{process} << 24; }
std::int64_t global_tid(captured::Thread thread) { return global_pid(thread.process) | thread.thread; }

/// ENUM_CUDA_MEMCPY_OPER.
int number_of(Direction direction) {
  switch (direction) {
    case Direction::kHostToDevice: return 1;
    case Direction::kDeviceToHost: return 2;
    case Direction::kDeviceToDevice: return 8;
    case Direction::kHostToHost: return 9;
    case Direction::kPeerToPeer: return 10;
  }
  throw std::logic_error("no such direction of a copy");
}

/// ENUM_CUDA_MEM_KIND: not CUPTI's numbers.
int number_of(Memory memory) {
  switch (memory) {
    case Memory::kPageable: return 0;
    case Memory::kPinned: return 1;
    case Memory::kDevice: return 2;
    case Memory::kArray: return 3;
    case Memory::kManaged: return 4;
  }
  throw std::logic_error("no such kind of memory");
}

/// CUPTI's CUpti_ActivitySynchronizationType.
int number_of(Wait kind) {
  switch (kind) {
    case Wait::kEvent: return 1;
    case Wait::kStreamForEvent: return 2;
    case Wait::kStream: return 3;
    case Wait::kContext: return 4;
  }
  throw std::logic_error("no such wait");
}

/// A kernel's name without template arguments, parameters, namespaces and return type.
std::string short_name(const std::string& demangled) {
  std::string name = demangled.substr(0, demangled.find_first_of("<("));
  const std::size_t before = name.find_last_of(" :");
  return before == std::string::npos ? name : name.substr(before + 1);
}

}  // namespace

std::uint32_t NsightExport::call(Thread thread, Call call, const std::string& name, std::int32_t result) {
  const std::uint32_t correlation = ++calls_[thread.process];
  add("CUPTI_ACTIVITY_KIND_RUNTIME",
      {{"start", call.at},
       {"end", call.returns()},
       {"eventClass", std::int64_t{name.rfind("cuda", 0) == 0 ? kRuntimeApi : kDriverApi}},
       {"globalTid", global_tid(thread)},
       {"correlationId", std::int64_t{correlation}},
       {"nameId", string(name)},
       {"returnValue", std::int64_t{result}}});
  return correlation;
}

NsightExport::Row NsightExport::work(Span span, const Stream& stream, std::uint32_t correlation) {
  Row row = {{"start", span.start},
             {"end", span.end},
             {"deviceId", std::int64_t{stream.context.device}},
             {"contextId", std::int64_t{stream.context.id}},
             {"streamId", std::int64_t{stream.id}},
             {"correlationId", std::int64_t{correlation}},
             {"globalPid", global_pid(stream.context.process)}};
  if (at_least(NsightVersion::k2025_5)) row.push_back({"greenContextId", std::int64_t{stream.context.green}});
  return row;
}

NsightExport::Row NsightExport::kernel_row(const captured::Kernel& kernel, const Stream& stream, Span span,
                                           std::uint32_t correlation) {
  Row row = work(span, stream, correlation);
  const auto put = [&](const char* column, std::int64_t value) { row.push_back({column, value}); };
  put("demangledName", string(kernel.name));
  put("shortName", string(short_name(kernel.name)));
  put("mangledName", string("_Z" + std::to_string(short_name(kernel.name).size()) + short_name(kernel.name) + "v"));
  put("launchType", kernel.cooperative ? 2 : 1);
  put("cacheConfig", 1);
  put("registersPerThread", kernel.registers);
  put("gridX", kernel.grid.x);
  put("gridY", kernel.grid.y);
  put("gridZ", kernel.grid.z);
  put("blockX", kernel.block.x);
  put("blockY", kernel.block.y);
  put("blockZ", kernel.block.z);
  put("staticSharedMemory", kernel.static_shared);
  put("dynamicSharedMemory", kernel.dynamic_shared);
  put("localMemoryPerThread", 0);
  put("localMemoryTotal", 24'772'608);
  put("gridId", ++grids_[stream.context.process]);
  put("sharedMemoryExecuted", 32'768);
  put("sharedMemoryLimitConfig", kernel.static_shared + kernel.dynamic_shared > 49'152 ? 1 : 0);
  put("clusterX", kernel.cluster.x);
  put("clusterY", kernel.cluster.y);
  put("clusterZ", kernel.cluster.z);
  put("clusterSchedulingPolicy", at_least(NsightVersion::k2026_2) ? 1 : 0);
  put("maxPotentialClusterSize", kernel.cluster.x > 0 ? 8 : 0);
  put("maxActiveClusters", kernel.cluster.x > 0 ? 30 : 0);
  row.push_back({"tensorSizeMinusOneElements", std::string("[]")});
  return row;
}

std::uint32_t NsightExport::launch(Thread thread, Call when, const Stream& stream, const captured::Kernel& kernel,
                                   Span span, const std::string& name) {
  const char* usual = kernel.cluster.x > 0 ? "cudaLaunchKernelExC_v11060"
                      : kernel.cooperative ? "cudaLaunchCooperativeKernel_v9000"
                                           : "cudaLaunchKernel_v7000";
  const std::uint32_t correlation = call(thread, when, name.empty() ? usual : name);
  add("CUPTI_ACTIVITY_KIND_KERNEL", kernel_row(kernel, stream, span, correlation));
  return correlation;
}

std::uint32_t NsightExport::launched_before(const Stream& stream, const captured::Kernel& kernel, Span span) {
  const std::uint32_t correlation = ++calls_[stream.context.process];
  add("CUPTI_ACTIVITY_KIND_KERNEL", kernel_row(kernel, stream, span, correlation));
  return correlation;
}

NsightExport::Row NsightExport::copy_row(const captured::Copy& copy, const Stream& stream, Span span,
                                         std::uint32_t correlation) {
  Row row = work(span, stream, correlation);
  const auto put = [&](const char* column, std::int64_t value) { row.push_back({column, value}); };
  put("bytes", static_cast<std::int64_t>(copy.bytes));
  put("copyKind", number_of(copy.direction));
  put("srcKind", number_of(copy.from));
  put("dstKind", number_of(copy.to));
  if (copy.direction == Direction::kPeerToPeer) {
    put("srcDeviceId", stream.context.device);
    put("srcContextId", stream.context.id);
    put("dstDeviceId", copy.peer);
    put("dstContextId", stream.context.id + 1);
  }
  put("copyCount", 1);
  return row;
}

std::uint32_t NsightExport::copy(Thread thread, Call when, const Stream& stream, const captured::Copy& copy, Span span,
                                 const std::string& name) {
  const std::uint32_t correlation = call(thread, when, name);
  add("CUPTI_ACTIVITY_KIND_MEMCPY", copy_row(copy, stream, span, correlation));
  return correlation;
}

std::uint32_t NsightExport::memset(Thread thread, Call when, const Stream& stream, std::uint64_t bytes, Span span,
                                   const std::string& name) {
  const std::uint32_t correlation = call(thread, when, name);
  Row row = work(span, stream, correlation);
  row.push_back({"value", std::int64_t{0}});
  row.push_back({"bytes", static_cast<std::int64_t>(bytes)});
  row.push_back({"memKind", std::int64_t{number_of(Memory::kDevice)}});
  add("CUPTI_ACTIVITY_KIND_MEMSET", std::move(row));
  return correlation;
}

NsightExport::Record NsightExport::record_event(Thread thread, Call when, const Stream& stream, std::uint32_t event,
                                                std::int64_t reached) {
  const std::uint32_t correlation = call(thread, when, "cudaEventRecord_v3020");
  const Record record{event, ++records_[thread.process], stream, correlation};
  Row row = work({0, 0}, stream, correlation);
  row.erase(row.begin(), row.begin() + 2);  // no start, no end
  row.push_back({"timestamp", reached});
  row.push_back({"eventId", std::int64_t{event}});
  row.push_back({"eventSyncId", static_cast<std::int64_t>(record.record)});
  add("CUPTI_ACTIVITY_KIND_CUDA_EVENT", std::move(row));
  return record;
}

// Rows of waits lie within their calls, and their device is 0 whatever the context's is (files).
std::uint32_t NsightExport::wait(Wait kind, const std::string& name, Thread thread, Call when, const Context& context,
                                 std::optional<std::uint32_t> stream, const Record* record) {
  const std::uint32_t correlation = call(thread, when, name);
  const std::int64_t inside = std::min<std::int64_t>(when.lasts / 8, 500);
  const int number = number_of(kind);
  const std::int64_t no_record = at_least(NsightVersion::k2026_2) ? 0 : kNone;
  add("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
      {{"start", when.at + inside},
       {"end", when.returns() - inside},
       {"deviceId", std::int64_t{0}},
       {"contextId", std::int64_t{context.id}},
       {"streamId", stream ? std::int64_t{*stream} : kNone},
       {"correlationId", std::int64_t{correlation}},
       {"globalPid", global_pid(thread.process)},
       {"syncType", std::int64_t{at_least(NsightVersion::k2026_2) ? number : 5 - number}},
       {"eventId", record ? std::int64_t{record->event} : kNone},
       {"eventSyncId", record ? static_cast<std::int64_t>(record->record) : no_record}});
  return correlation;
}

std::uint32_t NsightExport::wait_event(Thread thread, Call when, const Stream& stream, const Record& record) {
  return wait(Wait::kStreamForEvent, "cudaStreamWaitEvent_v3020", thread, when, stream.context, stream.id, &record);
}
std::uint32_t NsightExport::synchronize_event(Thread thread, Call when, const Record& record) {
  return wait(Wait::kEvent, "cudaEventSynchronize_v3020", thread, when, record.stream.context, {}, &record);
}
std::uint32_t NsightExport::query_event(Thread thread, Call when, const Record& record) {
  return wait(Wait::kEvent, "cudaEventQuery_v3020", thread, when, record.stream.context, {}, &record);
}
std::uint32_t NsightExport::synchronize_stream(Thread thread, Call when, const Stream& stream) {
  return wait(Wait::kStream, "cudaStreamSynchronize_v3020", thread, when, stream.context, stream.id, nullptr);
}
std::uint32_t NsightExport::synchronize_device(Thread thread, Call when, const Context& context) {
  return wait(Wait::kContext, "cudaDeviceSynchronize_v3020", thread, when, context, {}, nullptr);
}
std::uint32_t NsightExport::synchronize_device(Thread thread, Call when) {
  return synchronize_device(thread, when, first_context());
}

NsightExport& NsightExport::overhead(Thread thread, std::uint32_t call, Span span, captured::Overhead kind) {
  const bool full = kind == captured::Overhead::kCommandBufferFull;
  add("CUPTI_ACTIVITY_KIND_OVERHEAD", {{"start", span.start},
                                       {"end", span.end},
                                       {"eventClass", std::int64_t{kCudaOverhead}},
                                       {"globalTid", global_tid(thread)},
                                       {"correlationId", std::int64_t{call}},
                                       {"nameId", string(full ? "Command Buffer Full" : "Lazy Function Loading")},
                                       {"overheadType", std::int64_t{full ? 8 : 7}}});
  return *this;
}

NsightExport::Graph NsightExport::graph(Thread thread, std::int64_t captured_at, std::int64_t instantiated_at,
                                        std::uint32_t nodes, bool by_node) {
  const std::uint32_t captured = ++graphs_[thread.process], executable = ++graphs_[thread.process];
  const auto made = [&](std::int64_t at, int kind, const char* name) {
    return Row{{"start", at},
               {"end", at},
               {"eventClass", std::int64_t{kind}},
               {"globalTid", global_tid(thread)},
               {"nameId", string(name)}};
  };
  const auto add_graph = [&](std::int64_t at, std::uint32_t id) {
    Row row = made(at, kGraph, "Graph Creation");
    row.push_back({"graphId", std::int64_t{id}});
    add("CUDA_GRAPH_EVENTS", std::move(row));
  };
  const auto node_of = [](std::uint32_t id, std::uint32_t node) { return std::int64_t{id} << 32 | node; };
  add_graph(captured_at, captured);
  add_graph(instantiated_at, executable);
  Row instance = made(instantiated_at, kGraphExecutable, "GraphExec Creation");
  instance.push_back({"graphId", std::int64_t{captured}});
  instance.push_back({"graphExecId", std::int64_t{executable}});
  add("CUDA_GRAPH_EVENTS", std::move(instance));
  for (std::uint32_t node = 0; by_node && node < nodes; ++node) {
    Row first = made(captured_at, kGraphNode, "Graph Node Creation");
    first.push_back({"graphNodeId", node_of(captured, node)});
    add("CUDA_GRAPH_NODE_EVENTS", std::move(first));
    Row copy = made(instantiated_at, kGraphNode, "Graph Node Creation");
    copy.push_back({"graphNodeId", node_of(executable, node)});
    copy.push_back({"originalGraphNodeId", node_of(captured, node)});
    add("CUDA_GRAPH_NODE_EVENTS", std::move(copy));
  }
  return {thread.process, captured, executable, nodes};
}

std::uint32_t NsightExport::launch_graph(Thread thread, Call when, const Stream&, const Graph& graph,
                                         const std::vector<NodeRun>& nodes) {
  const std::uint32_t correlation = call(thread, when, "cudaGraphLaunch_v10000");
  for (const NodeRun& run : nodes) {
    if (run.node >= graph.nodes) throw std::logic_error("the graph has no node " + std::to_string(run.node));
    const std::int64_t node = std::int64_t{graph.executable} << 32 | run.node;
    if (const auto* kernel = std::get_if<captured::Kernel>(&run.work)) {
      Row row = kernel_row(*kernel, run.stream, run.span, correlation);
      row.push_back({"graphNodeId", node});
      row.push_back({"graphId", std::int64_t{graph.executable}});
      add("CUPTI_ACTIVITY_KIND_KERNEL", std::move(row));
    } else {
      Row row = copy_row(std::get<captured::Copy>(run.work), run.stream, run.span, correlation);
      row.push_back({"graphNodeId", node});
      add("CUPTI_ACTIVITY_KIND_MEMCPY", std::move(row));
    }
  }
  return correlation;
}

std::uint32_t NsightExport::launch_whole_graph(Thread thread, Call when, const Stream& stream, const Graph& graph,
                                               Span span) {
  const std::uint32_t correlation = call(thread, when, "cudaGraphLaunch_v10000");
  Row row = work(span, stream, correlation);
  row.push_back({"graphId", std::int64_t{graph.captured}});
  row.push_back({"graphExecId", std::int64_t{graph.executable}});
  add("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", std::move(row));
  return correlation;
}

void NsightExport::range(const Text& text, int type, Thread thread, std::int64_t start, std::optional<std::int64_t> end,
                         Row further) {
  Row row = {{"start", start},
             {"eventType", std::int64_t{type}},
             {"globalTid", global_tid(thread)},
             {"domainId", std::int64_t{text.domain}}};
  if (end) row.push_back({"end", *end});
  if (text.registered)
    row.push_back({"textId", string(text.text)});
  else
    row.push_back({"text", text.text});
  row.insert(row.end(), further.begin(), further.end());
  add("NVTX_EVENTS", std::move(row));
}

NsightExport& NsightExport::push_pop(Thread thread, const Text& text, Span span) {
  range(text, kPushPop, thread, span.start, span.end, {});
  return *this;
}
NsightExport& NsightExport::pushed_and_never_popped(Thread thread, const Text& text, std::int64_t start) {
  range(text, kPushPop, thread, start, {}, {});
  return *this;
}
NsightExport& NsightExport::start_end(Thread thread, const Text& text, Span span, Thread ended_by) {
  range(text, kStartEnd, thread, span.start, span.end,
        {{"rangeId", std::int64_t{++ranges_[thread.process]}}, {"endGlobalTid", global_tid(ended_by)}});
  return *this;
}
NsightExport& NsightExport::mark(Thread thread, const Text& text, std::int64_t at) {
  range(text, kMark, thread, at, {}, {});
  return *this;
}
NsightExport& NsightExport::domain(Thread thread, std::uint32_t id, const std::string& name, std::int64_t at) {
  range({name, false, id}, kDomain, thread, at, {}, {});
  return *this;
}

}  // namespace gputlm
