#include <fmt/format.h>

#include "models/policy/policy.h"
#include "platform/cli/catalogue.h"
#include "tlm/counter_table.h"

namespace gputlm {
namespace {

using Form = Column::Form;

/// The place of a table's counters in results.
std::string place_of(const CounterPlace& place) {
  std::string text;
  for (const std::string& path :
       {place.total, place.each, place.application.empty() ? "" : "applications." + place.application, place.also}) {
    if (!path.empty()) text += (text.empty() ? "" : ", ") + path;
  }
  return text;
}

/// `owner`: what the counter belongs to, as JSON calls it.
Item item_of(const Field& counter, const char* owner, const std::string& name) {
  return {counter.name,
          counter.meaning,
          {name, counter.name, counter.unit, counter.meaning},
          {{owner, name}, {"name", counter.name}, {"unit", counter.unit}, {"description", counter.meaning}}};
}

Listing counters(const ListOptions&) {
  Listing listing{{{"of"}, {"counter", Form::kKey}, {"unit"}, {"description"}}, {}};
  for (const CounterTable& table : counter_tables()) {
    for (const Field& counter : table.layout->fields())
      listing.items.emplace_back(item_of(counter, "of", table.name)).json["place"] = place_of(table.place);
  }
  return listing;
}

Listing policy_counters(const ListOptions&) {
  Listing listing{{{"policy", Form::kKey}, {"counter", Form::kKey}, {"unit"}, {"description"}}, {}};
  for (const DecisionInfo* const decision : decisions()) {
    for (const PolicyInfo* const policy : decision->policies()) {
      for (const Field& counter : policy->counters) listing.items.push_back(item_of(counter, "policy", policy->name));
    }
  }
  return listing;
}

std::string explain_counter(const Item& item) {
  const std::string place = item.json.at("place");
  const bool of_a_file = place.find(".csv") != std::string::npos;
  return fmt::format("{} (counter of {}, in {}): {}\n  in {}{}\n", item.name, item.cells[0], item.cells[2],
                     item.cells[3], of_a_file ? "" : "result.json: ", place);
}

std::string explain_policy_counter(const Item& item) {
  return fmt::format("{} (counter of the policy {}, in {}): {}\n  in result.json: policies\n", item.name, item.cells[0],
                     item.cells[2], item.cells[3]);
}

GPUTLM_REGISTER {
  catalogues().add({{"counters"}, "counter", "Counters: everything that a run counts", counters, explain_counter});
  catalogues().add({{"policy-counters"},
                    "counter of a policy",
                    "Counters of the policies themselves, under `policies` of result.json",
                    policy_counters,
                    explain_policy_counter});
}

}  // namespace
}  // namespace gputlm
