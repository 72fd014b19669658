/// A study's results over its seeds.
#pragma once

#include <string>
#include <vector>

#include "platform/lab/statistics.h"
#include "platform/lab/study_results.h"

namespace gputlm {

struct StudyFigure {
  std::string metric;  ///< as its column in applications.csv
  Estimate estimate;
};

/// The runs that differ in nothing but the seed.
struct StudySummary {
  StudyPoint point;  ///< of the first
  std::vector<StudyFigure> figures;
  struct Application {
    std::string name;
    std::vector<StudyFigure> figures;
  };
  std::vector<Application> applications;
};

/// In the order of the outcomes, of which the seed changes fastest (Study::points()).
std::vector<StudySummary> study_summaries(const Study& study, const std::vector<StudyOutcome>& outcomes);

}  // namespace gputlm
