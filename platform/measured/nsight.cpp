#include "platform/measured/nsight.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include "models/kernel/program.h"
#include "platform/input/kernel_names.h"
#include "platform/measured/sqlite_reader.h"
#include "tlm/error.h"
#include "tlm/utf8.h"

namespace gputlm {
namespace {

constexpr const char* kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char* kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char* kMemsets = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr const char* kCalls = "CUPTI_ACTIVITY_KIND_RUNTIME";
constexpr const char* kGraphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
constexpr const char* kGpus = "TARGET_INFO_GPU";
constexpr const char* kStreams = "TARGET_INFO_CUDA_STREAM";
constexpr const char* kContexts = "TARGET_INFO_CUDA_CONTEXT_INFO";
constexpr const char* kProcesses = "PROCESSES";

constexpr std::int64_t kMaxRegisters = 255;                    // of a thread
constexpr Nanoseconds kMax = std::int64_t{3'600'000'000'000};  // an hour
constexpr std::size_t kMaxCommands = 10'000'000;

// CUPTI's enumerations: CUpti_ActivityMemcpyKind, CUpti_ActivityMemoryKind, CUpti_ActivityStreamFlag.
enum MemcpyKind : std::int64_t {
  kHtoD = 1,
  kDtoH = 2,
  kHtoA = 3,
  kAtoH = 4,
  kAtoA = 5,
  kAtoD = 6,
  kDtoA = 7,
  kDtoD = 8,
  kHtoH = 9,
  kPtoP = 10
};
constexpr std::int64_t kPageable = 1;
enum StreamFlag : std::int64_t { kNonBlocking = 2, kNull = 3 };

/// A process in a serialized id (globalPid, globalTid): bits 24 to 47.
std::uint64_t process_of(std::int64_t global_id) { return static_cast<std::uint64_t>(global_id) >> 24 & 0xffffff; }

using StreamKey = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;  // process, context, stream

class Reader {
 public:
  Reader(const std::string& path, std::optional<std::uint64_t> device) : database_(path), device_(device) {
    timeline_.path = path;
  }

  MeasuredTimeline read() {
    if (!database_.has(kKernels)) {
      throw InputError(
          timeline_.path, 0,
          std::string("has no table ") + kKernels +
              "; needed is an export of Nsight Systems (nsys export --type sqlite) of a program that launched "
              "kernels while CUDA was traced" +
              graphs_hint());
    }
    choose_device();
    read_gpu();
    read_calls();
    read_kernels();
    read_copies();
    read_memsets();
    if (timeline_.kernels.empty())
      throw InputError(timeline_.path, 0, "has no kernel of device " + std::to_string(*device_) + graphs_hint());
    number_streams();
    label();
    read_process_names();
    if (!graphs_hint().empty()) warn(graphs_hint().substr(2));
    return std::move(timeline_);
  }

 private:
  void warn(const std::string& what) { timeline_.warnings.push_back(timeline_.path + ": " + what); }
  [[noreturn]] void fail(const char* table, std::size_t row, const std::string& what) const {
    throw InputError(timeline_.path + ": " + table + ", row " + std::to_string(row) + ": " + what);
  }
  void need(const char* table, const std::vector<std::string>& columns) const {
    std::string missing;
    for (const std::string& column : columns) {
      if (!database_.has(table, column)) missing += (missing.empty() ? "" : ", ") + column;
    }
    if (!missing.empty())
      throw InputError(timeline_.path, 0, std::string("table ") + table + " lacks what is needed: " + missing);
  }
  std::string graphs_hint() const {
    if (!database_.has(kGraphs)) return "";
    std::size_t graphs = 0;
    for (auto rows = database_.select(kGraphs, {"start"}); rows.next();) ++graphs;
    return graphs ? "; " + std::to_string(graphs) +
                        " launches of CUDA graphs have no kernels here (they have with nsys profile "
                        "--cuda-graph-trace=node)"
                  : "";
  }

