/// Distribution of response times, confidence of percentiles, and why the slowest job of each task took so long
/// (docs/reference/results.md).
#include <algorithm>
#include <map>

#include "models/host/host.h"
#include "models/l2/slice.h"
#include "models/sm/sm.h"
#include "models/work_distributor/work_distributor.h"
#include "platform/probes/response_groups.h"
#include "platform/probes/row_file.h"
#include "platform/probes/worst_case.h"

namespace gputlm {
namespace {

constexpr double kConfidenceOfPercentiles = 0.95;
constexpr std::array<Quantile, 6> kPercentiles{
    {{50, 100}, {90, 100}, {95, 100}, {99, 100}, {999, 1000}, {9999, 10000}}};
constexpr std::uint64_t kMostBins = 50;
constexpr Value kOfJobs{"jobs"};

/// The group of a line.
struct OfGroup {
  const char* of;
  const ResponseGroup& group;
  const Workload& workload;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = OfGroup;
    v.field(&R::of, "of", Value{}, "`application`, `task` or `launch`, as in responses.csv");
    v.field([](const R& r) -> const std::string& { return r.group.name; }, "name", Value{},
            "Its name, as in responses.csv");
    v.field([](const R& r) -> const std::string& { return r.workload.applications[r.group.application].name; },
            "application", Value{}, "Name of its application");
  }
};

struct CdfRow {
  OfGroup whose;
  Cycle response;
  std::uint64_t jobs, up_to, all;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = CdfRow;
    v.part(&R::whose);
    v.field(&R::response, "response_cycles", kCycles, "Response time that occurs, in ascending order");
    v.field(&R::jobs, "jobs", kOfJobs, "Number of jobs with exactly this response time");
    v.field(&R::up_to, "jobs_up_to", kOfJobs, "Number of jobs that took no longer");
    v.field([](const R& r) { return static_cast<double>(r.up_to) / static_cast<double>(r.all); }, "share", Value{},
            "Share of all jobs that took no longer (empirical CDF)");
  }
};

struct HistogramRow {
  OfGroup whose;
  Cycle from, to;
  std::uint64_t jobs;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = HistogramRow;
    v.part(&R::whose);
    v.field(&R::from, "from_cycles", kCycles, "Lower end of the bin's response times, inclusive");
    v.field(&R::to, "to_cycles", kCycles, "Upper end, exclusive");
    v.field(&R::jobs, "jobs", kOfJobs, "Number of jobs in the bin");
  }
};

struct PercentileRow {
  OfGroup whose;
  Quantile quantile;
  std::optional<RankInterval> ranks;

  const std::vector<Cycle>& times() const { return whose.group.times; }

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = PercentileRow;
    const auto at = [](auto rank) {
      return [rank](const R& r) { return r.ranks ? std::optional(r.times()[(*r.ranks).*rank - 1]) : std::nullopt; };
    };
    v.part(&R::whose);
    v.field([](const R& r) { return r.times().size(); }, "jobs", kOfJobs, "Number of jobs that ended");
    v.field([](const R& r) { return 100 * r.quantile.value(); }, "percentile", Value{"%"},
            "Share of jobs that take no longer than `value_cycles`");
    v.field([](const R& r) { return r.times()[nearest_rank(r.times().size(), r.quantile) - 1]; }, "value_cycles",
            kCycles, "Percentile of these jobs, by nearest rank");
    v.field(
        at(&RankInterval::low), "low_cycles", kCycles,
        "Lower end of the percentile's 95 % confidence interval, by order statistics; empty if there are too few jobs");
    v.field(at(&RankInterval::high), "high_cycles", kCycles, "Upper end of that interval");
    v.field([](const R& r) { return values_needed(r.quantile, kConfidenceOfPercentiles); }, "jobs_needed", kOfJobs,
            "Number of jobs needed for such an interval");
    v.field([](const R& r) { return r.ranks.has_value(); }, "supported", Value{}, "Whether there are enough");
  }
};

/// The slowest job of a task, or the job that it is compared with.
struct NamedJob {
  const JobEnded* ended = nullptr;
  ResponseAccount account;
};

/// Data for lines about the slowest jobs.
struct Slowest {
  const RunHistory& history;
  const Workload& workload;
  std::uint32_t task;
  const NamedJob &worst, &best;

