#include "platform/input/run_input.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>

#include <utility>

#include "platform/input/document.h"
#include "platform/input/foreign_formats.h"
#include "platform/input/trace_application.h"
#include "platform/input/trace_files.h"
#include "platform/input/workload_file.h"
#include "tlm/base/digest.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

const InputFormat& format_of(const std::string& path) {
  const auto& formats = input_formats().all();
  return *std::find_if(formats.begin(), std::prev(formats.end()), [&](const InputFormat& f) { return f.takes(path); });
}

// `gputlm run TRACE...`: each trace becomes an application.

Workload load_traces(const std::vector<std::string>& paths) {
  if (paths.size() > kMaxTraces) throw InputError("found more than " + std::to_string(kMaxTraces) + " traces");
  Workload workload;
  LaunchList launches;
  std::set<std::string> names;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::string name = paths.size() == 1 ? "trace" : trace_name(paths[i]);
    while (!names.insert(name).second) name += "#" + std::to_string(i + 1);
    TraceRun run;
    run.application = static_cast<ApplicationId>(i);
    if (paths.size() > 1) run.label_prefix = name + "/";
    workload.applications.push_back({std::move(name)});
    workload.applications.back().trace = paths[i];
    add_trace(load_trace(paths[i], {}, i * kTraceAddresses), run, workload, launches);
  }
  launches.move_to(workload);
  return workload;
}

}  // namespace

InputFile input_file(const std::string& path) {
  const std::filesystem::path where(path);
  // The part of a folder's path after the last slash is empty.
  const std::string name = (where.has_filename() ? where : where.parent_path()).filename().string();
  std::error_code error;
  if (!std::filesystem::is_regular_file(where, error)) return {name, 0, ""};
  return {name, std::filesystem::file_size(where), sha1_of_file(path)};
}

Registry<InputFormat>& input_formats() {
  static Registry<InputFormat> registry("input format");
  return registry;
}

const InputFormat& input_format(const std::string& path) {
  refuse_foreign(path);
  return format_of(path);
}

RunInput load_run_input(const std::vector<std::string>& paths, const RunInputOptions& options) {
  for (const std::string& path : paths) refuse_foreign(path);
  const InputFormat& format = format_of(paths.at(0));
  for (const std::string& path : paths) {
    if (const InputFormat& other = format_of(path); &other != &format) {
      const std::string& together = format.together.empty() ? other.together : format.together;
      throw InputError(path, 0,
                       "is a " + other.name + ", but " + paths[0] + " is a " + format.name +
                           "; allowed together: files of one kind" + (together.empty() ? "" : "; ") + together);
    }
  }
  for (const auto& [name, value] : options.own) {
    const auto same = [name = name](const FormatOption& option) { return option.name == name; };
    if (std::any_of(format.options.begin(), format.options.end(), same)) continue;
    std::string others;
    for (const InputFormat& other : input_formats()) {
      if (std::any_of(other.options.begin(), other.options.end(), same))
        others += (others.empty() ? "" : ", ") + other.name;
    }
    throw InputError(name + ": found with " + paths[0] + ", a " + format.name + "; allowed with: " + others);
  }
  RunInput input = format.load(paths, options);
  input.format = format.name;
  if (input.files.empty()) {
    for (const std::string& path : paths) input.files.push_back(input_file(path));
  }
  return input;
}

// `gputlm run -`: a workload file from standard input.

namespace {

constexpr const char* kName = "<stdin>";

/// Reads up to one byte beyond the limit: the input may be endless.
std::string read_standard_input() {
  std::string text(Document::kMaxBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stdin));
  if (std::ferror(stdin) != 0) throw InputError(kName, 0, "cannot be read");
  return text;
}

GPUTLM_REGISTER {
  InputFormat format;
  format.name = "workload from standard input";
  format.rank = 0;
  format.description = "-: a workload file, whose paths are relative to the current folder";
  format.takes = [](const std::string& path) { return path == "-"; };
  format.load = [](const std::vector<std::string>& paths, const RunInputOptions& options) {
    if (paths.size() > 1) throw InputError(kName, 0, "is given twice; allowed: once");
    RunInput input;
    const std::string text = read_standard_input();
    input.workload = load_workload_text(text, kName, options.seed, options.gpu);
    input.files.push_back({kName, text.size(), sha1(text)});
    input.warnings = late_warnings(input.workload);
    return input;
  };
  input_formats().add(std::move(format));
}

}  // namespace

GPUTLM_REGISTER {
  InputFormat format;
  format.name = "SASS trace";
  format.rank = 10;
  format.source = "trace";
  format.description = "an Accel-Sim trace: kernelslist.g, its folder, or a .traceg or .tracez (docs/traces.md)";
  format.together = "a workload file takes traces among its applications: `- {trace: PATH}`";
  format.takes = is_trace;
  format.load = [](const std::vector<std::string>& paths, const RunInputOptions&) {
    RunInput input;
    input.workload = load_traces(paths);
    input.warnings = late_warnings(input.workload);
    return input;
  };
  input_formats().add(std::move(format));
}

}  // namespace gputlm
