/// A study's results over its seeds.
#pragma once

#include <string>
#include <vector>

#include "platform/lab/statistics.h"
#include "platform/lab/study_results.h"

namespace gputlm {

struct StudyFigure {
  std::string metric;          ///< as its column in applications.csv or responses.csv
  std::vector<double> values;  ///< by seed
  Estimate estimate;           ///< of them
  /// The seeds differ. Where they do not, nothing was drawn: what the interval says of it is nothing.
  bool varies() const;
};

/// Whose figures they are.
struct StudySubject {
  enum class Kind { kRun, kApplication, kTask, kLaunch };
  Kind kind = Kind::kRun;
  std::string name;         ///< empty: of the run
  std::string application;  ///< whose it is; likewise

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

/// The runs that differ in nothing but the seed.
struct StudySummary {
  StudyPoint point;  ///< of the first
  /// The run, then its applications, its tasks, and its launches that are made more than once. Tasks and launches have
  /// what they are judged by: response times, and deadlines missed.
  std::vector<StudySubjectFigures> subjects;

  const StudyFigure* find(const StudySubject& subject, const std::string& metric) const;  ///< null: there is none
  bool varies() const;
};

/// In the order of the outcomes, of which the seed changes fastest (Study::points()).
std::vector<StudySummary> study_summaries(const Study& study, const std::vector<StudyOutcome>& outcomes);

}  // namespace gputlm
