/// A capture of NVIDIA's Nsight Systems, exported to SQLite (`nsys export --type sqlite`). Tables and columns are those of
/// its documentation, "SQLite Schema Reference"; columns that only some versions have are used if present.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <utility>

#include "platform/programs/capture.h"
#include "platform/programs/nsight_fields.h"
#include "platform/programs/program_builder.h"
#include "platform/programs/sqlite_reader.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"
#include "tlm/base/text.h"

namespace gputlm {
namespace nsight {
namespace {

using Rows = SqliteReader::Rows;
using Kind = MeasuredCall::Kind;

/// The process within a serialized id (globalPid, globalTid).
std::uint64_t process_of(std::int64_t id) { return static_cast<std::uint64_t>(id) >> 24 & 0xffffff; }
std::uint64_t thread_of(std::int64_t id) { return static_cast<std::uint64_t>(id) & 0xffffff; }

/// cudaErrorNotReady, CUDA_ERROR_NOT_READY: the query's subject has not ended yet, which is not a failure.
constexpr std::int64_t kNotReady = 600;

bool is_report(const std::string& path) { return ends_with(path, ".nsys-rep") || ends_with(path, ".qdrep"); }

/// The numbers of a table of names; for exports without the table, the numbers that all known exports use.
class Enumeration {
 public:
  Enumeration(const SqliteReader& database, const char* table,
              std::initializer_list<std::pair<const std::int64_t, std::string>> otherwise) {
    for (auto rows = database.select(table, {&kEnumId, &kEnumName}); rows.next();)
      names_[rows.number(kEnumId)] = rows.text(kEnumName);
    if (names_.empty()) names_ = otherwise;
  }
  /// The name; empty if there is none.
  const std::string& operator[](std::int64_t id) const {
    static const std::string none;
    const auto found = names_.find(id);
    return found == names_.end() ? none : found->second;
  }

 private:
  std::map<std::int64_t, std::string> names_;
};

std::optional<CopyKind> copy_kind(const std::string& name) {
  const auto is = [&](std::initializer_list<const char*> ends) {
    return std::any_of(ends.begin(), ends.end(),
                       [&](const char* end) { return name == std::string("CUDA_MEMCPY_KIND_") + end; });
  };
  if (is({"HTOD", "HTOA", "UVM_HTOD"})) return CopyKind::kHostToDevice;
  if (is({"DTOH", "ATOH", "UVM_DTOH"})) return CopyKind::kDeviceToHost;
  if (is({"DTOD", "ATOA", "ATOD", "DTOA", "UVM_DTOD"})) return CopyKind::kDeviceToDevice;
  return std::nullopt;
}

class Reader {
 public:
  Reader(const std::string& path, std::optional<std::uint64_t> device)
      : database_(path), wanted_(device), builder_(path) {
    for (auto rows = database_.select(kStrings, {&kStringId, &kStringValue}); rows.next();)
      strings_[rows.number(kStringId)] = rows.text(kStringValue);
  }

  Program read() {
    if (!database_.has(kKernels) && !database_.has(kGraphs))
      throw InputError(builder_.path(), 0,
                       std::string("has no table ") + kKernels +
                           "; required: an export of Nsight Systems (nsys export --type sqlite) of a program that "
                           "launched kernels while CUDA was traced");
    need(kKernels, {&kStart, &kEnd, &kStream, &kGridX, &kGridY, &kGridZ, &kBlockX, &kBlockY, &kBlockZ});
    need(kCopies, {&kStart, &kEnd, &kStream, &kBytes, &kCopyKind});
    need(kMemsets, {&kStart, &kEnd, &kStream, &kBytes});
    need(kGraphs, {&kStart, &kEnd, &kStream});
    need(kCalls, {&kCallStart, &kCallEnd, &kCallCorrelation});
    read_devices();
    choose();
    read_calls();
    read_kernels();
    read_copies();
    read_memsets();
    read_graphs();
    if (!builder_.has_commands())
      throw InputError(builder_.path(), 0, "has no kernel of device " + std::to_string(device_));
    read_gpu();
    read_waits();
    read_streams();
    read_ranges();
    if (nodes_ > 0 && !database_.has(kRecords))
      builder_.warn(std::to_string(nodes_) +
                    " commands are nodes of CUDA graphs; their dependences are inferred from their times");
    return builder_.finish(process_names());
  }

