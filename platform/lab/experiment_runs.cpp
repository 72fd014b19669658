#include "platform/lab/experiment_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "models/kernel/program_kernel.h"
#include "platform/input/nearest.h"
#include "platform/input/parameters.h"
#include "platform/input/workload_file_kernel.h"
#include "platform/input/yaml_reader.h"
#include "tlm/base/error.h"

namespace gputlm {

GpuConfig experiment_gpu(const std::string& preset, const ParameterSettings& settings) {
  GpuConfig config = load_gpu(preset);
  const Origin origin{"experiment on " + preset, 0};
  for (const auto& [key, value] : settings) set_parameter(config, key, value, origin);
  validate(config, origin);
  return config;
}

std::shared_ptr<Kernel> spin_kernel(std::uint32_t blocks, std::uint32_t threads, Femtoseconds time,
                                    Femtoseconds per_sm) {
  ProgramSpec spec;
  spec.name = "spin";
  spec.grid = {blocks};
  spec.block = {threads};
  spec.registers_per_thread = 16;
  spec.body = {spin(time, per_sm)};
  return std::make_shared<ProgramKernel>(spec, 0);
}

Workload workload_of_streams(unsigned streams) {
  Workload workload;
  workload.applications = {{"experiment"}};
  for (unsigned i = 0; i < streams; ++i) workload.streams.push_back({fmt::format("s{}", i), 0, 0});
  return workload;
}

std::size_t launch(Workload& workload, StreamId stream, std::shared_ptr<Kernel> kernel, Femtoseconds release,
                   unsigned phase) {
  const std::size_t id = workload.launches.size();
  LaunchCommand command;
  command.label = fmt::format("k{}", id);
  command.stream = stream;
  command.kernel = std::move(kernel);
  command.release = release;
  command.phase = phase;
  workload.launches.push_back(std::move(command));
  return id;
}

std::vector<ApplicationId> applications_by_launch(const Workload& workload) {
  std::vector<ApplicationId> applications;
  for (const LaunchCommand& l : workload.launches) applications.push_back(workload.streams[l.stream].application);
  return applications;
}

std::vector<SmId> LaunchOutcome::sms() const {
  std::vector<SmId> sms;
  sms.reserve(blocks.size());
  for (const BlockRecord& b : blocks) sms.push_back(b.sm);
  return sms;
}

std::vector<LaunchOutcome> launch_outcomes(const RunResult& result) {
  std::vector<LaunchOutcome> outcomes(result.kernels.size());
  for (const KernelRecord& k : result.kernels) {
    LaunchOutcome& o = outcomes.at(k.id);
    static_cast<KernelRecord&>(o) = k;
    o.l1_sector_hits = k.counters.l1_sector_hits;
    o.l1_sector_misses = k.counters.l1_sector_misses;
  }
  for (const BlockRecord& block : result.blocks) outcomes.at(block.kernel).blocks.push_back(block);
  for (const PredictionRecord& p : result.predictions) outcomes.at(p.made.kernel).predictions.push_back(p);
  for (LaunchOutcome& o : outcomes) {
    std::sort(o.blocks.begin(), o.blocks.end(),
              [](const BlockRecord& a, const BlockRecord& b) { return a.block < b.block; });
  }
  return outcomes;
}

std::string list_text(const std::vector<SmId>& sms) { return fmt::format("[{}]", fmt::join(sms, ", ")); }

const PresetSource& source_named(const std::vector<PresetSource>& sources, const std::string& kind,
                                 const std::string& name) {
  std::vector<std::string> names;
  for (const PresetSource& source : sources) {
    if (source.name == name) return source;
    names.push_back(source.name);
  }
  throw InputError("there is no " + kind + " '" + name + "'" + suggestion(name, names));
}

ProgramSpec embedded_program(const std::vector<PresetSource>& sources, const std::string& folder,
                             const std::string& name, Address base) {
  const YamlNode root = YamlNode::load_text(source_named(sources, "program", name).yaml, folder + "/" + name + ".yaml");
  const YamlMap map(root, {"kernels", "applications"});
  const auto [kernel, node] = map.at("kernels").only_entry();
  FreshAddresses addresses(base);
  return read_kernel(kernel, node, addresses);
}

}  // namespace gputlm
