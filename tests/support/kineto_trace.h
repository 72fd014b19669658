/// Writes a test's activities of a process on GPUs as a trace of PyTorch's profiler, in Kineto's forms for CUDA and for
/// ROCm. It shares no code and no assumption with the reader of captures (platform/): spellings and fields come
/// from Kineto's source and were compared with traces of a B200, an H100 and an MI300X.
///
///     KinetoTrace k(KinetoTrace::Vendor::kCuda);
///     k.device();
///     const auto t = k.thread();
///     const auto s = k.stream(7);
///     k.launch(t, {1'000}, s, captured::kernel("gemm", {108}, {256}), {9'000, 12'000});
///     k.write("t.json.gz");
///
/// Sources, files of pytorch/kineto's libkineto/src unless said otherwise:
/// - output_json.cpp (002d9919, 2025): the file, `ph`, `ts`, `dur`, "External id", flows, metadata, clamping.
/// - CuptiActivity.h (2025, with CudaMetadataFields.h 6d1cb7a7 of 2026): `args` of CUDA.
/// - CuptiActivityProfiler.cpp (2024 to 2026): which calls and waits are recorded.
/// - cupti_strings.cpp (2026): names of memory, directions, waits, overhead, calls.
/// - RoctracerActivity_inl.h and RoctracerLogger.cpp (2025): ROCm. RocprofActivity_inl.h (03ab8cb0, ROCm 6.4 on) writes
///   the same, but "Memset (<unknown>)".
/// - DeviceProperties.cpp (0041001f): deviceProperties.
/// - torch/csrc/profiler/kineto_shim.cpp of pytorch/pytorch: waits are recorded only if asked for.
///
/// Not written, because Kineto does not: clusters, a copy's memory on ROCm, the stream of a cudaStreamWaitEvent unless
/// waits are recorded, HIP's streams (the number is that of a hardware queue), hipEventRecord, the thread of an
/// overhead.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/captured.h"

namespace gputlm {

class KinetoTrace {
 public:
  using Call = captured::Call;
  using Record = captured::Record;
  using Span = captured::Span;
  using Stream = captured::Stream;
  using Thread = captured::Thread;

  enum class Vendor { kCuda, kRocm };

  struct Device {
    std::string name = "NVIDIA GeForce RTX 2060";
    unsigned sms = 30, threads_per_sm = 1024;
    std::uint64_t memory = 6'442'450'944, registers = 65'536, shared_per_block = 49'152, shared_per_sm = 65'536;
    unsigned compute_major = 7, compute_minor = 5;
  };

  explicit KinetoTrace(Vendor vendor = Vendor::kCuda);

  // ---- what was recorded ----
  /// The next device of deviceProperties: 0, 1, ...
  KinetoTrace& device(const Device& device);
  KinetoTrace& device();
  /// A thread of the only process, 100; without a number the first one.
  Thread thread(std::uint32_t number = 0);
  Stream stream(std::uint32_t id, std::uint32_t device = 0, std::uint32_t context = 1) const;

  // ---- how it was recorded; call these first ----
  /// Waits as events of their own: experimental_config=_ExperimentalConfig(enable_cuda_sync_events=True), CUDA only.
  KinetoTrace& with_sync_events();
  /// "graph id" and "graph node id", 0 without a graph: Kineto from the end of 2025 on with CUDA 12, CUDA only.
  KinetoTrace& with_graph_ids();

