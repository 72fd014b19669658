#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <variant>

#include "models/policy/policy.h"
#include "platform/cli/catalogue.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;
using Form = Column::Form;

std::string allowed(const Field& option) { return option.is_number() ? option.range() : "true, false"; }

Json json_of(const DecisionInfo& decision, const PolicyInfo& policy) {
  return {{"decision", decision.name()},
          {"parameter", decision.parameter()},
          {"name", policy.name},
          {"description", policy.description},
          {"source", policy.source}};
}

Listing listing_of_policies(const ListOptions&) {
  Listing listing{{{"parameter", Form::kKey}, {"policy", Form::kKey}, {"description"}}, {}};
  for (const DecisionInfo* const decision : decisions()) {
    for (const PolicyInfo* const policy : decision->policies()) {
      listing.items.push_back({policy->name,
                               policy->description,
                               {decision->parameter(), policy->name, policy->description},
                               json_of(*decision, *policy)});
    }
  }
  return listing;
}

/// The policy of an item; `owner` has its options.
struct Found {
  const DecisionInfo& decision;
  const PolicyInfo& policy;
  const PolicyInfo& owner;
};

Found found(const Item& item) {
  for (const DecisionInfo* const decision : decisions()) {
    if (decision->parameter() != item.cells[0]) continue;
    const PolicyInfo& policy = decision->policy(item.name);
    for (const PolicyInfo* const owner : decision->policies()) {
      if (owner->name == options_owner(item.name)) return {*decision, policy, *owner};
    }
    return {*decision, policy, policy};  // a user's own hardware with a decision rule of its own
  }
  throw std::logic_error("a policy without a decision");
}

std::string key_of(const Found& found, const Field& option) {
  return found.decision.unit() + "." + found.owner.name + "." + option.name;
}

Json details(const Item& item) {
  const Found f = found(item);
  Json json = json_of(f.decision, f.policy);
  json["properties"] = json["options"] = json["counters"] = Json::array();
  for (const Property property : f.policy.properties) json["properties"].push_back(info_of(property).name);
  for (const Field& option : f.owner.options) {
    json["options"].push_back({{"key", key_of(f, option)},
                               {"allowed", allowed(option)},
                               {"default", std::visit([](const auto& v) { return Json(v); }, *option.default_value)},
                               {"description", option.meaning},
                               {"source", option.source}});
  }
  for (const Field& counter : f.policy.counters)
    json["counters"].push_back({{"name", counter.name}, {"unit", counter.unit}, {"description", counter.meaning}});
  return json;
}

std::string explain_policy(const Item& item) {
  const Found f = found(item);
  std::string text = fmt::format("{}={}: {}\nsource: {}\n", f.decision.parameter(), f.policy.name, f.policy.description,
                                 f.policy.source);
  std::vector<TableRow> rows;
  for (const Property property : f.policy.properties)
    rows.push_back({info_of(property).name, info_of(property).meaning});
  if (!rows.empty()) text += "\n" + table({{"property", Form::kKey}, {"meaning"}}, rows);
  rows.clear();
  for (const Field& option : f.owner.options)
    rows.push_back({key_of(f, option), option.default_text(), allowed(option), option.meaning, option.source});
  if (!rows.empty()) {
    text += "\n" +
            table({{"option", Form::kKey}, {"default", Form::kNumber}, {"allowed"}, {"description"}, {"source"}}, rows);
  }
  rows.clear();
  for (const Field& counter : f.policy.counters) rows.push_back({counter.name, counter.unit, counter.meaning});
  if (!rows.empty()) text += "\n" + table({{"counter", Form::kKey}, {"unit"}, {"description"}}, rows);
  return text;
}

std::string reference_of_policies() {
  std::string text;
  for (const DecisionInfo* const decision : decisions()) {
    text += fmt::format("## {}: `{}`\n\n", decision->name(), decision->parameter());
    std::vector<TableRow> policies, more;
    for (const PolicyInfo* const policy : decision->policies()) {
      const std::string name = "`" + policy->name + "`";
      policies.push_back({name, policy->description, policy->source});
      if (options_owner(policy->name) != policy->name) continue;  // its hardware has the same properties
      for (const Property property : policy->properties)
        more.push_back({name, "property", fmt::format("`{}`", info_of(property).name), info_of(property).meaning});
      for (const Field& option : policy->options) {
        more.push_back({name, "option", fmt::format("`{}.{}.{}`", decision->unit(), policy->name, option.name),
                        fmt::format("{} ({}; {})", option.meaning, option.default_text(), allowed(option))});
      }
      for (const Field& counter : policy->counters)
        more.push_back({name, "counter", fmt::format("`{}`", counter.name),
                        fmt::format("{} ({})", counter.meaning, counter.unit)});
    }
    text += markdown_table({{"policy"}, {"description"}, {"source"}}, policies) + "\n";
    if (!more.empty()) text += markdown_table({{"policy"}, {""}, {"name"}, {"meaning"}}, more) + "\n";
  }
  return text + "`NAME@rtl` is the hardware of `NAME`, with the same requirements, properties and options.\n";
}

GPUTLM_REGISTER {
  catalogues().add({{"policies"},
                    "policy",
                    "Policies, which take the GPU's decisions, by the parameter that selects them (docs/policies.md)",
                    listing_of_policies,
                    explain_policy,
                    details,
                    reference_of_policies});
}

}  // namespace
}  // namespace gputlm
