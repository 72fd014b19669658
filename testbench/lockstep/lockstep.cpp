#include "testbench/lockstep/lockstep.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/error.h"

namespace gputlm {
namespace {

void check(const FixedKnobs& fixed, const Design& design) {
  const std::vector<Knob> knobs = design.knobs();
  for (const auto& [name, value] : fixed) {
    const auto knob =
        std::find_if(knobs.begin(), knobs.end(), [&, &name = name](const Knob& k) { return k.name == name; });
    if (knob == knobs.end()) throw InputError(fmt::format("{}: no knob of {}", name, design.name()));
    if (value < knob->least || value > knob->most) {
      throw InputError(
          fmt::format("{}: found {}, allowed for {} is {} to {}", name, value, design.name(), knob->least, knob->most));
    }
  }
}

/// One run; dumps waveforms of the cycles from `dump_from` on to `waveform`, unless it is empty.
LockstepResult run_once(const Design& design, const LockstepOptions& options, const std::string& waveform,
                        std::uint64_t dump_from) {
  const auto bench = design.make_bench(options.seed, options.knobs);
  Observed& observed = bench->observed();
  if (!waveform.empty()) observed.open_waveform(waveform);

  LockstepResult result;
  std::uint64_t cycle = 0;
  const auto dump = [&](std::uint64_t half) {
    if (!waveform.empty() && cycle >= dump_from) observed.write_waveform(2 * cycle + half);
  };
  for (; result.decisions < options.decisions; ++cycle) {
    bench->settle();
    dump(0);
    if (!bench->agrees()) {
      result.difference = Difference{cycle, bench->describe()};
      break;
    }
    bench->rise();
    dump(1);
    if (observed.failed_assertions() > 0) {
      result.difference =
          Difference{cycle, "  an assertion of the design has failed (printed above)\n" + bench->describe()};
      break;
    }
    if (bench->step()) ++result.decisions;
  }
  result.cycles = cycle;
  result.coverage = bench->coverage();
  if (!options.coverage.empty()) observed.write_coverage(options.coverage);
  return result;
}

}  // namespace

LockstepResult run_lockstep(const Design& design, const LockstepOptions& options) {
  check(options.knobs, design);
  LockstepResult result = run_once(design, options, "", 0);
  if (result.difference && !options.waveform.empty()) {
    const std::uint64_t cycle = result.difference->cycle;
    LockstepOptions again = options;
    again.coverage.clear();
    run_once(design, again, options.waveform, cycle > options.waveform_cycles ? cycle - options.waveform_cycles : 0);
  }
  return result;
}

}  // namespace gputlm
