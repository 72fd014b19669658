/// Files of NVIDIA's profilers that are none of the captures that are read.
#include "platform/input/foreign_formats.h"

namespace gputlm {
namespace {

constexpr const char* kExport = "allowed is its SQLite: nsys export --type sqlite REPORT.nsys-rep (docs/traces.md)";
constexpr const char* kRecord =
    "record the program with Nsight Systems (nsys profile --trace cuda, nsys export --type sqlite), or write a "
    "workload "
    "file (docs/workload.md); times of kernels can be compared as CSV with the columns kernel and ns";
constexpr const char* kProfile =
    "it says what kernels ask of the hardware, beside a capture that says when they ran: gputlm run CAPTURE --profile "
    "FILE, "
    "or profile: of a captured application (docs/demands.md)";

/// What every report begins with, .nsys-rep and the older .qdrep, before the version that has written it.
bool is_report(const FileStart& start) { return start.begins_with("NVIDIA Tegra Profiler Report "); }

/// Objects, one behind the other, each of an event: {"Type":79,"CudaEvent":{...}}.
bool is_json_export(const FileStart& start) {
  return start.has_json_key("Type") &&
         (start.has_json_key("CudaEvent") || start.has_json_key("TraceProcessEvent") ||
          start.has_json_key("NvtxEvent") || start.has_json_key("SchedEvent") || start.has_json_key("CommEvent"));
}

/// The other types of nsys export (Nsight Systems User Guide, "CLI Export Command Switch Options"), by the marks of the
/// formats: HDF5 File Format Specification, "Superblock"; Arrow Columnar Format, "IPC File Format"; Parquet, "File Format".
bool is_table_export(const FileStart& start) {
  return start.begins_with("\x89HDF\r\n\x1a\n") || start.begins_with("ARROW1") || start.begins_with("PAR1");
}

/// Nsight Systems, "Post-Collection Analysis Guide", statistical reports: summaries and traces, as CSV and JSON. Versions
/// before 2022 have no space in the first column, and --timeunit changes the units behind the names.
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

/// Nsight Compute CLI, "Output Pages" and --csv: a row a metric, a row a launch (--page raw), or --print-summary.
bool is_compute_table(const FileStart& start) {
  return start.has_csv_header({"ID", "Process ID", "Process Name", "Kernel Name"}) ||
         start.has_csv_header({"Kernel Name", "Metric Name"}) || start.has_csv_header({"Kernel Name", "Invocations"});
}

/// What nvprof -o makes, also called .nvvp: CUPTI's activities as SQLite, whose names are in the table StringTable (so
/// PyTorch's parse_nvprof_trace() reads it); Nsight Systems has them in StringIds.
bool is_nvprof_database(const FileStart& start) {
  return start.is_sqlite() && start.has("CUPTI_ACTIVITY_KIND_") && start.has("StringTable") && !start.has("StringIds");
}

/// CUDA Profiler User's Guide, "nvprof", its modes and --csv: summary, GPU trace, and lines of its own before both.
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
  // Begins with "NVR", a NUL behind it.
  add_foreign_format(
      20, "a report of Nsight Compute",
      "print its table: ncu --import REPORT.ncu-rep --page raw --csv, which goes with a capture (docs/demands.md)",
      [](const FileStart& start) {
        return start.begins_with({"NVR\0", 4});
      });
  add_foreign_format(21, "a table of Nsight Compute", kProfile, is_compute_table);
  add_foreign_format(30, "a file of nvprof (.nvprof, .nvvp)", kRecord, is_nvprof_database);
  add_foreign_format(31, "a table of nvprof", kRecord, is_nvprof_table);
}

}  // namespace
}  // namespace gputlm