 private:
  void need(const char* table, const std::vector<const FormatField*>& columns) const {
    if (!database_.has(table)) return;
    std::string missing;
    for (const FormatField* column : columns) {
      if (!database_.has(table, *column)) missing += (missing.empty() ? "" : ", ") + std::string(column->name);
    }
    if (!missing.empty())
      throw InputError(builder_.path(), 0, std::string("table ") + table + " lacks columns: " + missing);
  }

  /// Reads the GPUs as processes number them, and contexts.
  void read_devices() {
    std::map<std::int64_t, std::int64_t> all;  // by Nsight's number: CUDA's number if all GPUs are visible
    for (auto rows = database_.select(kGpus, {&kGpuId, &kGpuDevice}); rows.next();)
      all[rows.number(kGpuId)] = rows.number(rows.null(kGpuDevice) ? kGpuId : kGpuDevice);
    for (auto rows = database_.select(kDevices, {&kDevicePid, &kDeviceCuda, &kDeviceGpu}); rows.next();) {
      const auto gpu = all.find(rows.number(kDeviceGpu));
      if (gpu == all.end() || rows.null(kDeviceGpu)) continue;
      devices_[{static_cast<std::uint64_t>(rows.number(kDevicePid)) & 0xffffff, rows.number(kDeviceCuda)}] =
          gpu->second;
    }
    for (auto rows = database_.select(kContexts, {&kContextProcess, &kContextId, &kContextNull, &kContextDevice,
                                                  &kContextParent, &kContextGreen});
         rows.next();) {
      Context& context = contexts_[{static_cast<std::uint64_t>(rows.number(kContextProcess)) & 0xffffff,
                                    static_cast<std::uint64_t>(rows.number(kContextId))}];
      context.device = rows.number(kContextDevice);
      context.null_stream = static_cast<std::uint64_t>(rows.number(kContextNull));
      context.green = rows.number(kContextGreen) != 0;
      const std::int64_t parent = rows.number(kContextParent);
      if (context.green && parent > 0) context.parent = static_cast<std::uint64_t>(parent);
    }
  }

  /// The device of an activity: its number in CUDA if all GPUs are visible, if the export has it; otherwise the process's own
  /// number.
  std::uint64_t device_of(const Rows& rows) const {
    const std::uint64_t process = process_of(rows.number(kProcess));
    std::int64_t device = rows.number(kDevice);
    if (device == kOfHost) {
      const auto context = contexts_.find({process, static_cast<std::uint64_t>(rows.number(kContext))});
      if (context != contexts_.end()) device = context->second.device;
    }
    const auto known = devices_.find({process, device});
    return static_cast<std::uint64_t>(known == devices_.end() ? device : known->second);
  }

  /// A green context is a part of another context, and both number their streams together.
  std::uint64_t whole_context(std::uint64_t process, std::int64_t id) const {
    const auto context = contexts_.find({process, static_cast<std::uint64_t>(id)});
    return context != contexts_.end() && context->second.parent ? *context->second.parent
                                                                : static_cast<std::uint64_t>(id);
  }

  void choose() {
    std::map<std::uint64_t, std::size_t> commands;
    for (const char* table : {kKernels, kGraphs}) {
      for (auto rows = database_.select(table, {&kDevice, &kProcess, &kContext}); rows.next();)
        ++commands[device_of(rows)];
    }
    device_ = choose_device(commands, wanted_, builder_);
  }

