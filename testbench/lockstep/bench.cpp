#include "testbench/lockstep/bench.h"

#include <fmt/format.h>

#include <limits>

#include "tlm/error.h"

namespace gputlm {
namespace {

void in_range(const char* knob, const std::optional<unsigned>& value, unsigned least, unsigned most) {
  if (!value || (*value >= least && *value <= most)) return;
  throw InputError(fmt::format("{}: found {}, allowed is {} to {}", knob, *value, least, most));
}

void check(const FixedKnobs& knobs, const ArbiterSize& size) {
  in_range("applications", knobs.applications, 1, size.applications);
  in_range("banks", knobs.banks, 1, size.banks);
  in_range("rows", knobs.rows, 1, std::numeric_limits<unsigned>::max());
  in_range("hit-ratio", knobs.hit_ratio, 0, 100);
  in_range("burstiness", knobs.burstiness, 0, 100);
  in_range("fill", knobs.fill, 1, 100);
  in_range("asks", knobs.asks, 1, 100);
  in_range("back-pressure", knobs.back_pressure, 0, 99);
  in_range("misses-taken", knobs.misses_taken, 0, 100);
  in_range("row-commands", knobs.row_commands, 1, 100);
  in_range("stray-rows", knobs.stray_rows, 0, 99);
  in_range("resets", knobs.resets, 0, 1000);
  in_range("hit-cap", knobs.hit_cap, 0, 255);
}

unsigned set_bits(const ArbiterOutputs& outputs) {
  return static_cast<unsigned>(__builtin_popcountll(outputs.grant[0]) + __builtin_popcountll(outputs.grant[1]));
}

/// Of a one-hot grant.
unsigned position_of(const ArbiterOutputs& outputs) {
  return static_cast<unsigned>(outputs.grant[0] != 0 ? __builtin_ctzll(outputs.grant[0])
                                                     : 64 + __builtin_ctzll(outputs.grant[1]));
}

bool agree(const Expected& expected, const ArbiterOutputs& found) {
  if (found.req_ready != expected.req_ready || found.grant_valid != expected.grant_valid) return false;
  if (set_bits(found) != (expected.grant_valid ? 1u : 0u)) return false;
  if (!expected.grant_valid) return true;
  const Request& request = expected.request;
  return found.grant_id == request.slot && found.grant_row == request.row && found.grant_app == request.application &&
         found.grant_hit == expected.grant_hit;
}

std::string row_text(Row row) { return row == kNoRow ? "none" : fmt::format("{:#x}", row); }

std::string describe(const ArbiterInputs& inputs, const Expected& expected, const ArbiterOutputs& found,
                     const Reference& state) {
  std::string text;
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
  const Reference::Bank& bank = state.bank(inputs.ask_bank);
  text += fmt::format("  queue: {} of {}; bank {}: open row {}, {} served since ACTIVATE, application {} served last\n",
                      state.waiting(), state.size().entries, inputs.ask_bank, row_text(bank.open_row), bank.served,
                      bank.last_served);
  for (const Request& request : bank.pending) {
    text += fmt::format("    id {:<3} application {} row {:#x}{}\n", request.slot, request.application, request.row,
                        request.row == bank.open_row ? " hit" : "");
  }
  return text;
}

/// One run; dumps waveforms of the cycles from `dump_from` on to `waveform`, unless it is empty.
LockstepResult run_once(const Design& design, const SchedulerMaker& make_schedulers, const LockstepOptions& options,
                        const std::string& waveform, std::uint64_t dump_from) {
  const auto observed = design.make(options.seed);
  RtlArbiter& arbiter = observed->arbiter();
  if (!waveform.empty()) observed->open_waveform(waveform);

  LockstepResult result{0, 0, Coverage(design.size, std::string(design.policy) == "fr_rr_fcfs"), {}};
  Reference reference(design.size, make_schedulers);
  Traffic traffic(design.size, options.seed, options.knobs);

  // Nothing may be expected of the outputs before the first reset.
  ArbiterInputs reset;
  reset.rst_n = false;
  reset.hit_cap = options.knobs.hit_cap.value_or(0);
  arbiter.settle(reset);
  arbiter.rise(reset);
  reference.rise(reset, {});

  std::uint64_t cycle = 0;
  const auto dump = [&](std::uint64_t half) {
    if (!waveform.empty() && cycle >= dump_from) observed->write_waveform(2 * cycle + half);
  };
  for (; result.decisions < options.decisions; ++cycle) {
    ArbiterInputs inputs = traffic.next(reference);
    const Expected expected = reference.expect(inputs);
    inputs.grant_ready = traffic.takes(expected);
    arbiter.settle(inputs);
    dump(0);
    const ArbiterOutputs found = arbiter.outputs();
    // In a reset the cap may change, and with it the grant, which nobody takes.
    if (inputs.rst_n && !agree(expected, found)) {
      result.difference = Difference{cycle, describe(inputs, expected, found, reference)};
      break;
    }
    result.coverage.sample(inputs, expected, reference, expected.grant_valid ? position_of(found) : 0);
    arbiter.rise(inputs);
    dump(1);
    if (observed->failed_assertions() > 0) {
      result.difference = Difference{cycle, "  an assertion of the design has failed (printed above)\n" +
                                                describe(inputs, expected, found, reference)};
      break;
    }
    if (inputs.rst_n && expected.grant_valid && inputs.grant_ready) ++result.decisions;
    reference.rise(inputs, expected);
    traffic.done(inputs, expected);
  }
  result.cycles = cycle;
  if (!options.coverage.empty()) observed->write_coverage(options.coverage);
  return result;
}

}  // namespace

LockstepResult run_lockstep(const Design& design, const SchedulerMaker& make_schedulers,
                            const LockstepOptions& options) {
  check(options.knobs, design.size);
  LockstepResult result = run_once(design, make_schedulers, options, "", 0);
  if (result.difference && !options.waveform.empty()) {
    const std::uint64_t cycle = result.difference->cycle;
    LockstepOptions again = options;
    again.coverage.clear();
    run_once(design, make_schedulers, again, options.waveform,
             cycle > options.waveform_cycles ? cycle - options.waveform_cycles : 0);
  }
  return result;
}

LockstepResult run_lockstep(const Design& design, const LockstepOptions& options) {
  return run_lockstep(
      design, [&](const SchedulerSetup& setup) { return make_request_schedulers(design.policy, setup); }, options);
}

}  // namespace gputlm
