/// Arbiters at the outputs of the crossbar.
#include <fmt/format.h>

#include <algorithm>

#include "models/bit_words.h"
#include "models/noc/crossbar.h"
#include "testbench/kind/bench_of.h"
#include "testbench/kinds/flit_arbiter/coverage.h"
#include "testbench/kinds/flit_arbiter/in_hardware.h"
#include "testbench/kinds/flit_arbiter/traffic.h"
#include "testbench/lockstep/granted.h"

namespace gputlm {
namespace {

RtlParameters size_of(const RtlParameters& ports) {
  const unsigned inputs = ports.at("grant_o"), applications = 1u << ports.at("head_app_i") / inputs;
  return {{"Inputs", inputs},
          {"Apps", applications},
          {"WeightW", ports.at("weight_i") / applications},
          {"LengthW", ports.at("head_flits_i") / inputs},
          {"AgeW", ports.at("head_age_i") / inputs}};
}

RtlParameters contract_of(const RtlParameters& size, const std::string& policy) {
  RtlParameters all = size;
  all["Oldest"] = policy == "oldest";
  all["Weighted"] = policy == "weighted";
  all["Ordered"] = policy == "round_robin" || policy == "oldest" || policy == "weighted";
  return all;
}

struct FlitArbiterRecords : Recorded<FlitArbiterEvent> {
  static constexpr const char *kKind = "flit_arbiter", *kUnit = "OUTPUT", *kClock = "core cycles";
  static constexpr const char* kDecides = "which packet leaves an output of the crossbar";
  static constexpr const char* kWho = "an arbiter of the crossbar";
  static constexpr const char* kEvents =
      "`arrives`: a packet for the output becomes the first one of its input; `leaves`: the answer was this input, "
      "and its first packet leaves";
  static std::vector<const char*> events() { return {"arrives", "leaves"}; }
  static bool is_decision(Event::Kind kind) { return kind == Event::Kind::kLeaves; }

  template <class Visitor>
  static void columns(Visitor& v) {
    v.number(
        [](auto& e) -> auto& { return e.input; }, "input", Value{}, "Number of the switch's input");
    v.number([](auto& e) -> auto& { return e.head.application; }, "application", Value{},
             "Number of the packet's application, modulo 8", {0, kArbitratedApplications - 1});
    v.number([](auto& e) -> auto& { return e.head.flits; }, "flits", Value{"flits"}, "Flits of the packet",
             {1, 0xffff});
    v.number(
        [](auto& e) -> auto& { return e.head.issued; }, "issued_cycle", Value{"core cycles"},
        "Time at which a unit issued the access, from which its age counts");
    v.number([](auto& e) -> auto& { return e.inputs; }, "inputs", Value{}, "Number of the switch's inputs",
             {1, kMaxSwitchInputs});
  }
  struct Rules {
    void check(const CsvReader& csv, const Event& event) {
      if (event.input >= event.inputs) csv.fail(fmt::format("input: allowed is 0 to {}", event.inputs - 1));
      if (event.head.issued > event.at) csv.fail(fmt::format("issued_cycle: allowed is 0 to {}", event.at));
    }
  };

  /// Outputs are numbered across all crossbars.
  RecordedPlace<Event> place(ProbeSite& site, const RecordingValue& value) {
    const auto crossbars = site.units<Crossbar>("crossbar");
    std::size_t outputs = 0;
    for (const Crossbar* const crossbar : crossbars) outputs += crossbar->outputs();
    value.check(outputs);
    auto output = static_cast<unsigned>(value.unit);
    auto crossbar = crossbars.begin();
    for (; output >= (*crossbar)->outputs(); ++crossbar) output -= (*crossbar)->outputs();
    return {**crossbar, (*crossbar)->record(output)};
  }
};

struct FlitArbiterKind : OnBench {
  using Hardware = FlitArbiterHardware;
  using Records = FlitArbiterRecords;
  using Recording = FlitArbiterRecording;
  using Expected = std::optional<unsigned>;
  using Reference = FlitArbiterReference;
  using Random = FlitArbiterTraffic;
  using Knobs = FlitArbiterKnobs;
  using Played = PlayedFlitArbiter;
  using Coverage = FlitArbiterCoverage;

