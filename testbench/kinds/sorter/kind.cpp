/// Sorters of warps.
#include <algorithm>
#include <set>

#include "testbench/kinds/sorter/bench.h"
#include "testbench/kinds/sorter/traffic.h"
#include "testbench/lockstep/kind.h"

namespace gputlm {
namespace {

RtlParameters size_of(const RtlParameters& ports) {
  const unsigned groups = 1u << ports.at("event_group_i");
  return {
      {"Warps", ports.at("ready_i")}, {"Groups", groups}, {"BudgetW", ports.at("budget_i") / groups}, {"FullOrder", 1}};
}

RtlParameters widths(const RtlParameters& size) {
  const unsigned warps = size.at("Warps"), slot = bits_to_name(warps);
  return {{"event_slot_i", slot},
          {"event_group_i", bits_to_name(size.at("Groups"))},
          {"budget_i", size.at("Groups") * size.at("BudgetW")},
          {"ready_i", warps},
          {"grant_o", warps},
          {"grant_slot_o", slot},
          {"order_o", warps * slot},
          {"order_count_o", bits_to_name(warps + 1)}};
}

Design make(const BuiltDesign& built, const std::string& policy) { return sorter_design(built, policy); }

RecordedDecisions recorded(const Recording& run) {
  RecordedDecisions decisions;
  decisions.policy = model_of(run.name("sm.warp_scheduler"));
  decisions.clock_mhz = run.number("core_mhz");
  const std::vector<SorterEvent> events = run.events<SorterEvent>();
  std::set<unsigned> budgets;
  for (const SorterEvent& event : events) {
    if (event.kind == SorterEvent::Kind::kAssigned) budgets.insert(event.budget);
  }
  const auto slots = static_cast<unsigned>(run.number("sm.warps") / run.number("sm.sub_cores"));
  decisions.size = {{"Warps", std::max(8u, slots)}, {"Groups", std::max(2u, static_cast<unsigned>(budgets.size()))}};
  decisions.make = [events](const BuiltDesign& built, const std::string& against) {
    const bool with_budgets = warp_schedulers().policy(against).has(Property::kHeedsBudgets);
    return sorter_design(built, against,
                         std::make_shared<const SorterRecording>(SorterRecording{events, with_budgets}));
  };
  return decisions;
}

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["BothForms"] = 0;  // a design of one's own may have but one
  all["Turns"] = policy == "qaws";
  all["Ages"] = policy == "qaws" || policy == "gto";
  all["Ordered"] = all["Ages"] != 0 || policy == "lrr";
  return all;
}

constexpr const char* kProtocol =
    R"(An event (event_valid_i) and an issue (issue_i) act at the same rising edge, the issue first. A
decision is combinational: ready_i is answered by grant_* in the same cycle, and order_* comes from
registers. There is no back-pressure: issue_i says whether the granted warp issues, and is 1 only
with a grant. The environment gives ready_i only for slots that have a warp, keeps the budget of a
group as long as it has warps, and gives no two groups the same.
)";

GPUTLM_REGISTER {
  DesignKind kind;
  kind.name = "sorter";
  kind.rank = 2;
  kind.decision = []() -> const DecisionInfo& { return warp_schedulers(); };
  kind.size = {{"Warps", 16, 8, 48}, {"Groups", 2, 2, 8}, {"BudgetW", 8, 1, 8}, {"FullOrder", 1, 0, 1}};
  kind.in_size = 3;
  kind.size_of = size_of;
  kind.widths = widths;
  kind.knobs = [](const RtlParameters& size) { return names_of(sorter_knobs(sorter_size(size))); };
  kind.make = make;
  kind.contract = {"sorter_proof", {{"Warps", 8}, {"Groups", 2}, {"BudgetW", 2}, {"FullOrder", 1}}, contract_of};
  kind.recorded = recorded;
  kind.protocol = kProtocol;
  design_kinds().add(std::move(kind));
}

}  // namespace
}  // namespace gputlm
