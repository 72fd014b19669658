/// The results of a study as an SQLite database; docs/sweep.md tells its tables.
#pragma once

#include <string>
#include <vector>

#include "platform/lab/study_results.h"
#include "platform/lab/study_summary.h"

namespace gputlm {

/// The database file's bytes. The same outcomes make the same content, on any machine.
/// Throws std::runtime_error where memory is short.
std::string results_database(const Study& study, const std::vector<StudyOutcome>& outcomes,
                             const std::vector<StudySummary>& summaries);

}  // namespace gputlm
