#include "platform/input/foreign_formats.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <system_error>

#include <utility>

#include "models/kernel/byte_source.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::optional<FileStart> start_of(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return std::nullopt;
  FileStart start{path, std::string(FileStart::kBytes, '\0')};
  try {
    const auto source = open_bytes(path, ReadAhead::kNo);
    std::size_t size = 0;
    while (const std::size_t count = source->read(start.text.data() + size, start.text.size() - size)) size += count;
    start.text.resize(size);
  } catch (const InputError&) {
    return std::nullopt;
  }
  return start;
}

/// A field of a CSV line without quotes and surrounding spaces.
std::string_view bare(std::string_view field) {
  constexpr std::string_view kAround = " \t\r\"";
  const std::size_t first = field.find_first_not_of(kAround);
  if (first == std::string_view::npos) return {};
  return field.substr(first, field.find_last_not_of(kAround) + 1 - first);
}

bool has_field(std::string_view line, std::string_view wanted) {
  while (true) {
    const std::size_t comma = line.find(',');
    if (bare(line.substr(0, comma)) == wanted) return true;
    if (comma == std::string_view::npos) return false;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

bool FileStart::has_json_key(std::string_view key) const {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string::npos || text[first] != '{') return false;
  const std::string quoted = '"' + std::string(key) + '"';
  for (std::size_t at = text.find(quoted); at != std::string::npos; at = text.find(quoted, at + 1)) {
    const std::size_t next = text.find_first_not_of(kSpace, at + quoted.size());
    if (next != std::string::npos && text[next] == ':') return true;
  }
  return false;
}

bool FileStart::has_csv_header(std::initializer_list<std::string_view> columns) const {
  if (!std::all_of(columns.begin(), columns.end(), [&](std::string_view column) { return has(column); })) return false;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
    const std::string_view line = rest.substr(0, end);
    if (std::all_of(columns.begin(), columns.end(), [&](std::string_view column) { return has_field(line, column); }))
      return true;
    rest.remove_prefix(end + 1);
  }
  return false;
}

Registry<ForeignFormat>& foreign_formats() {
  static Registry<ForeignFormat> registry("foreign format");
  return registry;
}

void add_foreign_format(unsigned rank, const char* name, const char* to_do, bool (*takes)(const FileStart& start)) {
  ForeignFormat format;
  format.name = name;
  format.rank = rank;
  format.to_do = to_do;
  format.takes = takes;
  foreign_formats().add(std::move(format));
}

void refuse_foreign(const std::string& path) {
  const auto start = start_of(path);
  if (!start) return;
  for (const ForeignFormat& format : foreign_formats()) {
    if (format.takes(*start)) throw InputError(path, 0, "is " + format.name + ", which is not read; " + format.to_do);
  }
}

// Files of NVIDIA's profilers that are not among the supported captures.

namespace {

constexpr const char* kExport = "allowed is its SQLite: nsys export --type sqlite REPORT.nsys-rep (docs/traces.md)";
constexpr const char* kRecord =
    "record the program with Nsight Systems (nsys profile --trace cuda, nsys export --type sqlite), or write a "
    "workload "
    "file (docs/workload.md); times of kernels can be compared as CSV with the columns kernel and ns";
constexpr const char* kProfile =
    "it gives the demands of kernels, to be used with a capture of when they ran: gputlm run CAPTURE --profile FILE, "
    "or profile: of a captured application (docs/demands.md)";

/// The beginning of every report, .nsys-rep and the older .qdrep, before the version that wrote it.
bool is_report(const FileStart& start) { return start.begins_with("NVIDIA Tegra Profiler Report "); }

/// A sequence of objects, one per event: {"Type":79,"CudaEvent":{...}}.
bool is_json_export(const FileStart& start) {
  return start.has_json_key("Type") &&
         (start.has_json_key("CudaEvent") || start.has_json_key("TraceProcessEvent") ||
          start.has_json_key("NvtxEvent") || start.has_json_key("SchedEvent") || start.has_json_key("CommEvent"));
}

/// The other types of nsys export (Nsight Systems User Guide, "CLI Export Command Switch Options"), recognised by the magic
/// numbers of the formats: HDF5 File Format Specification, "Superblock"; Arrow Columnar Format, "IPC File Format"; Parquet,
/// "File Format".
bool is_table_export(const FileStart& start) {
  return start.begins_with("\x89HDF\r\n\x1a\n") || start.begins_with("ARROW1") || start.begins_with("PAR1");
}

/// Nsight Systems, "Post-Collection Analysis Guide", statistical reports: summaries and traces, as CSV and JSON. Versions
/// before 2022 have no space in the first column, and --timeunit changes the units in the column names.
bool is_stats(const FileStart& start) {
  const auto summary = [&](std::string_view share, std::string_view total) {
    return start.has_csv_header({share, total, "Name"}) || start.has_csv_header({share, total, "Range"}) ||
           start.has_csv_header({share, total, "Operation"});
  };
  if (!start.has("Time (%)") && !start.has("Time(%)") && !start.has("Duration (")) return false;
  for (const std::string unit : {"ns", "us", "ms", "s"}) {
    if (summary("Time (%)", "Total Time (" + unit + ")") || summary("Time(%)", "Total Time (" + unit + ")") ||
        start.has_csv_header({"Start (" + unit + ")", "Duration (" + unit + ")"}))
      return true;
  }
  return start.begins_with("[") && (start.has("\"Time (%)\":") || start.has("\"Duration (ns)\":"));
}

/// Nsight Compute CLI, "Output Pages" and --csv: one row per metric, one row per launch (--page raw), or --print-summary.
bool is_compute_table(const FileStart& start) {
  return start.has_csv_header({"ID", "Process ID", "Process Name", "Kernel Name"}) ||
         start.has_csv_header({"Kernel Name", "Metric Name"}) || start.has_csv_header({"Kernel Name", "Invocations"});
}

/// The output of nvprof -o, also called .nvvp: CUPTI's activities in SQLite, with names in the table StringTable (which
/// PyTorch's parse_nvprof_trace() reads); Nsight Systems has them in StringIds.
bool is_nvprof_database(const FileStart& start) {
  return start.is_sqlite() && start.has("CUPTI_ACTIVITY_KIND_") && start.has("StringTable") && !start.has("StringIds");
}

/// CUDA Profiler User's Guide, "nvprof", its modes and --csv: summary, GPU trace, both preceded by lines of nvprof.
bool is_nvprof_table(const FileStart& start) {
  return start.has("NVPROF is profiling process ") || start.has("== Profiling result:") ||
         start.has_csv_header({"Time(%)", "Time", "Calls", "Name"}) ||
         start.has_csv_header({"Device", "Kernel", "Invocations", "Metric Name"}) ||
         start.has_csv_header({"Start", "Duration", "Grid X", "Block X", "Name"});
}

GPUTLM_REGISTER {
  add_foreign_format(10, "a report of Nsight Systems", kExport, is_report);
  add_foreign_format(11, "a JSON export of Nsight Systems", kExport, is_json_export);
  add_foreign_format(12, "a table in HDF5, Arrow or Parquet, as nsys export writes some", kExport, is_table_export);
  add_foreign_format(13, "a table of nsys stats", kExport, is_stats);
  // Begins with "NVR" and a NUL.
  add_foreign_format(
      20, "a report of Nsight Compute",
      "print its table: ncu --import REPORT.ncu-rep --page raw --csv, to be used with a capture (docs/demands.md)",
      [](const FileStart& start) {
        return start.begins_with({"NVR\0", 4});
      });
  add_foreign_format(21, "a table of Nsight Compute", kProfile, is_compute_table);
  add_foreign_format(30, "a file of nvprof (.nvprof, .nvvp)", kRecord, is_nvprof_database);
  add_foreign_format(31, "a table of nvprof", kRecord, is_nvprof_table);
}

}  // namespace

