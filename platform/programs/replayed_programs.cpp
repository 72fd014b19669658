#include <fmt/format.h>

#include <map>
#include <memory>
#include <set>
#include <utility>

#include "platform/programs/measured_kernels.h"
#include "platform/programs/replay.h"

namespace gputlm {
namespace {

/// Adds an application per context, named after its process or `name`.
std::vector<ApplicationId> add_applications(const Program& program, const std::string& name, Workload& workload) {
  std::map<std::uint64_t, std::string> processes;  // names by process, in ascending order as in process_names
  for (const MeasuredStream& stream : program.streams) processes[stream.process];
  std::size_t place = 0;
  for (auto& [process, own] : processes) own = name.empty() ? program.process_names[place++] : name;
  std::map<std::string, std::set<std::pair<std::uint64_t, std::uint64_t>>> named;
  for (const MeasuredStream& stream : program.streams)
    named[processes[stream.process]].emplace(stream.process, stream.context);
  std::map<std::pair<std::uint64_t, std::uint64_t>, ApplicationId> known;  // applications by process and context
  std::vector<ApplicationId> of_streams;
  for (const MeasuredStream& stream : program.streams) {
    const auto id = static_cast<ApplicationId>(workload.applications.size());
    const auto [application, is_new] = known.emplace(std::make_pair(stream.process, stream.context), id);
    of_streams.push_back(application->second);
    if (!is_new) continue;
    ApplicationSpec spec;
    spec.name = processes[stream.process];
    if (named[spec.name].size() > 1)
      spec.name += fmt::format(" (process {}, context {})", stream.process, stream.context);
    spec.file = program.path;
    workload.applications.push_back(std::move(spec));
  }
  return of_streams;
}

}  // namespace

Workload replayed(const std::vector<Program>& programs, const std::vector<std::string>& names, const ProgramRun& run,
                  const GpuConfig& gpu) {
  Workload workload;
  LaunchList launches;
  const auto origin = std::make_shared<ReplayOrigin>();
  if (const auto setting = link_setting(programs, gpu.host_link)) workload.settings.push_back(*setting);
  for (std::size_t p = 0; p < programs.size(); ++p) {
    const Program& program = programs[p];
    ProgramRun own = run;
    if (programs.size() > 1) own.label_prefix = names[p] + "/";
    const auto applications = add_applications(program, programs.size() > 1 ? names[p] : "", workload);
    origin->programs.push_back(add_program(program, applications, own, gpu, workload, launches));
  }
  launches.move_to(workload);
  workload.origin = origin;
  return workload;
}

}  // namespace gputlm