  void read_calls() {
    if (!database_.has(kCalls))
      builder_.warn(std::string("has no table ") + kCalls +
                    "; the start on the GPU is taken as the time of the launch");
    auto rows =
        database_.select(kCalls, {&kCallStart, &kCallEnd, &kCallThread, &kCallCorrelation, &kCallName, &kCallResult});
    for (std::size_t row = 1; rows.next(); ++row) {
      if (const std::int64_t result = rows.number(kCallResult); result != 0 && result != kNotReady) continue;
      const std::int64_t id = rows.number(kCallThread);
      builder_.add({process_of(id), thread_of(id), static_cast<std::uint64_t>(rows.number(kCallCorrelation)),
                    rows.number(kCallStart), rows.number(kCallEnd), string(rows, kCallName)},
                   {kCalls, "row", row});
    }
    for (auto threads = database_.select(kThreads, {&kThreadId, &kThreadName}); threads.next();)
      builder_.name_thread(process_of(threads.number(kThreadId)), thread_of(threads.number(kThreadId)),
                           string(threads, kThreadName));
    const Enumeration types(database_, kOverheadTypes, {{8, "OVERHEAD_COMMAND_BUFFER_FULL"}});
    for (auto lost =
             database_.select(kOverheads, {&kOverheadEnd, &kOverheadThread, &kOverheadCorrelation, &kOverheadType});
         lost.next();) {
      if (types[lost.number(kOverheadType)] == "OVERHEAD_COMMAND_BUFFER_FULL")
        builder_.full_queue(process_of(lost.number(kOverheadThread)),
                            static_cast<std::uint64_t>(lost.number(kOverheadCorrelation)), lost.number(kOverheadEnd));
    }
  }

  std::string string(const Rows& rows, const FormatField& column) const {
    if (rows.null(column)) return "";
    const auto found = strings_.find(rows.number(column));
    return found != strings_.end() ? found->second : rows.text(column);
  }

  /// The rows of activities, with the columns `own` besides the common ones.
  Rows activities(const char* table, std::initializer_list<const FormatField*> own) const {
    std::vector<const FormatField*> columns = {&kStart,  &kEnd,         &kDevice,  &kContext,  &kGreenContext,
                                               &kStream, &kCorrelation, &kProcess, &kGraphNode};
    columns.insert(columns.end(), own);
    return database_.select(table, columns, "ORDER BY start, rowid");
  }

  /// Adds the activity of the row. `command` contains the part that is specific to its table.
  void add(const Rows& rows, MeasuredCommand command, const CapturePlace& place) {
    const std::int64_t stream = rows.number(kStream);
    if (stream < 0 || stream >= kNone) {
      builder_.note("commands have no stream; they are left out", place);
      return;
    }
    command.start = rows.number(kStart);
    command.end = rows.number(kEnd);
    command.graph_node = rows.number(kGraphNode) != 0;
    const std::uint64_t process = process_of(rows.number(kProcess));
    command.stream =
        builder_.stream(process, whole_context(process, rows.number(kContext)), static_cast<std::uint64_t>(stream));
    if (auto* const kernel = std::get_if<MeasuredKernel>(&command.what)) {
      const auto context = contexts_.find({process, static_cast<std::uint64_t>(rows.number(kContext))});
      const bool in_green = context != contexts_.end() && context->second.green;
      const std::int64_t green = rows.number(kGreenContext);
      if ((green > 0 && green < kNone) || in_green)
        kernel->share = builder_.share(process, static_cast<std::uint64_t>(in_green ? rows.number(kContext) : green));
    }
    std::optional<std::uint64_t> correlation;
    if (!rows.null(kCorrelation)) correlation = static_cast<std::uint64_t>(rows.number(kCorrelation));
    if (builder_.add(std::move(command), correlation, place)) nodes_ += rows.number(kGraphNode) != 0;
  }
  bool is_ours(const Rows& rows) const { return device_of(rows) == device_; }

  static std::uint32_t size(const Rows& rows, const FormatField& column) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(rows.number(column), 0, kNone));
  }

  void read_kernels() {
    auto rows = activities(
        kKernels, {&kGridX, &kGridY, &kGridZ, &kBlockX, &kBlockY, &kBlockZ, &kClusterX, &kClusterY, &kClusterZ,
                   &kThreadRegisters, &kStaticShared, &kDynamicShared, &kDemangledName, &kShortName, &kMangledName});
    for (std::size_t row = 1; rows.next(); ++row) {
      if (!is_ours(rows)) continue;
      MeasuredKernel kernel;
      kernel.grid = {size(rows, kGridX), size(rows, kGridY), size(rows, kGridZ)};
      kernel.block = {size(rows, kBlockX), size(rows, kBlockY), size(rows, kBlockZ)};
      kernel.cluster = {size(rows, kClusterX), size(rows, kClusterY), size(rows, kClusterZ)};
      kernel.registers = size(rows, kThreadRegisters);
      kernel.shared_memory = Bytes{size(rows, kStaticShared)} + size(rows, kDynamicShared);
      for (const FormatField* name : {&kDemangledName, &kShortName, &kMangledName}) {
        if (kernel.name.empty()) kernel.name = string(rows, *name);
      }
      add(rows, {"", 0, 0, 0, std::move(kernel)}, {kKernels, "row", row});
    }
  }

