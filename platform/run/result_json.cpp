#include "platform/run/result_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "platform/files/rows.h"
#include "platform/files/run_folder.h"
#include "platform/input/id_set.h"
#include "platform/input/parameters.h"
#include "platform/run/counters_json.h"
#include "platform/run/instances.h"
#include "platform/run/responses.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

/// Several kernels: of one stream, one application, or the whole run.
struct Group {
  std::uint64_t kernels = 0;
  std::uint64_t deadlines = 0, deadlines_met = 0;
  Cycle first_block = kNever;
  Cycle end = 0;
  BlockCounters counters;
  void add(const KernelRow& row) {
    const std::optional<bool> met = row.response().met();
    ++kernels;
    deadlines += met.has_value();
    deadlines_met += met.value_or(false);
    first_block = std::min(first_block, row.record.first_block);
    end = std::max(end, row.record.end);
    counters += row.record.counters;
  }

  template <class Visitor>
  static void describe(Visitor& v) {
    const auto some = [](auto value) {
      return [value](const Group& g) { return g.kernels ? std::optional(std::invoke(value, g)) : std::nullopt; };
    };
    const auto judged = [](auto value) {
      return [value](const Group& g) { return g.deadlines ? std::optional(std::invoke(value, g)) : std::nullopt; };
    };
    v.field(&Group::kernels, "kernels", Value{"launches"}, "Number of launches that ended");
    v.field(some(&Group::first_block), "first_block_cycle", kCycles,
            "Time at which the first block of any of them started");
    v.field(some(&Group::end), "end_cycle", kCycles, "Time at which the last block of any of them ended");
    v.field(some([](const Group& g) { return gputlm::ipc(g.counters.instructions, g.end - g.first_block); }), "ipc",
            Value{"warp instructions a core cycle"}, "Instructions per cycle from `first_block_cycle` to `end_cycle`");
    v.field(judged(&Group::deadlines), "deadlines", Value{"launches"}, "Number of launches with a deadline");
    v.field(judged(&Group::deadlines_met), "deadlines_met", Value{"launches"},
            "Number of launches that met their deadline");
  }
};

Json group_json(const Group& group) {
  Json json = row_json(group);
  if (group.kernels) json.update(counters_json(group.counters));
  return json;
}

/// An entry of `unfinished`.
struct UnfinishedRow {
  const UnfinishedKernel& record;
  const Workload& workload;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = UnfinishedRow;
    v.field([](const R& r) { return launch_label(r.workload, r.record.command, r.record.iteration); }, "kernel",
            Value{}, "Label of the launch");
    v.field([](const R& r) { return r.record.id; }, "id", Value{}, "As for a kernel that has ended");
    v.field([](const R& r) { return r.record.iteration; }, "iteration", Value{}, "As for a kernel that has ended");
    v.field([](const R& r) { return r.record.submitted; }, "submitted_cycle", kCycles,
            "Time at which it left the host");
    v.field([](const R& r) { return r.workload.launches[r.record.command].kernel->blocks(); }, "blocks",
            Value{"blocks"}, "Number of its blocks");
    v.field([](const R& r) { return r.record.blocks_ended; }, "blocks_ended", Value{"blocks"},
            "Number of blocks whose end had reached the work distributor");
    v.field([](const R& r) { return r.record.blocks_running; }, "blocks_running", Value{"blocks"},
            "Number of other blocks that had been sent to SMs");
    v.field(
        [](const R& r) { return r.record.first_block != kNever ? std::optional(r.record.first_block) : std::nullopt; },
        "first_block_cycle", kCycles, "Time at which its first block started on an SM; only if one has");
  }
};

/// What an application did up to the end of the run.
struct ApplicationTotal {
  const ApplicationRecord& record;
  Cycle cycles;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = ApplicationTotal;
    v.field([](const R& r) { return r.record.counters.instructions; }, "instructions", Value{"warp instructions"},
            "Instructions in the whole run, including unfinished launches");
    v.field([](const R& r) { return r.record.counters.thread_instructions; }, "thread_instructions",
            Value{"thread instructions"}, "The same for thread instructions");
    v.field([](const R& r) { return gputlm::ipc(r.record.counters.instructions, r.cycles); }, "ipc",
            Value{"warp instructions a core cycle"},
            "Instructions per cycle of the whole run: IPC beside others (fr-rr-fcfs, section 2.2)");
    v.field([](const R& r) { return gputlm::ipc(r.record.counters.thread_instructions, r.cycles); }, "thread_ipc",
            Value{"thread instructions a core cycle"}, "The same for thread instructions");
  }
};

