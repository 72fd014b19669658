#include "platform/run/result_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "platform/input/parameters.h"
#include "platform/input/sm_set.h"
#include "platform/run/counters_json.h"
#include "platform/run/dram_json.h"
#include "platform/run/policies_json.h"
#include "platform/run/responses.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

/// Several kernels together: one stream, one application, or the whole run.
struct Group {
  std::uint64_t kernels = 0;
  std::uint64_t deadlines = 0, deadlines_met = 0;
  Cycle first_block = kNever;
  Cycle end = 0;
  BlockCounters counters;
  void add(const KernelRecord& kernel, std::optional<bool> met) {
    ++kernels;
    deadlines += met.has_value();
    deadlines_met += met.value_or(false);
    first_block = std::min(first_block, kernel.first_block);
    end = std::max(end, kernel.end);
    counters += kernel.counters;
  }
  Json json() const {
    Json json{{"kernels", kernels}};
    if (!kernels) return json;
    json["first_block_cycle"] = first_block;
    json["end_cycle"] = end;
    json["ipc"] = ratio(counters.instructions, end - first_block);
    if (deadlines) {
      json["deadlines"] = deadlines;
      json["deadlines_met"] = deadlines_met;
    }
    json.update(counters_json(counters));
    return json;
  }
};

Json prediction_json(const PredictionSummary& p) {
  const auto errors = [](const PredictionErrors& e) {
    return Json{{"min", e.least}, {"mean", e.mean}, {"max", e.most}};
  };
  return {{"sms", p.sms}, {"first_over_actual", errors(p.first)}, {"last_slice_over_actual", errors(p.first_of_last)}};
}

Json kernel_json(const KernelRecord& k, const Workload& workload, const Clock& clock) {
  const LaunchCommand& launch = workload.launches[k.command];
  const Kernel& kernel = *launch.kernel;
  const StreamSpec& stream = workload.streams[launch.stream];
  Json json{{"id", k.id},
            {"label", launch_label(workload, k.command, k.iteration)},
            {"kernel", kernel.name},
            {"application", workload.applications[stream.application].name},
            {"stream", stream.name},
            {"iteration", k.iteration},
            {"phase", launch.phase},
            {"grid", {kernel.grid.x, kernel.grid.y, kernel.grid.z}},
            {"block", {kernel.block.x, kernel.block.y, kernel.block.z}},
            {"registers", kernel.registers_per_thread},
            {"shared_memory_bytes", kernel.shared_memory},
            {"budget", launch.budget},
            {"release_cycle", k.released},
            {"launch_cycle", k.submitted},
            {"arrival_cycle", k.arrived},
            {"first_block_cycle", k.first_block},
            {"end_cycle", k.end},
            {"notified_cycle", k.notified},
            {"execution_cycles", k.end - k.first_block},
            {"response_cycles", k.notified - k.released},
            {"ipc", ratio(k.counters.instructions, k.end - k.first_block)}};
  if (const auto met = deadline_met(k, workload, clock)) {
    json["deadline_cycles"] = clock.at_or_before(*launch.deadline);
    json["deadline_met"] = *met;
  }
  if (k.prediction) json["prediction"] = prediction_json(*k.prediction);
  json.update(counters_json(k.counters));
  return json;
}

Json copy_json(const CopyRecord& c, const Workload& workload) {
  const CopyCommand& copy = workload.copies[c.command];
  const StreamSpec& stream = workload.streams[copy.stream];
  return {{"label", copy_label(workload, c.command, c.iteration)},
          {"application", workload.applications[stream.application].name},
          {"stream", stream.name},
          {"iteration", c.iteration},
          {"kind", to_string(copy.kind)},
          {"bytes", copy.bytes},
          {"pageable", copy.pageable},
          {"engine", c.engine},
          {"submitted_cycle", c.submitted},
          {"arrival_cycle", c.arrived},
          {"started_cycle", c.started},
          {"end_cycle", c.ended},
          {"notified_cycle", c.notified}};
}