  void read_copies() {
    const Enumeration memory(database_, kMemoryKinds, {{0, "CUDA_MEMOPR_MEMORY_KIND_PAGEABLE"}});
    const Enumeration kinds(database_, kCopyKinds,
                            {{1, "CUDA_MEMCPY_KIND_HTOD"},
                             {2, "CUDA_MEMCPY_KIND_DTOH"},
                             {3, "CUDA_MEMCPY_KIND_HTOA"},
                             {4, "CUDA_MEMCPY_KIND_ATOH"},
                             {5, "CUDA_MEMCPY_KIND_ATOA"},
                             {6, "CUDA_MEMCPY_KIND_ATOD"},
                             {7, "CUDA_MEMCPY_KIND_DTOA"},
                             {8, "CUDA_MEMCPY_KIND_DTOD"},
                             {9, "CUDA_MEMCPY_KIND_HTOH"},
                             {10, "CUDA_MEMCPY_KIND_PTOP"}});
    const auto pageable = [&](const Rows& rows, const FormatField& column) {
      return !rows.null(column) && memory[rows.number(column)] == "CUDA_MEMOPR_MEMORY_KIND_PAGEABLE";
    };
    auto rows = activities(kCopies, {&kBytes, &kCopyKind, &kSourceKind, &kTargetKind});
    for (std::size_t row = 1; rows.next(); ++row) {
      if (!is_ours(rows)) continue;
      const CapturePlace place{kCopies, "row", row};
      const std::string& name = kinds[rows.number(kCopyKind)];
      const auto kind = copy_kind(name);
      if (!kind) {
        const std::string what = name.empty() ? "of kind " + std::to_string(rows.number(kCopyKind)) : "of kind " + name;
        builder_.note("copies " + what + " are left out", place);
        continue;
      }
      add_copy(rows, {*kind, 0, pageable(rows, kSourceKind) || pageable(rows, kTargetKind)}, place);
    }
  }

  void read_memsets() {
    auto rows = activities(kMemsets, {&kBytes});
    for (std::size_t row = 1; rows.next(); ++row) {
      if (is_ours(rows)) add_copy(rows, {CopyKind::kMemset}, {kMemsets, "row", row});
    }
  }

  void add_copy(const Rows& rows, MeasuredCopy copy, const CapturePlace& place) {
    if (rows.number(kBytes) < 0) {
      builder_.note("copies have a negative size; they are left out", place);
      return;
    }
    copy.bytes = static_cast<Bytes>(rows.number(kBytes));
    add(rows, {"", 0, 0, 0, copy}, place);
  }

  void read_graphs() {
    auto rows = activities(kGraphs, {});
    std::size_t row = 1, graphs = 0;
    for (; rows.next(); ++row) {
      if (!is_ours(rows)) continue;
      MeasuredKernel graph;
      graph.name = "graph";
      graph.unknown_shape = true;
      add(rows, {"", 0, 0, 0, std::move(graph)}, {kGraphs, "row", row});
      ++graphs;
    }
    if (graphs > 0)
      builder_.warn(std::to_string(graphs) +
                    " launches of CUDA graphs have no kernels here; each is modelled as a kernel with a block of 1024 "
                    "threads on each SM (nsys profile --cuda-graph-trace=node records their kernels)");
  }

  static CapturedEvent event(const Rows& rows, const FormatField& id, const FormatField& record) {
    const std::int64_t number = rows.number(record);
    return {static_cast<std::uint64_t>(rows.number(id)),
            number > 0 && number < kNone ? static_cast<std::uint64_t>(number) : 0};
  }