/// An application, besides the sums over its kernels that ended.
struct ApplicationRow {
  const ApplicationRecord& record;
  const ApplicationSpec& spec;
  Cycle cycles;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = ApplicationRow;
    v.field([](const R& r) -> const std::string& { return r.spec.name; }, "name", Value{}, "Its name");
    v.field([](const R& r) { return r.spec.instance; }, "instance", Value{},
            "Instance that it runs on; only if there are instances");
    v.field([](const R& r) { return r.spec.sms ? std::optional(to_text(*r.spec.sms)) : std::nullopt; }, "sms", Value{},
            "SMs that its blocks may go to; only if not all");
    v.field([](const R& r) { return r.spec.share.sm_percent; }, "sm_percent", Value{"per cent"},
            "Its share of the SMs; only if it has one");
    v.field([](const R& r) { return r.spec.share.active_thread_percentage; }, "active_thread_percentage",
            Value{"per cent"}, "Its share of the SMs under MPS; only if it has one");
    v.field([](const R& r) { return r.spec.share.green_context_sms; }, "green_context_sms", Value{"SMs"},
            "SMs requested for its green context; only if it has one");
    v.field([](const R& r) { return r.spec.share.thread_percent; }, "thread_percent", Value{"per cent"},
            "Its share of each SM's threads; only if it has one");
    v.field([](const R& r) { return r.spec.share.mps_priority; }, "mps_priority", Value{},
            "Priority as an MPS client: 0 normal, 1 below normal; only if set");
    v.field([](const R& r) { return r.spec.l2_ways; }, "l2_ways", Value{"ways"},
            "Ways of each set of the L2 reserved for its lines; only if there are any");
    v.field([](const R& r) { return r.spec.persisting_l2_cache_size; }, "persisting_l2_cache_size", Value{"bytes"},
            "Part of the L2 set aside for its persisting accesses; only if there is one");
    v.field(
        [](const R& r) { return r.spec.dram_channels ? std::optional(ids_text(*r.spec.dram_channels)) : std::nullopt; },
        "dram_channels", Value{}, "DRAM channels in which its memory lies; only if restricted");
    v.field([](const R& r) { return r.spec.l2_slices ? std::optional(ids_text(*r.spec.l2_slices)) : std::nullopt; },
            "l2_slices", Value{}, "L2 slices in which its memory lies; only if restricted");
    v.field([](const R& r) { return r.spec.memory_budget ? std::optional(r.spec.memory_budget->bytes) : std::nullopt; },
            "memory_budget_bytes", Value{"bytes"}, "Bytes of its memory budget; only if it has one");
    v.field(
        [](const R& r) {
          return r.spec.memory_budget ? std::optional(static_cast<double>(r.spec.memory_budget->period) / 1e9)
                                      : std::nullopt;
        },
        "memory_budget_period_us", Value{"us"}, "Period of its memory budget; only if it has one");
    v.field(
        [](const R& r) {
          return r.spec.share.time_slice ? std::optional(static_cast<double>(*r.spec.share.time_slice) / 1e9)
                                         : std::nullopt;
        },
        "time_slice_us", Value{"us"}, "Its time slice on the execution engine; only if it has one of its own");
    v.field(
        [](const R& r) {
          const auto& priority = r.spec.share.timeslice_priority;
          return priority ? std::optional<std::string>(to_string(*priority)) : std::nullopt;
        },
        "timeslice_priority", Value{}, "Its time-slice priority; only if it has one");
    v.field([](const R& r) { return r.spec.relaunch; }, "relaunch", Value{},
            "Whether it is relaunched until every application has ended once");
    v.field([](const R& r) { return r.record.iterations; }, "iterations_ended", Value{"iterations"},
            "Number of times that all its launches have ended");
    v.field([](const R& r) { return r.record.first_end != kNever ? std::optional(r.record.first_end) : std::nullopt; },
            "first_end_cycle", kCycles, "Time at which its last block ended for the first time; only if it has");
    v.record([](const R& r) { return ApplicationTotal{r.record, r.cycles}; }, "run", "Up to the end of the run");
  }
};

