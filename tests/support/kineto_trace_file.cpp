// The part of KinetoTrace that spells events and writes the file, as output_json.cpp does.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "tests/support/kineto_trace.h"

namespace gputlm {
namespace {

constexpr std::uint32_t kProcess = 100;
// Time 0 of a recording, from baseTimeNanoseconds on: as long after it as in traces, which takes 16 digits.
constexpr std::int64_t kBase = 1'700'000'000'000'000'000, kStart = 1'400'000'000'000'000;

// {}.{:03} of microseconds; what is negative is written 0.
std::string us(std::int64_t ns) {
  ns = std::max<std::int64_t>(ns, 0);
  return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}
std::string ts(std::int64_t ns) { return us(kStart + ns); }

// CUPTI's cupti_runtime_cbid.h and cupti_driver_cbid.h, HIP's hip_prof_str.h: nobody needs them, but traces have them.
int number_of_call(const std::string& name) {
  static const std::map<std::string, int> numbers = {
      {"cudaMemcpyAsync", 41},   {"cudaMemsetAsync", 51},        {"cudaStreamSynchronize", 131},
      {"cudaEventRecord", 135},  {"cudaEventSynchronize", 137},  {"cudaStreamWaitEvent", 147},
      {"cudaLaunchKernel", 211}, {"cudaDeviceSynchronize", 165}, {"cudaLaunchCooperativeKernel", 269},
      {"cudaGraphLaunch", 311},  {"cudaLaunchKernelExC", 430},   {"cuLaunchKernel", 307},
      {"cuLaunchKernelEx", 652}, {"hipEventSynchronize", 60},    {"hipExtModuleLaunchKernel", 65},
      {"hipLaunchKernel", 107},  {"hipMemcpyAsync", 134},        {"hipModuleLaunchKernel", 169},
      {"hipGraphLaunch", 215}};
  const auto found = numbers.find(name);
  return found == numbers.end() ? 1 : found->second;
}

std::string gzip(std::string text) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::logic_error("zlib does not start");
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int result = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::logic_error("zlib does not finish");
  return packed;
}

std::string metadata(const char* name, std::int64_t process, std::int64_t thread, const std::string& args) {
  return fmt::format(
      "\n  {{\n    \"name\": \"{}\", \"ph\": \"M\", \"ts\": {}, \"pid\": {}, \"tid\": {},\n    \"args\": {{\n      "
      "{}\n    }}"
      "\n  }},",
      name, ts(0), process, std::abs(thread), args);
}

/// A complete event (ChromeTraceLogger::handleActivity). A negative tid loses its sign (sanitizeTid).
std::string complete(const std::string& category, const std::string& name, std::int64_t process, std::int64_t thread,
                     captured::Span span, const std::string& args) {
  std::string text = fmt::format(
      "\n  {{\n    \"ph\": \"X\", \"cat\": \"{}\", \"name\": \"{}\", \"pid\": {}, \"tid\": {},\n    \"ts\": {}, "
      "\"dur\": {}",
      category, name, process, std::abs(thread), ts(span.start), us(span.length()));
  if (!args.empty()) text += fmt::format(",\n    \"args\": {{\n      {}\n    }}", args);
  return text + "\n  },";
}

}  // namespace

KinetoTrace::KinetoTrace(Vendor vendor) : vendor_(vendor) {}

KinetoTrace& KinetoTrace::device() { return device(Device{}); }
KinetoTrace& KinetoTrace::device(const Device& device) {
  devices_.push_back(device);
  return *this;
}
KinetoTrace::Thread KinetoTrace::thread(std::uint32_t number) {
  return threads_.emplace_back(Thread{kProcess, number == 0 ? kProcess : number});
}
KinetoTrace::Stream KinetoTrace::stream(std::uint32_t id, std::uint32_t device, std::uint32_t context) const {
  return {{kProcess, device, context}, id};
}
KinetoTrace& KinetoTrace::with_sync_events() {
  sync_events_ = true;
  return *this;
}
KinetoTrace& KinetoTrace::with_graph_ids() {
  graph_ids_ = true;
  return *this;
}