  std::string label(const NamedJob& job) const { return job_label(workload, job.ended->job, job.ended->iteration); }
  const std::string& application() const { return workload.applications[workload.tasks[task].application].name; }
  std::string command(std::size_t index) const {
    const CommandTimes& c = history.commands[index];
    return c.copy ? copy_label(workload, c.command, c.iteration) : launch_label(workload, c.command, c.iteration);
  }
  std::optional<std::string> who(const HeldUpBy& by) const {
    if (!by.known) return std::nullopt;
    if (by.application) return workload.applications[by.who].name;
    if (by.who < workload.tasks.size()) return workload.tasks[by.who].name;
    const std::size_t launch = by.who - workload.tasks.size();
    return launch < workload.launches.size() ? workload.launches[launch].label
                                             : workload.copies[launch - workload.launches.size()].label;
  }
  static std::optional<double> share(const HeldUpBy& by) { return by.known ? std::optional(by.share) : std::nullopt; }

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field([](const Slowest& s) -> const std::string& { return s.workload.tasks[s.task].name; }, "task", Value{},
            "Its name");
    v.field(&Slowest::application, "application", Value{}, "Name of its application");
    v.field([](const Slowest& s) { return s.label(s.worst); }, "job", Value{},
            "First job with the longest response time");
  }
};

struct WorstRow {
  const Slowest& slowest;
  const ResponseSegment& segment;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = WorstRow;
    v.part([](const R& r) -> const Slowest& { return r.slowest; });
    v.field([](const R& r) { return r.segment.from; }, "from_cycle", kCycles, "Start of the piece");
    v.field([](const R& r) { return r.segment.to; }, "to_cycle", kCycles, "End of the piece; pieces leave no gaps");
    v.field([](const R& r) { return r.segment.to - r.segment.from; }, "cycles", kCycles, "Length of the piece");
    v.field([](const R& r) { return kResponsePartLabels[static_cast<std::size_t>(r.segment.part)].name; }, "part",
            Value{},
            "Activity of the job: a part of responses_parts.csv; `execution` covers everything while a kernel runs");
    v.field(
        [](const R& r) {
          return r.segment.part == ResponsePart::kHost ? std::nullopt
                                                       : std::optional(r.slowest.command(r.segment.command));
        },
        "command", Value{}, "Command of the job with which it did that");
    v.field([](const R& r) { return r.slowest.who(r.segment.by); }, "held_up_by", Value{},
            "Task (or application, launch, copy) that did most there in that time; empty if no other did anything");
    v.field([](const R& r) { return Slowest::share(r.segment.by); }, "held_up_share", Value{},
            "Its share of the work of all others there");
  }
};

struct WorstPartRow {
  const Slowest& slowest;
  std::size_t part;

  Cycle cycles() const { return slowest.worst.account.cycles[part]; }
  Cycle best_cycles() const { return slowest.best.account.cycles[part]; }
  const HeldUpBy& by() const { return slowest.worst.account.by[part]; }

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = WorstPartRow;
    v.part([](const R& r) -> const Slowest& { return r.slowest; });
    v.field([](const R& r) { return kResponsePartLabels[r.part].name; }, "part", Value{},
            "`host`, `transit`, `sm_slots`, `preemption`, `execution`, `issue`, `l1`, `crossbar`, `l2`, `dram`, "
            "`copy_engine` or `copying`");
    v.field(&R::cycles, "cycles", kCycles, "Time that the job spent on it; all parts add up to its response time");
    v.field([](const R& r) { return r.slowest.label(r.slowest.best); }, "best_job", Value{},
            "First job of the task with the shortest response time");
    v.field(&R::best_cycles, "best_cycles", kCycles, "Time that the best job spent on it");
    v.field([](const R& r) { return r.slowest.who(r.by()); }, "held_up_by", Value{}, "As in responses_worst.csv");
    v.field([](const R& r) { return Slowest::share(r.by()); }, "held_up_share", Value{}, "As in responses_worst.csv");
  }
};

/// The narrowest bins of 1, 2 or 5 times a power of ten, such that at most kMostBins cover everything.
Cycle bin_width(Cycle least, Cycle most) {
  for (Cycle power = 1;; power *= 10) {
    for (const Cycle factor : {1, 2, 5}) {
      const Cycle width = factor * power;
      if (most / width - least / width < kMostBins) return width;
    }
  }
}