/// An entry of `instances`.
struct InstanceRow {
  const Instance& instance;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = InstanceRow;
    v.field([](const R& r) -> const std::string& { return r.instance.spec.name; }, "name", Value{},
            "Its name in the workload or the GPU file");
    v.field([](const R& r) { return r.instance.spec.profile; }, "profile", Value{},
            "Its MIG profile; only if it has one");
    v.field([](const R& r) { return r.instance.config.gpcs(); }, "gpcs", Value{"GPCs"}, "Number of its GPCs");
    v.field(
        [](const R& r) {
          return to_text(sm_range(r.instance.first_sm, r.instance.first_sm + r.instance.config.sms - 1));
        },
        "sms", Value{}, "Its SMs, numbered as in results; its applications number them from 0");
    v.field([](const R& r) { return r.instance.config.dram.channels; }, "channels", Value{"channels"},
            "Number of its DRAM channels");
    v.field([](const R& r) { return r.instance.config.l2.bytes; }, "l2_bytes", Value{"bytes"}, "Size of its L2");
    v.field([](const R& r) { return r.instance.config.copy_engine.engines; }, "copy_engines", Value{"engines"},
            "Number of its copy engines");
    v.field([](const R& r) { return r.instance.config.mmu.device_memory; }, "memory_bytes", Value{"bytes"},
            "Its memory for managed memory");
    v.field([](const R& r) { return r.instance.spec.shared_tlb; }, "shared_tlb", Value{},
            "Whether it shares its last-level TLB with others");
  }
};

struct StreamRow {
  const StreamSpec& spec;
  const Workload& workload;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = StreamRow;
    const auto is = [](StreamKind kind) {
      return [kind](const R& r) { return r.spec.kind == kind ? std::optional(true) : std::nullopt; };
    };
    v.field([](const R& r) -> const std::string& { return r.spec.name; }, "name", Value{}, "Its name");
    v.field([](const R& r) -> const std::string& { return r.workload.applications[r.spec.application].name; },
            "application", Value{}, "Name of its application");
    v.field([](const R& r) { return r.spec.priority; }, "priority", Value{}, "Priority; lower is more urgent");
    v.field(is(StreamKind::kDefault), "default", Value{}, "True for the default stream; else absent");
    v.field(is(StreamKind::kNonBlocking), "non_blocking", Value{}, "True for a non-blocking stream; else absent");
  }
};

/// The first fields of result.json.
struct RunRow {
  const RunResult& result;
  const GpuConfig& config;
  const Workload& workload;
  std::uint64_t seed;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = RunRow;
    v.field([](const R&) { return kResultSchema; }, "schema", Value{},
            "Version; changes when a key changes its meaning or disappears");
    v.field([](const R& r) { return r.result.state == RunState::kComplete; }, "complete", Value{},
            "Whether every launch of the workload ended once");
    v.field([](const R& r) { return to_string(r.result.state); }, "state", Value{},
            "`complete`, `interrupted`, `deadlocked` or `cycle limit reached`");
    v.field(&R::seed, "seed", Value{}, "`--seed`");
    v.field([](const R& r) -> const std::string& { return r.config.name; }, "gpu", Value{}, "Name of the GPU");
    v.field([](const R& r) { return r.result.cycles; }, "cycles", kCycles,
            "End of the last kernel; for an incomplete run, and one that relaunches applications, the last cycle of "
            "the run if that is later");
    v.field(
        [](const R& r) { return static_cast<double>(Clock::from_mhz(r.config.core_mhz).edge(r.result.cycles)) / 1e6; },
        "nanoseconds", Value{"ns"}, "`cycles` as a time");
    v.field([](const R& r) { return r.workload.launches.size(); }, "launches", Value{"launches"},
            "Kernel launches of the workload");
    v.field(
        [](const R& r) {
          return std::count_if(r.result.kernels.begin(), r.result.kernels.end(),
                               [](const KernelRecord& k) { return k.iteration == 0; });
        },
        "launches_ended", Value{"launches"}, "Number of these that ended, not counting repetitions");
  }
};

GPUTLM_REGISTER {
  add_row_table<RunRow>("result.json", "The first fields; the rest are objects and lists");
  add_row_table<Group>("result.json, total, and every application and stream",
                       "Kernels that ended together. Unless `kernels` is 0, the counters of blocks follow, added up");
  add_row_table<ApplicationRow>("result.json: applications", "In the order of the workload");
  add_row_table<InstanceRow>("result.json: instances",
                             "Instances that the GPU is divided into, in the order of the file; only if it is divided");
  add_row_table<StreamRow>("result.json: streams", "In the order of the workload");
  add_row_table<PredictionSummary>(
      "result.json: kernels, prediction",
      "Predicted runtimes relative to the actual one, over SMs; only if runtimes were predicted (`--out`, `--json`)");
  add_row_table<UnfinishedRow>("result.json: unfinished",
                               "Launches active at the end of an incomplete run, or of one that relaunches "
                               "applications, with the counters of all their blocks up to then");
}