  void read_waits() {
    auto records = database_.select(kRecords, {&kRecordProcess, &kRecordContext, &kRecordStream, &kRecordEvent,
                                               &kRecordRecord, &kRecordCorrelation});
    for (std::size_t row = 1; records.next(); ++row) {
      const CapturePlace place{kRecords, "row", row};
      const std::int64_t stream = records.number(kRecordStream);
      if (stream < 0 || stream >= kNone) {
        builder_.note("records of events have no stream; they are left out", place);
        continue;
      }
      const std::uint64_t process = process_of(records.number(kRecordProcess));
      builder_.add_record(
          static_cast<std::uint64_t>(records.number(kRecordCorrelation)),
          {process, whole_context(process, records.number(kRecordContext)), static_cast<std::uint64_t>(stream)},
          event(records, kRecordEvent, kRecordRecord), place);
    }
    auto waits = database_.select(
        kWaits, {&kWaitProcess, &kWaitContext, &kWaitStream, &kWaitEvent, &kWaitRecord, &kWaitCorrelation});
    for (std::size_t row = 1; waits.next(); ++row) {
      const std::int64_t stream = waits.number(kWaitStream), which = waits.number(kWaitEvent);
      const bool of_stream = stream >= 0 && stream < kNone,
                 of_event = !waits.null(kWaitEvent) && which >= 0 && which < kNone;
      std::optional<CapturedEvent> awaited;
      if (of_event) awaited = event(waits, kWaitEvent, kWaitRecord);
      const std::uint64_t process = process_of(waits.number(kWaitProcess));
      builder_.add_wait(of_stream && of_event ? Kind::kWaitEvent
                        : of_event            ? Kind::kSynchronizeEvent
                        : of_stream           ? Kind::kSynchronizeStream
                                              : Kind::kSynchronizeDevice,
                        static_cast<std::uint64_t>(waits.number(kWaitCorrelation)),
                        {process, whole_context(process, waits.number(kWaitContext)),
                         of_stream ? std::optional(static_cast<std::uint64_t>(stream)) : std::nullopt},
                        awaited, {kWaits, "row", row});
    }
  }

  void read_gpu() {
    auto rows = database_.select(
        kGpus, {&kGpuId, &kGpuDevice, &kGpuName, &kGpuSms, &kGpuWarps, &kGpuBlocks, &kGpuRegisters, &kGpuShared});
    while (rows.next()) {
      if (static_cast<std::uint64_t>(rows.number(rows.null(kGpuDevice) ? kGpuId : kGpuDevice)) != device_) continue;
      const auto count = [&](const FormatField& column) -> std::optional<unsigned> {
        const std::int64_t value = rows.number(column);
        return value > 0 && value <= 1 << 30 ? std::optional(static_cast<unsigned>(value)) : std::nullopt;
      };
      builder_.set_gpu({rows.text(kGpuName), count(kGpuSms), count(kGpuWarps), count(kGpuBlocks), count(kGpuRegisters),
                        count(kGpuShared)},
                       mps_percentage());
      return;
    }
  }

  /// CUDA Multi-Process Service: the share of the GPU's threads that the program may use, from its environment.
  std::optional<double> mps_percentage() const {
    const std::string variable = "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=\"";
    for (auto rows = database_.select(kCapture, {&kCaptureName, &kCaptureValue}); rows.next();) {
      const std::string value = rows.text(kCaptureValue);
      if (!ends_with(rows.text(kCaptureName), ":ENVIRONMENT_VARIABLE") || !starts_with(value, variable)) continue;
      const auto percent = parse_number<double>(value.substr(variable.size(), value.size() - variable.size() - 1));
      if (percent && *percent > 0 && *percent <= 100) return percent;
    }
    return std::nullopt;
  }

