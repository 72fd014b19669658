/// The search for a way: `p99(a) < 1.2 max throughput(b)`.
///
///   QUERY      = CONDITION {"," CONDITION} GOAL | GOAL
///   CONDITION  = METRIC "(" PROGRAM ")" ("<" | ">") NUMBER ["us" | "ms" | "s"]
///   GOAL       = ("max" | "min") METRIC "(" PROGRAM ")"
///   METRIC     = p50 | p99 | worst | throughput | missed
///
/// Over alone, or absolute where the number has a unit; `missed` counts jobs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/share/outcome.h"

namespace gputlm {

class ShareQuery {
 public:
  /// Throws InputError for text that is no query, and a program that is not among these.
  ShareQuery(const std::string& text, const std::vector<std::string>& programs);

  /// How far the way is from the conditions: 0 if it meets all, else the sum of what is missing, as parts of the bounds.
  double missing(const WayOutcome& way) const;
  /// Larger is better.
  double gain(const WayOutcome& way) const;
  /// a is better than b: nearer to the conditions, or where both meet them gains more.
  bool better(const WayOutcome& a, const WayOutcome& b) const;
  /// "p99(a) 1.15, throughput(b) 0.83": the query's values of a way.
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

/// What the search has found.
struct ShareFound {
  std::string way;        ///< empty: there was none to try
  bool meets = false;     ///< the conditions; else it is the nearest
  std::size_t tried = 0;  ///< splits, beyond the ways that were there
};

/// Runs splits that the kinds of ways have (WayKind::split), from the best of the study's ways on: a coarse step is taken from
/// one program and given to another, as long as that is better, then a finer one, down to what the GPU can divide; where
/// there are several wholes (rounds of time slices), of the one whose equal split is best. The study has all that were tried
/// afterwards.
ShareFound find_way(ShareStudy& study, const ShareQuery& query, const JobOptions& options);

}  // namespace gputlm