  // ---- calls and what they cause; each returns the call's correlation id ----
  std::uint32_t call(Thread thread, Call call, const std::string& name);
  /// By default the runtime's call for such a kernel. hipExtModuleLaunchKernel takes work items, so grid is in them.
  std::uint32_t launch(Thread thread, Call call, const Stream& stream, const captured::Kernel& kernel, Span span,
                       const std::string& name = {});
  /// A kernel whose call is not in the trace.
  std::uint32_t launched_before(const Stream& stream, const captured::Kernel& kernel, Span span);
  /// `packet`: ROCm's name of the copy is its packet's direction, which may differ from what was asked for.
  std::uint32_t copy(Thread thread, Call call, const Stream& stream, const captured::Copy& copy, Span span,
                     std::optional<captured::Direction> packet = {});
  std::uint32_t memset(Thread thread, Call call, const Stream& stream, std::uint64_t bytes, Span span);
  /// `reached`: when the GPU got there; with it, where waits are recorded, a cuda_event (2025, CUDA 12.8).
  Record record_event(Thread thread, Call call, const Stream& stream, std::uint32_t event, std::int64_t reached = 0);
  std::uint32_t wait_event(Thread thread, Call call, const Stream& stream, const Record& record);
  std::uint32_t synchronize_event(Thread thread, Call call, const Record& record);
  std::uint32_t synchronize_stream(Thread thread, Call call, const Stream& stream);
  std::uint32_t synchronize_device(Thread thread, Call call, std::uint32_t device = 0, std::uint32_t context = 1);

  struct NodeRun {
    captured::Kernel kernel;
    Stream stream;
    Span span;
  };
  /// A graph's launch; all its kernels have the launch's correlation id. On ROCm they have no shape.
  std::uint32_t launch_graph(Thread thread, Call call, const std::vector<NodeRun>& nodes);
  /// CUDA only: Kineto writes neither thread nor call.
  KinetoTrace& overhead(Span span, captured::Overhead kind);

  // ---- ranges by name ----
  /// An operator of PyTorch. Calls of its thread that begin within it, and their work, have its External id.
  KinetoTrace& op(Thread thread, const std::string& name, Span span);
  KinetoTrace& annotation(Thread thread, const std::string& name, Span span);
  /// An annotation over a stream's work: Kineto begins it 1 ns earlier and makes it 2 ns longer.
  KinetoTrace& gpu_annotation(const Stream& stream, const std::string& name, Span span);

  // ---- the file ----
  std::string text() const;
  /// The events alone, as a bare array, which the Trace Event Format allows too.
  std::string array_text() const;
  /// text(), with gzip if the name ends in .gz.
  void write(const std::string& path) const;

 private:
  struct Event {
    std::string category, name;
    std::int64_t process, thread;  ///< for work on the GPU: the device and the stream
    Span span;
    std::string args;
    std::uint32_t correlation = 0;  ///< correlation id of a flow; 0: none
    bool begins_flow = false;
  };
  struct Op {
    Thread thread;
    Span span;
    std::uint32_t id;
  };

  bool is_cuda() const { return vendor_ == Vendor::kCuda; }
  void add(const Event& event);
  /// "External id" of a call, and of what it causes; empty without one.
  std::string external_id(std::uint32_t correlation) const;
  /// `before`, `after`: further args around the call's number and correlation.
  std::uint32_t add_call(Thread thread, Call call, const std::string& name, bool has_work,
                         const std::string& before = {}, const std::string& after = {});
  struct Node {
    std::uint32_t graph, node;
  };
  void add_kernel(const captured::Kernel& kernel, const Stream& stream, Span span, std::uint32_t correlation,
                  const std::optional<Node>& node = {});
  void add_work(const char* category, const std::string& name, const Stream& stream, Span span,
                std::uint32_t correlation, const std::string& args);
  /// The event of a wait, if waits are recorded; returns `correlation`.
  std::uint32_t add_wait(captured::Wait kind, Call call, const captured::Context& context,
                         std::optional<std::uint32_t> stream, std::uint32_t correlation, const Record* record);
  std::string graph_ids(const std::optional<Node>& node) const;
  std::string events() const;

  Vendor vendor_;
  bool sync_events_ = false, graph_ids_ = false;
  std::vector<Device> devices_;
  std::vector<Thread> threads_;
  std::vector<Op> ops_;
  std::map<std::uint32_t, std::uint32_t> external_ids_;  ///< external ids, by correlation id
  std::string operators_, activities_, annotations_;     ///< events, each followed by a comma
  std::vector<std::pair<Stream, Event>> waits_of_streams_;
  std::vector<Stream> streams_with_work_;
  std::uint32_t correlations_ = 0, external_ = 0, records_ = 0, graphs_ = 0;
};

}  // namespace gputlm