/// Copies of one application.
Json copies_json(const RunResult& result, const Workload& workload, ApplicationId application) {
  std::uint64_t count = 0;
  Bytes bytes = 0;
  for (const CopyRecord& copy : result.copies) {
    if (workload.streams[workload.copies[copy.command].stream].application != application) continue;
    ++count;
    bytes += workload.copies[copy.command].bytes;
  }
  return {{"ended", count}, {"bytes", bytes}};
}

/// What is said of jobs wherever something is said of them.
void add_responses(Json& json, const ResponseGroup& group, const char* worst) {
  const Responses& r = group.responses;
  if (r.jobs == 0) return;
  json["response_cycles"] = {{"min", r.least}, {"mean", r.mean}, {"p50", r.p50},
                             {"p95", r.p95},   {"p99", r.p99},   {"max", r.most}};
  json[worst] = r.worst;
}

Json task_json(const ResponseGroup& task, const Workload& workload) {
  Json json{{"name", task.name},
            {"application", workload.applications[task.application].name},
            {"jobs", task.responses.jobs}};
  if (task.deadline) {
    json["deadline_cycles"] = *task.deadline;
    json["deadlines_missed"] = task.responses.missed;
  }
  add_responses(json, task, "worst_job");
  return json;
}

Json response_json(const ResponseGroup& group, const Workload& workload) {
  Json json{{"name", group.name},
            {"application", workload.applications[group.application].name},
            {"jobs", group.responses.jobs}};
  if (group.deadline) json["deadline_cycles"] = *group.deadline;
  json["deadlines"] = group.responses.deadlines;
  json["deadlines_met"] = group.responses.deadlines - group.responses.missed;
  add_responses(json, group, "worst");
  return json;
}

Json unfinished_json(const UnfinishedKernel& k, const Workload& workload) {
  Json json{{"id", k.id},
            {"label", launch_label(workload, k.command, k.iteration)},
            {"iteration", k.iteration},
            {"launch_cycle", k.submitted},
            {"blocks", workload.launches[k.command].kernel->blocks()},
            {"blocks_ended", k.blocks_ended},
            {"blocks_running", k.blocks_running}};
  if (k.first_block != kNever) json["first_block_cycle"] = k.first_block;
  json.update(counters_json(k.counters));
  return json;
}

/// What is said of an application beside what its kernels that ended add up to.
Json application_json(const ApplicationRecord& record, const ApplicationSpec& spec, Cycle cycles) {
  Json json{{"name", spec.name}};
  if (spec.sms) json["sms"] = to_text(*spec.sms);
  if (spec.share.sm_percent) json["sm_percent"] = *spec.share.sm_percent;
  if (spec.share.thread_percent) json["thread_percent"] = *spec.share.thread_percent;
  if (spec.share.time_slice) json["time_slice_us"] = static_cast<double>(*spec.share.time_slice) / 1e9;
  if (spec.share.timeslice_priority) json["timeslice_priority"] = to_string(*spec.share.timeslice_priority);
  json["relaunch"] = spec.relaunch;
  json["iterations_ended"] = record.iterations;
  if (record.first_end != kNever) json["first_end_cycle"] = record.first_end;
  json["run"] = {{"instructions", record.counters.instructions},
                 {"thread_instructions", record.counters.thread_instructions},
                 {"ipc", ratio(record.counters.instructions, cycles)},
                 {"thread_ipc", ratio(record.counters.thread_instructions, cycles)}};
  return json;
}

template <class T, class F>
Json list(const std::vector<T>& items, F json) {
  Json result = Json::array();
  for (const T& item : items) result.push_back(json(item));
  return result;
}

Json dram_applications(const DramStatistics& total, const Workload& workload, const DramConfig& config) {
  Json json = Json::object();
  for (std::size_t a = 0; a < total.applications.size() && a < workload.applications.size(); ++a) {
    json[workload.applications[a].name] = dram_json(total.applications[a], config.burst_bytes);
  }
  return json;
}

}  // namespace

