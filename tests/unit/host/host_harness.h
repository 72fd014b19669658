/// Surroundings for a host, without SystemC: a GPU whose kernels and copies run side by side, each for its time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/host/core.h"
#include "tests/unit/sm/plain_items.h"

namespace gputlm::test {

inline constexpr Femtoseconds kPeriod = 1000;
inline constexpr Cycle kHop = 20;

class HostHarness final {
 public:
  /// `durations`: how long the GPU works on each launch, from its arrival there.
  /// `copy_durations`: the same for each copy. `of_application`: maximum number of an application's kernels in flight; none:
  /// the same as for all applications together.
  HostHarness(Workload workload, std::vector<Cycle> durations, unsigned in_flight, const HostConfig& config = {},
              std::vector<Cycle> copy_durations = {}, std::optional<unsigned> of_application = std::nullopt,
              const HostedGpus& gpus = {})
      : workload_(std::move(workload)), durations_(std::move(durations)), copy_durations_(std::move(copy_durations)),
        copy_submitted(copy_durations_.size()), copy_notified(copy_durations_.size()), submitted(durations_.size()),
        notified(durations_.size()), released(durations_.size()),
        core(config, workload_, Clock(kPeriod), in_flight, of_application.value_or(in_flight), source_, copy_source_,
             word_source_, gpus) {
    core.kernels_ended.watch([this](const KernelEnded& ended) { kernel_ended(ended.kernel, ended.notified); });
    core.copies_ended.watch([this](const CopyEnded& ended) {
      copy_submitted[ended.copy.command] = ended.copy.submitted;
      copy_notified[ended.copy.command] = ended.notified;
      if (ended.copy.undisturbed) undisturbed.insert(ended.copy.command);
    });
    core.jobs_ended.watch([this](const JobEnded& ended) { jobs.push_back(ended); });
    core.jobs_dropped.watch([this](const JobDropped& job) { dropped.push_back(job); });
    core.mode_changes.watch([this](const ModeChange& change) { mode_changes.push_back(change); });
    core.calls_made.watch([this](const CallMade& made) { calls.push_back(made); });
    core.run_end().notice = kHop;
    core.run_end().on_last = [this](Cycle at) { run_ends(at); };
  }

  bool run(const std::function<Cycle()>& window, Cycle limit = 100000) {
    for (Cycle now = 0; now < limit;) {
      const Cycle until = std::min(now + window(), run_end);  // as the platform stops its units
      if (until == now) return false;
      // An end is on its way as soon as it has happened.
      while (!running_.empty() && running_.begin()->first.first < until) {
        const Cycle at = std::max(running_.begin()->first.first + kHop, last_ + 1);
        last_ = at;
        core.completions().push(at, *running_.begin()->second);
        running_.erase(running_.begin());
      }
      while (!copying_.empty() && copying_.begin()->first.first < until) {
        const Cycle at = std::max(copying_.begin()->first.first + kHop, last_copy_ + 1);
        last_copy_ = at;
        core.copy_ends().push(at, *copying_.begin()->second);
        copying_.erase(copying_.begin());
      }
      for (; !copy_credits_.empty() && *copy_credits_.begin() < until; copy_credits_.erase(copy_credits_.begin()))
        core.copies().credit(*copy_credits_.begin(), 1);
      hear_words(until);
      for (; !credits_.empty() && *credits_.begin() < until; credits_.erase(credits_.begin()))
        core.launches().credit(*credits_.begin(), 1);
      core.advance(until);
      core.kernels_ended.flush();
      core.copies_ended.flush();
      core.jobs_ended.flush();
      core.jobs_dropped.flush();
      core.mode_changes.flush();
      core.calls_made.flush();
      computed_until = until;
      core.completions().freed_slots().clear();
      for (const auto& departure : core.launches().departures()) {
        const Cycle end = departure.slot + kHop + durations_[departure.item->command];
        running_.emplace(std::make_pair(end, departure.item->identity.kernel), departure.item);
        said.push_back({departure.slot, departure.item->identity.application, departure.item->more_pending});
        credits_.insert(end + kHop);
      }
      core.launches().departures().clear();
      for (const auto& departure : core.pending_work().departures()) {
        said.push_back({departure.slot, departure.item->application, departure.item->pending});
        ++words;
        words_.emplace_back(departure.slot, departure.item);
      }
      core.pending_work().departures().clear();
      core.copy_ends().freed_slots().clear();
      for (const auto& departure : core.copies().departures()) {
        const Cycle end = departure.slot + kHop + copy_durations_[departure.item->command];
        copying_.emplace(std::make_pair(end, departure.item->command), departure.item);
        copy_credits_.insert(end + kHop);
      }
      core.copies().departures().clear();
      now = until;
      if (core.done()) return true;
    }
    return false;
  }
  bool run(Cycle limit = 100000) {
    return run([] { return kHop; }, limit);
  }
  std::size_t copies_in_use() const { return copy_source_.in_use(); }
  std::size_t launches_in_use() const { return source_.in_use(); }
  const Workload& workload() const { return workload_; }

