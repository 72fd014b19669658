/// `gputlm sweep --bounds`: of each run of a study the bounds of its tasks' response times beside the simulated ones.
#pragma once

#include <string>

#include "platform/files/table.h"
#include "platform/lab/study_tables.h"

namespace gputlm {

class SweepBounds {
 public:
  /// Runs the jobs of each workload alone; the runs of the study themselves are found among those that are kept.
  SweepBounds(const Study& study, const JobOptions& options);

  /// A line a run and task: which run, and the columns of `gputlm bound --csv`.
  std::string csv() const { return all_.csv(); }
  /// The same for a reader, in microseconds.
  StudyView view() const { return view_; }

 private:
  Table all_;
  StudyView view_;
};

}  // namespace gputlm