nlohmann::ordered_json to_json(const RunResult& result, const GpuConfig& config, const Workload& workload,
                               std::uint64_t seed) {
  std::vector<Group> streams(workload.streams.size());
  std::vector<Group> applications(workload.applications.size());
  Group all;
  const Clock clock = Clock::from_mhz(config.core_mhz);
  for (const KernelRecord& kernel : result.kernels) {
    const StreamId stream = workload.launches[kernel.command].stream;
    const std::optional<bool> met = deadline_met(kernel, workload, clock);
    streams[stream].add(kernel, met);
    applications[workload.streams[stream].application].add(kernel, met);
    all.add(kernel, met);
  }
  Json json{{"schema", "gputlm-result-2"},
            {"complete", result.state == RunState::kComplete},
            {"state", to_string(result.state)},
            {"seed", seed},
            {"gpu", config.name},
            {"cycles", result.cycles},
            {"nanoseconds", static_cast<double>(clock.edge(result.cycles)) / 1e6},
            {"launches", workload.launches.size()},
            {"launches_ended", std::count_if(result.kernels.begin(), result.kernels.end(),
                                             [](const KernelRecord& k) { return k.iteration == 0; })}};
  json["total"] = all.json();
  json["applications"] = Json::array();
  for (std::size_t a = 0; a < applications.size(); ++a) {
    json["applications"].push_back(application_json(result.applications[a], workload.applications[a], result.cycles));
    json["applications"].back().update(applications[a].json());
    if (!workload.copies.empty())
      json["applications"].back()["copies"] = copies_json(result, workload, static_cast<ApplicationId>(a));
    if (!result.engine.empty()) json["applications"].back()["engine"] = counters_json(result.engine[a]);
  }
  json["streams"] = Json::array();
  for (std::size_t s = 0; s < streams.size(); ++s) {
    const StreamSpec& spec = workload.streams[s];
    json["streams"].push_back({{"name", spec.name},
                               {"application", workload.applications[spec.application].name},
                               {"priority", spec.priority}});
    if (spec.kind == StreamKind::kDefault) json["streams"].back()["default"] = true;
    if (spec.kind == StreamKind::kNonBlocking) json["streams"].back()["non_blocking"] = true;
    json["streams"].back().update(streams[s].json());
  }
  const AllResponses responses = all_responses(result, workload, clock);
  if (!workload.tasks.empty()) {
    json["tasks"] = list(responses.tasks, [&](const ResponseGroup& task) { return task_json(task, workload); });
  }
  const auto response = [&](const ResponseGroup& group) { return response_json(group, workload); };
  json["responses"] = {{"applications", list(responses.applications, response)},
                       {"tasks", list(responses.tasks, response)},
                       {"launches", list(responses.launches, response)}};
  json["kernels"] = Json::array();
  if (!workload.copies.empty()) json["copies"] = Json::array();
  if (!workload.copies.empty() || !workload.managed.empty()) json["copying"] = counters_json(result.copying);
  if (config.mmu.enabled) json["mmu"] = counters_json(result.translation);
  if (result.state != RunState::kComplete || workload.relaunches()) {
    json["unfinished"] =
        list(result.unfinished, [&](const UnfinishedKernel& k) { return unfinished_json(k, workload); });
  }
  json["noc"] = counters_json(result.noc);
  json["l2"] = {{"total", counters_json(sum(result.slices))},
                {"slices", list(result.slices, counters_json<L2Statistics>)}};
  const DramStatistics dram = sum(result.channels);
  json["dram"] = {{"total", counters_json(dram)},
                  {"applications", dram_applications(dram, workload, config.dram)},
                  {"channels", list(result.channels, counters_json<DramStatistics>)}};
  json["sms"] = list(result.sms, counters_json<SmStatistics>);
  json["policies"] = policies_json(result.policies);
  json["warnings"] = result.warnings;
  if (!result.waiting.empty()) json["waiting"] = result.waiting;
  json["configuration"] = to_json(config);
  return json;
}

std::vector<JsonList> lists_of(const RunResult& result, const GpuConfig& config, const Workload& workload) {
  const Clock clock = Clock::from_mhz(config.core_mhz);
  return {{"kernels", result.kernels.size(),
           [&, clock](std::size_t i) { return kernel_json(result.kernels[i], workload, clock); }},
          {"copies", result.copies.size(), [&](std::size_t i) { return copy_json(result.copies[i], workload); }}};
}

}  // namespace gputlm