  /// Reads priorities and kinds of the streams that have commands.
  void read_streams() {
    const Enumeration types(database_, kStreamTypes,
                            {{1, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT"},
                             {2, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING"},
                             {3, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL"}});
    auto rows =
        database_.select(kStreams, {&kStreamProcess, &kStreamContext, &kStreamId, &kStreamPriority, &kStreamFlag});
    for (std::size_t row = 1; rows.next(); ++row) {
      const std::uint64_t process = static_cast<std::uint64_t>(rows.number(kStreamProcess)) & 0xffffff;
      MeasuredStream* const stream = builder_.find_stream(process, whole_context(process, rows.number(kStreamContext)),
                                                          static_cast<std::uint64_t>(rows.number(kStreamId)));
      if (!stream) continue;
      const std::int64_t priority = static_cast<std::int32_t>(static_cast<std::uint32_t>(rows.number(kStreamPriority)));
      if (priority < kMinPriority || priority > kMaxPriority)
        builder_.note("streams have an impossible priority; assumed: 0", {kStreams, "row", row});
      else
        stream->priority = static_cast<int>(priority);
      const std::string& type = types[rows.number(kStreamFlag)];
      if (ends_with(type, "_NON_BLOCKING")) stream->kind = StreamKind::kNonBlocking;
      if (ends_with(type, "_NULL")) stream->kind = StreamKind::kDefault;
    }
    for (const auto& [key, context] : contexts_) {
      MeasuredStream* const stream = builder_.find_stream(key.first, key.second, context.null_stream);
      if (stream && !context.green) stream->kind = StreamKind::kDefault;
    }
  }

  void read_ranges() {
    const Enumeration types(database_, kEventTypes, {{59, "NvtxPushPopRange"}, {60, "NvtxStartEndRange"}});
    auto rows =
        database_.select(kRanges, {&kRangeStart, &kRangeEnd, &kRangeType, &kRangeText, &kRangeTextId, &kRangeThread},
                         "ORDER BY start, rowid");
    for (std::size_t row = 1; rows.next(); ++row) {
      const std::string& type = types[rows.number(kRangeType)];
      const bool of_thread = type == "NvtxPushPopRange";
      if (rows.null(kRangeEnd) || (!of_thread && type != "NvtxStartEndRange")) continue;
      const std::int64_t id = rows.number(kRangeThread);
      MeasuredRange range;
      range.name = rows.null(kRangeText) ? string(rows, kRangeTextId) : rows.text(kRangeText);
      range.process = process_of(id);
      if (of_thread) range.thread = thread_of(id);
      range.start = rows.number(kRangeStart);
      range.end = rows.number(kRangeEnd);
      builder_.add(std::move(range), {kRanges, "row", row});
    }
  }

  std::map<std::uint64_t, std::string> process_names() const {
    std::map<std::uint64_t, std::string> names;
    for (auto rows = database_.select(kProcesses, {&kProcessId, &kProcessName}); rows.next();) {
      const std::string name = std::filesystem::path(rows.text(kProcessName)).filename().string();
      if (!name.empty()) names[process_of(rows.number(kProcessId))] = name;
    }
    return names;
  }

  struct Context {
    std::int64_t device = 0;
    std::uint64_t null_stream = 0;
    bool green = false;
    std::optional<std::uint64_t> parent = std::nullopt;  ///< parent of a green context
  };

  SqliteReader database_;
  std::optional<std::uint64_t> wanted_;
  std::uint64_t device_ = 0;
  std::map<std::pair<std::uint64_t, std::int64_t>, std::int64_t> devices_;  ///< by process and its own number
  std::map<std::pair<std::uint64_t, std::uint64_t>, Context> contexts_;     ///< contexts by process and number
  ProgramBuilder builder_;
  std::map<std::int64_t, std::string> strings_;
  std::size_t nodes_ = 0;
};

}  // namespace
}  // namespace nsight

GPUTLM_REGISTER {
  CaptureFormat format;
  format.name = "Nsight Systems";
  format.rank = 1;
  format.description = "Nsight Systems' SQLite, from nsys export --type sqlite";
  format.takes = [](const std::string& path) {
    return ends_with(path, ".sqlite") || nsight::is_report(path) || is_sqlite(path);
  };
  format.read = [](const std::string& path, std::optional<std::uint64_t> device) {
    if (nsight::is_report(path))
      throw InputError(path, 0, "is a report of Nsight Systems; allowed is its export: nsys export --type sqlite");
    return nsight::Reader(path, device).read();
  };
  capture_formats().add(std::move(format));
}

}  // namespace gputlm
