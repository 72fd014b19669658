// The columns of Nsight Systems' exports that say what was recorded (nsight_schema.h).
#include "tests/support/nsight_schema.h"

namespace gputlm {
namespace {

constexpr NsightVersion k24 = NsightVersion::k2024_5, k25 = NsightVersion::k2025_5, k26 = NsightVersion::k2026_2;
constexpr bool kNeeded = true, kMayBeNull = false;
const char* const kInt = "INTEGER";
const char* const kText = "TEXT";

std::vector<NsightColumn> target_columns() {
  std::vector<NsightColumn> all = {
      {"StringIds", "id", "INTEGER PRIMARY KEY", kNeeded, k24, "key, not dense", "SSR"},
      {"StringIds", "value", kText, kNeeded, k24, "text", "SSR"},
      {"PROCESSES", "globalPid", kInt, kMayBeNull, k24, "", "SSR; SE"},
      {"PROCESSES", "pid", kInt, kMayBeNull, k24, "plain", "SSR"},
      {"PROCESSES", "name", kText, kMayBeNull, k24, "", "SSR"},
      {"ThreadNames", "nameId", kInt, kNeeded, k24, "StringIds", "SSR"},
      {"ThreadNames", "priority", kInt, kMayBeNull, k24, "20: nice 0", "SSR"},
      {"ThreadNames", "globalTid", kInt, kMayBeNull, k24, "", "SSR; SE"},
      {"TARGET_INFO_SESSION_START_TIME", "utcEpochNs", kInt, kMayBeNull, k24, "ns since 1970 at time 0", "SSR"},
      {"TARGET_INFO_SESSION_START_TIME", "utcTime", kText, kMayBeNull, k24, "", "SSR"},
      {"TARGET_INFO_SESSION_START_TIME", "localTime", kText, kMayBeNull, k24, "", "SSR"},
      {"TARGET_INFO_SESSION_START_TIME", "systemClockNs", kInt, kMayBeNull, k26, "ns", "SSR"},
      {"ANALYSIS_DETAILS", "globalVid", kInt, kNeeded, k24, "vm << 48", "SSR"},
      {"ANALYSIS_DETAILS", "duration", kInt, kNeeded, k24, "ns", "SSR"},
      {"ANALYSIS_DETAILS", "startTime", kInt, kNeeded, k24, "ns", "SSR"},
      {"ANALYSIS_DETAILS", "stopTime", kInt, kNeeded, k24, "ns", "SSR"},
      {"TARGET_INFO_CUDA_DEVICE", "gpuId", kInt, kMayBeNull, k25, "TARGET_INFO_GPU.id", "SSR"},
      {"TARGET_INFO_CUDA_DEVICE", "cudaId", kInt, kNeeded, k25, "CUDA's number in the process", "SSR"},
      {"TARGET_INFO_CUDA_DEVICE", "pid", kInt, kNeeded, k25, "plain", "SSR"},
      {"TARGET_INFO_CUDA_DEVICE", "uuid", kText, kMayBeNull, k26, "", "SSR"},
      {"TARGET_INFO_CUDA_DEVICE", "numMultiprocessors", kInt, kMayBeNull, k26, "SMs", "SSR"},
      {"TARGET_INFO_CUDA_STREAM", "streamId", kInt, kNeeded, k24, "", "SSR"},
      {"TARGET_INFO_CUDA_STREAM", "hwId", kInt, kNeeded, k24, "plain", "SSR"},
      {"TARGET_INFO_CUDA_STREAM", "vmId", kInt, kNeeded, k24, "plain", "SSR"},
      {"TARGET_INFO_CUDA_STREAM", "processId", kInt, kNeeded, k24, "plain", "SSR"},
      {"TARGET_INFO_CUDA_STREAM", "contextId", kInt, kNeeded, k24, "", "SSR"},
      {"TARGET_INFO_CUDA_STREAM", "priority", kInt, kNeeded, k24, "unsigned 32 bits of an int: 4294967291 is -5",
       "SSR; CUPTI Stream priority; files"},
      {"TARGET_INFO_CUDA_STREAM", "flag", kInt, kNeeded, k24, "1 default, 2 non-blocking, 3 null stream",
       "SSR: ENUM_CUPTI_STREAM_TYPE; CUPTI Stream flag"},
      {"TARGET_INFO_CUDA_CONTEXT_INFO", "nullStreamId", kInt, kNeeded, k24, "", "SSR; CUPTI Context3"},
      {"TARGET_INFO_CUDA_CONTEXT_INFO", "hwId", kInt, kNeeded, k24, "plain", "SSR"},
      {"TARGET_INFO_CUDA_CONTEXT_INFO", "vmId", kInt, kNeeded, k24, "plain", "SSR"},
      {"TARGET_INFO_CUDA_CONTEXT_INFO", "processId", kInt, kNeeded, k24, "plain", "SSR"},
      {"TARGET_INFO_CUDA_CONTEXT_INFO", "deviceId", kInt, kNeeded, k24, "CUDA's number", "SSR"},
      {"TARGET_INFO_CUDA_CONTEXT_INFO", "contextId", kInt, kNeeded, k24, "", "SSR"},
      {"TARGET_INFO_CUDA_CONTEXT_INFO", "parentContextId", kInt, kMayBeNull, k24, "none: null in 3.13, 0 from 3.24",
       "SSR; CUPTI Context3"},
      {"TARGET_INFO_CUDA_CONTEXT_INFO", "isGreenContext", kInt, kMayBeNull, k24, "null in 3.13, 0, 1 from 3.24",
       "SSR; CUPTI Context3"},
      {"META_DATA_CAPTURE", "name", kText, kNeeded, k24,
       "PROCESS_0:ENVIRONMENT_VARIABLE, a row a variable of the program's environment; ...", "SSR; files"},
      {"META_DATA_CAPTURE", "value", kText, kMayBeNull, k24, "of a variable NAME=\"VALUE\"", "SSR; files"},
      {"META_DATA_EXPORT", "name", kText, kNeeded, k24, "EXPORT_SCHEMA_VERSION, ...", "SSR"},
      {"META_DATA_EXPORT", "value", kText, kMayBeNull, k24, "", "SSR"},
  };
  const auto gpu = [&](const char* name, const char* type, bool required, const char* meaning) {
    all.push_back({"TARGET_INFO_GPU", name, type, required, k24, meaning, "SSR"});
  };
  gpu("vmId", kInt, kNeeded, "vm << 48, though plain in the tables of CUDA");
  gpu("id", kInt, kNeeded, "Nsight's number: not CUDA's");
  gpu("name", kText, kMayBeNull, "");
  gpu("busLocation", kText, kMayBeNull, "");
  gpu("isDiscrete", kInt, kMayBeNull, "1: not part of the CPU");
  gpu("l2CacheSize", kInt, kMayBeNull, "B");
  gpu("totalMemory", kInt, kMayBeNull, "B");
  gpu("memoryBandwidth", kInt, kMayBeNull, "B/s, as files show");
  gpu("clockRate", kInt, kMayBeNull, "Hz");
  gpu("smCount", kInt, kMayBeNull, "SMs");
  gpu("pwGpuId", kInt, kMayBeNull, "");
  gpu("uuid", kText, kMayBeNull, "");
  gpu("luid", kInt, kMayBeNull, "");
  gpu("chipName", kText, kMayBeNull, "GA100");
  gpu("cuDevice", kInt, kMayBeNull, "CUDA's number; null without CUDA");
  gpu("ctxswDevPath", kText, kMayBeNull, "");
  gpu("ctrlDevPath", kText, kMayBeNull, "");
  gpu("revision", kInt, kMayBeNull, "");
  gpu("nodeMask", kInt, kMayBeNull, "");
  gpu("constantMemory", kInt, kMayBeNull, "B");
  gpu("maxIPC", kInt, kMayBeNull, "");
  gpu("maxRegistersPerBlock", kInt, kMayBeNull, "registers");
  gpu("maxShmemPerBlock", kInt, kMayBeNull, "B");
  gpu("maxShmemPerBlockOptin", kInt, kMayBeNull, "B");
  gpu("maxShmemPerSm", kInt, kMayBeNull, "B");
  gpu("maxRegistersPerSm", kInt, kMayBeNull, "registers");
  gpu("threadsPerWarp", kInt, kMayBeNull, "threads");
  gpu("asyncEngines", kInt, kMayBeNull, "copy engines");
  gpu("maxWarpsPerSm", kInt, kMayBeNull, "warps");
  gpu("maxBlocksPerSm", kInt, kMayBeNull, "blocks");
  gpu("maxThreadsPerBlock", kInt, kMayBeNull, "threads");
  for (const char* name : {"maxBlockDimX", "maxBlockDimY", "maxBlockDimZ"}) gpu(name, kInt, kMayBeNull, "threads");
  for (const char* name : {"maxGridDimX", "maxGridDimY", "maxGridDimZ"}) gpu(name, kInt, kMayBeNull, "blocks");
  for (const char* name : {"computeMajor", "computeMinor", "smMajor", "smMinor"}) gpu(name, kInt, kMayBeNull, "");
  return all;
}

}  // namespace

const std::vector<NsightColumn>& nsight_target_columns() {
  static const std::vector<NsightColumn> all = target_columns();
  return all;
}

}  // namespace gputlm
