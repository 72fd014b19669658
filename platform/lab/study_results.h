/// The results of a study: one entry per application of every run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/lab/metrics.h"
#include "platform/lab/run_set.h"
#include "platform/lab/study.h"
#include "platform/probes/response_groups.h"
#include "platform/run/responses.h"

namespace gputlm {

/// One application of a run.
struct ApplicationOutcome {
  std::string name;
  Cycle cycles = 0;                ///< time from the first release of a launch to the first end of its last block
  std::uint64_t iterations = 0;    ///< number of times that it ended
  std::uint64_t instructions = 0;  ///< warp instructions up to the end of the run
  double ipc = 0;                  ///< instructions per cycle of the run
  std::optional<double> slowdown;  ///< cycles relative to those alone

  template <class Visitor>
  static void describe(Visitor& v) {
    using S = ApplicationOutcome;
    v.field(&S::name, "application", Value{}, "Its name");
    v.field(&S::cycles, "cycles", kCycles,
            "Time from the first release of a launch to the first end of its last block");
    v.field(&S::iterations, "iterations", Value{"iterations"}, "Number of iterations that ended");
    v.field(&S::instructions, "instructions", Value{"warp instructions"}, "Warp instructions up to the end of the run");
    v.field(&S::ipc, "ipc", Value{"warp instructions a core cycle"}, "Instructions per cycle of the run");
    v.field(&S::slowdown, "slowdown", Value{}, "Cycles relative to alone; only if it also ran alone");
  }
};

/// A launch that has ended.
struct StudyLaunch {
  std::string label, application, stream;
  KernelRecord kernel;

  template <class Visitor>
  static void describe(Visitor& v) {
    using S = StudyLaunch;
    v.field(&S::label, "kernel", Value{}, "Label of the launch");
    v.field(&S::application, "application", Value{}, "Name of its application");
    v.field(&S::stream, "stream", Value{}, "Its stream");
    v.part(&S::kernel);
    v.field([](const S& l) { return l.kernel.counters.instructions; }, "instructions", Value{"warp instructions"},
            "Warp instructions issued");
  }
};

/// platform/lab/metrics.h defines the metrics; those of applications that did not run alone are empty.
struct StudyOutcome {
  StudyPoint point;
  std::string id;  ///< id of the run (Job::id)
  RunDigests digests;
  Cycle cycles = 0;
  std::vector<ApplicationOutcome> applications;
  std::vector<StudyLaunch> launches;
  AllResponses responses;
  std::optional<double> stp, antt, strictf;
  std::optional<CriticalityOutcome> criticality;  ///< outcome of a workload whose jobs may overrun
  std::optional<double> missed_hi, missed_lo;     ///< missed deadlines of tasks of these levels, in such a workload

  template <class Visitor>
  static void describe(Visitor& v) {
    using S = StudyOutcome;
    v.field(&S::cycles, "run_cycles", kCycles, "End of the run");
    v.field(&S::stp, "stp", Value{}, "System throughput; only if applications also ran alone");
    v.field(&S::antt, "antt", Value{}, "Average normalized turnaround time; only if applications also ran alone");
    v.field(&S::strictf, "strictf", Value{},
            "Smallest slowdown divided by the largest; only if applications also ran alone");
  }
};

/// The runs of a study.
class StudyRuns {
 public:
  /// Throws InputError for a configuration that contradicts itself, a workload that does not fit a GPU, or a run that is
  /// estimated to take more than `memory`.
  StudyRuns(const Study& study, Bytes memory);

  /// The point, and the application that runs alone; none: the whole workload.
  using Key = std::pair<StudyPoint, std::optional<ApplicationId>>;

  std::size_t size() const { return runs_.size(); }
  const Key& key(std::size_t place) const { return runs_.keys()[place]; }
  Job job(std::size_t place) const { return runs_.request(key(place)).job(); }
  /// Prepares the jobs as run() does, so that job() returns what run() carries out.
  void prepare(const JobOptions& options) { runs_.prepare(options); }
  void run(const JobOptions& options) { runs_.run(options); }
  /// In the order of the study's points. To be called after run().
  std::vector<StudyOutcome> outcomes() const;

 private:
  RunSet<Key> runs_;
};

// A study's results over its seeds.

struct StudyFigure {
  std::string metric;          ///< name of its column in applications.csv or responses.csv
  std::vector<double> values;  ///< values, indexed by seed
  Estimate estimate;           ///< estimate from these values
  /// Whether the seeds give different values. If not, nothing was drawn, and an interval has no meaning.
  bool varies() const;
};

/// The owner of figures.
struct StudySubject {
  enum class Kind { kRun, kApplication, kTask, kLaunch };
  Kind kind = Kind::kRun;
  std::string name;         ///< empty for a run
  std::string application;  ///< name of its application; empty for a run

  bool operator==(const StudySubject& other) const {
    return kind == other.kind && name == other.name && application == other.application;
  }
};
/// "run", "application", "task", "launch"
const char* to_string(StudySubject::Kind kind);

struct StudySubjectFigures {
  StudySubject subject;
  std::vector<StudyFigure> figures;
};

/// Figures of the runs that differ only in the seed.
struct StudySummary {
  StudyPoint point;  ///< point of the first of these runs
  /// The run, then its applications, its tasks, and its repeated launches. Figures of tasks and launches are response times
  /// and missed deadlines.
  std::vector<StudySubjectFigures> subjects;

  const StudyFigure* find(const StudySubject& subject, const std::string& metric) const;  ///< null: there is none
  bool varies() const;
};

/// The summaries in the order of Study::points(), in which the seed changes fastest.
std::vector<StudySummary> study_summaries(const Study& study, const std::vector<StudyOutcome>& outcomes);

}  // namespace gputlm