Json kernel_json(const KernelRow& row) {
  Json json = row_json(row);
  if (row.record.prediction) json["prediction"] = row_json(*row.record.prediction);
  json.update(counters_json(row.record.counters));
  return json;
}

Json unfinished_json(const UnfinishedKernel& kernel, const Workload& workload) {
  Json json = row_json(UnfinishedRow{kernel, workload});
  json.update(counters_json(kernel.counters));
  return json;
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

template <class T, class F>
Json list(const std::vector<T>& items, F json) {
  Json result = Json::array();
  for (const T& item : items) result.push_back(json(item));
  return result;
}

Json dram_applications(const DramStatistics& total, const Workload& workload, const DramConfig& config) {
  Json json = Json::object();
  for (std::size_t a = 0; a < total.applications.size() && a < workload.applications.size(); ++a) {
    Json& application = json[workload.applications[a].name] = dram_json(total.applications[a], config.burst_bytes);
    if (config.energy.known()) application["data_pj"] = data_energy(total.applications[a], config);
  }
  return json;
}

}  // namespace

Registry<ResultSection>& result_sections() {
  static Registry<ResultSection> registry("section of results");
  return registry;
}

nlohmann::ordered_json to_json(const RunResult& result, const GpuConfig& config, const Workload& workload,
                               std::uint64_t seed) {
  std::vector<Group> streams(workload.streams.size());
  std::vector<Group> applications(workload.applications.size());
  Group all;
  const Clock clock = Clock::from_mhz(config.core_mhz);
  for (const KernelRecord& kernel : result.kernels) {
    const KernelRow row{kernel, workload, clock};
    streams[row.launch().stream].add(row);
    applications[row.stream().application].add(row);
    all.add(row);
  }
  Json json = row_json(RunRow{result, config, workload, seed});
  json["total"] = group_json(all);
  if (const auto& specs = instances_of(config, workload); !specs.empty()) {
    json["instances"] =
        list(instances(config, specs), [](const Instance& instance) { return row_json(InstanceRow{instance}); });
  }
  json["applications"] = Json::array();
  for (std::size_t a = 0; a < applications.size(); ++a) {
    Json& application = json["applications"].emplace_back(
        row_json(ApplicationRow{result.applications[a], workload.applications[a], result.cycles}));
    application.update(group_json(applications[a]));
    if (!workload.copies.empty()) application["copies"] = copies_json(result, workload, static_cast<ApplicationId>(a));
  }
  json["streams"] = Json::array();
  for (std::size_t s = 0; s < streams.size(); ++s) {
    json["streams"].push_back(row_json(StreamRow{workload.streams[s], workload}));
    json["streams"].back().update(group_json(streams[s]));
  }
  const AllResponses responses = all_responses(result, workload, clock);
  const auto rows = [&](const char* of, const std::vector<ResponseGroup>& groups) {
    return list(groups, [&](const ResponseGroup& group) { return row_json(ResponseRow{of, group, workload}); });
  };
  json["responses"] = {{"applications", rows("application", responses.applications)},
                       {"tasks", rows("task", responses.tasks)},
                       {"launches", rows("launch", responses.launches)}};
  json["kernels"] = Json::array();
  if (!workload.copies.empty()) json["copies"] = Json::array();
  if (result.state != RunState::kComplete || workload.relaunches()) {
    json["unfinished"] =
        list(result.unfinished, [&](const UnfinishedKernel& k) { return unfinished_json(k, workload); });
  }
  place_counters(json, result.units);
  const auto dram = result.units.total<DramStatistics>();
  json["dram"]["applications"] = dram_applications(dram, workload, config.dram);
  if (config.dram.energy.known()) json["dram"]["energy"] = to_json(dram_energy(dram, config.dram));
  json["policies"] = policies_json(result.policies);
  for (const ResultSection& section : result_sections()) {
    nlohmann::ordered_json part = section.json(result, config, workload);
    if (!part.is_null()) json[section.name] = std::move(part);
  }
  json["warnings"] = result.warnings;
  if (!result.waiting.empty()) json["waiting"] = result.waiting;
  json["configuration"] = to_json(config);
  return json;
}

std::vector<JsonList> lists_of(const RunResult& result, const GpuConfig& config, const Workload& workload) {
  const Clock clock = Clock::from_mhz(config.core_mhz);
  return {{"kernels", result.kernels.size(),
           [&, clock](std::size_t i) {
             return kernel_json({result.kernels[i], workload, clock});
           }},
          {"copies", result.copies.size(), [&](std::size_t i) {
             return row_json(CopyRow{result.copies[i], workload});
           }}};
}

}  // namespace gputlm
