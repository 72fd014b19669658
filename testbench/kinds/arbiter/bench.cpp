#include "testbench/kinds/arbiter/bench.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "testbench/kinds/arbiter/coverage.h"
#include "testbench/kinds/arbiter/played.h"
#include "testbench/kinds/arbiter/traffic.h"
#include "testbench/lockstep/granted.h"

namespace gputlm {
namespace {

/// Nothing is known of one that is not in the tree.
ArbiterTraits traits_of(const std::string& policy) {
  const std::string_view decides_as = options_owner(policy);
  const bool round_robin = decides_as == "fr_rr_fcfs";
  return {round_robin || decides_as == "fr_fcfs", round_robin};
}

unsigned set_bits(const ArbiterOutputs& outputs) {
  return static_cast<unsigned>(__builtin_popcountll(outputs.grant[0]) + __builtin_popcountll(outputs.grant[1]));
}

/// Of a one-hot grant.
unsigned position_of(const ArbiterOutputs& outputs) {
  return static_cast<unsigned>(outputs.grant[0] != 0 ? __builtin_ctzll(outputs.grant[0])
                                                     : 64 + __builtin_ctzll(outputs.grant[1]));
}

bool agree(const ArbiterExpected& expected, const ArbiterOutputs& found) {
  if (found.req_ready != expected.req_ready || found.grant_valid != expected.grant_valid) return false;
  if (set_bits(found) != (expected.grant_valid ? 1u : 0u)) return false;
  if (!expected.grant_valid) return true;
  const Request& request = expected.request;
  return found.grant_id == request.slot && found.grant_row == request.row && found.grant_app == request.application &&
         found.grant_hit == expected.grant_hit;
}

std::string row_text(Row row) { return row == kNoRow ? "none" : fmt::format("{:#x}", row); }

std::string describe(const ArbiterInputs& inputs, const ArbiterExpected& expected, const ArbiterOutputs& found,
                     const ArbiterReference& state) {
  const auto asked = expected.grant_valid ? std::optional<unsigned>(expected.request.slot) : std::nullopt;
  std::string text = granted_text("request", asked,
                                  found.grant_valid ? std::vector<unsigned>{found.grant_id} : std::vector<unsigned>{});
  const auto line = [&](const char* port, std::uint64_t should, std::uint64_t is) {
    text += fmt::format("  {} {:<14} expected {:#x}, found {:#x}\n", should == is ? ' ' : '*', port, should, is);
  };
  line("req_ready_o", expected.req_ready, found.req_ready);
  line("grant_valid_o", expected.grant_valid, found.grant_valid);
  line("bits of grant_o", expected.grant_valid, set_bits(found));
  if (expected.grant_valid) {
    line("grant_id_o", expected.request.slot, found.grant_id);
    line("grant_row_o", expected.request.row, found.grant_row);
    line("grant_app_o", expected.request.application, found.grant_app);
    line("grant_hit_o", expected.grant_hit, found.grant_hit);
  }
  text += fmt::format("  inputs: reset {}, hit_cap {}, request {} (bank {} row {:#x} application {} id {}), ",
                      !inputs.rst_n, inputs.hit_cap, inputs.req_valid, inputs.req_bank, inputs.req_row, inputs.req_app,
                      inputs.req_id);
  text += fmt::format("row command {} ({} bank {} row {:#x}), ask {} (bank {}), grant_ready {}\n", inputs.row_valid,
                      inputs.row_open ? "ACTIVATE" : "PRECHARGE", inputs.row_bank, inputs.row_row, inputs.ask_valid,
                      inputs.ask_bank, inputs.grant_ready);
  const ArbiterReference::Bank& bank = state.bank(inputs.ask_bank);
  text += fmt::format("  queue: {} of {}; bank {}: open row {}, {} served since ACTIVATE, application {} served last\n",
                      state.waiting(), state.size().entries, inputs.ask_bank, row_text(bank.open_row), bank.served,
                      bank.last_served);
  for (const Request& request : bank.pending) {
    text += fmt::format("    id {:<3} application {} row {:#x}{}\n", request.slot, request.application, request.row,
                        request.row == bank.open_row ? " hit" : "");
  }
  return text;
}

template <class Traffic>
class ArbiterBench final : public Bench {
 public:
  ArbiterBench(const ArbiterSize& size, const ArbiterTraits& policy, std::unique_ptr<ObservedDevice<RtlArbiter>> design,
               const SchedulerMaker& make_schedulers, Traffic traffic, unsigned hit_cap)
      : design_(std::move(design)), reference_(size, make_schedulers), traffic_(std::move(traffic)),
        coverage_(size, policy) {
    // Nothing may be expected of the outputs before the first reset.
    inputs_.rst_n = false;
    inputs_.hit_cap = hit_cap;
    design_->device().settle(inputs_);
    design_->device().rise(inputs_);
    reference_.rise(inputs_, {});
  }

