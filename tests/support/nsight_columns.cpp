// The columns of Nsight Systems' exports, in the tool's order, each with its source (nsight_schema.h).
//
// Compared with `.schema` of exports: of 2024.5 all but CUDA_EVENT, MEMSET, GRAPH_TRACE, CUDA_GRAPH_... and
// NVTX_EVENTS, which are as in exports of 2024.6 and as public readers of that time know them; of 2025.5 all but
// MEMSET, CUDA_GRAPH_NODE_EVENTS and NVTX_EVENTS; of 2026.2 all but GRAPH_TRACE, CUDA_GRAPH_..., TARGET_INFO_GPU,
// TARGET_INFO_CUDA_DEVICE and TARGET_INFO_CUDA_CONTEXT_INFO, which are as in 2025.5 and in the reference.
#include "tests/support/nsight_schema.h"

namespace gputlm {
namespace {

constexpr NsightVersion k24 = NsightVersion::k2024_5, k25 = NsightVersion::k2025_5, k26 = NsightVersion::k2026_2;
constexpr bool kNeeded = true, kMayBeNull = false;
const char* const kInt = "INTEGER";
const char* const kText = "TEXT";
const char* const kReal = "REAL";

struct Column {
  const char *name, *type;
  bool required;
  NsightVersion since;
  const char *meaning, *source;
};

// Work on the GPU begins with these.
const std::vector<Column> kWork = {
    {"start", kInt, kNeeded, k24, "ns since the session's start; 0 with end 0: not collected", "SSR; CUPTI Kernel9"},
    {"end", kInt, kNeeded, k24, "ns", "SSR; CUPTI Kernel9"},
    {"deviceId", kInt, kNeeded, k24, "CUDA's number of the GPU in the process; 0 always in SYNCHRONIZATION", "SSR"},
    {"contextId", kInt, kNeeded, k24, "from 1 on, in a process", "SSR"},
    {"greenContextId", kInt, kMayBeNull, k24, "none: null in 3.13, 0 from 3.24, null in SYNCHRONIZATION", "SSR"},
    {"streamId", kInt, kNeeded, k24, "in a process; 4294967295: none", "SSR; CUPTI Synchronization streamId"},
    {"correlationId", kInt, kMayBeNull, k24, "of the call; of a graph's node: of the launch", "SSR; CUPTI Kernel9"},
    {"globalPid", kInt, kMayBeNull, k24, "hardware << 56 | vm << 48 | process << 24", "SSR; SE"}};
const std::vector<Column> kKernel = {
    {"demangledName", kInt, kNeeded, k24, "StringIds: with template arguments and parameters", "SSR"},
    {"shortName", kInt, kNeeded, k24, "StringIds: without", "SSR"},
    {"mangledName", kInt, kMayBeNull, k24, "StringIds", "SSR"},
    {"launchType", kInt, kMayBeNull, k24, "1 regular, 2 cooperative", "SSR: ENUM_CUDA_KERNEL_LAUNCH_TYPE"},
    {"cacheConfig", kInt, kMayBeNull, k24, "1 by default, though the table says SHARED", "files"},
    {"registersPerThread", kInt, kNeeded, k24, "registers", "SSR"},
    {"gridX", kInt, kNeeded, k24, "blocks", "SSR"},
    {"gridY", kInt, kNeeded, k24, "blocks", "SSR"},
    {"gridZ", kInt, kNeeded, k24, "blocks", "SSR"},
    {"blockX", kInt, kNeeded, k24, "threads", "SSR"},
    {"blockY", kInt, kNeeded, k24, "threads", "SSR"},
    {"blockZ", kInt, kNeeded, k24, "threads", "SSR"},
    {"staticSharedMemory", kInt, kNeeded, k24, "B a block", "SSR"},
    {"dynamicSharedMemory", kInt, kNeeded, k24, "B a block", "SSR"},
    {"localMemoryPerThread", kInt, kNeeded, k24, "B", "SSR"},
    {"localMemoryTotal", kInt, kNeeded, k24, "B", "SSR"},
    {"gridId", kInt, kNeeded, k24, "number of the launch in a process", "SSR; CUPTI Kernel9 gridId"},
    {"sharedMemoryExecuted", kInt, kMayBeNull, k24, "B of an SM, as the driver split L1", "SSR; CUPTI Kernel9"},
    {"graphNodeId", kInt, kMayBeNull, k24, "graph << 32 | node; null: no graph", "SSR; CUPTI Kernel9 graphNodeId"},
    {"sharedMemoryLimitConfig", kInt, kMayBeNull, k24, "1: above 48 KiB", "SSR: ENUM_CUDA_SHARED_MEM_LIMIT_CONFIG"},
    {"qmdBulkReleaseDone", kInt, kMayBeNull, k25, "null without hardware-based trace", "SSR"},
    {"qmdPreexitDone", kInt, kMayBeNull, k25, "null without hardware-based trace", "SSR"},
    {"qmdLastCtaDone", kInt, kMayBeNull, k25, "null without hardware-based trace", "SSR"},
    {"graphId", kInt, kMayBeNull, k25, "the executable's graph; null: no graph", "SSR; CUPTI Kernel9 graphId"},
    {"clusterX", kInt, kMayBeNull, k25, "blocks; 0: no clusters", "SSR; CUPTI Kernel9"},
    {"clusterY", kInt, kMayBeNull, k25, "blocks; 0: no clusters", "SSR; CUPTI Kernel9"},
    {"clusterZ", kInt, kMayBeNull, k25, "blocks; 0: no clusters", "SSR; CUPTI Kernel9"},
    {"clusterSchedulingPolicy", kInt, kMayBeNull, k25, "0 default, 1 spread, 2 balanced", "SSR; CUPTI Kernel9"},
    {"maxPotentialClusterSize", kInt, kMayBeNull, k25, "blocks; 0: no clusters", "SSR; CUPTI Kernel9"},
    {"maxActiveClusters", kInt, kMayBeNull, k25, "clusters; 0: no clusters", "SSR; CUPTI Kernel9"},
    {"sharedMemoryRequestedPercentage", kInt, kMayBeNull, k26, "null", "SSR"},
    {"tensorSizeMinusOneElements", kText, kNeeded, k26, "[]: no TMA descriptor", "SSR"}};
const std::vector<Column> kMemcpy = {
    {"bytes", kInt, kNeeded, k24, "B, 64 bits", "SSR"},
    {"copyKind", kInt, kNeeded, k24, "direction", "SSR: ENUM_CUDA_MEMCPY_OPER"},
    {"deprecatedSrcId", kInt, kMayBeNull, k24, "null", "SSR"},
    {"srcKind", kInt, kMayBeNull, k24, "memory", "SSR: ENUM_CUDA_MEM_KIND"},
    {"dstKind", kInt, kMayBeNull, k24, "memory", "SSR: ENUM_CUDA_MEM_KIND"},
    {"srcDeviceId", kInt, kMayBeNull, k24, "null but between GPUs", "SSR; CUPTI MemcpyPtoP4"},
    {"srcContextId", kInt, kMayBeNull, k24, "null but between GPUs", "SSR; CUPTI MemcpyPtoP4"},
    {"dstDeviceId", kInt, kMayBeNull, k24, "null but between GPUs", "SSR; CUPTI MemcpyPtoP4"},
    {"dstContextId", kInt, kMayBeNull, k24, "null but between GPUs", "SSR; CUPTI MemcpyPtoP4"},
    {"migrationCause", kInt, kMayBeNull, k24, "null but for unified memory", "SSR: ENUM_CUDA_UNIF_MEM_MIGRATION"},
    {"graphNodeId", kInt, kMayBeNull, k24, "null: no graph", "SSR"},
    {"virtualAddress", kInt, kMayBeNull, k24, "null but for unified memory", "SSR"},
    {"copyCount", kInt, kMayBeNull, k25, "copies of a batch; 1", "SSR"}};
const std::vector<Column> kMemset = {{"value", kInt, kNeeded, k24, "what was written", "SSR"},
                                     {"bytes", kInt, kNeeded, k24, "B", "SSR"},
                                     {"graphNodeId", kInt, kMayBeNull, k24, "null: no graph", "SSR"},
                                     {"memKind", kInt, kMayBeNull, k24, "memory", "SSR: ENUM_CUDA_MEM_KIND"}};
const std::vector<Column> kSynchronization = {
    {"deprecatedSyncType", kInt, kMayBeNull, k25, "null", "SSR"},
    {"syncType", kInt, kNeeded, k24, "numbers differ up to 2025.5: nsight_export.h",
     "SSR: ENUM_CUPTI_SYNC_TYPE; files"},
    {"eventId", kInt, kNeeded, k24, "event object; 4294967295: none", "SSR; CUPTI Synchronization cudaEventId"},
    {"eventSyncId", kInt, kMayBeNull, k25, "its record; none: 4294967295 in 3.24, 0 in 3.25",
     "SSR; CUPTI Synchronization2"}};
const std::vector<Column> kCudaEvent = {
    {"timestamp", kInt, kMayBeNull, k25, "ns when the GPU reached it; 0: not collected", "SSR; CUPTI CudaEvent2"},
    {"deviceId", kInt, kNeeded, k24, "", "SSR"},
    {"contextId", kInt, kNeeded, k24, "", "SSR"},
    {"greenContextId", kInt, kMayBeNull, k24, "none: null in 3.13, 0 from 3.24", "SSR"},
    {"streamId", kInt, kNeeded, k24, "where it was recorded", "SSR"},
    {"correlationId", kInt, kMayBeNull, k24, "of the call that recorded it", "SSR"},
    {"globalPid", kInt, kMayBeNull, k24, "", "SSR"},
    {"eventId", kInt, kNeeded, k24, "event object", "SSR"},
    {"eventSyncId", kInt, kMayBeNull, k25, "this record, in a process", "SSR; CUPTI CudaEvent2 cudaEventSyncId"}};
const std::vector<Column> kGraphTrace = {{"graphId", kInt, kNeeded, k24, "CUDA_GRAPH_EVENTS", "SSR; CUPTI GraphTrace2"},
                                         {"graphExecId", kInt, kNeeded, k24, "CUDA_GRAPH_EVENTS", "SSR"}};

const std::vector<Column> kRuntime = {
    {"start", kInt, kNeeded, k24, "ns: entered", "SSR; CUPTI API"},
    {"end", kInt, kNeeded, k24, "ns: returned", "SSR; CUPTI API"},
    {"eventClass", kInt, kNeeded, k24, "0 runtime, 1 driver", "SSR: ENUM_NSYS_EVENT_CLASS"},
    {"globalTid", kInt, kMayBeNull, k24, "globalPid | thread, which has the low 24 bits", "SSR; SE"},
    {"correlationId", kInt, kMayBeNull, k24, "unique in a process", "SSR; CUPTI API"},
    {"nameId", kInt, kNeeded, k24, "StringIds: with CUPTI's version, cudaLaunchKernel_v7000", "SSR"},
    {"returnValue", kInt, kNeeded, k24, "0: success", "SSR"},
    {"callchainId", kInt, kMayBeNull, k24, "null without stacks", "SSR"}};
const std::vector<Column> kOverhead = {
    {"start", kInt, kNeeded, k25, "ns", "SSR; CUPTI Overhead3"},
    {"end", kInt, kNeeded, k25, "ns", "SSR; CUPTI Overhead3"},
    {"eventClass", kInt, kNeeded, k25, "103", "SSR: ENUM_NSYS_EVENT_CLASS"},
    {"globalTid", kInt, kMayBeNull, k25, "", "SSR"},
    {"correlationId", kInt, kMayBeNull, k25, "of the call that met it", "SSR"},
    {"nameId", kInt, kMayBeNull, k25, "StringIds", "SSR"},
    {"overheadType", kInt, kNeeded, k25, "7 lazy loading, 8 command buffer full", "SSR: ENUM_CUPTI_OVERHEAD_TYPE"}};
const std::vector<Column> kGraphEvents = {
    {"start", kInt, kNeeded, k24, "ns; the same as end", "SSR"},
    {"end", kInt, kNeeded, k24, "ns", "SSR"},
    {"eventClass", kInt, kNeeded, k24, "94 executable, 95 graph, 96 clone", "SSR: ENUM_NSYS_EVENT_CLASS"},
    {"globalTid", kInt, kMayBeNull, k24, "", "SSR"},
    {"nameId", kInt, kNeeded, k24, "StringIds", "SSR"},
    {"graphId", kInt, kMayBeNull, k24, "", "SSR"},
    {"originalGraphId", kInt, kMayBeNull, k24, "null: not cloned", "SSR"},
    {"graphExecId", kInt, kMayBeNull, k24, "null: not instantiated", "SSR"}};
const std::vector<Column> kGraphNodeEvents = {
    {"start", kInt, kNeeded, k24, "ns; the same as end", "SSR"},
    {"end", kInt, kNeeded, k24, "ns", "SSR"},
    {"eventClass", kInt, kNeeded, k24, "77", "SSR: ENUM_NSYS_EVENT_CLASS"},
    {"globalTid", kInt, kMayBeNull, k24, "", "SSR"},
    {"nameId", kInt, kNeeded, k24, "StringIds", "SSR"},
    {"graphNodeId", kInt, kNeeded, k24, "graph << 32 | node", "SSR; CUPTI Kernel9 graphNodeId"},
    {"originalGraphNodeId", kInt, kMayBeNull, k24, "the captured node; null: this is it", "SSR"}};
const std::vector<Column> kNvtx = {
    {"start", kInt, kNeeded, k24, "ns; negative before the session's start", "SSR; SE"},
    {"end", kInt, kMayBeNull, k24, "ns; null: a mark, or never ended", "SSR; SE"},
    {"eventType", kInt, kNeeded, k24, "34 mark, 59 push/pop, 60 start/end, 75 domain", "SSR: ENUM_NSYS_EVENT_TYPE; SE"},
    {"rangeId", kInt, kMayBeNull, k24, "of nvtxRangeStart; null for push/pop", "SSR"},
    {"category", kInt, kMayBeNull, k24, "null: not given", "SSR"},
    {"color", kInt, kMayBeNull, k24, "null: not given", "SSR"},
    {"text", kText, kMayBeNull, k24, "null: registered, see textId", "SSR"},
    {"globalTid", kInt, kMayBeNull, k24, "", "SSR"},
    {"endGlobalTid", kInt, kMayBeNull, k24, "null for push/pop", "SSR"},
    {"textId", kInt, kMayBeNull, k24, "StringIds: a registered text; null: see text", "SSR"},
    {"domainId", kInt, kMayBeNull, k24, "0: the default domain, in a process", "SSR; SE"},
    {"uint64Value", kInt, kMayBeNull, k24, "null: no payload", "SSR"},
    {"int64Value", kInt, kMayBeNull, k24, "null: no payload", "SSR"},
    {"doubleValue", kReal, kMayBeNull, k24, "null: no payload", "SSR"},
    {"uint32Value", kInt, kMayBeNull, k24, "null: no payload", "SSR"},
    {"int32Value", kInt, kMayBeNull, k24, "null: no payload", "SSR"},
    {"floatValue", kReal, kMayBeNull, k24, "null: no payload", "SSR"},
    {"jsonTextId", kInt, kMayBeNull, k24, "null: no payload", "SSR"},
    {"jsonText", kText, kMayBeNull, k24, "null: no payload", "SSR"},
    {"binaryData", kText, kMayBeNull, k24, "null: no payload", "SSR"}};

std::vector<NsightColumn> all_columns() {
  std::vector<NsightColumn> all;
  const auto add = [&](const std::string& table, const std::vector<Column>& columns) {
    for (const Column& c : columns) all.push_back({table, c.name, c.type, c.required, c.since, c.meaning, c.source});
  };
  const auto add_work = [&](const std::string& table, const std::vector<Column>& further) {
    add(table, kWork);
    add(table, further);
  };
  add_work("CUPTI_ACTIVITY_KIND_KERNEL", kKernel);
  add_work("CUPTI_ACTIVITY_KIND_MEMCPY", kMemcpy);
  add_work("CUPTI_ACTIVITY_KIND_MEMSET", kMemset);
  add_work("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", kSynchronization);
  add_work("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", kGraphTrace);
  add("CUPTI_ACTIVITY_KIND_CUDA_EVENT", kCudaEvent);
  add("CUPTI_ACTIVITY_KIND_RUNTIME", kRuntime);
  add("CUPTI_ACTIVITY_KIND_OVERHEAD", kOverhead);
  add("CUDA_GRAPH_EVENTS", kGraphEvents);
  add("CUDA_GRAPH_NODE_EVENTS", kGraphNodeEvents);
  add("NVTX_EVENTS", kNvtx);
  for (const NsightColumn& column : nsight_target_columns()) all.push_back(column);
  return all;
}

}  // namespace

const std::vector<NsightColumn>& nsight_columns() {
  static const std::vector<NsightColumn> all = all_columns();
  return all;
}

}  // namespace gputlm
