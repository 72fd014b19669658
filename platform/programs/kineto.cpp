/// A trace of PyTorch's profiler (Kineto), as written by `export_chrome_trace()`: JSON, plain or compressed. Names are those
/// of libkineto's output_json.cpp and CuptiActivity.cpp, in the current and earlier versions.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <istream>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "models/kernel/byte_source.h"
#include "platform/programs/byte_stream.h"
#include "platform/programs/capture.h"
#include "platform/programs/kineto_fields.h"
#include "platform/programs/program_builder.h"
#include "tlm/base/error.h"
#include "tlm/base/text.h"

namespace gputlm {
namespace kineto {
namespace {

using Kind = MeasuredCall::Kind;

/// Microseconds since 1970 with nanosecond resolution have 19 digits, more than a double holds.
using Json = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, long double>;

const Json& member(const Json& object, const FormatField& field) {
  static const Json nothing;
  const auto found = object.is_object() ? object.find(field.name) : object.end();
  return found == object.end() ? nothing : *found;
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

/// A number, or a text that contains one.
std::optional<long double> number_of(const Json& value) {
  if (value.is_string()) {
    const Json parsed = Json::parse(value.get_ref<const std::string&>(), nullptr, false);
    return parsed.is_number() ? number_of(parsed) : std::nullopt;
  }
  if (!value.is_number()) return std::nullopt;
  const auto found = value.get<long double>();
  return std::isfinite(found) ? std::optional(found) : std::nullopt;
}

std::optional<std::int64_t> whole_of(const Json& value) {
  const auto found = number_of(value);
  if (!found || *found != std::floor(*found) || std::abs(*found) > 1e18L) return std::nullopt;
  return static_cast<std::int64_t>(*found);
}

std::optional<std::uint64_t> index_of(const Json& value) {
  const auto found = whole_of(value);
  return found && *found >= 0 ? std::optional(static_cast<std::uint64_t>(*found)) : std::nullopt;
}

/// Converts from microseconds.
std::optional<Nanoseconds> time_of(const Json& value) {
  const auto found = number_of(value);
  if (!found || std::abs(*found) > 4e15L) return std::nullopt;  // twice the time since 1970
  return std::llround(*found * 1000);
}

/// `stream 7`: the name of an event's thread in earlier versions.
std::optional<std::uint64_t> stream_of(const Json& tid) {
  constexpr std::string_view kPrefix = "stream ";
  const std::string name = text_of(tid);
  return starts_with(name, kPrefix) ? index_of(Json(name.substr(kPrefix.size()))) : index_of(tid);
}

std::optional<Dim3> shape_of(const Json& list) {
  if (!list.is_array() || list.size() != 3) return std::nullopt;
  std::uint32_t sizes[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const auto size = index_of(list[i]);
    sizes[i] = size && *size <= 0xffffffff ? static_cast<std::uint32_t>(*size) : 0;  // no valid shape has 0
  }
  return Dim3{sizes[0], sizes[1], sizes[2]};
}

enum class Category { kKernel, kCopy, kMemset, kCall, kSync, kOverhead, kRange, kOther };

Category category_of(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  if (name == "kernel") return Category::kKernel;
  if (name == "gpu_memcpy" || name == "memcpy") return Category::kCopy;
  if (name == "gpu_memset" || name == "memset") return Category::kMemset;
  if (name == "cuda_runtime" || name == "cuda_driver" || name == "runtime") return Category::kCall;
  if (name == "cuda_sync") return Category::kSync;
  if (name == "overhead") return Category::kOverhead;
  return name == "user_annotation" ? Category::kRange : Category::kOther;
}

/// The direction of `Memcpy HtoD (Pinned -> Device)`; none for copies between hosts or GPUs.
std::optional<CopyKind> copy_kind(const std::string& name) {
  constexpr std::string_view kMemcpy = "Memcpy ";
  const std::string way = starts_with(name, kMemcpy) ? name.substr(kMemcpy.size(), 4) : std::string();
  const auto on_gpu = [](char memory) { return memory == 'D' || memory == 'A'; };  // A: an array
  if (way.size() != 4 || way.compare(1, 2, "to") != 0) return std::nullopt;
  if (way[0] == 'H' && on_gpu(way[3])) return CopyKind::kHostToDevice;
  if (on_gpu(way[0]) && way[3] == 'H') return CopyKind::kDeviceToHost;
  return on_gpu(way[0]) && on_gpu(way[3]) ? std::optional(CopyKind::kDeviceToDevice) : std::nullopt;
}

MeasuredGpu gpu_of(const Json& properties) {
  const auto count = [&](std::initializer_list<const FormatField*> fields) -> std::optional<unsigned> {
    for (const FormatField* field : fields) {
      const auto value = index_of(member(properties, *field));
      if (value && *value > 0 && *value <= 1 << 30) return static_cast<unsigned>(*value);
    }
    return std::nullopt;
  };
  const auto threads = count({&kGpuThreads, &kGpuOlderThreads});
  MeasuredGpu gpu;
  gpu.name = text_of(member(properties, kGpuName));
  gpu.sms = count({&kGpuSms, &kGpuOlderSms});
  // A wavefront of 64 occupies two warps here; only the threads matter.
  if (threads && *threads >= kWarpSize) gpu.warps = *threads / kWarpSize;
  gpu.registers = count({&kGpuRegisters});
  gpu.shared_memory = count({&kGpuShared, &kGpuLds});
  return gpu;
}

/// Properties that a call gives to its commands.
struct CallFacts {
  CapturedCall call;
  std::string name;
  std::optional<std::int64_t> copy_kind = std::nullopt;  ///< a hipMemcpyKind
  std::optional<std::uint32_t> shared_memory = std::nullopt;
};

/// GPU activity, or a wait, until the device is known.
struct Item {
  std::size_t event = 0;
  std::uint64_t device = 0, context = 0, stream = 0;
  std::optional<std::uint64_t> correlation;
  MeasuredCommand command;
  std::string name;        ///< name of a copy if it does not give the direction; otherwise empty
  bool no_shared = false;  ///< the kernel lacks this field
};
struct Sync {
  std::size_t event = 0;
  std::uint64_t context = 0, correlation = 0;
  Kind kind = Kind::kSynchronizeDevice;
  std::optional<std::uint64_t> stream, awaited_stream, awaited_record;
  std::uint64_t awaited_event = 0;
};

class Reader {
 public:
  Reader(const std::string& path, std::optional<std::uint64_t> device) : wanted_(device), builder_(path) {
    for (const FormatField* field : format.fields()) {
      if (field->place == kEvent) event_keys_.insert(field->name);
      if (field->place == kArgs) argument_keys_.insert(field->name);
    }
  }

  Program read() {
    parse();
    if (!has_events_)
      throw InputError(builder_.path(), 0, "has no traceEvents; required: a trace of PyTorch's profiler");
    std::map<std::uint64_t, std::size_t> kernels;
    for (const Item& item : items_) {
      if (item.command.kernel()) ++kernels[item.device];
    }
    if (kernels.empty())
      throw InputError(builder_.path(), 0,
                       "has no kernels; required: a trace of PyTorch's profiler with ProfilerActivity.CUDA");
    const std::uint64_t device = choose_device(kernels, wanted_, builder_);
    if (const auto gpu = gpus_.find(device); gpu != gpus_.end()) builder_.set_gpu(gpu->second);
    for (const auto& [correlation, facts] : calls_) builder_.add(facts.call, at(facts.call_event));
    for (Item& item : items_) {
      if (item.device == device) add(item);
    }
    for (const Sync& sync : syncs_) add(sync);
    add_full_queues();
    tell();
    return builder_.finish(process_names_);
  }

 private:
  struct KnownCall : CallFacts {
    std::size_t call_event = 0;
  };
  struct Overhead {
    Nanoseconds start, end;
  };

  void parse() {
    const auto source = open_bytes(builder_.path(), ReadAhead::kCompressed);
    ByteStreamBuffer buffer(*source);
    std::istream stream(&buffer);
    const Json::parser_callback_t callback = [this](int depth, Json::parse_event_t event, Json& parsed) {
      return keep(depth, event, parsed);
    };
    try {
      const Json rest = Json::parse(stream, callback);
    } catch (const nlohmann::json::exception& error) {
      throw InputError(builder_.path(), 0, std::string("is no JSON of PyTorch's profiler: ") + error.what());
    }
  }

  /// Whether the parser keeps it: events and GPUs are dropped after they have been read, everything else immediately.
  bool keep(int depth, Json::parse_event_t event, Json& parsed) {
    using Step = Json::parse_event_t;
    if (depth == 0 && event == Step::array_start) {  // only events
      array_ = has_events_ = true;
      section_ = kEvents.name;
    }
    if (array_) ++depth;
    const bool events = section_ == kEvents.name, devices = section_ == kDevices.name || section_ == kOlderDevices.name;
    if (event == Step::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (depth == 1) {
        section_ = key;
        return key == kEvents.name || key == kDevices.name || key == kOlderDevices.name;
      }
      if (depth == 3) return devices || event_keys_.count(key) > 0;
      return depth == 4 && events && argument_keys_.count(key) > 0;
    }
    if (event == Step::array_start && depth == 1 && events) has_events_ = true;
    if (event == Step::object_end && depth == 2) {
      if (events) take_event(parsed);
      if (devices) gpus_.emplace(index_of(member(parsed, kGpuId)).value_or(gpus_.size()), gpu_of(parsed));
      return false;
    }
    return true;
  }

  void take_event(const Json& event) {
    ++event_;
    const std::string phase = text_of(member(event, kPhase));
    if (phase == "M") return take_name(event);
    if (phase != "X") return;
    const Category category = category_of(text_of(member(event, kCategory)));
    if (category == Category::kOther) return;
    const auto start = time_of(member(event, kStart)), lasts = time_of(member(event, kDuration));
    if (!start || !lasts) {
      if (category <= Category::kMemset) leave_out("events have no ts or no dur");
      return;
    }
    const Json& arguments = member(event, kArguments);
    switch (category) {
      case Category::kKernel:
      case Category::kCopy:
      case Category::kMemset: return take_command(category, event, arguments, *start, *start + *lasts);
      case Category::kCall: return take_call(event, arguments, *start, *start + *lasts);
      case Category::kSync: return take_sync(event, arguments);
      case Category::kOverhead:
        if (text_of(member(event, kName)) == "Command Buffer Full") full_.push_back({*start, *start + *lasts});
        return;
      case Category::kRange:
        builder_.add({text_of(member(event, kName)), index_of(member(event, kProcess)).value_or(0),
                      index_of(member(event, kThread)), *start, *start + *lasts},
                     at(event_));
        return;
      case Category::kOther: return;
    }
  }

  void take_name(const Json& event) {
    const std::string what = text_of(member(event, kName)),
                      name = text_of(member(member(event, kArguments), kMetadata));
    const auto process = index_of(member(event, kProcess)), thread = index_of(member(event, kThread));
    if (what == "process_name" && process) process_names_[*process] = name;
    if (what == "thread_name" && process && thread) builder_.name_thread(*process, *thread, name);
  }

  void take_call(const Json& event, const Json& arguments, Nanoseconds start, Nanoseconds end) {
    const auto correlation = index_of(member(arguments, kCorrelation));
    if (!correlation) return;
    const auto process = index_of(member(event, kProcess)).value_or(0);
    KnownCall known;
    known.name = text_of(member(event, kName));
    known.call = {process, index_of(member(event, kThread)).value_or(0), *correlation, start, end, {}};
    known.call_event = event_;
    known.copy_kind = whole_of(member(arguments, kCopyKind));
    if (!member(arguments, kShared).is_null()) known.shared_memory = amount(arguments, kShared);
    const auto [at, is_new] = calls_.emplace(*correlation, std::move(known));
    at->second.call.name = at->second.name;
    if (!is_new) {  // a driver call inside a runtime call
      at->second.call.start = std::min(at->second.call.start, start);
      at->second.call.end = std::max(at->second.call.end, end);
    }
    if (!first_process_ || process < *first_process_) first_process_ = process;
    processes_.insert(process);
  }

  static std::uint64_t first_of(const Json& arguments, std::initializer_list<const FormatField*> fields,
                                std::optional<std::uint64_t> otherwise) {
    for (const FormatField* field : fields) {
      if (const auto value = index_of(member(arguments, *field))) return *value;
    }
    return otherwise.value_or(0);
  }

  void take_command(Category category, const Json& event, const Json& arguments, Nanoseconds start, Nanoseconds end) {
    Item item;
    item.event = event_;
    item.correlation = index_of(member(arguments, kCorrelation));
    item.device = first_of(arguments, {&kDevice, &kInDevice}, index_of(member(event, kProcess)));
    item.context = first_of(arguments, {&kContext, &kInContext}, 0);
    item.stream = first_of(arguments, {&kStream}, stream_of(member(event, kThread)));
    item.command.start = start;
    item.command.end = end;
    item.command.graph_node = index_of(member(arguments, kGraphNode)).value_or(0) != 0;
    const std::string name = text_of(member(event, kName));
    if (category == Category::kKernel) {
      MeasuredKernel kernel;
      kernel.name = name;
      kernel.unknown_shape = member(arguments, kGrid).is_null() || member(arguments, kBlock).is_null();
      // 0 marks an impossible shape.
      kernel.grid = shape_of(member(arguments, kGrid)).value_or(Dim3{0, 0, 0});
      kernel.block = shape_of(member(arguments, kBlock)).value_or(Dim3{0, 0, 0});
      if (member(arguments, kRegisters).is_null()) ++lacking_[kRegisters.name];
      item.no_shared = member(arguments, kShared).is_null();
      kernel.registers = amount(arguments, kRegisters);
      kernel.shared_memory = amount(arguments, kShared);
      item.command.what = std::move(kernel);
    } else {
      const auto bytes = whole_of(member(arguments, kBytes));
      const auto copied = category == Category::kMemset ? CopyKind::kMemset : copy_kind(name);
      if (!copied) item.name = name;
      if (!bytes) return leave_out("copies do not say how many bytes they have");
      if (*bytes < 0) return leave_out("copies have a negative size");
      item.command.what = MeasuredCopy{copied.value_or(CopyKind::kDeviceToDevice), static_cast<Bytes>(*bytes),
                                       name.find("Pageable") != std::string::npos};
    }
    context_of_stream_.emplace(item.stream, item.context);
    items_.push_back(std::move(item));
  }

  static std::uint32_t amount(const Json& arguments, const FormatField& field) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(index_of(member(arguments, field)).value_or(0), 0xffffffff));
  }

