/// The keys that are read from the JSON of PyTorch's profiler, Kineto, for CUDA and ROCm: one row per key
/// (tlm/base/format_field.h). Keys without a row are dropped while the file is read.
#pragma once

#include "tlm/base/format_field.h"

namespace gputlm::kineto {

inline FileFormat format{"Kineto, JSON", "PyTorch's profiler (libkineto), of CUDA and of ROCm",
                         "2021 to 2026; traces of an H100, a B200 and an MI300X"};

// Files of pytorch/kineto, libkineto/src.
inline constexpr const char* kJson = "output_json.cpp";
inline constexpr const char* kCupti = "CuptiActivity.cpp";
inline constexpr const char* kRoctracer = "RoctracerActivity_inl.h";

inline constexpr const char* kRoot = "file";
inline const FormatField kEvents(format, kRoot, "traceEvents", "events; a file may also be this array alone", "",
                                 "an array", "output_json.cpp; Trace Event Format, JSON Array Format");
inline const FormatField kDevices(format, kRoot, "deviceProperties", "GPUs of the machine", "", "an array",
                                  "DeviceProperties.cpp");
inline const FormatField kOlderDevices(format, kRoot, "computeProperties", "as deviceProperties", "",
                                       "of versions of 2020", kJson);

inline constexpr const char* kGpu = "deviceProperties";
inline const FormatField kGpuId(format, kGpu, "id", "number of the GPU, as args.device has it", "", "from 0 on",
                                "DeviceProperties.cpp");
inline const FormatField kGpuName(format, kGpu, "name", "product", "", "empty of some AMD GPUs",
                                  "DeviceProperties.cpp");
inline const FormatField kGpuSms(format, kGpu, "numSms", "SMs, or compute units", "SMs", "", "DeviceProperties.cpp");
inline const FormatField kGpuOlderSms(format, kGpu, "multiProcessorCount", "as numSms", "SMs", "of versions of 2020",
                                      kJson);
inline const FormatField kGpuWarp(format, kGpu, "warpSize", "threads of a warp, or wavefront", "threads",
                                  "64 on AMD's CDNA", "DeviceProperties.cpp");
inline const FormatField kGpuThreads(format, kGpu, "maxThreadsPerMultiprocessor", "threads of an SM", "threads", "",
                                     "DeviceProperties.cpp");
inline const FormatField kGpuOlderThreads(format, kGpu, "maxThreadsPerMultiProcessor", "threads of an SM", "threads",
                                          "of versions of 2020", kJson);
inline const FormatField kGpuRegisters(format, kGpu, "regsPerMultiprocessor", "registers of an SM", "32-bit registers",
                                       "of CUDA", "DeviceProperties.cpp");
inline const FormatField kGpuShared(format, kGpu, "sharedMemPerMultiprocessor", "shared memory of an SM", "B",
                                    "of CUDA", "DeviceProperties.cpp");
inline const FormatField kGpuLds(format, kGpu, "maxSharedMemoryPerMultiProcessor", "LDS of a compute unit", "B",
                                 "of ROCm", "DeviceProperties.cpp");

inline constexpr const char* kEvent = "event";
inline const FormatField kPhase(format, kEvent, "ph", "kind of event", "", "X: one with a length; M: metadata", kJson);
inline const FormatField kCategory(
    format, kEvent, "cat", "category of the event", "",
    "kernel, gpu_memcpy, gpu_memset, cuda_runtime, cuda_driver (of ROCm as well), cuda_sync, "
    "overhead, user_annotation; of 2021: Kernel, Memcpy, Memset, Runtime",
    "ActivityType.cpp");
inline const FormatField kName(format, kEvent, "name", "kernel, copy, function or range", "",
                               "Memcpy HtoD (Pinned -> Device); of ROCm (Host -> Device)", "cupti_strings.cpp");
inline const FormatField kStart(format, kEvent, "ts", "start of the event", "us",
                                "decimal, with three digits from 2024 on, or a text; 0: CUPTI had no time", kJson);
inline const FormatField kDuration(format, kEvent, "dur", "duration of the event", "us", "as ts", kJson);
inline const FormatField kProcess(format, kEvent, "pid", "process of a call, or GPU of an activity", "",
                                  "a number; a text or -1 of other events", kJson);
inline const FormatField kThread(format, kEvent, "tid", "thread of a call, or stream of an activity", "",
                                 "a number; \"stream 7\" of 2021", kJson);
inline const FormatField kArguments(format, kEvent, "args", "further fields", "", "", kJson);

inline constexpr const char* kArgs = "args of an event";
inline const FormatField kDevice(format, kArgs, "device", "GPU", "", "from 0 on", kCupti);
inline const FormatField kInDevice(format, kArgs, "inDevice", "GPU of a copy between GPUs", "", "from 0 on", kCupti);
inline const FormatField kContext(format, kArgs, "context", "context", "", "of CUDA", kCupti);
inline const FormatField kInContext(format, kArgs, "inContext", "context of a copy between GPUs", "", "of CUDA",
                                    kCupti);
inline const FormatField kStream(format, kArgs, "stream", "stream; of ROCm, the hardware's queue", "",
                                 "-1 of cuda_sync: none", "CuptiActivity.cpp; RoctracerActivity_inl.h");
inline const FormatField kCorrelation(format, kArgs, "correlation", "number shared by a call and its activities", "",
                                      "unique in the file; nodes of a graph share its launch's", kCupti);
inline const FormatField kGrid(
    format, kArgs, "grid", "blocks of a kernel", "blocks",
    "[x, y, z]; of hipExtModuleLaunchKernel, threads. Missing of nodes of HIP graphs",
    "CuptiActivity.cpp; RoctracerActivity_inl.h; HIP, hipExtModuleLaunchKernel: globalWorkSize");
inline const FormatField kBlock(format, kArgs, "block", "threads of a block", "threads", "[x, y, z]", kCupti);
inline const FormatField kRegisters(format, kArgs, "registers per thread", "registers per thread of a kernel",
                                    "32-bit registers", "of CUDA", kCupti);
inline const FormatField kShared(format, kArgs, "shared memory", "shared memory of a block, static and dynamic", "B",
                                 "of ROCm, of the call, and dynamic only",
                                 "CuptiActivity.cpp; RoctracerActivity_inl.h");
inline const FormatField kBytes(format, kArgs, "bytes", "bytes of a copy or memset", "B",
                                "a number; of calls of ROCm a text. Missing of memsets of ROCm",
                                "CuptiActivity.cpp; RoctracerActivity_inl.h");
inline const FormatField kCopyKind(
    format, kArgs, "kind", "direction of a copy that a call of ROCm requests", "",
    "hipMemcpyKind as a text: 0 host to host, 1 host to device, 2 device to host, 3 device to "
    "device, 4 by the addresses. The event of the GPU has what its queue did",
    "RoctracerActivity_inl.h; HIP, hipMemcpyKind");
inline const FormatField kGraphNode(format, kArgs, "graph node id", "node of a CUDA graph", "", "0: none", kCupti);
inline const FormatField kMetadata(format, kArgs, "name",
                                   "name of a process or thread (events process_name and thread_name, ph M)", "", "",
                                   kJson);
inline const FormatField kSyncKind(format, kArgs, "cuda_sync_kind", "kind of a cuda_sync", "",
                                   "Event Sync, Stream Wait Event, Stream Sync, Context Sync",
                                   "cupti_strings.cpp, syncTypeString");
inline const FormatField kAwaitedStream(format, kArgs, "wait_on_stream", "stream of the event that is waited for", "",
                                        "-1: not known", kCupti);
inline const FormatField kAwaitedRecord(format, kArgs, "wait_on_cuda_event_record_corr_id",
                                        "correlation of the cudaEventRecord that is waited for", "", "-1: not known",
                                        kCupti);
inline const FormatField kAwaitedEvent(format, kArgs, "wait_on_cuda_event_id", "event that is waited for", "", "",
                                       kCupti);

}  // namespace gputlm::kineto
