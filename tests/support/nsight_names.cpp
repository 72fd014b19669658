// What numbers of CUDA mean in Nsight Systems' exports: its tables ENUM_CUDA_... and ENUM_CUPTI_... (SSR; compared with
// exports of the three versions).
#include "tests/support/nsight_schema.h"

namespace gputlm {
namespace {

struct Name {
  const char *end_of_name, *label;
};
struct Table {
  const char* name;
  const char* prefix;      ///< of the names
  const char* older;       ///< the prefix in 2024.5; nullptr: the same; empty: no such table
  std::vector<Name> rows;  ///< by id, from 0 on
};

// ENUM_CUDA_MEM_KIND has numbers of its own: CUPTI's (CUpti_ActivityMemoryKind) are 0 unknown, 1 pageable, 2 pinned, 3
// device. ENUM_CUDA_MEMCPY_OPER agrees with CUpti_ActivityMemcpyKind up to 10. ENUM_CUDA_KERNEL_LAUNCH_TYPE is one
// more than CUpti_ActivityLaunchType. ENUM_CUPTI_SYNC_TYPE is CUPTI's and the same in all versions, though columns
// hold other numbers up to 2025.5 (nsight_export.h).
const std::vector<Table>& tables() {
  static const std::vector<Table> all = {
      {"ENUM_CUDA_MEMCPY_OPER",
       "CUDA_MEMCPY_KIND_",
       nullptr,
       {{"UNKNOWN", "Unknown"},
        {"HTOD", "Host-to-Device"},
        {"DTOH", "Device-to-Host"},
        {"HTOA", "Host-to-Array"},
        {"ATOH", "Array-to-Host"},
        {"ATOA", "Array-to-Array"},
        {"ATOD", "Array-to-Device"},
        {"DTOA", "Device-to-Array"},
        {"DTOD", "Device-to-Device"},
        {"HTOH", "Host-to-Host"},
        {"PTOP", "Peer-to-Peer"},
        {"UVM_HTOD", "Unified Host-to-Device"},
        {"UVM_DTOH", "Unified Device-to-Host"},
        {"UVM_DTOD", "Unified Device-to-Device"}}},
      {"ENUM_CUDA_MEM_KIND",
       "CUDA_MEMOPR_MEMORY_KIND_",
       nullptr,
       {{"PAGEABLE", "Pageable"},
        {"PINNED", "Pinned"},
        {"DEVICE", "Device"},
        {"ARRAY", "Array"},
        {"MANAGED", "Managed"},
        {"DEVICE_STATIC", "Device Static"},
        {"MANAGED_STATIC", "Managed Static"},
        {"UNKNOWN", "Unknown"}}},
      {"ENUM_CUDA_MEMPOOL_TYPE",
       "CUPTI_ACTIVITY_MEMORY_POOL_TYPE_",
       "CUDA_MEMPOOL_TYPE_",
       {{"INVALID", "Invalid"}, {"LOCAL", "Local"}, {"IMPORTED", "Imported"}}},
      {"ENUM_CUDA_MEMPOOL_OPER",
       "CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_",
       "CUDA_MEMPOOL_OPERATION_TYPE_",
       {{"INVALID", "Invalid"}, {"CREATED", "Created"}, {"DESTROYED", "Destroyed"}, {"TRIMMED", "Trimmed"}}},
      {"ENUM_CUDA_DEV_MEM_EVENT_OPER",
       "CUDA_DEV_MEM_EVENT_OPR_",
       nullptr,
       {{"ALLOCATION", "Allocation"}, {"DEALLOCATION", "Deallocation"}}},
      {"ENUM_CUDA_KERNEL_LAUNCH_TYPE",
       "CUDA_KERNEL_LAUNCH_TYPE_",
       nullptr,
       {{"UNKNOWN", "Unknown"},
        {"REGULAR", "Regular"},
        {"COOPERATIVE_SINGLE_DEVICE", "Coop Single Device"},
        {"COOPERATIVE_MULTI_DEVICE", "Coop Multi Device"}}},
      {"ENUM_CUDA_SHARED_MEM_LIMIT_CONFIG",
       "CUDA_SHARED_MEM_LIMIT_",
       nullptr,
       {{"DEFAULT", "Default"}, {"OPTIN", "Opt in"}}},
      {"ENUM_CUDA_UNIF_MEM_MIGRATION",
       "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_",
       nullptr,
       {{"UNKNOWN", "Unknown"},
        {"USER", "User prefetch"},
        {"COHERENCE", "Page fault"},
        {"PREFETCH", "Speculative prefecth"},
        {"EVICTION", "Eviction"},
        {"ACCESS_COUNTERS", "Access counters"}}},
      {"ENUM_CUDA_UNIF_MEM_ACCESS_TYPE",
       "CUPTI_ACTIVITY_UNIFIED_MEMORY_ACCESS_TYPE_",
       "CUDA_UNIFIED_MEMORY_ACCESS_TYPE_",
       {{"UNKNOWN", "Unknown"}, {"READ", "Read"}, {"WRITE", "Write"}, {"ATOMIC", "Atomic"}, {"PREFETCH", "Prefetch"}}},
      {"ENUM_CUDA_FUNC_CACHE_CONFIG",
       "CU_FUNC_CACHE_PREFER_",
       nullptr,
       {{"NONE", "None"}, {"SHARED", "Shared"}, {"L1", "L1"}, {"EQUAL", "Equal"}}},
      {"ENUM_CUPTI_STREAM_TYPE",
       "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_",
       nullptr,
       {{"UNKNOWN", "Unknown stream type"},
        {"DEFAULT", "Default stream"},
        {"NON_BLOCKING", "Non-blocking stream"},
        {"NULL", "Null stream"}}},
      {"ENUM_CUPTI_SYNC_TYPE",
       "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_",
       nullptr,
       {{"UNKNOWN", "Unknown"},
        {"EVENT_SYNCHRONIZE", "Event sync"},
        {"STREAM_WAIT_EVENT", "Stream wait sync"},
        {"STREAM_SYNCHRONIZE", "Stream sync"},
        {"CONTEXT_SYNCHRONIZE", "Context sync"}}},
      {"ENUM_CUPTI_OVERHEAD_TYPE",
       "OVERHEAD_",
       "",
       {{"UNDEFINED", "Undefined"},
        {"UNKNOWN", "Unknown"},
        {"DRIVER_COMPILER", "Driver JIT compiler (CUDA)"},
        {"CUPTI_BUFFER_FLUSH", "Buffer flush (Profiler)"},
        {"CUPTI_INSTRUMENTATION", "Instrumentation (Profiler)"},
        {"CUPTI_RESOURCE", "Resource creation/destruction (Profiler)"},
        {"RUNTIME_TRIGGERED_MODULE_LOADING", "Runtime module loading (CUDA)"},
        {"LAZY_FUNCTION_LOADING", "Lazy function loading (CUDA)"},
        {"COMMAND_BUFFER_FULL", "Command buffer full (CUDA)"}}},
  };
  return all;
}

}  // namespace

std::vector<NsightNames> nsight_names(NsightVersion version) {
  std::vector<NsightNames> names = {nsight_event_types(version), nsight_event_classes(version)};
  for (const Table& table : tables()) {
    const bool older = version == NsightVersion::k2024_5 && table.older;
    const std::string prefix = older ? table.older : table.prefix;
    if (prefix.empty()) continue;
    NsightNames& added = names.emplace_back(NsightNames{table.name, {}});
    for (const Name& row : table.rows)
      added.rows.push_back({static_cast<int>(added.rows.size()), prefix + row.end_of_name, row.label});
  }
  return names;
}

}  // namespace gputlm