  void take_sync(const Json& event, const Json& arguments) {
    const auto correlation = index_of(member(arguments, kCorrelation));
    if (!correlation) return;
    std::string name = text_of(member(arguments, kSyncKind));
    if (name.empty()) name = text_of(member(event, kName));
    static const std::map<std::string, Kind> kinds{{"Event Sync", Kind::kSynchronizeEvent},
                                                   {"Stream Wait Event", Kind::kWaitEvent},
                                                   {"Stream Sync", Kind::kSynchronizeStream},
                                                   {"Context Sync", Kind::kSynchronizeDevice}};
    const auto kind = kinds.find(name);
    if (kind == kinds.end()) return;
    Sync sync{event_, first_of(arguments, {&kContext}, 0), *correlation, kind->second, {}, {}, {}, 0};
    sync.stream = index_of(member(arguments, kStream));
    sync.awaited_stream = index_of(member(arguments, kAwaitedStream));
    sync.awaited_record = index_of(member(arguments, kAwaitedRecord));
    sync.awaited_event = index_of(member(arguments, kAwaitedEvent)).value_or(0);
    syncs_.push_back(sync);
  }

  void leave_out(const std::string& what) { builder_.note(what + "; they are left out", at(event_)); }
  static CapturePlace at(std::size_t event) { return {kEvents.name, "event", event}; }

