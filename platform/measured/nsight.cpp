#include "platform/measured/nsight.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "models/kernel/program.h"
#include "platform/measured/capture.h"
#include "platform/measured/sqlite_reader.h"
#include "platform/measured/timeline_builder.h"
#include "tlm/error.h"
#include "tlm/text.h"

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

bool is_report(const std::string& path) { return ends_with(path, ".nsys-rep") || ends_with(path, ".qdrep"); }

class NsightReader {
 public:
  NsightReader(const std::string& path, std::optional<std::uint64_t> device)
      : database_(path), wanted_(device), builder_(path) {}

  MeasuredTimeline read() {
    if (!database_.has(kKernels)) {
      throw InputError(
          builder_.path(), 0,
          std::string("has no table ") + kKernels +
              "; needed is an export of Nsight Systems (nsys export --type sqlite) of a program that launched "
              "kernels while CUDA was traced" +
              graphs_hint());
    }
    read_device();
    read_gpu();
    read_calls();
    read_kernels();
    read_copies();
    read_memsets();
    if (!builder_.has_kernels())
      throw InputError(builder_.path(), 0, "has no kernel of device " + std::to_string(device_) + graphs_hint());
    read_streams();
    if (!graphs_hint().empty()) builder_.warn(graphs_hint().substr(2));
    return builder_.finish(process_names());
  }

 private:
  void need(const char* table, const std::vector<std::string>& columns) const {
    std::string missing;
    for (const std::string& column : columns) {
      if (!database_.has(table, column)) missing += (missing.empty() ? "" : ", ") + column;
    }
    if (!missing.empty())
      throw InputError(builder_.path(), 0, std::string("table ") + table + " lacks what is needed: " + missing);
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

  void read_device() {
    std::map<std::uint64_t, std::size_t> kernels;
    for (auto rows = database_.select(kKernels, {"deviceId"}); rows.next();)
      ++kernels[static_cast<std::uint64_t>(rows.number(0))];
    device_ = choose_device(kernels, wanted_, builder_);
  }

  bool of_device(const SqliteReader::Rows& rows, int column) const {
    return static_cast<std::uint64_t>(rows.number(column)) == device_;
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
      builder_.set_gpu({rows.text(2), count(3), count(4), count(5), count(6), count(7)});
      return;
    }
  }

  void read_calls() {
    if (!database_.has(kCalls)) {
      builder_.warn(std::string("has no table ") + kCalls + "; when the host launched is taken as when the GPU began");
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

  /// Of the row that `rows` is at; none if it is another device's.
  std::optional<MeasuredStream> read_common(const SqliteReader::Rows& rows, MeasuredCommand& command) {
    if (!of_device(rows, 2)) return std::nullopt;
    command.start = rows.number(0);
    command.end = rows.number(1);
    MeasuredStream stream;
    stream.process = process_of(rows.number(6));
    stream.context = static_cast<std::uint64_t>(rows.number(3));
    stream.id = static_cast<std::uint64_t>(rows.number(4));
    if (const auto call = calls_.find({stream.process, rows.number(5)}); call != calls_.end())
      command.launched = call->second;
    if (!rows.null(7) && rows.number(7) != 0) ++nodes_;
    return stream;
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
      const CapturePlace place{kKernels, "row", row};
      MeasuredKernel kernel;
      const auto stream = read_common(rows, kernel);
      if (!stream) continue;
      const auto number = [&](int column, const char* what, std::int64_t least, std::uint64_t most) {
        return builder_.checked(place, what, rows.number(kCommon + column), least, static_cast<std::int64_t>(most));
      };
      kernel.grid = {number(0, "gridX", 1, kGridShape.most[0]), number(1, "gridY", 1, kGridShape.most[1]),
                     number(2, "gridZ", 1, kGridShape.most[2])};
      kernel.block = {number(3, "blockX", 1, kBlockShape.most[0]), number(4, "blockY", 1, kBlockShape.most[1]),
                      number(5, "blockZ", 1, kBlockShape.most[2])};
      kernel.registers = number(6, "registersPerThread", 0, kMaxRegisters);
      kernel.shared_memory = Bytes{number(7, "staticSharedMemory", 0, kMaxSharedMemory)} +
                             number(8, "dynamicSharedMemory", 0, kMaxSharedMemory);
      for (int column = 9; column < 12 && kernel.name.empty(); ++column) {
        if (rows.null(kCommon + column)) continue;
        const auto string = strings.find(rows.number(kCommon + column));
        kernel.name = string != strings.end() ? string->second : rows.text(kCommon + column);
      }
      builder_.add(std::move(kernel), *stream, place);
    }
    builder_.warn_of_graph_nodes(nodes_);
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
      const auto stream = read_common(rows, copy);
      if (!stream) continue;
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
      add_copy(rows.number(kCommon), copy, *stream, {kCopies, "row", row});
    }
    for (const auto& [what, count] : left_out)
      builder_.warn("copies " + what + " are left out: " + std::to_string(count));
  }