  Observed& observed() override { return *design_; }
  void settle() override {
    inputs_ = traffic_.next(reference_);
    expected_ = reference_.expect(inputs_);
    inputs_.grant_ready = traffic_.takes(expected_);
    design_->device().settle(inputs_);
    found_ = design_->device().outputs();
  }
  bool agrees() const override {
    // In a reset the cap may change, and with it the grant, which nobody takes.
    return !inputs_.rst_n || agree(expected_, found_);
  }
  std::string describe() const override { return gputlm::describe(inputs_, expected_, found_, reference_); }
  void rise() override { design_->device().rise(inputs_); }
  bool step() override {
    coverage_.sample(inputs_, expected_, reference_, expected_.grant_valid ? position_of(found_) : 0);
    reference_.rise(inputs_, expected_);
    traffic_.done(inputs_, expected_);
    return inputs_.rst_n && expected_.grant_valid && inputs_.grant_ready;
  }
  const CoveragePoints& coverage() const override { return coverage_.points(); }
  bool ended() const override { return traffic_.ended(); }
  std::uint64_t cycles() const override { return traffic_.cycles(); }
  Played played() const override { return traffic_.played(); }

 private:
  std::unique_ptr<ObservedDevice<RtlArbiter>> design_;
  ArbiterReference reference_;
  Traffic traffic_;
  ArbiterCoverage coverage_;
  ArbiterInputs inputs_;
  ArbiterExpected expected_;
  ArbiterOutputs found_;
};

}  // namespace

ArbiterSize arbiter_size(const RtlParameters& size) {
  return {size.at("Entries"), size.at("Banks"), size.at("Apps"), size.at("RowW"), size.at("HasCap") != 0};
}

Design arbiter_design(const BuiltDesign& built, const std::string& policy,
                      std::shared_ptr<const ArbiterRecording> recording, SchedulerMaker make_schedulers) {
  const ArbiterSize size = arbiter_size(built.size);
  if (!make_schedulers)
    make_schedulers = [policy](const SchedulerSetup& setup) { return make_request_schedulers(policy, setup); };
  return {built.name, policy, names_of(arbiter_knobs(size)),
          [=, make = made_by<RtlArbiter>(built)](std::uint64_t seed, const FixedKnobs& fixed) {
            const auto bench = [&](auto traffic, unsigned hit_cap) -> std::unique_ptr<Bench> {
              return std::make_unique<ArbiterBench<decltype(traffic)>>(size, traits_of(policy), make(seed),
                                                                       make_schedulers, std::move(traffic), hit_cap);
            };
            if (recording) return bench(PlayedArbiter(size, *recording), recording->hit_cap);
            const auto hit_cap = fixed.find("hit-cap");
            return bench(ArbiterTraffic(size, seed, fixed), hit_cap == fixed.end() ? 0 : hit_cap->second);
          }};
}

}  // namespace gputlm
