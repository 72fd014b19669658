/// Writes a test's activities of processes on GPUs as an SQLite export of Nsight Systems, in the form of one of three versions
/// of the tool. It shares no code and no assumption with the reader of captures (platform/): tables and numbers come from the
/// tool's own schema and from exports (nsight_schema.h).
///
///     NsightExport e(NsightVersion::k2026_2);
///     e.gpu();
///     const auto t = e.thread(100);
///     const auto s = e.stream(13, -5);
///     e.launch(t, {1'000}, s, captured::kernel("gemm", {108}, {256}), {9'000, 12'000});
///     e.synchronize_stream(t, {4'000, 9'000}, s);
///     e.write(path);
///
/// The same calls give the same file. What a version's export cannot have is a std::logic_error.
///
/// **SYNCHRONIZATION.syncType.** ENUM_CUPTI_SYNC_TYPE has CUPTI's numbers in every version (1 event, 2 stream waits
/// for event, 3 stream, 4 context), but up to 2025.5 the column holds 5 minus them. Joined with the calls by
/// correlationId, 1,312 of 1,312 cudaDeviceSynchronize have 1 in an export of 2024.5.1, and cudaStreamSynchronize has
/// 2 in one of 2025.5.2; uliegecsm/reprospect (examples/kokkos/graph/example_dispatch.py, 9ef95346) expects the same
/// of it. From 2026.2.1 on the column holds CUPTI's: cudaEventQuery 1, cudaStreamWaitEvent 2, cudaStreamSynchronize 3.
/// That a stream's wait is 3 and an event's 4 up to 2025.5 follows from the order; no export at hand shows it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/captured.h"
#include "tests/support/nsight_schema.h"

namespace gputlm {

class NsightExport {
 public:
  using Call = captured::Call;
  using Context = captured::Context;
  using Record = captured::Record;
  using Span = captured::Span;
  using Stream = captured::Stream;
  using StreamKind = captured::StreamKind;
  using Thread = captured::Thread;

  struct Gpu {
    std::string name = "NVIDIA GeForce RTX 2060", chip = "TU106";
    unsigned cuda_number = 0;
    unsigned number = 0;  ///< Nsight's number, which differs from CUDA's on machines with several GPUs
    unsigned sms = 30, warps_per_sm = 32, blocks_per_sm = 16, copy_engines = 3;
    std::uint64_t shared_per_sm = 65'536, registers_per_sm = 65'536;
    std::uint64_t clock_hz = 1'680'000'000, memory_bytes_per_s = 336'048'000'000, memory = 6'442'450'944,
                  l2 = 3'145'728;
    unsigned compute_major = 7, compute_minor = 5;
  };

  explicit NsightExport(NsightVersion version);

  // ---- what was recorded ----
  NsightExport& gpu(const Gpu& gpu);
  NsightExport& gpu();
  /// A process sees the GPU under CUDA's number `number` (CUDA_VISIBLE_DEVICES); from 2025.5 on.
  NsightExport& sees(std::uint32_t process, std::uint32_t number, const Gpu& gpu);
  /// A variable of the environment in which nsys started the program. It is written alike in all three versions.
  NsightExport& environment(const std::string& name, const std::string& value);
  /// A thread of a process; without a number the first one, which has the number of the process.
  Thread thread(std::uint32_t process, std::uint32_t number = 0, const std::string& name = "python");
  /// A context, whose null stream has the id `null_stream`. The first process has context 1 on device 0 without this
  /// call.
  Context context(std::uint32_t process, std::uint32_t id, std::uint32_t device = 0, std::uint32_t null_stream = 7);
  /// A green context. No export at hand shows one: rows name the parent as contextId and it as greenContextId, as the
  /// columns' names say. 2024.5 did not record it (nulls).
  Context green_context(const Context& parent, std::uint32_t id);
  Stream stream(std::uint32_t id, std::int32_t priority = 0, StreamKind kind = StreamKind::kNonBlocking);
  Stream stream(const Context& context, std::uint32_t id, std::int32_t priority = 0,
                StreamKind kind = StreamKind::kNonBlocking);
  /// A stream that TARGET_INFO_CUDA_STREAM does not list: made before the recording, or in 2026.2 the null stream.
  Stream unlisted_stream(std::uint32_t id);
  Stream unlisted_stream(const Context& context, std::uint32_t id);