  std::uint64_t process_of(const std::optional<std::uint64_t>& correlation) const {
    const auto call = correlation ? calls_.find(*correlation) : calls_.end();
    return call != calls_.end() ? call->second.call.process : first_process_.value_or(0);
  }

  void add(Item& item) {
    const auto call = item.correlation ? calls_.find(*item.correlation) : calls_.end();
    const CallFacts* const facts = call == calls_.end() ? nullptr : &call->second;
    if (!facts) ++without_call_;
    if (auto* const kernel = std::get_if<MeasuredKernel>(&item.command.what)) {
      complete(*kernel, facts, item.no_shared);
    } else if (!complete(std::get<MeasuredCopy>(item.command.what), facts) && !item.name.empty()) {
      builder_.note(
          "copies called '" + shortened(item.name) + "' are no copies from, to or within the GPU; they are left out",
          at(item.event));
      return;
    }
    item.command.stream = builder_.stream(process_of(item.correlation), item.context, item.stream);
    builder_.add(std::move(item.command), item.correlation, at(item.event));
  }

  void complete(MeasuredKernel& kernel, const CallFacts* facts, bool no_shared) {
    if (kernel.unknown_shape) {
      ++without_shape_;
    } else if (facts && facts->name == "hipExtModuleLaunchKernel") {
      const auto blocks = [](std::uint32_t threads, std::uint32_t block) {
        return block ? static_cast<std::uint32_t>((std::uint64_t{threads} + block - 1) / block) : 0;
      };
      kernel.grid = {blocks(kernel.grid.x, kernel.block.x), blocks(kernel.grid.y, kernel.block.y),
                     blocks(kernel.grid.z, kernel.block.z)};
    }
    if (!no_shared) return;
    if (facts && facts->shared_memory)
      kernel.shared_memory = *facts->shared_memory;
    else
      ++lacking_[kShared.name];
  }