 private:
  /// A word is heard a hop after it was said, and its credit is back after another hop.
  void hear_words(Cycle until) {
    for (; !words_.empty() && words_.front().first + 2 * kHop < until; words_.pop_front()) {
      core.pending_work().credit(words_.front().first + 2 * kHop, 1);
      core.pending_work_heard().push(words_.front().first + 2 * kHop, *words_.front().second);
    }
    core.pending_work_heard().freed_slots().clear();
  }
  void kernel_ended(const KernelLaunch& kernel, Cycle now) {
    for (std::vector<Cycle>* times : {&released, &submitted, &notified}) {
      if (times->size() <= kernel.identity.kernel) times->resize(kernel.identity.kernel + 1, 0);
    }
    released[kernel.identity.kernel] = kernel.released;
    submitted[kernel.identity.kernel] = kernel.submitted;
    notified[kernel.identity.kernel] = now;
    order.push_back(kernel.identity.kernel);
    const LaunchCommand& launch = workload_.launches[kernel.command];
    const StreamSpec& stream = workload_.streams[launch.stream];
    EXPECT_EQ(kernel.identity.stream, launch.stream);
    EXPECT_EQ(kernel.priority, stream.priority);
    EXPECT_EQ(kernel.sms, workload_.applications[stream.application].sms.value_or(SmSet().set()) &
                              launch.sms.value_or(SmSet().set()));
    EXPECT_EQ(kernel.alone_cycles, launch.alone_cycles);
    EXPECT_EQ(kernel.iteration == 0, kernel.identity.kernel == kernel.command);
  }
  void run_ends(Cycle at) {
    EXPECT_EQ(run_end, kNever) << "told twice";
    EXPECT_GE(at - 1, computed_until + kHop) << "told too late";
    run_end = at;
  }

  Workload workload_;
  std::vector<Cycle> durations_, copy_durations_;
  PlainItems<KernelLaunch> source_;
  PlainItems<Copy> copy_source_;
  PlainItems<PendingWork> word_source_;
  std::map<std::pair<Cycle, KernelId>, KernelLaunch*> running_;
  std::multiset<Cycle> credits_;
  std::deque<std::pair<Cycle, PendingWork*>> words_;
  Cycle last_ = 0;
  std::map<std::pair<Cycle, std::uint32_t>, Copy*> copying_;
  std::multiset<Cycle> copy_credits_;
  Cycle last_copy_ = 0;

 public:
  Cycle run_end = kNever;                            ///< end of the run
  Cycle computed_until = 0;                          ///< time up to which the host has computed
  std::vector<Cycle> copy_submitted, copy_notified;  ///< times of copies, indexed by place in the workload
  std::set<std::uint32_t> undisturbed;               ///< copies that had the GPU to themselves
  std::vector<Cycle> submitted, notified;            ///< times of kernels, indexed by id
  std::vector<Cycle> released;
  /// What the GPU was told of launches that come next, by a launch or by a word.
  struct Said {
    Cycle at;
    ApplicationId application;
    bool pending;
    bool operator==(const Said& other) const {
      return at == other.at && application == other.application && pending == other.pending;
    }
  };
  std::vector<Said> said;
  unsigned words = 0;           ///< number of words among these
  std::vector<KernelId> order;  ///< kernels in the order of their ends
  std::vector<JobEnded> jobs;   ///< jobs in the order of their ends
  std::vector<JobDropped> dropped;
  std::vector<ModeChange> mode_changes;
  std::vector<CallMade> calls;  ///< calls in the order in which they returned
  HostCore core;
};

}  // namespace gputlm::test
