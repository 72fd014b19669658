/// The columns that are read from an export of Nsight Systems, one row each (tlm/base/format_field.h). Checked against exports of
/// 2024.5 to 2026.2 by joining calls and activities by correlation.
#pragma once

#include "tlm/base/format_field.h"

namespace gputlm::nsight {

inline FileFormat format{"Nsight Systems, SQLite", "nsys export --type sqlite",
                         "2024.5 to 2026.2 (schema 3.13 to 3.25)"};

// "SQLite Schema Reference" of the Nsight Systems Analysis Guide; its "Common SQLite Examples"; CUPTI's API reference.
inline constexpr const char* kSchema = "Nsight Systems Analysis Guide, SQLite Schema Reference";
inline constexpr const char* kExamples = "Nsight Systems Analysis Guide, Common SQLite Examples";

inline constexpr const char* kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
inline constexpr const char* kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY";
inline constexpr const char* kMemsets = "CUPTI_ACTIVITY_KIND_MEMSET";
inline constexpr const char* kGraphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
inline constexpr const char* kCalls = "CUPTI_ACTIVITY_KIND_RUNTIME";
inline constexpr const char* kWaits = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
inline constexpr const char* kRecords = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
inline constexpr const char* kOverheads = "CUPTI_ACTIVITY_KIND_OVERHEAD";
inline constexpr const char* kRanges = "NVTX_EVENTS";
inline constexpr const char* kStrings = "StringIds";
inline constexpr const char* kProcesses = "PROCESSES";
inline constexpr const char* kThreads = "ThreadNames";
inline constexpr const char* kGpus = "TARGET_INFO_GPU";
inline constexpr const char* kDevices = "TARGET_INFO_CUDA_DEVICE";
inline constexpr const char* kStreams = "TARGET_INFO_CUDA_STREAM";
inline constexpr const char* kContexts = "TARGET_INFO_CUDA_CONTEXT_INFO";
inline constexpr const char* kCapture = "META_DATA_CAPTURE";
inline constexpr const char* kMemoryKinds = "ENUM_CUDA_MEM_KIND";
inline constexpr const char* kCopyKinds = "ENUM_CUDA_MEMCPY_OPER";
inline constexpr const char* kStreamTypes = "ENUM_CUPTI_STREAM_TYPE";
inline constexpr const char* kOverheadTypes = "ENUM_CUPTI_OVERHEAD_TYPE";
inline constexpr const char* kEventTypes = "ENUM_NSYS_EVENT_TYPE";

/// 32-bit columns are written unsigned; this value is "none".
inline constexpr std::int64_t kNone = 0xffffffff;
/// deviceId of a graph that begins on the host.
inline constexpr std::int64_t kOfHost = 0x7fffffff;

// --- Columns that KERNEL, MEMCPY, MEMSET and GRAPH_TRACE share ---
inline constexpr const char* kActivities = "CUPTI_ACTIVITY_KIND_KERNEL, ..._MEMCPY, ..._MEMSET, ..._GRAPH_TRACE";
inline const FormatField kStart(format, kActivities, "start", "start on the GPU", "ns",
                                "since the session's start; 0 with end 0: not collected",
                                "SQLite Schema Reference; CUPTI, CUpti_ActivityKernel9");
inline const FormatField kEnd(format, kActivities, "end", "end", "ns", "as start",
                              "SQLite Schema Reference; CUPTI, CUpti_ActivityKernel9");
inline const FormatField kDevice(format, kActivities, "deviceId", "CUDA's number of the GPU in the process", "",
                                 "from 0 on; 2147483647 of a graph that begins on the host", kSchema);
inline const FormatField kContext(format, kActivities, "contextId", "context", "", "unique in a process", kSchema);
inline const FormatField kGreenContext(format, kActivities, "greenContextId", "green context of the kernel", "",
                                       "0, null or 4294967295: none",
                                       "SQLite Schema Reference; CUPTI, CUpti_ActivityKernel9");
inline const FormatField kStream(format, kActivities, "streamId", "stream", "", "unsigned; unique in a process",
                                 kSchema);
inline const FormatField kCorrelation(format, kActivities, "correlationId", "call that caused it", "",
                                      "unique in a process; nodes of a graph share that of cudaGraphLaunch", kSchema);
inline const FormatField kProcess(format, kActivities, "globalPid", "process", "", "bits 24 to 47: its id", kExamples);
inline const FormatField kGraphNode(format, kActivities, "graphNodeId", "node of a CUDA graph", "", "null or 0: none",
                                    kSchema);

// --- Kernels ---
inline const FormatField kGridX(format, kKernels, "gridX", "blocks of the grid (not clusters)", "blocks", "from 1 on",
                                kSchema);
inline const FormatField kGridY(format, kKernels, "gridY", "blocks of the grid", "blocks", "from 1 on", kSchema);
inline const FormatField kGridZ(format, kKernels, "gridZ", "blocks of the grid", "blocks", "from 1 on", kSchema);
inline const FormatField kBlockX(format, kKernels, "blockX", "threads of a block", "threads", "from 1 on", kSchema);
inline const FormatField kBlockY(format, kKernels, "blockY", "threads of a block", "threads", "from 1 on", kSchema);
inline const FormatField kBlockZ(format, kKernels, "blockZ", "threads of a block", "threads", "from 1 on", kSchema);
inline const FormatField kClusterX(format, kKernels, "clusterX", "blocks of a cluster", "blocks", "0: no clusters",
                                   kSchema);
inline const FormatField kClusterY(format, kKernels, "clusterY", "blocks of a cluster", "blocks", "0: no clusters",
                                   kSchema);
inline const FormatField kClusterZ(format, kKernels, "clusterZ", "blocks of a cluster", "blocks", "0: no clusters",
                                   kSchema);
inline const FormatField kThreadRegisters(format, kKernels, "registersPerThread", "registers of a thread",
                                          "32-bit registers", "from 0 on", kSchema);
inline const FormatField kStaticShared(format, kKernels, "staticSharedMemory", "static shared memory of a block", "B",
                                       "from 0 on", kSchema);
inline const FormatField kDynamicShared(format, kKernels, "dynamicSharedMemory", "dynamic shared memory of a block",
                                        "B", "from 0 on", kSchema);
inline const FormatField kDemangledName(format, kKernels, "demangledName", "name with parameters", "",
                                        "id of StringIds", kSchema);
inline const FormatField kShortName(format, kKernels, "shortName", "name without parameters", "", "id of StringIds",
                                    kSchema);
inline const FormatField kMangledName(format, kKernels, "mangledName", "name as linked", "", "id of StringIds, or null",
                                      kSchema);

// --- Copies and memsets ---
inline const FormatField kBytes(format, "CUPTI_ACTIVITY_KIND_MEMCPY, ..._MEMSET", "bytes", "bytes moved or set", "B",
                                "64 bits, from 0 on", kSchema);
inline const FormatField kCopyKind(format, kCopies, "copyKind", "direction", "", "id of ENUM_CUDA_MEMCPY_OPER",
                                   kSchema);
inline const FormatField kSourceKind(format, kCopies, "srcKind", "memory that it reads", "", "id of ENUM_CUDA_MEM_KIND",
                                     "SQLite Schema Reference; not CUPTI's CUpti_ActivityMemoryKind");
inline const FormatField kTargetKind(format, kCopies, "dstKind", "memory that it writes", "",
                                     "id of ENUM_CUDA_MEM_KIND",
                                     "SQLite Schema Reference; not CUPTI's CUpti_ActivityMemoryKind");

// --- Calls ---
inline const FormatField kCallStart(format, kCalls, "start", "start of the call", "ns", "since the session's start",
                                    kSchema);
inline const FormatField kCallEnd(format, kCalls, "end", "return of the call", "ns", "since the session's start",
                                  kSchema);
inline const FormatField kCallThread(format, kCalls, "globalTid", "thread", "",
                                     "bits 24 to 47: process; 0 to 23: thread", kExamples);
inline const FormatField kCallCorrelation(format, kCalls, "correlationId", "number by which activities name it", "",
                                          "unique in a process, over runtime and driver", kSchema);
inline const FormatField kCallName(format, kCalls, "nameId", "function, with its version", "", "id of StringIds",
                                   kSchema);
inline const FormatField kCallResult(format, kCalls, "returnValue", "return value", "",
                                     "cudaError_t or CUresult; 0: success; 600, of a query: what it asks for has not "
                                     "ended; else nothing comes of it",
                                     "SQLite Schema Reference; CUPTI, CUpti_ActivityAPI");

// --- Waits and events ---
inline const FormatField kWaitContext(format, kWaits, "contextId", "context of the stream, event or call", "", "",
                                      kSchema);
inline const FormatField kWaitStream(format, kWaits, "streamId", "stream that waits, or is waited for", "",
                                     "4294967295: none", "CUPTI, CUpti_ActivitySynchronization2");
inline const FormatField kWaitEvent(
    format, kWaits, "eventId", "event that is waited for", "",
    "4294967295: none. Stream and event together say what kind of wait it is: both, a "
    "stream waits; an event, the host for it; a stream, the host for it; none, for the "
    "context. syncType is not read: up to schema 3.24 its numbers are not those of its table",
    "CUPTI, CUpti_ActivitySynchronization2; exports of four versions");
inline const FormatField kWaitRecord(format, kWaits, "eventSyncId", "record of the event", "",
                                     "0, 4294967295 or no such column: not known",
                                     "SQLite Schema Reference; CUPTI, CUpti_ActivitySynchronization2");
inline const FormatField kWaitCorrelation(format, kWaits, "correlationId", "call that waits", "", "", kSchema);
inline const FormatField kWaitProcess(format, kWaits, "globalPid", "process", "", "as of activities", kExamples);
inline const FormatField kRecordContext(format, kRecords, "contextId", "context of the stream", "", "", kSchema);
inline const FormatField kRecordStream(format, kRecords, "streamId", "stream in which it was recorded", "", "unsigned",
                                       kSchema);
inline const FormatField kRecordEvent(format, kRecords, "eventId", "event, which may be recorded again", "", "unsigned",
                                      kSchema);
inline const FormatField kRecordRecord(format, kRecords, "eventSyncId", "number of this record", "",
                                       "0, 4294967295 or no such column: not known", kSchema);
inline const FormatField kRecordCorrelation(format, kRecords, "correlationId", "call of cudaEventRecord", "", "",
                                            kSchema);
inline const FormatField kRecordProcess(format, kRecords, "globalPid", "process", "", "as of activities", kExamples);

// --- Overheads of calls ---
inline const FormatField kOverheadEnd(format, kOverheads, "end", "end", "ns", "within its call", kSchema);
inline const FormatField kOverheadThread(format, kOverheads, "globalTid", "thread", "", "as of calls", kExamples);
inline const FormatField kOverheadCorrelation(format, kOverheads, "correlationId", "call", "", "", kSchema);
inline const FormatField kOverheadType(
    format, kOverheads, "overheadType", "kind of overhead", "",
    "id of ENUM_CUPTI_OVERHEAD_TYPE; OVERHEAD_COMMAND_BUFFER_FULL: the launch queue was "
    "full, and the call waited",
    "SQLite Schema Reference; CUPTI, CUpti_ActivityOverheadKind");

// --- Ranges ---
inline const FormatField kRangeStart(format, kRanges, "start", "start of the range", "ns", "", kSchema);
inline const FormatField kRangeEnd(format, kRanges, "end", "end", "ns", "null: a mark, or it never ended", kExamples);
inline const FormatField kRangeType(format, kRanges, "eventType", "kind of event", "",
                                    "id of ENUM_NSYS_EVENT_TYPE: 59 push/pop of a thread, 60 start/end of a process",
                                    kExamples);
inline const FormatField kRangeText(format, kRanges, "text", "name of the range", "", "null: textId has it", kSchema);
inline const FormatField kRangeTextId(format, kRanges, "textId", "registered name of the range", "", "id of StringIds",
                                      kSchema);
inline const FormatField kRangeThread(format, kRanges, "globalTid", "thread that began it", "", "as of calls",
                                      kExamples);

// --- Names ---
inline const FormatField kStringId(format, kStrings, "id", "number by which other tables name it", "", "", kSchema);
inline const FormatField kStringValue(format, kStrings, "value", "text", "", "", kSchema);
inline const FormatField kProcessId(format, kProcesses, "globalPid", "process", "", "as of activities", kExamples);
inline const FormatField kProcessName(format, kProcesses, "name", "program of the process, with the folder", "",
                                      "or null", kSchema);
inline const FormatField kThreadId(format, kThreads, "globalTid", "thread", "", "as of calls", kExamples);
inline const FormatField kThreadName(format, kThreads, "nameId", "name of the thread", "", "id of StringIds", kSchema);

// --- GPU, streams, contexts ---
inline const FormatField kGpuId(format, kGpus, "id", "Nsight's number of the GPU", "", "not CUDA's", kSchema);
inline const FormatField kGpuDevice(format, kGpus, "cuDevice", "CUDA's number where all GPUs are visible", "",
                                    "or null", kSchema);
inline const FormatField kGpuName(format, kGpus, "name", "product", "", "", kSchema);
inline const FormatField kGpuSms(format, kGpus, "smCount", "SMs; of an instance, its own", "SMs", "from 1 on", kSchema);
inline const FormatField kGpuWarps(format, kGpus, "maxWarpsPerSm", "warps of an SM", "warps", "from 1 on", kSchema);
inline const FormatField kGpuBlocks(format, kGpus, "maxBlocksPerSm", "blocks of an SM", "blocks", "from 1 on", kSchema);
inline const FormatField kGpuRegisters(format, kGpus, "maxRegistersPerSm", "registers of an SM", "32-bit registers",
                                       "from 1 on", kSchema);
inline const FormatField kGpuShared(format, kGpus, "maxShmemPerSm", "shared memory of an SM", "B", "from 1 on",
                                    kSchema);
inline const FormatField kDeviceGpu(format, kDevices, "gpuId", "id of TARGET_INFO_GPU", "", "", kSchema);
inline const FormatField kDeviceCuda(format, kDevices, "cudaId", "CUDA's number in the process", "", "", kSchema);
inline const FormatField kDevicePid(format, kDevices, "pid", "process, which may see some of the GPUs only", "",
                                    "plain", kSchema);
inline const FormatField kStreamId(format, kStreams, "streamId", "stream", "", "unsigned", kSchema);
inline const FormatField kStreamContext(format, kStreams, "contextId", "context", "", "", kSchema);
inline const FormatField kStreamProcess(format, kStreams, "processId", "process", "", "plain", kSchema);
inline const FormatField kStreamPriority(format, kStreams, "priority", "priority of its kernels", "",
                                         "an int of 32 bits, written unsigned: 4294967291 is -5; lower is more urgent",
                                         "CUDA Runtime API, cudaStreamCreateWithPriority; exports of 2025.5");
inline const FormatField kStreamFlag(format, kStreams, "flag", "kind of stream", "", "id of ENUM_CUPTI_STREAM_TYPE",
                                     kSchema);
inline const FormatField kContextProcess(format, kContexts, "processId", "process", "", "plain", kSchema);
inline const FormatField kContextId(format, kContexts, "contextId", "context", "", "", kSchema);
inline const FormatField kContextNull(format, kContexts, "nullStreamId", "default stream of the context", "",
                                      "not read of green contexts, of which no manual says what it is",
                                      "CUPTI, CUpti_ActivityContext3");
inline const FormatField kContextDevice(format, kContexts, "deviceId", "CUDA's number of the GPU in the process", "",
                                        "", kSchema);
inline const FormatField kContextParent(format, kContexts, "parentContextId",
                                        "context from which a green context was made", "", "null or 0: none",
                                        "CUPTI, CUpti_ActivityContext3");
inline const FormatField kContextGreen(format, kContexts, "isGreenContext", "whether it is a green context", "",
                                       "1: it is", kSchema);
inline const FormatField kCaptureName(format, kCapture, "name", "setting of the recording", "",
                                      "PROCESS_0:ENVIRONMENT_VARIABLE: the environment of the program", "nsys export");
inline const FormatField kCaptureValue(format, kCapture, "value", "value of the setting", "",
                                       "NAME=\"VALUE\" of the environment; CUDA_MPS_ACTIVE_THREAD_PERCENTAGE is read",
                                       "CUDA Multi-Process Service, environment variables");

// --- Enumerations, one table each: the meanings of ids ---
inline constexpr const char* kEnumerations = "ENUM_...";
inline const FormatField kEnumId(format, kEnumerations, "id", "number that columns have", "", "", kSchema);
inline const FormatField kEnumName(format, kEnumerations, "name", "name, which is compared", "",
                                   "CUDA_MEMOPR_MEMORY_KIND_PAGEABLE, CUDA_MEMCPY_KIND_HTOD, "
                                   "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING, OVERHEAD_COMMAND_BUFFER_FULL ...",
                                   kSchema);

}  // namespace gputlm::nsight
