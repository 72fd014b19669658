#include "platform/input/parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/policy/policy.h"
#include "platform/cli/catalogue.h"
#include "platform/files/json_text.h"
#include "platform/input/preset.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;
using Form = Column::Form;

constexpr const char* kNoSources[] = {"assumed", "as ", "accel-sim", "gpgpu-sim", "GPGPU-Sim", "Accel-Sim"};

Listing listing_of_parameters(const ListOptions& options) {
  const GpuConfig gpu = load_gpu(options.gpu);
  Json configuration = to_json(gpu);
  Listing listing{{{"parameter", Form::kKey}, {gpu.name, Form::kNumber}, {"allowed"}, {"description"}}, {}};
  for (const Parameter& parameter : parameters()) {
    Json& value = object_at(configuration, parameter.name);
    if (value.is_null()) value = parameter.type() == "real" ? Json(0.0) : Json(0);  // unknown, so left out
    Json json = {{"key", parameter.name},          {"type", parameter.type()}, {"unit", parameter.unit},
                 {"allowed", parameter.allowed()}, {"value", value},           {"description", parameter.meaning}};
    if (parameter.is_number()) {
      json["min"] = parameter.least;
      json["max"] = parameter.most;
    }
    listing.items.push_back({parameter.name,
                             parameter.meaning,
                             {parameter.name, parameter_text(parameter, gpu), parameter.allowed(), parameter.meaning},
                             std::move(json)});
  }
  return listing;
}

/// The comment of a line in a preset's file: the source of the value.
std::string comment_of(const std::string& preset_file, std::size_t line) {
  for (const PresetSource& preset : preset_sources()) {
    if (preset_file.find("/" + preset.name + ".yaml") == std::string::npos) continue;
    std::size_t at = 0;
    for (std::size_t n = 1; n < line && at != std::string::npos; ++n) at = preset.yaml.find('\n', at) + 1;
    const std::string text = preset.yaml.substr(at, preset.yaml.find('\n', at) - at);
    const std::size_t comment = text.find("# ");
    return preset.name + (comment == std::string::npos ? "" : ": " + text.substr(comment + 2));
  }
  return "";
}

/// The place where the last of a GPU's files sets the parameter; null if none does.
const Origin* origin_of(const Parameter& parameter, const Origins& origins) {
  const auto set = std::find_if(origins.rbegin(), origins.rend(),
                                [&](const auto& origin) { return origin.first == parameter.name; });
  return set == origins.rend() ? nullptr : &set->second;
}

/// The parameter's value in each preset, with the source that the preset names.
std::string table_of_presets(const Parameter& parameter) {
  std::vector<TableRow> rows;
  for (const PresetInfo& preset : presets()) {
    Origins origins;
    const GpuConfig gpu = load_gpu(preset.name, &origins);
    const Origin* const set = origin_of(parameter, origins);
    rows.push_back(
        {preset.name, parameter_text(parameter, gpu), set ? comment_of(set->source, set->line) : "the default"});
  }
  return table({{"GPU", Form::kKey}, {"value", Form::kNumber}, {"from the preset, and its source there"}}, rows);
}

/// The policy with the option; null if the parameter is not an option.
const PolicyInfo* policy_of(const Parameter& parameter, const DecisionInfo** taken_by) {
  for (const DecisionInfo* const decision : decisions()) {
    for (const PolicyInfo* const policy : decision->policies()) {
      if (parameter.name.rfind(decision->unit() + "." + policy->name + ".", 0) != 0) continue;
      *taken_by = decision;
      return policy;
    }
  }
  return nullptr;
}