  void choose_device() {
    std::map<std::uint64_t, std::size_t> kernels;
    for (auto rows = database_.select(kKernels, {"deviceId"}); rows.next();)
      ++kernels[static_cast<std::uint64_t>(rows.number(0))];
    std::string there;
    for (const auto& [device, count] : kernels) there += (there.empty() ? "" : ", ") + std::to_string(device);
    if (!device_) {
      const auto most = std::max_element(kernels.begin(), kernels.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      if (most != kernels.end()) device_ = most->first;
    } else if (kernels.count(*device_) == 0) {
      throw InputError("--device", 0,
                       "found " + std::to_string(*device_) + ", allowed: " + there + ", the devices with kernels in " +
                           timeline_.path);
    }
    if (kernels.size() > 1)
      warn("has kernels of devices " + there + "; taken are those of device " + std::to_string(*device_) +
           " (--device)");
    if (!device_) device_ = 0;
  }

  bool of_device(const SqliteReader::Rows& rows, int column) const {
    return static_cast<std::uint64_t>(rows.number(column)) == *device_;
  }

  void read_gpu() {
    if (!database_.has(kGpus)) return;
    auto rows = database_.select(kGpus, {"cuDevice", "id", "name", "smCount", "maxWarpsPerSm", "maxBlocksPerSm",
                                         "maxRegistersPerSm", "maxShmemPerSm"});
    while (rows.next()) {
      if (!of_device(rows, rows.null(0) ? 1 : 0)) continue;
      const auto count = [&](int column) -> std::optional<unsigned> {
        const std::int64_t value = rows.number(column);
        return value > 0 && value <= 1 << 30 ? std::optional(static_cast<unsigned>(value)) : std::nullopt;
      };
      timeline_.gpu = {rows.text(2), count(3), count(4), count(5), count(6), count(7)};
      return;
    }
  }

  void read_calls() {
    if (!database_.has(kCalls)) {
      warn(std::string("has no table ") + kCalls + "; when the host launched is taken as when the GPU began");
      return;
    }
    need(kCalls, {"start", "correlationId"});
    for (auto rows = database_.select(kCalls, {"correlationId", "globalTid", "start"}); rows.next();) {
      const auto [call, is_new] =
          calls_.emplace(std::make_pair(process_of(rows.number(1)), rows.number(0)), rows.number(2));
      if (!is_new) call->second = std::min(call->second, rows.number(2));
    }
  }

  static constexpr int kCommon = 8;  ///< columns of common_columns()
  static std::vector<std::string> common_columns() {
    return {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid", "graphNodeId"};
  }

  /// Of the row that `rows` is at; false: it is another device's.
  bool read_common(const SqliteReader::Rows& rows, const char* table, std::size_t row, MeasuredCommand& command) {
    if (!of_device(rows, 2)) return false;
    command.row = row;
    command.start = rows.number(0);
    command.end = rows.number(1);
    if (command.end < command.start) fail(table, row, "it ends before it starts");
    if (timeline_.kernels.size() + timeline_.copies.size() == kMaxCommands)
      throw InputError(timeline_.path, 0, "has more than " + std::to_string(kMaxCommands) + " kernels and copies");
    first_ = std::min(first_, command.start);
    if (command.end - first_ > kMax) fail(table, row, "it ends more than an hour after the first starts");
    const std::uint64_t process = process_of(rows.number(6));
    const StreamKey key{process, static_cast<std::uint64_t>(rows.number(3)),
                        static_cast<std::uint64_t>(rows.number(4))};
    command.stream = streams_.emplace(key, streams_.size()).first->second;
    if (const auto call = calls_.find({process, rows.number(5)}); call != calls_.end()) {
      command.launched = std::min(call->second, command.start);
    }
    if (!rows.null(7) && rows.number(7) != 0) ++nodes_;
    return true;
  }

  void read_kernels() {
    need(kKernels, {"start", "end", "streamId", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ"});
    std::map<std::int64_t, std::string> strings;
    if (database_.has("StringIds")) {
      for (auto rows = database_.select("StringIds", {"id", "value"}); rows.next();)
        strings[rows.number(0)] = rows.text(1);
    }
    std::vector<std::string> columns = common_columns();
    for (const char* column :
         {"gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "registersPerThread", "staticSharedMemory",
          "dynamicSharedMemory", "demangledName", "shortName", "mangledName"})
      columns.emplace_back(column);
    auto rows = database_.select(kKernels, columns, "ORDER BY start, rowid");
    for (std::size_t row = 1; rows.next(); ++row) {
      MeasuredKernel kernel;
      if (!read_common(rows, kKernels, row, kernel)) continue;
      const auto number = [&](int column, const char* what, std::int64_t least, std::int64_t most) {
        const std::int64_t value = rows.number(kCommon + column);
        if (value < least || value > most)
          fail(kKernels, row,
               std::string("found ") + what + " " + std::to_string(value) + ", allowed: " + std::to_string(least) +
                   " to " + std::to_string(most));
        return static_cast<std::uint32_t>(value);
      };
      const auto most = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
      kernel.grid = {number(0, "gridX", 1, most(kGridShape.most[0])), number(1, "gridY", 1, most(kGridShape.most[1])),
                     number(2, "gridZ", 1, most(kGridShape.most[2]))};
      kernel.block = {number(3, "blockX", 1, most(kBlockShape.most[0])), number(4, "blockY", 1, most(kBlockShape.most[1])),
                      number(5, "blockZ", 1, most(kBlockShape.most[2]))};
      if (kernel.block.count() > kMaxThreadsPerBlock)
        fail(kKernels, row,
             "found a block of " + std::to_string(kernel.block.count()) + " threads, allowed: up to " +
                 std::to_string(kMaxThreadsPerBlock));
      if (kernel.grid.count() > kMaxIterations)
        fail(kKernels, row, "found a grid of more than " + std::to_string(kMaxIterations) + " blocks");
      kernel.registers = number(6, "registersPerThread", 0, kMaxRegisters);
      kernel.shared_memory = Bytes{number(7, "staticSharedMemory", 0, most(kMaxSharedMemory))} +
                             number(8, "dynamicSharedMemory", 0, most(kMaxSharedMemory));
      for (int column = 9; column < 12 && kernel.name.empty(); ++column) {
        if (rows.null(kCommon + column)) continue;
        const auto string = strings.find(rows.number(kCommon + column));
        kernel.name = string != strings.end() ? string->second : rows.text(kCommon + column);
      }
      kernel.name = demangled(kernel.name);
      if (kernel.name.empty()) kernel.name = "kernel";
      if (!is_plain_text(kernel.name)) fail(kKernels, row, "the kernel's name is no text");
      timeline_.kernels.push_back(std::move(kernel));
    }
    if (nodes_ > 0)
      warn(std::to_string(nodes_) +
           " kernels are nodes of CUDA graphs; what they wait for in other streams is not known");
  }

  void read_copies() {
    if (!database_.has(kCopies)) return;
    need(kCopies, {"start", "end", "streamId", "bytes", "copyKind"});
    std::vector<std::string> columns = common_columns();
    for (const char* column : {"bytes", "copyKind", "srcKind", "dstKind"}) columns.emplace_back(column);
    std::map<std::string, std::size_t> left_out;
    auto rows = database_.select(kCopies, columns, "ORDER BY start, rowid");
    for (std::size_t row = 1; rows.next(); ++row) {
      MeasuredCopy copy;
      if (!read_common(rows, kCopies, row, copy)) continue;
      const std::int64_t kind = rows.number(kCommon + 1);
      if (kind == kHtoD || kind == kHtoA) {
        copy.kind = CopyKind::kHostToDevice;
      } else if (kind == kDtoH || kind == kAtoH) {
        copy.kind = CopyKind::kDeviceToHost;
      } else if (kind == kDtoD || kind == kAtoA || kind == kAtoD || kind == kDtoA) {
        copy.kind = CopyKind::kDeviceToDevice;
      } else {
        ++left_out[kind == kHtoH   ? "from host to host"
                   : kind == kPtoP ? "from GPU to GPU"
                                   : "of kind " + std::to_string(kind)];
        continue;
      }
      copy.pageable = rows.number(kCommon + 2) == kPageable || rows.number(kCommon + 3) == kPageable;
      add_copy(rows.number(kCommon), kCopies, row, copy);
    }
    for (const auto& [what, count] : left_out) warn("copies " + what + " are left out: " + std::to_string(count));
  }

  void read_memsets() {
    if (!database_.has(kMemsets)) return;
    need(kMemsets, {"start", "end", "streamId", "bytes"});
    std::vector<std::string> columns = common_columns();
    columns.emplace_back("bytes");
    auto rows = database_.select(kMemsets, columns, "ORDER BY start, rowid");
    for (std::size_t row = 1; rows.next(); ++row) {
      MeasuredCopy memset;
      if (!read_common(rows, kMemsets, row, memset)) continue;
      memset.kind = CopyKind::kMemset;
      add_copy(rows.number(kCommon), kMemsets, row, memset);
    }
    std::stable_sort(timeline_.copies.begin(), timeline_.copies.end(),
                     [](const MeasuredCopy& a, const MeasuredCopy& b) { return a.start < b.start; });
  }

  void add_copy(std::int64_t bytes, const char* table, std::size_t row, MeasuredCopy& copy) {
    if (bytes < 0 || static_cast<Bytes>(bytes) > kMaxAllocated)
      fail(table, row, "found " + std::to_string(bytes) + " bytes, allowed: up to " + std::to_string(kMaxAllocated));
    copy.bytes = static_cast<Bytes>(bytes);
    if (bytes > 0) timeline_.copies.push_back(copy);
  }

  /// Streams have been numbered as they came; now in the order of their keys.
  void number_streams() {
    std::vector<std::size_t> place(streams_.size());
    for (const auto& [key, number] : streams_) {
      place[number] = timeline_.streams.size();
      timeline_.streams.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key)});
    }
    for (MeasuredKernel& kernel : timeline_.kernels) kernel.stream = place[kernel.stream];
    for (MeasuredCopy& copy : timeline_.copies) copy.stream = place[copy.stream];
    const auto found = [&](std::int64_t process, std::int64_t context, std::int64_t id) -> MeasuredStream* {
      const StreamKey key{static_cast<std::uint64_t>(process) & 0xffffff, static_cast<std::uint64_t>(context),
                          static_cast<std::uint64_t>(id)};
      const auto stream = streams_.find(key);
      return stream == streams_.end() ? nullptr : &timeline_.streams[place[stream->second]];
    };
    if (database_.has(kStreams)) {
      auto rows = database_.select(kStreams, {"processId", "contextId", "streamId", "priority", "flag"});
      while (rows.next()) {
        MeasuredStream* const stream = found(rows.number(0), rows.number(1), rows.number(2));
        if (!stream) continue;
        stream->priority = static_cast<int>(std::clamp<std::int64_t>(rows.number(3), kMinPriority + 1, 0));
        if (rows.number(4) == kNonBlocking) stream->kind = StreamKind::kNonBlocking;
        if (rows.number(4) == kNull) stream->kind = StreamKind::kDefault;
      }
    }
    if (database_.has(kContexts)) {
      auto rows = database_.select(kContexts, {"processId", "contextId", "nullStreamId"});
      while (rows.next()) {
        if (MeasuredStream* const stream = found(rows.number(0), rows.number(1), rows.number(2)))
          stream->kind = StreamKind::kDefault;
      }
    }
  }

  void label() {
    std::vector<std::string> names;
    for (const MeasuredKernel& kernel : timeline_.kernels) names.push_back(kernel.name);
    names = short_names(names);
    std::map<std::string, std::size_t> total, number;
    for (const std::string& name : names) ++total[name];
    for (std::size_t i = 0; i < names.size(); ++i)
      timeline_.kernels[i].label = names[i] + (total[names[i]] > 1 ? "#" + std::to_string(++number[names[i]]) : "");
    for (std::size_t i = 0; i < timeline_.copies.size(); ++i)
      timeline_.copies[i].label = std::string(to_string(timeline_.copies[i].kind)) + "#" + std::to_string(i + 1);
  }

  void read_process_names() {
    std::map<std::uint64_t, std::string> names;
    for (const MeasuredStream& stream : timeline_.streams)
      names[stream.process] = "process " + std::to_string(stream.process);
    if (database_.has(kProcesses, "name")) {
      for (auto rows = database_.select(kProcesses, {"globalPid", "name"}); rows.next();) {
        const auto known = names.find(process_of(rows.number(0)));
        const std::string name = std::filesystem::path(rows.text(1)).filename().string();
        if (known != names.end() && !name.empty() && is_plain_text(name)) known->second = name;
      }
    }
    for (auto& [process, name] : names) timeline_.process_names.push_back(std::move(name));
  }

  SqliteReader database_;
  std::optional<std::uint64_t> device_;
  MeasuredTimeline timeline_;
  std::map<std::pair<std::uint64_t, std::int64_t>, Nanoseconds> calls_;  ///< by process and correlation
  std::map<StreamKey, std::size_t> streams_;
  Nanoseconds first_ = INT64_MAX;
  std::size_t nodes_ = 0;
};

}  // namespace

SmLimits MeasuredGpu::limits(SmLimits assumed) const {
  if (warps) assumed.warps = *warps, assumed.threads = *warps * static_cast<unsigned>(kWarpSize);
  if (blocks) assumed.blocks = *blocks;
  if (registers) assumed.registers = *registers;
  if (shared_memory) assumed.shared_memory = *shared_memory;
  return assumed;
}

MeasuredTimeline read_nsight(const std::string& path, std::optional<std::uint64_t> device) {
  return Reader(path, device).read();
}

}  // namespace gputlm
