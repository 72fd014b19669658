/// `gputlm run TRACE...`: each trace an application of its own.
#include <set>
#include <string>
#include <utility>

#include "platform/input/run_input.h"
#include "platform/input/trace_application.h"
#include "platform/input/trace_files.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

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