std::string explain_parameter(const Item& item) {
  const Parameter& parameter = find_parameter(item.name, {});
  const ParameterGroup& group = group_of(parameter);
  std::vector<std::pair<std::string, std::string>> facts{
      {"allowed", parameter.allowed()},
      {"default", parameter_text(parameter, GpuConfig()) + ", if neither preset nor file sets it"},
      {"of", fmt::format("{} ({})", group.description, group.place)}};
  if (!parameter.decision.empty()) {
    facts.emplace_back("decides", parameter.decision + ": gputlm list policies " + parameter.name);
  }
  const DecisionInfo* decision = nullptr;
  if (const PolicyInfo* const policy = policy_of(parameter, &decision)) {
    std::string users;
    for (const PolicyInfo* const user : decision->policies()) {
      if (options_owner(user->name) == policy->name) users += (users.empty() ? "" : ", ") + user->name;
    }
    facts.emplace_back("used by", fmt::format("{}={}, no other policy", decision->parameter(), users));
    facts.emplace_back("source", parameter.source);
  }
  return fmt::format("{} (parameter): {}\n\n{}\n{}", parameter.name, parameter.meaning, definitions(facts),
                     table_of_presets(parameter));
}

/// Presets name the source of each value. A comment that begins like this names neither a measurement nor a document of this
/// GPU: "assumed: ...", "as rtx2060", another simulator's configuration.
bool is_taken_over(const std::string& comment) {
  return std::any_of(std::begin(kNoSources), std::end(kNoSources),
                     [&](const char* begin) { return comment.rfind(begin, 0) == 0; });
}

Listing listing_of_taken_over(const ListOptions& options) {
  Origins origins;
  const GpuConfig gpu = load_gpu(options.gpu, &origins);
  Listing listing{{{"parameter", Form::kKey}, {gpu.name, Form::kNumber}, {"taken over from"}}, {}};
  for (const Parameter& parameter : parameters()) {
    const Origin* const set = origin_of(parameter, origins);
    if (!set) continue;  // an option of a policy, which no file sets
    const std::string source = comment_of(set->source, set->line);
    const std::size_t comment = source.find(": ");
    const bool is_own = source.substr(0, comment) == gpu.name;
    if (is_own && (comment == std::string::npos || !is_taken_over(source.substr(comment + 2)))) continue;
    if (source.empty()) continue;  // from a user's own file
    listing.items.push_back({parameter.name,
                             source,
                             {parameter.name, parameter_text(parameter, gpu), source},
                             {{"key", parameter.name}, {"value", parameter_text(parameter, gpu)}, {"from", source}}});
  }
  return listing;
}

std::string reference_of_taken_over() {
  std::vector<TableRow> rows;
  for (const PresetInfo& preset : presets()) {
    const auto count = listing_of_taken_over({preset.name}).items.size();
    rows.push_back({"`" + preset.name + "`", std::to_string(count), std::to_string(parameters().size())});
  }
  return "`gputlm list taken-over --gpu GPU` names the values.\n\n" +
         markdown_table({{"GPU"}, {"taken over", Form::kNumber}, {"of parameters", Form::kNumber}}, rows);
}

std::string reference_of_parameters() {
  std::string text = fmt::format(
      "Values are those of files without `extends`. `gputlm list parameters --gpu GPU` shows those of a GPU, `gputlm "
      "explain PARAMETER` a parameter's in every preset, with its source.\n\n");
  for (const ParameterGroup& group : parameter_groups()) {
    std::vector<TableRow> rows;
    for (const Parameter& parameter : parameters()) {
      if (&group_of(parameter) != &group) continue;
      rows.push_back(
          {"`" + parameter.name + "`", parameter_text(parameter, GpuConfig()), parameter.allowed(), parameter.meaning});
    }
    text +=
        fmt::format("## {}\n\n{}\n",
                    group.name.empty() ? group.description : fmt::format("`{}`: {}", group.name, group.description),
                    markdown_table({{"parameter"}, {"default", Form::kNumber}, {"allowed"}, {"description"}}, rows));
  }
  text.pop_back();
  return text;
}

GPUTLM_REGISTER {
  catalogues().add({{"parameters"},
                    "parameter",
                    "Parameters of a GPU: keys of `--set` and of GPU files (docs/gpu.md)",
                    listing_of_parameters,
                    explain_parameter,
                    nullptr,
                    reference_of_parameters});
  catalogues().add(
      {{"taken-over"},
       "parameter that was taken over",
       "Values of a GPU's preset that come neither from a measurement of this GPU nor from its documents (--gpu)",
       listing_of_taken_over,
       nullptr,
       nullptr,
       reference_of_taken_over});
}

}  // namespace
}  // namespace gputlm