void KinetoTrace::add(const Event& event) {
  activities_ += complete(event.category, event.name, event.process, event.thread, event.span, event.args);
  if (event.correlation == 0) return;
  activities_ += fmt::format(
      "\n  {{\n    \"ph\": \"{}\", \"id\": {}, \"pid\": {}, \"tid\": {}, \"ts\": {},\n    \"cat\": \"ac2g\", \"name\": "
      "\"ac2g\"{}"
      "\n  }},",
      event.begins_flow ? 's' : 'f', event.correlation, event.process, std::abs(event.thread), ts(event.span.start),
      event.begins_flow ? "" : ", \"bp\": \"e\"");
}

std::string KinetoTrace::external_id(std::uint32_t correlation) const {
  const auto found = external_ids_.find(correlation);
  return found == external_ids_.end() ? "" : fmt::format("\"External id\": {},", found->second);
}

std::uint32_t KinetoTrace::add_call(Thread thread, Call call, const std::string& name, bool has_work,
                                    const std::string& before, const std::string& after) {
  const std::uint32_t correlation = ++correlations_;
  for (const Op& op : ops_) {  // of those around it the one that began last
    if (op.thread.thread == thread.thread && op.span.start <= call.at && call.at < op.span.end)
      external_ids_[correlation] = op.id;
  }
  const bool is_driver = is_cuda() && name.rfind("cuda", 0) != 0;
  add({is_driver ? "cuda_driver" : "cuda_runtime",
       name,
       thread.process,
       thread.thread,
       {call.at, call.returns()},
       external_id(correlation) + fmt::format("\n      {}\"{}\": {}, \"correlation\": {}{}", before,
                                              is_cuda() ? "cbid" : "cid", number_of_call(name), correlation, after),
       correlation,
       has_work});
  return correlation;
}

void KinetoTrace::add_work(const char* category, const std::string& name, const Stream& stream, Span span,
                           std::uint32_t correlation, const std::string& args) {
  streams_with_work_.push_back(stream);
  add({category, name, stream.context.device, stream.id, span, external_id(correlation) + args, correlation});
}

KinetoTrace& KinetoTrace::op(Thread thread, const std::string& name, Span span) {
  ops_.push_back({thread, span, ++external_});
  operators_ += complete("cpu_op", name, thread.process, thread.thread, span,
                         fmt::format("\"External id\": {0},\"Record function id\": 0, \"Ev Idx\": {0}", external_));
  return *this;
}
KinetoTrace& KinetoTrace::annotation(Thread thread, const std::string& name, Span span) {
  ++external_;
  operators_ += complete("user_annotation", name, thread.process, thread.thread, span,
                         fmt::format("\"External id\": {0},\"Record function id\": 0, \"Ev Idx\": {0}", external_));
  return *this;
}
KinetoTrace& KinetoTrace::gpu_annotation(const Stream& stream, const std::string& name, Span span) {
  annotations_ += complete("gpu_user_annotation", name, stream.context.device, stream.id,
                           {span.start - 1, span.end + 1}, fmt::format("\"External id\": {}", ++external_));
  return *this;
}