class ResponsesProbe final : public Probe {
 public:
  void attach(ProbeSite& site) override {
    workload_ = &site.workload();
    responses_.emplace(*workload_, site.clock);
    cdf_.open(site, "responses_cdf.csv");
    histogram_.open(site, "responses_histogram.csv");
    percentiles_.open(site, "responses_percentiles.csv");
    worst_.open(site, "responses_worst.csv");
    parts_.open(site, "responses_parts.csv");
    Host& host = *site.units<Host>("host").front();
    site.watch(host, host.core().jobs_ended, [this](const JobEnded& job) {
      responses_->add(job);
      jobs_.push_back(job);
    });
    site.watch(host, host.core().kernels_ended, [this](const KernelEnded& kernel) { add(kernel); });
    site.watch(host, host.core().copies_ended, [this](const CopyEnded& copy) { add(copy); });
    WorkDistributor& distributor = *site.units<WorkDistributor>("work distributor").front();
    site.watch(distributor, distributor.core().slices(), [this](const SliceEnded& slice) {
      history_.turns.push_back({slice.application, slice.start, slice.off});
    });
    // With more blocks than a run watches by default, a launch counts as if it had blocks on all SMs.
    if (has_few_blocks(*workload_)) {
      site.watch(distributor, distributor.core().blocks_ended,
                 [this](const BlockEnded& block) { sms_[block.identity.kernel].set(block.identity.sm); });
    }
    const auto sms = static_cast<std::uint16_t>(site.units<Sm>("SM").size());
    for (L2Slice* slice : site.find<L2Slice>()) {
      const ClockChange core{slice->clock(), site.clock};
      site.watch(*slice, slice->core().taken, [this, sms, core](const L2Taken& taken) {
        if (taken.source >= sms) return;  // from a copy engine or the MMU
        RequestTimes& times = requests_[taken.identity.kernel];
        const Cycle arrived = core(taken.arrived), at = core(taken.at);
        times.to_l2 += arrived - taken.issued;
        times.in_l2 += at - arrived;
        (taken.fetches ? times.fetch : times.in_l2) -= at;
      });
      site.watch(*slice, slice->core().served, [this, sms, core](const L2Served& served) {
        if (served.source >= sms) return;
        RequestTimes& times = requests_[served.identity.kernel];
        (served.fetched() ? times.fetch : times.in_l2) += core(served.at);
      });
    }
  }

  void finish() override {
    // Partitions are on the engine together, so none waits for another.
    if (together()) history_.turns.clear();
    for (auto& [id, command] : kernels_) history_.commands[command].requests = requests_[id];
    const AllResponses all = responses_->end();
    write("application", all.applications);
    write("task", all.tasks);
    write("launch", all.launches);
    for (std::uint32_t task = 0; task < workload_->tasks.size(); ++task) write_worst(task);
  }

 private:
  std::uint32_t owner_of(const std::optional<std::uint32_t>& job, std::size_t other) const {
    return static_cast<std::uint32_t>(job ? workload_->jobs[*job].task : workload_->tasks.size() + other);
  }
  void add(CommandTimes times, const std::optional<std::uint32_t>& job) {
    if (job) of_job_[{*job, times.iteration}].push_back(history_.commands.size());
    history_.commands.push_back(times);
  }
  void add(const KernelEnded& ended) {
    const KernelLaunch& k = ended.kernel;
    const LaunchCommand& launch = workload_->launches[k.command];
    responses_->add(record_of(ended));
    kernels_.emplace_back(k.identity.kernel, history_.commands.size());
    add({false,
         k.command,
         k.iteration,
         owner_of(launch.job, k.command),
         k.identity.application,
         k.identity.stream,
         sms_.empty() ? SmSet().set() : sms_.at(k.identity.kernel),
         k.submitted,
         k.arrived,
         k.first_block,
         k.end,
         ended.notified,
         k.counters,
         {}},
        launch.job);
    sms_.erase(k.identity.kernel);
  }
  void add(const CopyEnded& ended) {
    const Copy& c = ended.copy;
    const CopyCommand& copy = workload_->copies[c.command];
    add({true,
         c.command,
         c.iteration,
         owner_of(copy.job, workload_->launches.size() + c.command),
         c.identity.application,
         c.identity.stream,
         {},
         c.submitted,
         c.arrived,
         c.started,
         c.ended,
         ended.notified,
         {},
         {}},
        copy.job);
  }