// Files of AMD's tools, and traces in Chrome's or Perfetto's format from any program.

namespace {

constexpr const char* kDescribe =
    "captures of AMD's GPUs are not read: write a workload file of its kernels (docs/workload.md); times of kernels "
    "can "
    "be compared as CSV with the columns kernel and ns";

/// ROCprofiler-SDK, source/docs/data: every trace of rocprofv3 and of rocprof --tool-version 2 has the first two columns;
/// kernel_stats, domain_stats and so on have the next four. rocprof of older ROCm: its README, results.csv.
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
/// cuda_scheduling_examiner are `plugins` there, `cuda_device` is `gpu_device_id`, `benchmark_name` is `plugin_name`. A fork
/// that kept `benchmarks` has keys that begin with hip, which the original tool does not have.
bool is_hip_examiner(const FileStart& start) {
  if (start.has_json_key("plugins") && start.has_json_key("gpu_device_id")) return true;
  if (start.has_json_key("scenario_name") && start.has_json_key("plugin_name")) return true;
  return start.has_json_key("benchmarks") && start.has_json_key("max_iterations") && start.has("\"hip");
}

/// Consumes a number of a protocol buffer (protobuf.dev, "Encoding"); 0 if there is none.
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

/// perfetto.dev, "Trace packet": a file is a message with repeated field 1, packets one after the other. rocprofv3
/// --output-format pftrace also writes it. Text must not match: it is unlikely that its first lines have the right lengths
/// and that it contains a byte that no text has.
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
    if (size > rest.size()) return start.text.size() == FileStart::kBytes;  // continues beyond the start
    rest.remove_prefix(size);
  }
  return true;
}

/// Whether an event of the file has the category of kernels, in upper or lower case: libkineto's output_json.cpp and its
/// earlier versions.
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
      // Keeps what may be the beginning of a match.
      const std::size_t keep = text.size() - std::min(at, text.size() - std::min(text.size(), kCategory.size()));
      std::copy(text.end() - static_cast<std::ptrdiff_t>(keep), text.end(), part.begin());
      kept = keep < part.size() ? keep : 0;
    }
  } catch (const InputError&) {
    return true;  // its reader reports the error
  }
  return false;
}

/// Chrome's "Trace Event Format", JSON Object Format; with the header of PyTorch's profiler it is a capture, whose reader
/// reports what is missing.
bool is_chrome_trace(const FileStart& start) {
  return start.has_json_key("traceEvents") && !start.has_json_key("schemaVersion") &&
         !start.has_json_key("deviceProperties") && !start.has_json_key("computeProperties") &&
         !has_kernels(start.path);
}

GPUTLM_REGISTER {
  add_foreign_format(40, "a table of rocprof", kDescribe, is_rocprof_table);
  add_foreign_format(41, "a file of rocprofv3", kDescribe, is_rocprof_file);
  add_foreign_format(42, "a file of a fork of cuda_scheduling_examiner for HIP",
                     "its plug-ins and results differ: write its `plugins` as `benchmarks` and `gpu_device_id` as "
                     "`cuda_device`, with plug-ins of cuda_scheduling_examiner (docs/examiner.md)",
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