std::string KinetoTrace::events() const {
  KinetoTrace waits(*this);
  for (const auto& [stream, event] : waits_of_streams_) {
    const bool has_work =
        std::any_of(streams_with_work_.begin(), streams_with_work_.end(), [&, &where = stream](const Stream& other) {
          return other.id == where.id && other.context.device == where.context.device;
        });
    if (has_work) waits.add(event);  // CuptiActivityProfiler.cpp logDeferredEvents
  }
  std::string text = operators_ + waits.activities_ + annotations_;
  // GenericActivityProfiler.cpp finalizeTrace: the process, GPUs, streams, threads.
  const auto process = [&](std::int64_t id, const std::string& label, std::int64_t order) {
    text += metadata("process_name", id, 0, "\"name\": \"python\"");
    text += metadata("process_labels", id, 0, fmt::format("\"labels\": \"{}\"", label));
    text += metadata("process_sort_index", id, 0, fmt::format("\"sort_index\": {}", order));
  };
  process(kProcess, "CPU", kProcess);
  for (std::size_t i = 0; i < devices_.size(); ++i)
    process(static_cast<std::int64_t>(i), fmt::format("GPU {}", i), 5'000'000 + static_cast<std::int64_t>(i));
  for (const Thread& thread : threads_)
    text += metadata("thread_name", kProcess, thread.thread,
                     fmt::format("\"name\": \"thread {} (python)\"", thread.thread));
  text += fmt::format(
      "\n  {{\n    \"ph\": \"X\", \"cat\": \"Trace\", \"ts\": {0}, \"dur\": {1},\n    \"pid\": \"Spans\", \"tid\": "
      "\"PyTorch "
      "Profiler\",\n    \"name\": \"PyTorch Profiler (0)\",\n    \"args\": {{\n      \"Op count\": 0\n    }}\n  }},"
      "\n  {{\n    \"name\": \"Iteration Start: PyTorch Profiler\", \"ph\": \"i\", \"s\": \"g\",\n    \"pid\": "
      "\"Traces\", \"tid\": "
      "\"Trace PyTorch Profiler\", \"ts\": {0}\n  }},"
      "\n  {{\n    \"name\": \"Record Window End\", \"ph\": \"i\", \"s\": \"g\",\n    \"pid\": \"\", \"tid\": \"\", "
      "\"ts\": {2}\n  }}",
      ts(0), us(1'000'000'000), ts(1'000'000'000));
  return text;
}

std::string KinetoTrace::text() const {
  std::string properties;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const Device& d = devices_[i];
    const std::string own = is_cuda() ? fmt::format(
                                            "\"regsPerMultiprocessor\": {}, \"sharedMemPerBlockOptin\": {}, "
                                            "\"sharedMemPerMultiprocessor\": {}",
                                            d.registers, d.shared_per_sm, d.shared_per_sm)
                                      : fmt::format("\"maxSharedMemoryPerMultiProcessor\": {}", d.shared_per_sm);
    properties += fmt::format(
        "{}\n    {{\n      \"id\": {}, \"name\": \"{}\", \"totalGlobalMem\": {},\n      \"computeMajor\": {}, "
        "\"computeMinor\": {},"
        "\n      \"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": {},\n      \"regsPerBlock\": {}, "
        "\"warpSize\": {},"
        "\n      \"sharedMemPerBlock\": {}, \"numSms\": {}\n    , {}\n    }}",
        i == 0 ? "" : ",", i, d.name, d.memory, d.compute_major, d.compute_minor, d.threads_per_sm, d.registers,
        is_cuda() ? 32 : 64, d.shared_per_block, d.sms, own);
  }
  const char* versions = is_cuda() ? "\n      \"cupti_version\": 26,\n      \"cuda_runtime_version\": 12080,"
                                     "\n      \"cuda_driver_version\": 12080,"
                                   : "\n      \"roctracer_version\": 4.1,\n      \"hip_runtime_version\": 60400000,"
                                     "\n      \"hip_driver_version\": 60400000,";
  return fmt::format(
      "\n  {{\n    \"schemaVersion\": 1,\n    \"deviceProperties\": [{}\n    ],{}\n      \"record_shapes\": 1,"
      "\n      \"trace_id\": \"0123456789ABCDEF0123456789ABCDEF\",\n  \"displayTimeUnit\": \"ms\","
      "\n  \"baseTimeNanoseconds\": {},\n  \"traceEvents\": [{}\n  ],\n  \"traceName\": \"trace.json\"\n}}",
      properties, versions, kBase, events());
}

std::string KinetoTrace::array_text() const { return "[" + events() + "\n]\n"; }

void KinetoTrace::write(const std::string& path) const {
  const bool packed = path.size() > 3 && path.compare(path.size() - 3, 3, ".gz") == 0;
  std::ofstream(path, std::ios::binary) << (packed ? gzip(text()) : text());
}

}  // namespace gputlm
