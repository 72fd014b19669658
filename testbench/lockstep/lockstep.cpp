#include "testbench/lockstep/lockstep.h"

#include <fmt/format.h>

#include <algorithm>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// One run; dumps waveforms of cycles from `dump_from` on to `waveform`, unless it is empty.
class OneRun {
 public:
  OneRun(const Design& design, const LockstepOptions& options, const std::string& waveform, std::uint64_t dump_from)
      : options_(options), waveform_(waveform), dump_from_(dump_from) {
    try {
      bench_ = design.make_bench(options.seed, options.knobs);
      play();
    } catch (const DesignFailure& failure) {
      differs(fmt::format("  the design has failed: {}\n{}", failure.what(), bench_ ? bench_->describe() : ""));
    }
    if (!bench_) return;
    result_.coverage = bench_->coverage();
    result_.played = bench_->played();
    if (options.count_nets) result_.nets = bench_->observed().nets();
    if (!options.coverage.empty()) bench_->observed().write_coverage(options.coverage);
  }
  const LockstepResult& result() const { return result_; }

 private:
  void play() {
    constexpr std::uint64_t kPace = 4096;  // number of cycles between two calls
    const Observed& observed = bench_->observed();
    if (!waveform_.empty()) bench_->observed().open_waveform(waveform_);
    for (; result_.decisions < options_.decisions && !bench_->ended(); ++result_.cycles) {
      if (options_.proceed && result_.cycles % kPace == 0 && !options_.proceed()) return;
      bench_->settle();
      dump(0);
      if (!bench_->agrees()) return differs(bench_->describe());
      if (options_.count_nets) bench_->observed().count_nets(bench_->cycles());
      bench_->rise();
      dump(1);
      if (observed.failed()) {
        return differs("  the design has failed an assertion or ended by itself (printed above)\n" +
                       bench_->describe());
      }
      if (bench_->step()) ++result_.decisions;
    }
  }
  void dump(std::uint64_t half) {
    if (waveform_.empty() || result_.cycles < dump_from_) return;
    bench_->observed().write_waveform(2 * result_.cycles + half);
  }
  void differs(const std::string& text) { result_.difference = Difference{result_.cycles, text}; }

  const LockstepOptions& options_;
  std::string waveform_;
  std::uint64_t dump_from_;
  std::unique_ptr<Bench> bench_;
  LockstepResult result_;
};

}  // namespace

void check_knobs(const FixedKnobs& fixed, const Design& design) {
  const std::vector<Field>& knobs = design.knobs;
  for (const auto& [name, value] : fixed) {
    const auto knob =
        std::find_if(knobs.begin(), knobs.end(), [&, &name = name](const Field& k) { return k.name == name; });
    if (knob == knobs.end()) throw InputError(fmt::format("--{}: no knob of {}", name, design.name));
    if (!knob->allows(value)) {
      throw InputError(fmt::format("--{}: found {}, allowed for {} is {}", name, value, design.name, knob->range()));
    }
  }
}

LockstepResult run_lockstep(const Design& design, const LockstepOptions& options) {
  check_knobs(options.knobs, design);
  LockstepResult result = OneRun(design, options, "", 0).result();
  if (result.difference && !options.waveform.empty()) write_waveform(design, options, *result.difference);
  return result;
}

void write_waveform(const Design& design, LockstepOptions options, const Difference& difference) {
  options.coverage.clear();
  options.proceed = nullptr;
  const std::uint64_t cycle = difference.cycle;
  OneRun(design, options, options.waveform, cycle > options.waveform_cycles ? cycle - options.waveform_cycles : 0);
}

}  // namespace gputlm
