#include "platform/cli/list.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/policy/policy.h"
#include "platform/cli/table.h"
#include "platform/files/json_text.h"
#include "platform/input/nearest.h"
#include "platform/input/parameters.h"
#include "platform/input/preset.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const std::string& title, Json items) {
  Json root = Json::object();
  root[title] = std::move(items);
  return json_text(root);
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

std::string text_of(const OptionValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

std::string allowed(const OptionInfo& option) {
  if (std::holds_alternative<bool>(option.standard)) return "true, false";
  return fmt::format("{} to {}{}{}", option.least, option.most, option.unit.empty() ? "" : " ", option.unit);
}

/// The policies of which `list policies NAME` shows all; several decisions may have one of that name. `owner`: of the
/// options.
struct Found {
  const DecisionInfo* decision;
  const PolicyInfo* policy;
  const PolicyInfo* owner;
};

std::vector<Found> find_policies(const std::string& name) {
  std::vector<Found> found;
  std::vector<std::string> names;
  for (const DecisionInfo* const decision : decisions()) {
    for (const PolicyInfo* const policy : decision->policies()) {
      names.push_back(policy->name);
      if (policy->name == name) found.push_back({decision, policy, &decision->policy(options_owner(name))});
    }
  }
  if (found.empty()) throw InputError(fmt::format("there is no policy '{}'{}", name, suggestion(name, names)));
  return found;
}

Json policy_json(const DecisionInfo& decision, const PolicyInfo& policy) {
  return {{"decision", decision.name()},
          {"parameter", decision.parameter()},
          {"name", policy.name},
          {"description", policy.description},
          {"source", policy.source}};
}

Json detailed_json(const Found& found) {
  Json json = policy_json(*found.decision, *found.policy);
  json["properties"] = json["options"] = json["counters"] = Json::array();
  for (const Property property : found.policy->properties) json["properties"].push_back(info_of(property).name);
  for (const OptionInfo& option : found.owner->options) {
    json["options"].push_back({{"key", found.decision->unit() + "." + found.owner->name + "." + option.name},
                               {"allowed", allowed(option)},
                               {"default", std::visit([](const auto& v) { return Json(v); }, option.standard)},
                               {"description", option.meaning},
                               {"source", option.source}});
  }
  for (const CounterInfo& counter : found.policy->counters) {
    json["counters"].push_back({{"name", counter.name}, {"unit", counter.unit}, {"description", counter.meaning}});
  }
  return json;
}

std::string detailed_text(const Found& found) {
  const PolicyInfo& policy = *found.policy;
  std::string text = fmt::format("{}={}: {}\nsource: {}\n", found.decision->parameter(), policy.name,
                                 policy.description, policy.source);
  std::vector<Row> rows;
  for (const Property property : policy.properties) rows.push_back({info_of(property).name, info_of(property).meaning});
  if (!rows.empty()) text += "\n" + table({"property", "meaning"}, rows);
  rows.clear();
  for (const OptionInfo& option : found.owner->options) {
    rows.push_back({found.decision->unit() + "." + found.owner->name + "." + option.name, text_of(option.standard),
                    allowed(option), option.meaning, option.source});
  }
  if (!rows.empty()) text += "\n" + table({"option", "default", "allowed", "description", "source"}, rows);
  rows.clear();
  for (const CounterInfo& counter : policy.counters) rows.push_back({counter.name, counter.unit, counter.meaning});
  if (!rows.empty()) text += "\n" + table({"counter", "unit", "description"}, rows);
  return text;
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
  for (const DecisionInfo* const decision : decisions()) {
    for (const PolicyInfo* const policy : decision->policies()) {
      rows.push_back({decision->parameter(), policy->name, policy->description});
      items.push_back(policy_json(*decision, *policy));
    }
  }
  return format == ListFormat::kJson ? dump("policies", std::move(items))
                                     : table({"parameter", "policy", "description"}, rows);
}

std::string policies_in_detail() {
  std::vector<Row> rows;
  for (const DecisionInfo* const decision : decisions()) {
    for (const PolicyInfo* const policy : decision->policies()) {
      if (options_owner(policy->name) != policy->name) continue;  // in hardware it needs and has the same
      const std::string name = "`" + policy->name + "`";
      for (const Property property : policy->properties) {
        rows.push_back({name, "property", fmt::format("`{}`", info_of(property).name), info_of(property).meaning});
      }
      for (const OptionInfo& option : policy->options) {
        rows.push_back({name, "option", fmt::format("`{}.{}.{}`", decision->unit(), policy->name, option.name),
                        fmt::format("{} ({}; {})", option.meaning, text_of(option.standard), allowed(option))});
      }
      for (const CounterInfo& counter : policy->counters) {
        rows.push_back({name, "counter", fmt::format("`{}`", counter.name), counter.unit + " " + counter.meaning});
      }
    }
  }
  return markdown_table({"policy", "", "name", "meaning"}, rows);
}

std::string list_policy(const std::string& name, ListFormat format) {
  std::string text;
  Json items = Json::array();
  for (const Found& found : find_policies(name)) {
    text += (text.empty() ? "" : "\n") + detailed_text(found);
    items.push_back(detailed_json(found));
  }
  return format == ListFormat::kJson ? dump("policies", std::move(items)) : text;
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