  static bool agrees(const Reference&, std::optional<unsigned> expected, const FlitArbiterOutputs& found) {
    return found.grant_valid == expected.has_value() && found.grant == one_bit<kInputWords>(expected) &&
           found.grant_input == expected.value_or(0);
  }
  static std::string describe(const FlitArbiterInputs& inputs, std::optional<unsigned> expected,
                              const FlitArbiterOutputs& found, const Reference& reference) {
    std::string text = granted_text("input", expected, numbers_of(found.grant));
    text += fmt::format("  outputs: grant_valid_o {:d}, grant_input_o {}\n", found.grant_valid, found.grant_input);
    text += fmt::format("  inputs: reset {}, ready {}; input {} was served last\n", !inputs.rst_n, inputs.grant_ready,
                        reference.last());
    for (unsigned i = 0; i < reference.size().inputs; ++i) {
      if (!has_bit(inputs.head_valid, i)) continue;
      const unsigned application = reference.application(inputs, i);
      text += fmt::format("    input {}: application {} (weight {}), flits {}, age {}\n", i, application,
                          reference.weight(inputs, application), reference.flits(inputs, i), reference.age(inputs, i));
    }
    return text;
  }

  /// The size grows beyond the standard one if the recording requires it; ages have the bits of the run.
  static Recording recorded(const RecordedRun& run, std::vector<FlitArbiterEvent> events,
                            RecordedDecisions& decisions) {
    const std::string policy = run.name("noc.arbiter");
    decisions.policy = model_of(policy);
    decisions.clock_mhz = run.number("core_mhz");
    // Options of the run's policy; for another policy, the run's values of the options that it would use.
    const auto option = [&](const char* of, const std::string& name) {
      const std::string own = fmt::format("noc.{}.{}", options_owner(policy), name);
      return static_cast<unsigned>(run.number(run.knows(own) ? own : fmt::format("noc.{}.{}", of, name)));
    };
    Recording recording{{}, std::move(events)};
    unsigned applications = 1, longest = 1;
    for (const FlitArbiterEvent& event : recording.events) {
      applications = std::max(applications, event.head.application + 1u);
      longest = std::max<unsigned>(longest, event.head.flits);
    }
    for (unsigned a = 0; a < kArbitratedApplications; ++a)
      recording.weights.push_back(option("weighted", fmt::format("weight_{}", a)));
    decisions.size = {{"Inputs", std::max<unsigned>(2, recording.events.front().inputs)},
                      {"Apps", applications},
                      {"AgeW", option("oldest", "age_bits")}};
    if (longest > largest_of(FlitArbiterSize::Default::length_bits)) decisions.size["LengthW"] = bits_of(longest);
    return recording;
  }
};

constexpr const char* kProtocol =
    R"(A valid-ready handshake: the granted packet leaves at each rising edge at which grant_valid_o and
grant_ready_i are both 1. A decision is combinational: head_valid_i is answered by grant_* in the
same cycle, and may change until it is taken, as other heads come. A head stays until its packet
leaves; its age grows. A packet leaves whole, with all its flits.
)";

GPUTLM_REGISTER {
  Kind kind;
  kind.name = "flit_arbiter";
  kind.rank = 4;
  kind.like = "rtl/weighted_flit_arbiter.sv";
  kind.modules = {
      {"round_robin_flit_arbiter", "Output of the crossbar: inputs in turn", {"Apps", "WeightW", "LengthW", "AgeW"}},
      {"oldest_flit_arbiter",
       "Output of the crossbar: the oldest packet, inputs in turn among equals",
       {"Apps", "WeightW", "LengthW"}},
      {"weighted_flit_arbiter", "Output of the crossbar: applications in turn, by their weights", {"AgeW"}}};
  kind.in_size = 3;
  kind.size_of = size_of;
  kind.contract = {
      "flit_arbiter_proof", {{"Inputs", 4}, {"Apps", 2}, {"WeightW", 2}, {"LengthW", 2}, {"AgeW", 2}}, contract_of};
  kind.protocol = kProtocol;
  add_kind<FlitArbiterKind>(std::move(kind));
}

}  // namespace
}  // namespace gputlm
