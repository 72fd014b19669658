#include "testbench/lockstep/seeds.h"

#include <atomic>
#include <limits>
#include <mutex>
#include <utility>

#include "testbench/lockstep/parallel.h"

namespace gputlm {
namespace {

/// Collects results in any order and releases those whose predecessors are complete.
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
