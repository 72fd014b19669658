/// Sorters of warps.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "models/bit_words.h"
#include "models/sm/sm.h"
#include "testbench/kind/bench_of.h"
#include "testbench/kinds/sorter/bench.h"
#include "testbench/kinds/sorter/coverage.h"
#include "testbench/kinds/sorter/in_hardware.h"
#include "testbench/kinds/sorter/traffic.h"
#include "testbench/lockstep/granted.h"

namespace gputlm {
namespace {

RtlParameters size_of(const RtlParameters& ports) {
  const unsigned groups = 1u << ports.at("event_group_i");
  return {
      {"Warps", ports.at("ready_i")}, {"Groups", groups}, {"BudgetW", ports.at("budget_i") / groups}, {"FullOrder", 1}};
}

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["BothForms"] = 0;  // a user's design may have only one
  all["Turns"] = policy == "qaws";
  all["Ages"] = policy == "qaws" || policy == "gto";
  all["Ordered"] = all["Ages"] != 0 || policy == "lrr";
  return all;
}

/// "0x1f".
void parse_candidates(const CsvReader& csv, SorterEvent& event, std::string_view text) {
  std::uint64_t bits = 0;
  const bool hexadecimal = text.size() > 2 && text.size() <= 18 && text.substr(0, 2) == "0x";
  for (const char digit : hexadecimal ? text.substr(2) : std::string_view("?")) {
    const std::size_t value = std::string_view("0123456789abcdef").find(digit);
    if (value == std::string_view::npos) csv.fail("candidates: allowed is a hexadecimal number, as 0x1f");
    bits = bits << 4 | value;
  }
  event.candidates = bits;
}

class SorterRecords : public Recorded<SorterEvent> {
 public:
  static constexpr const char *kKind = "sorter", *kUnit = "SUB_CORE", *kClock = "core cycles";
  static constexpr const char* kDecides = "which warp of a sub-core issues";
  static constexpr const char* kWho = "a warp sorter";
  static constexpr const char* kEvents =
      "`issues`: the answer was this warp, and it issues; `assigned`, `released`: a warp moves in, or leaves";
  static std::vector<const char*> events() { return {"issues", "assigned", "released"}; }
  static bool is_decision(Event::Kind kind) { return kind == Event::Kind::kIssues; }

  template <class Visitor>
  static void columns(Visitor& v) {
    v.number([](auto& e) -> auto& { return e.slot; }, "slot", Value{}, "Slot of the warp in the sub-core", {0, 63});
    v.number(
        [](auto& e) -> auto& { return e.budget; }, "budget", Value{"switches"},
        "Budget of the kernel launch whose warp is `assigned`; else 0");
    v.text([](const Event& e) { return fmt::format("{:#x}", e.candidates); }, parse_candidates, "candidates",
           "Slots from which the one that `issues` was chosen, as a set of bits; else 0");
  }

  /// Sub-cores are numbered across all SMs.
  RecordedPlace<Event> place(ProbeSite& site, const RecordingValue& value) {
    const auto sms = site.units<Sm>("SM");
    const std::size_t sub_cores = sms.front()->core().statistics(0).issued.size();
    if (sub_cores == 0) throw InputError("--probe sorter: the GPU's SMs have no warp schedulers (sm.model=warps has)");
    value.check(sms.size() * sub_cores);
    sub_core_ = value.unit % sub_cores;
    Sm& sm = *sms[value.unit / sub_cores];
    return {sm, sm.core().sorters};
  }
  bool adopt(const Event& event) const { return event.sub_core == sub_core_; }

 private:
  std::size_t sub_core_ = 0;
};

/// All places of the order output.
std::vector<unsigned> places(const SorterSize& size, const SorterOrder& order) {
  std::vector<unsigned> slots;
  const unsigned width = bits_to_name(size.warps);
  for (unsigned place = 0; place < size.warps; ++place) {
    unsigned slot = 0;
    for (unsigned i = 0; i < width; ++i) slot |= static_cast<unsigned>(has_bit(order, place * width + i)) << i;
    slots.push_back(slot);
  }
  return slots;
}

struct SorterKind : OnBench {
  using Hardware = SorterHardware;
  using Records = SorterRecords;
  using Recording = std::vector<SorterEvent>;
  using Expected = SorterExpected;
  using Reference = SorterReference;
  using Random = SorterTraffic;
  using Knobs = SorterKnobs;
  using Played = PlayedSorter;
  using Coverage = SorterCoverage;
  static constexpr bool kInReset = true;

  /// No two groups with warps have the same budget.
  static void check(const std::string& name, const SorterSize& size) {
    const std::uint64_t budgets = largest_of(size.budget_bits);
    if (budgets < size.groups) throw InputError(fmt::format("{}: fewer budgets ({}) than groups", name, budgets));
  }