  void read_memsets() {
    if (!database_.has(kMemsets)) return;
    need(kMemsets, {"start", "end", "streamId", "bytes"});
    std::vector<std::string> columns = common_columns();
    columns.emplace_back("bytes");
    auto rows = database_.select(kMemsets, columns, "ORDER BY start, rowid");
    for (std::size_t row = 1; rows.next(); ++row) {
      MeasuredCopy memset;
      const auto stream = read_common(rows, memset);
      if (!stream) continue;
      memset.kind = CopyKind::kMemset;
      add_copy(rows.number(kCommon), memset, *stream, {kMemsets, "row", row});
    }
  }

  void add_copy(std::int64_t bytes, MeasuredCopy copy, const MeasuredStream& stream, const CapturePlace& place) {
    if (bytes < 0) builder_.fail(place, "found " + std::to_string(bytes) + " bytes, allowed: 0 or more");
    copy.bytes = static_cast<Bytes>(bytes);
    builder_.add(std::move(copy), stream, place);
  }

  /// Priorities and kinds of the streams that have commands.
  void read_streams() {
    const auto found = [&](const SqliteReader::Rows& rows) {
      return builder_.find_stream(static_cast<std::uint64_t>(rows.number(0)) & 0xffffff,
                                  static_cast<std::uint64_t>(rows.number(1)),
                                  static_cast<std::uint64_t>(rows.number(2)));
    };
    if (database_.has(kStreams)) {
      auto rows = database_.select(kStreams, {"processId", "contextId", "streamId", "priority", "flag"});
      while (rows.next()) {
        MeasuredStream* const stream = found(rows);
        if (!stream) continue;
        stream->priority = static_cast<int>(std::clamp<std::int64_t>(rows.number(3), kMinPriority + 1, 0));
        if (rows.number(4) == kNonBlocking) stream->kind = StreamKind::kNonBlocking;
        if (rows.number(4) == kNull) stream->kind = StreamKind::kDefault;
      }
    }
    if (database_.has(kContexts)) {
      auto rows = database_.select(kContexts, {"processId", "contextId", "nullStreamId"});
      while (rows.next()) {
        if (MeasuredStream* const stream = found(rows)) stream->kind = StreamKind::kDefault;
      }
    }
  }

  std::map<std::uint64_t, std::string> process_names() const {
    std::map<std::uint64_t, std::string> names;
    if (!database_.has(kProcesses, "name")) return names;
    for (auto rows = database_.select(kProcesses, {"globalPid", "name"}); rows.next();) {
      const std::string name = std::filesystem::path(rows.text(1)).filename().string();
      if (!name.empty()) names[process_of(rows.number(0))] = name;
    }
    return names;
  }

  SqliteReader database_;
  std::optional<std::uint64_t> wanted_;
  std::uint64_t device_ = 0;
  TimelineBuilder builder_;
  std::map<std::pair<std::uint64_t, std::int64_t>, Nanoseconds> calls_;  ///< by process and correlation
  std::size_t nodes_ = 0;
};

}  // namespace

MeasuredTimeline read_nsight(const std::string& path, std::optional<std::uint64_t> device) {
  return NsightReader(path, device).read();
}

GPUTLM_REGISTER {
  CaptureFormat format;
  format.name = "Nsight Systems";
  format.rank = 1;
  format.description = "Nsight Systems' SQLite, from nsys export --type sqlite";
  format.takes = [](const std::string& path) {
    return ends_with(path, ".sqlite") || is_report(path) || is_sqlite(path);
  };
  format.read = [](const std::string& path, std::optional<std::uint64_t> device) {
    if (is_report(path))
      throw InputError(path, 0, "is a report of Nsight Systems; allowed is its export: nsys export --type sqlite");
    return read_nsight(path, device);
  };
  capture_formats().add(std::move(format));
}

}  // namespace gputlm
