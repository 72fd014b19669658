/// The search for a way to share: `p99(a) < 1.2 max throughput(b)`.
///
///   QUERY      = CONDITION {"," CONDITION} GOAL | GOAL
///   CONDITION  = METRIC "(" PROGRAM ")" ("<" | ">") NUMBER ["us" | "ms" | "s"]
///   GOAL       = ("max" | "min") METRIC "(" PROGRAM ")"
///   METRIC     = p50 | p99 | worst | throughput | missed
///
/// Values are relative to alone, or absolute if the number has a unit; `missed` counts jobs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/share/outcome.h"

namespace gputlm {

class ShareQuery {
 public:
  /// Throws InputError for text that is no query, and for a program that is not in the list.
  ShareQuery(const std::string& text, const std::vector<std::string>& programs);

  /// Distance of the way from the conditions: 0 if it meets all, else the sum of the violations relative to the bounds.
  double missing(const WayOutcome& way) const;
  /// How well the way meets the goal; larger is better.
  double gain(const WayOutcome& way) const;
  /// Whether a is better than b: closer to the conditions or, if both meet them, with a larger gain.
  bool better(const WayOutcome& a, const WayOutcome& b) const;
  /// "p99(a) 1.15, throughput(b) 0.83": the query's values for a way.
  std::string values(const WayOutcome& way) const;

 private:
  enum class Metric { kP50, kP99, kWorst, kThroughput, kMissed };
  struct Value {
    Metric metric = Metric::kP99;
    std::size_t program = 0;
    bool microseconds = false;
    double of(const WayOutcome& way) const;
    std::string text(const WayOutcome& way) const;
  };
  struct Condition {
    Value value;
    bool below = true;
    double bound = 0;
  };
  friend class ShareQueryReader;

  std::vector<Condition> conditions_;
  Value goal_;
  bool most_ = true;
};

/// The result of the search.
struct ShareFound {
  std::string way;        ///< name of the way; empty: there was none to try
  bool meets = false;     ///< it meets the conditions; else it is the closest one
  std::size_t tried = 0;  ///< number of splits tried, in addition to the given ways
};

/// Tries splits, for the kinds of ways that have them (WayKind::split), starting with the best of the study's ways: moves a
/// coarse step from one program to another while this improves the result, then finer steps, down to the granularity of the
/// GPU. If there are several wholes (rounds of time slices), it uses the one whose equal split is best. Adds everything that
/// was tried to the study.
ShareFound find_way(ShareStudy& study, const ShareQuery& query, const JobOptions& options);

}  // namespace gputlm