  /// Whether the call gives source and destination as a hipMemcpyKind of HIP. The queue may have executed the copy as one
  /// within the device, by a kernel that reads the host's memory.
  static bool complete(MeasuredCopy& copy, const CallFacts* facts) {
    if (copy.kind == CopyKind::kMemset || !facts) return false;
    switch (facts->copy_kind.value_or(0)) {
      case 1: copy.kind = CopyKind::kHostToDevice; return true;
      case 2: copy.kind = CopyKind::kDeviceToHost; return true;
      case 3: copy.kind = CopyKind::kDeviceToDevice; return true;
      default: return false;
    }
  }

  void add(const Sync& sync) {
    const std::uint64_t process = process_of(sync.correlation);
    std::optional<CapturedEvent> event;
    if (sync.awaited_record && sync.awaited_stream) {
      event = CapturedEvent{sync.awaited_event, *sync.awaited_record};
      if (recorded_.insert(*sync.awaited_record).second)
        builder_.add_record(*sync.awaited_record, {process, context_of(sync), sync.awaited_stream}, *event,
                            at(sync.event));
    }
    builder_.add_wait(sync.kind, sync.correlation, {process, sync.context, sync.stream}, event, at(sync.event));
  }

  /// The context of the stream that has the awaited event. The stream may belong to another GPU: numbers are unique within a
  /// process.
  std::uint64_t context_of(const Sync& sync) const {
    const auto found = context_of_stream_.find(*sync.awaited_stream);
    return found == context_of_stream_.end() ? sync.context : found->second;
  }

