/// Regulators of memory budgets.
#include <fmt/format.h>

#include <algorithm>

#include "models/l2/slice.h"
#include "models/noc/gpc_port.h"
#include "testbench/kind/bench_of.h"
#include "testbench/kinds/regulator/coverage.h"
#include "testbench/kinds/regulator/in_hardware.h"
#include "testbench/kinds/regulator/traffic.h"

namespace gputlm {
namespace {

RtlParameters size_of(const RtlParameters& ports) {
  const unsigned applications = ports.at("fits_o");
  return {{"Apps", applications},
          {"TokenW", ports.at("budget_i") / applications},
          {"LengthW", ports.at("head_bytes_i") / applications}};
}

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["Reclaim"] = policy == "reclaim";
  all["Ordered"] = policy == "hard" || policy == "reclaim";
  return all;
}

/// The places that enforce budgets, in the order of the SMs or slices.
struct RegulatedUnit {
  Unit* unit;
  RegulatedPlace* place;
};

std::vector<RegulatedUnit> regulated_units(const ProbeSite& site) {
  std::vector<RegulatedUnit> all;
  const auto add = [&all](const auto& units) {
    for (auto* const unit : units) {
      for (const auto& place : unit->regulated().all()) all.push_back({unit, place.get()});
    }
  };
  add(site.find<GpcPort>());
  add(site.find<L2Slice>());
  return all;
}

bool regulates(const RegulatedUnit& one) {
  const std::vector<Bytes> budgets = one.place->budgets();
  return std::any_of(budgets.begin(), budgets.end(), [](Bytes bytes) { return bytes > 0; });
}

class RegulatorRecords : public Recorded<RegulatorEvent> {
 public:
  static constexpr const char *kKind = "regulator", *kUnit = "PLACE", *kClock = "core cycles";
  static constexpr const char* kDecides = "which requests pass a place with memory budgets";
  static constexpr const char* kWho = "a regulator";
  static constexpr const char* kEvents =
      "`passes`: tokens suffice for the request at the head of the application's queue, and it leaves; `waits`: they "
      "do not, told when it comes to the head and after each start of a period; `begins`: a period of the "
      "application";
  static std::vector<const char*> events() { return {"passes", "waits", "begins"}; }
  static bool is_decision(Event::Kind kind) { return kind == Event::Kind::kPasses; }

  template <class Visitor>
  static void columns(Visitor& v) {
    v.number([](auto& e) -> auto& { return e.number; }, "application", Value{},
             "Number among the applications with a budget", {0, kMaxRegulated - 1});
    v.number(
        [](auto& e) -> auto& { return e.bytes; }, "bytes", Value{"bytes"},
        "Bytes of the request; for `begins`, the application's budget at this place");
  }

  RecordedPlace<Event> place(ProbeSite& site, const RecordingValue& value) {
    const std::vector<RegulatedUnit> all = regulated_units(site);
    const auto first = std::find_if(all.begin(), all.end(), regulates);
    if (first == all.end()) throw InputError("--probe regulator: no application of the workload has a memory_budget");
    value.check(all.size());
    const auto& [unit, place] = all[value.unit];
    if (!regulates(all[value.unit])) {
      throw InputError(
          fmt::format("--probe regulator: found PLACE {}, where no application has a budget; the first one "
                      "where one has is {}",
                      value.unit, first - all.begin()));
    }
    budgets_ = place->budgets();
    return {*unit, place->decisions};
  }
  /// The first period, from cycle 0 on, of each application with a budget there.
  std::vector<Event> first() const {
    std::vector<Event> events;
    for (std::size_t number = 0; number < budgets_.size(); ++number) {
      if (budgets_[number] > 0)
        events.push_back({0, Event::Kind::kBegins, static_cast<std::uint8_t>(number), budgets_[number]});
    }
    return events;
  }

 private:
  std::vector<Bytes> budgets_;
};

struct RegulatorKind : OnBench {
  using Hardware = RegulatorHardware;
  using Records = RegulatorRecords;
  using Recording = RegulatorRecording;
  using Expected = std::uint32_t;
  using Reference = RegulatorReference;
  using Random = RegulatorTraffic;
  using Knobs = RegulatorKnobs;
  using Played = PlayedRegulator;
  using Coverage = RegulatorCoverage;

  static bool agrees(const Reference&, std::uint32_t expected, const RegulatorOutputs& found) {
    return found.fits == expected;
  }
  static std::string describe(const RegulatorInputs& inputs, std::uint32_t expected, const RegulatorOutputs& found,
                              const Reference& reference) {
    std::string text = fmt::format("  fits_o: expected {:#x}, found {:#x}\n", expected, found.fits);
    text += fmt::format("  inputs: reset {}, periods begin {:#x}, passes {:#x}\n", !inputs.rst_n, inputs.begin,
                        inputs.pass);
    for (unsigned a = 0; a < reference.size().applications; ++a) {
      text += fmt::format("    application {}: budget {}, {}\n", a, reference.budget(inputs, a),
                          (inputs.head_valid >> a & 1) != 0
                              ? fmt::format("a request of {} bytes", reference.bytes(inputs, a))
                              : "no request");
    }
    return text;
  }

  /// Tokens have the standard width if it is sufficient.
  static Recording recorded(const RecordedRun& run, const std::vector<RegulatorEvent>& events,
                            RecordedDecisions& decisions) {
    if (events.back().at == 0)
      throw InputError(fmt::format("{}/regulator.csv: nothing was decided there", run.folder()));
    decisions.policy = model_of(run.name("noc.regulator"));
    decisions.clock_mhz = run.number("core_mhz");
    Recording recording;
    Bytes largest = 0;
    for (const RegulatorEvent& event : events) {
      if (event.at > 0) {
        recording.events.push_back(event);
        continue;
      }
      recording.budgets.resize(std::max<std::size_t>(recording.budgets.size(), event.number + 1u));
      recording.budgets[event.number] = event.bytes;
      largest = std::max(largest, event.bytes);
    }
    decisions.size = {{"Apps", static_cast<unsigned>(recording.budgets.size())}};
    if (largest > largest_of(RegulatorSize::Default::token_bits)) decisions.size["TokenW"] = bits_of(largest);
    return recording;
  }
};

constexpr const char* kProtocol =
    R"(There is no handshake: fits_o says combinationally which of the heads may pass, pass_i which one
does at this edge, of those that fit. A head stays until its request passes. A period that begins
(begin_i) comes behind a request that passes at the same edge.
)";

GPUTLM_REGISTER {
  Kind kind;
  kind.name = "regulator";
  kind.rank = 6;
  kind.like = "rtl/bandwidth_regulator.sv";
  kind.modules = {{"hard_regulator", "Memory budgets: each application has its own"},
                  {"reclaim_regulator", "Memory budgets: what one leaves is for all in the next period"}};
  kind.in_size = 3;
  kind.size_of = size_of;
  kind.contract = {"regulator_proof", {{"Apps", 2}, {"TokenW", 3}, {"LengthW", 3}}, contract_of};
  kind.protocol = kProtocol;
  add_kind<RegulatorKind>(std::move(kind));
}

}  // namespace
}  // namespace gputlm
