#include "testbench/lockstep/lockstep.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <utility>

#include "testbench/lockstep/parallel.h"
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

/// Collects results in any order, and releases a result when all its predecessors are complete.
class InOrder {
 public:
  explicit InOrder(std::uint64_t first_seed) : first_seed_(first_seed) {}

  /// Whether the result of the run `index` may still count.
  bool wanted(std::uint64_t index) const { return index <= first_difference_; }
  /// Whether the first difference is known, with everything before it.
  bool decided() const { return decided_; }
  void add(std::uint64_t index, LockstepResult result) {
    const std::lock_guard lock(mutex_);
    if (result.difference && index < first_difference_) first_difference_ = index;
    waiting_.emplace(index, std::move(result));
    for (auto next = waiting_.begin();
         next != waiting_.end() && next->first == results_.rows.size() && !results_.failed;
         next = waiting_.erase(next)) {
      take(next->second);
    }
  }
  SeedResults results() && { return std::move(results_); }

 private:
  void take(LockstepResult& result) {
    results_.rows.push_back({first_seed_ + results_.rows.size(), result.decisions, result.cycles});
    results_.decisions += result.decisions;
    results_.cycles += result.cycles;
    results_.coverage += result.coverage;
    results_.played = result.played;
    if (!result.difference) return;
    results_.failed = std::move(result);
    decided_ = true;
  }

  std::uint64_t first_seed_;
  std::atomic<std::uint64_t> first_difference_{std::numeric_limits<std::uint64_t>::max()};
  std::atomic<bool> decided_{false};
  std::mutex mutex_;  // guards the following
  std::map<std::uint64_t, LockstepResult> waiting_;
  SeedResults results_;
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

SeedResults run_seeds(const Design& design, const SeedRequest& request,
                      const std::function<bool(std::uint64_t done)>& proceed) {
  InOrder results(request.options.seed);
  const auto run = [&](std::size_t index, const std::atomic<bool>& stop) {
    if (!results.wanted(index)) return;
    LockstepOptions options = request.options;
    options.seed += index;
    options.proceed = [&] { return !stop && results.wanted(index); };
    if (!request.coverage_folder.empty())
      options.coverage = request.coverage_folder + "/" + std::to_string(options.seed) + ".dat";
    results.add(index, run_lockstep(design, options));
  };
  run_parallel(request.count.value_or(std::numeric_limits<std::size_t>::max()), request.parallel, run,
               [&](std::size_t done, std::size_t) { return proceed(done) && !results.decided(); });
  return std::move(results).results();
}

}  // namespace gputlm