  /// The trace does not say which call found the queue full: it is the last enclosing call that produced commands.
  void add_full_queues() {
    std::set<std::uint64_t> launches;
    for (const Item& item : items_) launches.insert(item.correlation.value_or(0));
    std::vector<const CapturedCall*> calls;
    for (const auto& [correlation, known] : calls_) {
      if (launches.count(correlation) > 0) calls.push_back(&known.call);
    }
    std::sort(calls.begin(), calls.end(), [](const auto* a, const auto* b) { return a->start < b->start; });
    std::vector<Nanoseconds> latest;  // latest end of the calls up to each one
    for (const CapturedCall* call : calls)
      latest.push_back(std::max(call->end, latest.empty() ? call->end : latest.back()));
    for (const Overhead& lost : full_) {
      const auto behind = std::upper_bound(calls.begin(), calls.end(), lost.start,
                                           [](Nanoseconds at, const CapturedCall* call) { return at < call->start; });
      for (auto i = static_cast<std::size_t>(behind - calls.begin()); i-- > 0 && latest[i] >= lost.end;) {
        if (calls[i]->end < lost.end) continue;
        builder_.full_queue(calls[i]->process, calls[i]->correlation, lost.end);
        break;
      }
    }
  }

  void tell() {
    if (calls_.empty()) {
      builder_.warn("has no cuda_runtime events; the start on the GPU is taken as the time of the launch");
    } else if (without_call_ > 0) {
      builder_.warn(
          std::to_string(without_call_) +
          " kernels and copies have no cuda_runtime event; the start on the GPU is taken as the time of the launch");
    }
    if (processes_.size() > 1)
      builder_.warn("has cuda_runtime events of " + std::to_string(processes_.size()) + " processes");
    if (without_shape_ > 0)
      builder_.warn(std::to_string(without_shape_) +
                    " kernels have no grid or no block; assumed: a block of 1024 threads on each SM");
    for (const auto& [what, count] : lacking_)
      builder_.warn(std::to_string(count) + " kernels have no '" + what + "'; assumed: 0");
  }

