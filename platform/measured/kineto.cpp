#include "platform/measured/kineto.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <istream>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <variant>

#include "models/kernel/byte_source.h"
#include "models/kernel/program.h"
#include "platform/measured/byte_stream.h"
#include "platform/measured/capture.h"
#include "platform/measured/timeline_builder.h"
#include "tlm/error.h"
#include "tlm/text.h"

namespace gputlm {
namespace {

/// Microseconds since 1970, to the nanosecond, have 19 digits, more than a double holds.
using TraceJson =
    nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, long double>;

constexpr const char* kEvents = "traceEvents";
constexpr const char* kDevices = "deviceProperties";
constexpr const char* kOlderDevices = "computeProperties";

// What is read of an event, and of its `args`.
const std::set<std::string> kEventKeys = {"ph", "cat", "name", "ts", "dur", "pid", "tid", "args"};
const std::set<std::string> kArguments = {"device",
                                          "inDevice",
                                          "context",
                                          "inContext",
                                          "stream",
                                          "bytes",
                                          "grid",
                                          "block",
                                          "correlation",
                                          "name",
                                          "registers per thread",
                                          "shared memory",
                                          "graph node id"};

const TraceJson& member(const TraceJson& object, const char* key) {
  static const TraceJson nothing;
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() ? nothing : *found;
}

std::string text_of(const TraceJson& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

/// A number, or a text that is one.
std::optional<long double> number_of(const TraceJson& value) {
  if (value.is_string()) {
    const TraceJson parsed = TraceJson::parse(value.get_ref<const std::string&>(), nullptr, false);
    return parsed.is_number() ? number_of(parsed) : std::nullopt;
  }
  if (!value.is_number()) return std::nullopt;
  const auto found = value.get<long double>();
  return std::isfinite(found) ? std::optional(found) : std::nullopt;
}

std::optional<std::int64_t> whole_of(const TraceJson& value) {
  const auto found = number_of(value);
  if (!found || *found != std::floor(*found) || std::abs(*found) > 1e18L) return std::nullopt;
  return static_cast<std::int64_t>(*found);
}

std::optional<std::uint64_t> index_of(const TraceJson& value) {
  const auto found = whole_of(value);
  return found && *found >= 0 ? std::optional(static_cast<std::uint64_t>(*found)) : std::nullopt;
}

/// Of microseconds.
std::optional<Nanoseconds> time_of(const TraceJson& value) {
  const auto found = number_of(value);
  if (!found || std::abs(*found) > 4e15L) return std::nullopt;  // twice what has passed since 1970
  return std::llround(*found * 1000);
}

/// `stream 7`: what earlier versions call the thread of an event.
std::optional<std::uint64_t> stream_of(const TraceJson& tid) {
  constexpr std::string_view kStream = "stream ";
  const std::string name = text_of(tid);
  return starts_with(name, kStream) ? index_of(TraceJson(name.substr(kStream.size()))) : index_of(tid);
}

enum class Kind { kKernel, kCopy, kMemset, kCall, kOther };

Kind kind_of(std::string category) {
  std::transform(category.begin(), category.end(), category.begin(), [](unsigned char c) { return std::tolower(c); });
  if (category == "kernel") return Kind::kKernel;
  if (category == "gpu_memcpy" || category == "memcpy") return Kind::kCopy;
  if (category == "gpu_memset" || category == "memset") return Kind::kMemset;
  if (category == "cuda_runtime" || category == "cuda_driver" || category == "runtime") return Kind::kCall;
  return Kind::kOther;
}

MeasuredGpu gpu_of(const TraceJson& properties) {
  const auto count = [&](std::initializer_list<const char*> keys) -> std::optional<unsigned> {
    for (const char* key : keys) {
      const auto value = index_of(member(properties, key));
      if (value && *value > 0 && *value <= 1 << 30) return static_cast<unsigned>(*value);
    }
    return std::nullopt;
  };
  const auto threads = count({"maxThreadsPerMultiprocessor", "maxThreadsPerMultiProcessor"});
  const unsigned warp = count({"warpSize"}).value_or(kWarpSize);
  MeasuredGpu gpu;
  gpu.name = text_of(member(properties, "name"));
  gpu.sms = count({"numSms", "multiProcessorCount"});
  if (threads && *threads >= warp) gpu.warps = *threads / warp;
  gpu.registers = count({"regsPerMultiprocessor"});
  gpu.shared_memory = count({"sharedMemPerMultiprocessor"});
  return gpu;
}

/// A kernel or a copy on its way into the timeline.
struct Command {
  std::size_t event = 0;
  std::uint64_t device = 0;
  std::optional<std::uint64_t> correlation;
  MeasuredStream stream;
  bool is_graph_node = false;
  std::variant<MeasuredKernel, MeasuredCopy> what;
};

class KinetoReader {
 public:
  KinetoReader(const std::string& path, std::optional<std::uint64_t> device) : wanted_(device), builder_(path) {}

  MeasuredTimeline read() {
    parse();
    if (!has_events_)
      throw InputError(builder_.path(), 0, "has no traceEvents; needed is a trace of PyTorch's profiler");
    std::map<std::uint64_t, std::size_t> kernels;
    for (const Command& command : commands_) {
      if (std::holds_alternative<MeasuredKernel>(command.what)) ++kernels[command.device];
    }
    if (kernels.empty())
      throw InputError(builder_.path(), 0,
                       "has no kernels; needed is a trace of PyTorch's profiler with ProfilerActivity.CUDA");
    const std::uint64_t device = choose_device(kernels, wanted_, builder_);
    if (const auto gpu = gpus_.find(device); gpu != gpus_.end()) builder_.set_gpu(gpu->second);
    for (Command& command : commands_) {
      if (command.device == device) add(command);
    }
    tell();
    return builder_.finish(process_names_);
  }

 private:
  void parse() {
    const auto source = open_bytes(builder_.path(), ReadAhead::kCompressed);
    ByteStreamBuffer buffer(*source);
    std::istream stream(&buffer);
    const TraceJson::parser_callback_t callback = [this](int depth, TraceJson::parse_event_t event, TraceJson& parsed) {
      return keep(depth, event, parsed);
    };
    try {
      const TraceJson rest = TraceJson::parse(stream, callback);
    } catch (const nlohmann::json::exception& error) {
      throw InputError(builder_.path(), 0, std::string("is no JSON of PyTorch's profiler: ") + error.what());
    }
  }

  /// Whether the parser keeps it: events and GPUs are dropped once they have been read, all else at once.
  bool keep(int depth, TraceJson::parse_event_t event, TraceJson& parsed) {
    const bool events = section_ == kEvents, devices = section_ == kDevices || section_ == kOlderDevices;
    if (event == TraceJson::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (depth == 1) {
        section_ = key;
        return key == kEvents || key == kDevices || key == kOlderDevices;
      }
      if (depth == 3) return devices || kEventKeys.count(key) > 0;
      return depth == 4 && events && kArguments.count(key) > 0;
    }
    if (event == TraceJson::parse_event_t::array_start && depth == 1 && events) has_events_ = true;
    if (event == TraceJson::parse_event_t::object_end && depth == 2) {
      if (events) take_event(parsed);
      if (devices) gpus_.emplace(index_of(member(parsed, "id")).value_or(gpus_.size()), gpu_of(parsed));
      return false;
    }
    return true;
  }

  void take_event(const TraceJson& event) {
    ++event_;
    const std::string phase = text_of(member(event, "ph"));
    const TraceJson& arguments = member(event, "args");
    if (phase == "M" && text_of(member(event, "name")) == "process_name") {
      if (const auto process = index_of(member(event, "pid")))
        process_names_[*process] = text_of(member(arguments, "name"));
    }
    if (phase != "X") return;
    const Kind kind = kind_of(text_of(member(event, "cat")));
    if (kind == Kind::kOther) return;
    const auto start = time_of(member(event, "ts")), lasts = time_of(member(event, "dur"));
    const auto correlation = index_of(member(arguments, "correlation"));
    if (kind == Kind::kCall) {
      if (start && correlation) take_call(*correlation, *start, index_of(member(event, "pid")));
      return;
    }
    if (!start || !lasts) return leave_out("without ts or dur");
    Command command;
    command.event = event_;
    command.correlation = correlation;
    command.device = first_of(arguments, {"device", "inDevice"}, index_of(member(event, "pid")));
    command.stream.context = first_of(arguments, {"context", "inContext"}, 0);
    command.stream.id = first_of(arguments, {"stream"}, stream_of(member(event, "tid")));
    const std::string name = text_of(member(event, "name"));
    if (kind == Kind::kKernel) {
      MeasuredKernel kernel;
      kernel.name = name;
      read_shape(arguments, kernel);
      command.is_graph_node = index_of(member(arguments, "graph node id")).value_or(0) != 0;
      command.what = std::move(kernel);
    } else {
      const auto bytes = index_of(member(arguments, "bytes"));
      const auto copied = kind == Kind::kMemset ? CopyKind::kMemset : copy_kind(name);
      if (!copied) return;
      if (!bytes) return leave_out("that do not say how many bytes");
      MeasuredCopy copy;
      copy.kind = *copied;
      copy.bytes = *bytes;
      copy.pageable = name.find("Pageable") != std::string::npos;
      command.what = copy;
    }
    std::visit([&](MeasuredCommand& common) { common.start = *start, common.end = *start + *lasts; }, command.what);
    commands_.push_back(std::move(command));
  }

  void take_call(std::uint64_t correlation, Nanoseconds start, std::optional<std::uint64_t> process) {
    const auto [call, is_new] = calls_.emplace(correlation, start);
    if (!is_new) call->second = std::min(call->second, start);
    if (process) processes_.insert(*process);
  }

  static std::uint64_t first_of(const TraceJson& arguments, std::initializer_list<const char*> keys,
                                std::optional<std::uint64_t> otherwise) {
    for (const char* key : keys) {
      if (const auto value = index_of(member(arguments, key))) return *value;
    }
    return otherwise.value_or(0);
  }

  void read_shape(const TraceJson& arguments, MeasuredKernel& kernel) {
    const CapturePlace place = at(event_);
    const auto number = [&](const TraceJson& value, const char* what, std::int64_t least, std::uint64_t most) {
      const auto found = whole_of(value);
      if (!found)
        builder_.fail(place, std::string("found ") + what + " " + shortened(value.dump()) + ", allowed: numbers");
      return builder_.checked(place, what, *found, least, static_cast<std::int64_t>(most));
    };
    const auto shape = [&](const char* key, const Dimensions& allowed, Dim3& to) {
      const TraceJson& list = member(arguments, key);
      if (list.is_null()) return false;
      if (!list.is_array() || list.size() != 3)
        builder_.fail(place, std::string("found ") + key + " " + shortened(list.dump()) + ", allowed: [x, y, z]");
      to = {number(list[0], key, 1, allowed.most[0]), number(list[1], key, 1, allowed.most[1]),
            number(list[2], key, 1, allowed.most[2])};
      return true;
    };
    if (!shape("grid", kGridShape, kernel.grid)) ++assumed_["a grid; assumed: one block"];
    if (!shape("block", kBlockShape, kernel.block)) {
      ++assumed_["a block; assumed: 32 threads"];
      kernel.block = {static_cast<std::uint32_t>(kWarpSize)};
    }
    const auto amount = [&](const char* key, std::uint64_t most) -> std::uint32_t {
      const TraceJson& value = member(arguments, key);
      if (!value.is_null()) return number(value, key, 0, most);
      ++assumed_[std::string("'") + key + "'; assumed: 0"];
      return 0;
    };
    kernel.registers = amount("registers per thread", kMaxRegisters);
    kernel.shared_memory = amount("shared memory", kMaxSharedMemory);
  }

  /// Of `Memcpy HtoD (Pinned -> Device)`; none if it is left out.
  std::optional<CopyKind> copy_kind(const std::string& name) {
    constexpr std::string_view kMemcpy = "Memcpy ";
    const std::string way = starts_with(name, kMemcpy) ? name.substr(kMemcpy.size(), 4) : std::string();
    const auto on_gpu = [](char memory) { return memory == 'D' || memory == 'A'; };  // an array
    if (way.size() == 4 && way.compare(1, 2, "to") == 0) {
      if (way[0] == 'H' && on_gpu(way[3])) return CopyKind::kHostToDevice;
      if (on_gpu(way[0]) && way[3] == 'H') return CopyKind::kDeviceToHost;
      if (on_gpu(way[0]) && on_gpu(way[3])) return CopyKind::kDeviceToDevice;
    }
    leave_out(way == "HtoH"   ? "from host to host"
              : way == "PtoP" ? "from GPU to GPU"
                              : "called '" + shortened(name) + "'");
    return std::nullopt;
  }

  void leave_out(const std::string& what) { ++left_out_[what]; }
  static CapturePlace at(std::size_t event) { return {kEvents, "event", event}; }

  void add(Command& command) {
    if (!processes_.empty()) command.stream.process = *processes_.begin();
    const auto call = command.correlation ? calls_.find(*command.correlation) : calls_.end();
    if (call == calls_.end()) ++without_call_;
    std::visit(
        [&](auto& what) {
          if (call != calls_.end()) what.launched = call->second;
          builder_.add(std::move(what), command.stream, at(command.event));
        },
        command.what);
    if (command.is_graph_node) ++nodes_;
  }

  void tell() {
    if (calls_.empty()) {
      builder_.warn("has no cuda_runtime events; when the host launched is taken as when the GPU began");
    } else if (without_call_ > 0) {
      builder_.warn(
          std::to_string(without_call_) +
          " kernels and copies have no cuda_runtime event; when the host launched them is taken as when the GPU "
          "began");
    }
    if (processes_.size() > 1)
      builder_.warn("has cuda_runtime events of " + std::to_string(processes_.size()) +
                    " processes; its kernels are taken for those of process " + std::to_string(*processes_.begin()));
    for (const auto& [what, count] : assumed_) builder_.warn(std::to_string(count) + " kernels do not say " + what);
    for (const auto& [what, count] : left_out_)
      builder_.warn("commands " + what + " are left out: " + std::to_string(count));
    builder_.warn_of_graph_nodes(nodes_);
  }

  std::optional<std::uint64_t> wanted_;
  TimelineBuilder builder_;
  std::string section_;  ///< of the file: the key at the top
  std::size_t event_ = 0;
  bool has_events_ = false;
  std::vector<Command> commands_;
  std::unordered_map<std::uint64_t, Nanoseconds> calls_;  ///< the first of each correlation
  std::set<std::uint64_t> processes_;                     ///< that made them
  std::map<std::uint64_t, std::string> process_names_;
  std::map<std::uint64_t, MeasuredGpu> gpus_;
  std::map<std::string, std::size_t> assumed_, left_out_;  ///< of all devices
  std::size_t without_call_ = 0, nodes_ = 0;
};

/// A JSON object of which an early part speaks of events or GPUs as the profiler does.
bool is_kineto(const std::string& path) {
  constexpr std::size_t kLooked = 64 * 1024;
  if (std::error_code none; !std::filesystem::is_regular_file(path, none)) return false;
  try {
    const auto source = open_bytes(path, ReadAhead::kNo);
    std::string begin(kLooked, '\0');
    std::size_t size = 0;
    while (const std::size_t count = source->read(begin.data() + size, begin.size() - size)) size += count;
    begin.resize(size);
    const std::size_t first = begin.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || begin[first] != '{') return false;
    const auto has = [&](const char* key) { return begin.find('"' + std::string(key) + '"') != std::string::npos; };
    return has(kEvents) || has(kDevices) || has(kOlderDevices);
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

MeasuredTimeline read_kineto(const std::string& path, std::optional<std::uint64_t> device) {
  return KinetoReader(path, device).read();
}

GPUTLM_REGISTER {
  CaptureFormat format;
  format.name = "PyTorch's profiler";
  format.rank = 2;
  format.description = "the JSON of PyTorch's profiler, .json or .json.gz";
  format.takes = is_kineto;
  format.read = [](const std::string& path, std::optional<std::uint64_t> device) { return read_kineto(path, device); };
  capture_formats().add(std::move(format));
}

}  // namespace gputlm
