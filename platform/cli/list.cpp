#include "platform/cli/list.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "platform/cli/table.h"
#include "platform/input/parameters.h"
#include "platform/input/policies.h"
#include "platform/input/preset.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const std::string& title, Json items) {
  Json root = Json::object();
  root[title] = std::move(items);
  return root.dump(2) + "\n";
}

double memory_gb_per_s(const DramConfig& dram) {
  return dram.channels * dram.burst_bytes * dram.command_mhz / dram.timing.tCCDS / 1000;
}

Json value_of(const Parameter& parameter, const GpuConfig& gpu) {
  Json node = to_json(gpu);
  std::string pointer = "/" + parameter.key;
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  return node[Json::json_pointer(pointer)];
}

/// What `--set` calls a decision.
std::string parameter_of(const std::string& decision) {
  const auto found = std::find_if(parameters().begin(), parameters().end(),
                                  [&](const Parameter& parameter) { return parameter.decision == decision; });
  return found == parameters().end() ? "" : found->key;
}

}  // namespace

std::string list_gpus(ListFormat format) {
  std::vector<Row> rows;
  Json items = Json::array();
  for (const PresetInfo& preset : presets()) {
    const GpuConfig& gpu = preset.config;
    const double bandwidth = memory_gb_per_s(gpu.dram);
    const bool is_default = preset.name == kDefaultGpu;
    rows.push_back({preset.name, fmt::format("{}", gpu.sms), fmt::format("{}", gpu.core_mhz),
                    fmt::format("{}", gpu.l2.bytes / 1024), fmt::format("{:.0f}", bandwidth),
                    gpu.work_distributor.placement, preset.description + (is_default ? " (default)" : "")});
    items.push_back({{"name", preset.name},
                     {"description", preset.description},
                     {"sms", gpu.sms},
                     {"core_mhz", gpu.core_mhz},
                     {"l2_bytes", gpu.l2.bytes},
                     {"memory_gb_per_s", bandwidth},
                     {"placement", gpu.work_distributor.placement},
                     {"default", is_default}});
  }
  return format == ListFormat::kJson ? dump("gpus", std::move(items))
                                     : table({"GPU", "SMs", "MHz", "L2 KiB", "GB/s", "placement", "description"}, rows);
}

std::string list_parameters(const GpuConfig& gpu, ListFormat format) {
  std::vector<Row> rows;
  Json items = Json::array();
  for (const Parameter& parameter : parameters()) {
    if (format == ListFormat::kText) {
      rows.push_back({parameter.key, parameter_text(parameter, gpu), parameter.allowed(), parameter.description});
      continue;
    }
    Json item = {
        {"key", parameter.key},           {"type", parameter.type()},          {"unit", parameter.unit},
        {"allowed", parameter.allowed()}, {"value", value_of(parameter, gpu)}, {"description", parameter.description}};
    if (parameter.is_number()) {
      item["min"] = parameter.min;
      item["max"] = parameter.max;
    }
    items.push_back(std::move(item));
  }
  if (format == ListFormat::kJson) return dump("parameters", std::move(items));
  return table({"parameter", gpu.name, "allowed", "description"}, rows);
}

std::string list_policies(ListFormat format) {
  std::vector<Row> rows;
  Json items = Json::array();
  for (const PolicyInfo& policy : policies()) {
    const std::string parameter = parameter_of(policy.decision);
    rows.push_back({parameter, policy.name, policy.description});
    items.push_back({{"decision", policy.decision},
                     {"parameter", parameter},
                     {"name", policy.name},
                     {"description", policy.description},
                     {"source", policy.source}});
  }
  return format == ListFormat::kJson ? dump("policies", std::move(items))
                                     : table({"parameter", "policy", "description"}, rows);
}

std::string list_entries(const std::string& title, const std::vector<ListEntry>& entries, ListFormat format) {
  std::vector<Row> rows;
  Json items = Json::array();
  for (const ListEntry& entry : entries) {
    rows.push_back({entry.name, entry.description});
    items.push_back({{"name", entry.name}, {"description", entry.description}});
  }
  return format == ListFormat::kJson ? dump(title, std::move(items)) : table({title, "description"}, rows);
}

}  // namespace gputlm