  /// Whether turns of different applications overlap.
  bool together() const {
    const auto& turns = history_.turns;
    std::vector<EngineTurn> sorted = turns;
    std::sort(sorted.begin(), sorted.end(), [](const EngineTurn& a, const EngineTurn& b) { return a.start < b.start; });
    for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
      if (sorted[i].application != sorted[i + 1].application && sorted[i + 1].start < sorted[i].off) return true;
    }
    return false;
  }

  void write(const char* of, const std::vector<ResponseGroup>& groups) {
    for (const ResponseGroup& group : groups) {
      if (!group.times.empty()) write({of, group, *workload_});
    }
  }
  void write(const OfGroup& whose) {
    const std::vector<Cycle>& times = whose.group.times;
    for (std::size_t i = 0; i < times.size();) {
      const std::size_t begin = i;
      while (i < times.size() && times[i] == times[begin]) ++i;
      cdf_.write({whose, times[begin], i - begin, i, times.size()});
    }
    const Cycle width = bin_width(times.front(), times.back());
    for (Cycle bin = times.front() / width; bin <= times.back() / width; ++bin) {
      const auto from = std::lower_bound(times.begin(), times.end(), bin * width);
      const auto to = std::lower_bound(from, times.end(), (bin + 1) * width);
      histogram_.write({whose, bin * width, (bin + 1) * width, static_cast<std::uint64_t>(to - from)});
    }
    for (const Quantile& quantile : kPercentiles)
      percentiles_.write({whose, quantile, quantile_ranks(times.size(), quantile, kConfidenceOfPercentiles)});
  }

  NamedJob explained(const JobEnded& job) const {
    const auto commands = of_job_.find({job.job, job.iteration});
    static const std::vector<std::size_t> none;
    return {&job, account(history_, commands == of_job_.end() ? none : commands->second, job.released, job.notified)};
  }
  void write_worst(std::uint32_t task) {
    const JobEnded *worst = nullptr, *best = nullptr;
    for (const JobEnded& job : jobs_) {
      if (workload_->jobs[job.job].task != task) continue;
      const Cycle response = job.notified - job.released;
      if (!worst || response > worst->notified - worst->released) worst = &job;
      if (!best || response < best->notified - best->released) best = &job;
    }
    if (!worst) return;
    const NamedJob slow = explained(*worst), fast = explained(*best);
    const Slowest slowest{history_, *workload_, task, slow, fast};
    for (const ResponseSegment& segment : slow.account.segments) worst_.write({slowest, segment});
    for (std::size_t part = 0; part < kResponseParts; ++part) parts_.write({slowest, part});
  }

  const Workload* workload_ = nullptr;
  std::optional<ResponseCollector> responses_;
  RunHistory history_;
  std::vector<std::pair<KernelId, std::size_t>> kernels_;  ///< kernels and their indices in the history
  std::map<KernelId, RequestTimes> requests_;
  std::map<KernelId, SmSet> sms_;  ///< SMs of launches whose end has not reached the host; empty if not watched
  std::vector<JobEnded> jobs_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> of_job_;  ///< by job and iteration
  RowFile<CdfRow> cdf_;
  RowFile<HistogramRow> histogram_;
  RowFile<PercentileRow> percentiles_;
  RowFile<WorstRow> worst_;
  RowFile<WorstPartRow> parts_;
};

GPUTLM_REGISTER {
  add_probe<ResponsesProbe>(
      "responses",
      "responses_cdf.csv, responses_histogram.csv, responses_percentiles.csv: distribution of response times; "
      "responses_worst.csv, responses_parts.csv: the slowest job of each task, and the parts of its time",
      45);
  add_row_table<CdfRow>("responses_cdf.csv", "Distribution of response times; `--probe responses`");
  add_row_table<HistogramRow>("responses_histogram.csv",
                              "Distribution of response times in bins of equal width; `--probe responses`");
  add_row_table<PercentileRow>("responses_percentiles.csv",
                               "Percentiles of response times, and their confidence from the number of jobs; `--probe "
                               "responses`");
  add_row_table<WorstRow>("responses_worst.csv", "The slowest job of each task, in order of time; `--probe responses`");
  add_row_table<WorstPartRow>(
      "responses_parts.csv",
      "Parts of the slowest job's response time, compared with the fastest job; `--probe responses`");
}

}  // namespace
}  // namespace gputlm