  static bool agrees(const Reference& reference, const SorterExpected& expected, const SorterOutputs& found) {
    const SorterSize& size = reference.size();
    const std::uint64_t warps = expected.slot ? std::uint64_t{1} << *expected.slot : 0;
    if (found.grant_valid != expected.slot.has_value() || found.grant != warps ||
        found.grant_slot != expected.slot.value_or(0))
      return false;
    // Places from the count on are 0. Without the order output, all places are 0.
    std::vector<unsigned> slots = expected.order;
    if (!size.full_order) slots.clear();
    if (found.order_count != slots.size()) return false;
    slots.resize(size.warps, 0);
    return places(size, found.order) == slots;
  }

  static std::string describe(const SorterInputs& inputs, const SorterExpected& expected, const SorterOutputs& found,
                              const Reference& state) {
    const SorterSize& size = state.size();
    std::string text = granted_text("warp", expected.slot, numbers_of(std::array<std::uint64_t, 1>{found.grant}));
    text += expected_line("grant_valid_o", expected.slot.has_value(), found.grant_valid);
    text += expected_line("grant_o", expected.slot ? std::uint64_t{1} << *expected.slot : 0, found.grant);
    text += expected_line("grant_slot_o", expected.slot.value_or(0), found.grant_slot);
    if (size.full_order) {
      text += expected_line("order_count_o", expected.order.size(), found.order_count);
      text += fmt::format("    order_o        expected {}\n                   found    {}\n",
                          fmt::join(expected.order, " "), fmt::join(places(size, found.order), " "));
    }
    std::vector<unsigned> budgets;
    for (unsigned g = 0; g < size.groups; ++g) budgets.push_back(inputs.budget.at(g, size.budget_bits));
    text += fmt::format("  inputs: reset {}, event {} ({} slot {} group {}), budgets {}, ready {:#x}, issue {}\n",
                        !inputs.rst_n, inputs.event_valid, inputs.event_assign ? "assign" : "leave", inputs.event_slot,
                        inputs.event_group, fmt::join(budgets, " "), inputs.ready, inputs.issue);
    text += fmt::format("  warps {:#x}, last one that issued: {}, history {}\n", state.warps(),
                        state.greedy() == kNoWarp ? "none" : std::to_string(state.greedy()), state.history());
    for (const SorterReference::Group& group : state.groups()) {
      if (group.warps == 0) continue;
      text += fmt::format("    group {} budget {} warps {:#x}\n", &group - state.groups().data(), group.budget,
                          group.warps);
    }
    return text;
  }

  static Recording recorded(const RecordedRun& run, std::vector<SorterEvent> events, RecordedDecisions& decisions) {
    decisions.policy = model_of(run.name("sm.warp_scheduler"));
    decisions.clock_mhz = run.number("core_mhz");
    std::set<unsigned> budgets;
    for (const SorterEvent& event : events) {
      if (event.kind == SorterEvent::Kind::kAssigned) budgets.insert(event.budget);
    }
    const auto slots = static_cast<unsigned>(run.number("sm.warps") / run.number("sm.sub_cores"));
    decisions.size = {{"Warps", std::max(8u, slots)}, {"Groups", std::max(2u, static_cast<unsigned>(budgets.size()))}};
    return events;
  }
};

constexpr const char* kProtocol =
    R"(An event (event_valid_i) and an issue (issue_i) act at the same rising edge, the issue first. A
decision is combinational: ready_i is answered by grant_* in the same cycle, and order_* comes from
registers. There is no back-pressure: issue_i says whether the granted warp issues, and is 1 only
with a grant. The environment gives ready_i only for slots that have a warp, keeps the budget of a
group as long as it has warps, and gives no two groups the same.
)";

GPUTLM_REGISTER {
  Kind kind;
  kind.name = "sorter";
  kind.rank = 3;
  kind.like = "rtl/qaws_sorter.sv";
  kind.modules = {{"lrr_sorter", "LRR warp sorter: slots in turn", {"Groups", "BudgetW"}},
                  {"gto_sorter", "GTO warp sorter: the last one again, else the oldest", {"Groups", "BudgetW"}},
                  {"qaws_sorter", "QAWS warp sorter: groups in turn within their budgets, then as GTO"}};
  kind.cost_size = {{"FullOrder", 0}};
  kind.in_size = 3;
  kind.size_of = size_of;
  kind.contract = {"sorter_proof", {{"Warps", 8}, {"Groups", 2}, {"BudgetW", 2}, {"FullOrder", 1}}, contract_of};
  kind.protocol = kProtocol;
  add_kind<SorterKind>(std::move(kind));
}

}  // namespace

Design sorter_design(const BuiltDesign& built, const std::string& policy, WarpSchedulerMaker make_policy) {
  const auto size = SorterSize::of(built.size);
  return design_of<SorterKind>(built, policy, nullptr, [size, make_policy = std::move(make_policy)] {
    return SorterReference(size, make_policy);
  });
}

}  // namespace gputlm
