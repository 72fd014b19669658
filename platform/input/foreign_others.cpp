/// Files of AMD's tools, and traces of whatever writes Chrome's or Perfetto's format.
#include <algorithm>
#include <cctype>

#include "models/kernel/byte_source.h"
#include "platform/input/foreign_formats.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

constexpr const char* kDescribe =
    "captures of AMD's GPUs are not read: write a workload file of its kernels (docs/workload.md); times of kernels "
    "can "
    "be compared as CSV with the columns kernel and ns";

/// ROCprofiler-SDK, source/docs/data: every trace of rocprofv3 has these columns, as those of rocprof --tool-version 2;
/// kernel_stats, domain_stats and so on have the next two. rocprof of ROCm before: its README, results.csv.
bool is_rocprof_table(const FileStart& start) {
  return start.has_csv_header({"Start_Timestamp", "End_Timestamp"}) ||
         start.has_csv_header({"Name", "Calls", "TotalDurationNs", "AverageNs"}) ||
         start.has_csv_header({"Index", "KernelName", "gpu-id"});
}

/// rocprofv3 --output-format json (ROCprofiler-SDK, "Using rocprofv3", JSON output schema) and rocpd, SQLite with tables
/// rocpd_kernel_dispatch and so on (source/share/rocprofiler-sdk-rocpd/rocpd_tables.sql).
bool is_rocprof_file(const FileStart& start) {
  return start.has_json_key("rocprofiler-sdk-tool") || (start.is_sqlite() && start.has("rocpd_"));
}

/// https://github.com/yalue/hip_plugin_framework, README, "Configuration Files" and "Output File Format": `benchmarks` of
/// cuda_scheduling_examiner are `plugins` there, `cuda_device` is `gpu_device_id`, `benchmark_name` is `plugin_name`.
/// A fork that has kept `benchmarks` has keys that begin with hip, as the tool that it comes from has none.
bool is_hip_examiner(const FileStart& start) {
  if (start.has_json_key("plugins") && start.has_json_key("gpu_device_id")) return true;
  if (start.has_json_key("scenario_name") && start.has_json_key("plugin_name")) return true;
  return start.has_json_key("benchmarks") && start.has_json_key("max_iterations") && start.has("\"hip");
}

/// A number of a protocol buffer (protobuf.dev, "Encoding"), which it takes off; 0 if there is none.
std::uint64_t take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 63 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
  return 0;
}

/// perfetto.dev, "Trace packet": a file is a message whose field 1 is repeated, packets one behind the other. rocprofv3
/// --output-format pftrace writes it, too. Text is none: that its first lines have the right lengths and it has a byte
/// that no text has is not to be.
bool is_perfetto(const FileStart& start) {
  constexpr char kPacket = 0x0A;  // field 1, bytes
  constexpr unsigned kEnough = 3;
  if (std::none_of(start.text.begin(), start.text.end(), [](char c) { return c >= 0 && c < '\t'; })) return false;
  std::string_view rest = start.text;
  for (unsigned packets = 0; packets < kEnough; ++packets) {
    if (rest.empty()) return packets > 0;
    if (rest.front() != kPacket) return false;
    rest.remove_prefix(1);
    const std::uint64_t size = take_varint(rest);
    if (size == 0) return false;
    if (size > rest.size()) return start.text.size() == FileStart::kBytes;  // goes on behind the start
    rest.remove_prefix(size);
  }
  return true;
}

/// Whether one of the file's events has the category of kernels, whichever case it is in: libkineto's output_json.cpp and
/// its earlier versions.
bool has_kernels(const std::string& path) {
  constexpr std::string_view kCategory = "\"cat\"", kKernel = "\"kernel\"";
  std::string part(1 << 20, '\0');
  std::size_t kept = 0;
  try {
    const auto source = open_bytes(path, ReadAhead::kCompressed);
    while (const std::size_t count = source->read(part.data() + kept, part.size() - kept)) {
      const std::string_view text(part.data(), kept + count);
      std::size_t at = text.find(kCategory);
      for (; at != std::string_view::npos; at = text.find(kCategory, at + 1)) {
        const std::size_t value = text.find_first_not_of(" \t\r\n:", at + kCategory.size());
        if (value == std::string_view::npos || text.size() - value < kKernel.size()) break;
        const std::string_view found = text.substr(value, kKernel.size());
        if (std::equal(found.begin(), found.end(), kKernel.begin(),
                       [](unsigned char a, unsigned char b) { return std::tolower(a) == b; }))
          return true;
      }
      // What may be the beginning of one stays.
      const std::size_t keep = text.size() - std::min(at, text.size() - std::min(text.size(), kCategory.size()));
      std::copy(text.end() - static_cast<std::ptrdiff_t>(keep), text.end(), part.begin());
      kept = keep < part.size() ? keep : 0;
    }
  } catch (const InputError&) {
    return true;  // its reader says what is wrong
  }
  return false;
}

/// Chrome's "Trace Event Format", JSON Object Format; with the header of PyTorch's profiler it is a capture, whose reader
/// knows what is missing.
bool is_chrome_trace(const FileStart& start) {
  return start.has_json_key("traceEvents") && !start.has_json_key("schemaVersion") &&
         !start.has_json_key("deviceProperties") && !start.has_json_key("computeProperties") &&
         !has_kernels(start.path);
}

GPUTLM_REGISTER {
  add_foreign_format(40, "a table of rocprof", kDescribe, is_rocprof_table);
  add_foreign_format(41, "a file of rocprofv3", kDescribe, is_rocprof_file);
  add_foreign_format(
      42, "a file of a fork of cuda_scheduling_examiner for HIP",
      "its plug-ins and results are others: write its `plugins` as `benchmarks` and `gpu_device_id` as `cuda_device`, "
      "with plug-ins of cuda_scheduling_examiner (docs/examiner.md)",
      is_hip_examiner);
  add_foreign_format(50, "a trace in Perfetto's format (protobuf)",
                     "allowed are SQLite of Nsight Systems and JSON of PyTorch's profiler (docs/traces.md)",
                     is_perfetto);
  add_foreign_format(51, "a trace in Chrome's format without a kernel of a GPU",
                     "allowed is one of PyTorch's profiler with ProfilerActivity.CUDA, whose kernels are events of the "
                     "category kernel "
                     "(docs/traces.md)",
                     is_chrome_trace);
}

}  // namespace
}  // namespace gputlm