  std::optional<std::uint64_t> wanted_;
  ProgramBuilder builder_;
  std::set<std::string> event_keys_, argument_keys_;
  std::string section_;  ///< section of the file: its top-level key
  std::size_t event_ = 0;
  bool array_ = false, has_events_ = false;
  std::vector<Item> items_;
  std::vector<Sync> syncs_;
  std::vector<Overhead> full_;
  std::map<std::uint64_t, KnownCall> calls_;  ///< calls, by correlation
  std::set<std::uint64_t> recorded_;
  std::map<std::uint64_t, std::uint64_t> context_of_stream_;
  std::set<std::uint64_t> processes_;  ///< processes that made calls
  std::optional<std::uint64_t> first_process_;
  std::map<std::uint64_t, std::string> process_names_;
  std::map<std::uint64_t, MeasuredGpu> gpus_;
  std::map<std::string, std::size_t> lacking_;
  std::size_t without_call_ = 0, without_shape_ = 0;
};

/// Whether an early part of the file mentions events or GPUs in the profiler's form.
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
    if (first == std::string::npos) return false;
    const auto has = [&](const FormatField& field) {
      return begin.find('"' + std::string(field.name) + '"') != std::string::npos;
    };
    if (begin[first] == '[') return has(kPhase) && (has(kStart) || has(kCategory));
    return begin[first] == '{' && (has(kEvents) || has(kDevices) || has(kOlderDevices));
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace
}  // namespace kineto

GPUTLM_REGISTER {
  CaptureFormat format;
  format.name = "PyTorch's profiler";
  format.rank = 2;
  format.description = "the JSON of PyTorch's profiler, .json or .json.gz";
  format.takes = kineto::is_kineto;
  format.read = [](const std::string& path, std::optional<std::uint64_t> device) {
    return kineto::Reader(path, device).read();
  };
  capture_formats().add(std::move(format));
}

}  // namespace gputlm