  // ---- calls and what they cause; each returns the call's correlation id ----
  /// A call that causes nothing. A name with "cuda" is the runtime's, another the driver's.
  std::uint32_t call(Thread thread, Call call, const std::string& name, std::int32_t result = 0);
  /// By default the call that the CUDA runtime makes for such a kernel.
  std::uint32_t launch(Thread thread, Call call, const Stream& stream, const captured::Kernel& kernel, Span span,
                       const std::string& name = {});
  /// A kernel whose call was before the recording.
  std::uint32_t launched_before(const Stream& stream, const captured::Kernel& kernel, Span span);
  std::uint32_t copy(Thread thread, Call call, const Stream& stream, const captured::Copy& copy, Span span,
                     const std::string& name = "cudaMemcpyAsync_v3020");
  std::uint32_t memset(Thread thread, Call call, const Stream& stream, std::uint64_t bytes, Span span,
                       const std::string& name = "cudaMemsetAsync_v3020");
  /// `reached`: when the GPU got there, if that was recorded (not by default, and not in 2024.5).
  Record record_event(Thread thread, Call call, const Stream& stream, std::uint32_t event, std::int64_t reached = 0);
  std::uint32_t wait_event(Thread thread, Call call, const Stream& stream, const Record& record);
  std::uint32_t synchronize_event(Thread thread, Call call, const Record& record);
  /// cudaEventQuery: a row as for synchronize_event, though it does not wait.
  std::uint32_t query_event(Thread thread, Call call, const Record& record);
  std::uint32_t synchronize_stream(Thread thread, Call call, const Stream& stream);
  std::uint32_t synchronize_device(Thread thread, Call call, const Context& context);
  std::uint32_t synchronize_device(Thread thread, Call call);
  /// Within a call that has been added; from 2025.5 on.
  NsightExport& overhead(Thread thread, std::uint32_t call, Span span, captured::Overhead kind);

  // ---- graphs ----
  struct Graph {
    std::uint32_t process, captured, executable;  ///< ids; graphs and executables are counted together
    std::uint32_t nodes;
  };
  struct NodeRun {
    std::uint32_t node;  ///< number of the node, from 0 on
    Stream stream;       ///< stream of the node; the driver spreads nodes over streams
    std::variant<captured::Kernel, captured::Copy> work;
    Span span;
  };
  /// A graph that was captured and instantiated, each at its time. `by_node`: recorded with --cuda-graph-trace=node.
  Graph graph(Thread thread, std::int64_t captured_at, std::int64_t instantiated_at, std::uint32_t nodes, bool by_node);
  /// The launch and its nodes; all have the launch's correlation id (--cuda-graph-trace=node).
  std::uint32_t launch_graph(Thread thread, Call call, const Stream& stream, const Graph& graph,
                             const std::vector<NodeRun>& nodes);
  /// The launch, and the graph as a whole: no nodes (--cuda-graph-trace=graph, the default).
  std::uint32_t launch_whole_graph(Thread thread, Call call, const Stream& stream, const Graph& graph, Span span);

  // ---- ranges by name ----
  struct Text {
    std::string text;
    bool registered = false;   ///< whether nvtxDomainRegisterString registered it: it is then in StringIds
    std::uint32_t domain = 0;  ///< domain; 0: the default one
  };
  NsightExport& push_pop(Thread thread, const Text& text, Span span);
  NsightExport& pushed_and_never_popped(Thread thread, const Text& text, std::int64_t start);
  NsightExport& start_end(Thread thread, const Text& text, Span span, Thread ended_by);
  NsightExport& mark(Thread thread, const Text& text, std::int64_t at);
  NsightExport& domain(Thread thread, std::uint32_t id, const std::string& name, std::int64_t at = 0);

  // ---- the file ----
  /// Tables without rows too, as `nsys export --lazy=false` writes them.
  NsightExport& with_empty_tables();
  /// A statement that is run when the file is complete, for tests of damaged files.
  NsightExport& then(const std::string& sql);
  /// A file of that name is replaced. Throws std::logic_error.
  void write(const std::string& path) const;

 private:
  using Value = std::variant<std::monostate, std::int64_t, std::string>;
  using Row = std::vector<std::pair<const char*, Value>>;

  bool at_least(NsightVersion version) const { return version_ >= version; }
  void add(const char* table, Row row);
  std::int64_t string(const std::string& text);
  /// The columns start .. globalPid, with which rows of work begin.
  Row work(Span span, const Stream& stream, std::uint32_t correlation);
  Row kernel_row(const captured::Kernel& kernel, const Stream& stream, Span span, std::uint32_t correlation);
  Row copy_row(const captured::Copy& copy, const Stream& stream, Span span, std::uint32_t correlation);
  std::uint32_t wait(captured::Wait kind, const std::string& name, Thread thread, Call call, const Context& context,
                     std::optional<std::uint32_t> stream, const Record* record);
  void range(const Text& text, int type, Thread thread, std::int64_t start, std::optional<std::int64_t> end,
             Row further);
  const Context& first_context() const;
  std::vector<std::pair<std::string, std::string>> about() const;

  NsightVersion version_;
  std::map<std::string, std::vector<Row>> rows_;
  std::map<std::string, std::int64_t> strings_;
  std::map<std::uint32_t, std::uint32_t> calls_, grids_, records_, graphs_, ranges_;  ///< last number of each process
  std::optional<Context> first_context_;
  std::vector<std::string> statements_;
  bool empty_tables_ = false;
};

}  // namespace gputlm
