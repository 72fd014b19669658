/// Functions for tests of experiments.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "platform/lab/experiment.h"

namespace gputlm {

inline ExperimentOptions quick() {
  ExperimentOptions options;
  options.quick = true;
  return options;
}

/// `options` with a policy replaced by another.
inline ExperimentOptions instead(const std::string& policy, const std::string& by, ExperimentOptions options = {}) {
  options.instead[policy] = by;
  return options;
}

/// `options` with key=value set on every GPU.
inline ExperimentOptions with(std::vector<std::string> settings, ExperimentOptions options = {}) {
  options.settings = std::move(settings);
  return options;
}

inline ExperimentReport reproduce(const std::string& experiment, const ExperimentOptions& options = {}) {
  return find_experiments(experiment).front()->run(options);
}

/// The first figure whose name begins with `name`.
inline const Figure& figure(const ExperimentReport& report, const std::string& name) {
  const auto found = std::find_if(report.figures.begin(), report.figures.end(),
                                  [&](const Figure& f) { return f.name.rfind(name, 0) == 0; });
  if (found == report.figures.end()) throw std::runtime_error("no figure " + name);
  return *found;
}

/// Expects that every figure agrees or is a known miss (known-misses.yaml). For a report with only some of the figures.
inline Judgement expect_no_new_miss(const std::string& experiment, const ExperimentReport& report,
                                    const ExperimentOptions& options = {}) {
  EXPECT_FALSE(report.figures.empty()) << experiment;
  Judgement judgement = judge(report.figures, known_misses().of(experiment), options.quick);
  for (std::size_t i = 0; i < report.figures.size(); ++i) {
    const Figure& f = report.figures[i];
    EXPECT_NE(judgement.verdicts[i], Verdict::kNewMiss)
        << f.name << ": paper " << f.paper.text() << ", ours " << f.ours.text() << " " << f.note;
  }
  return judgement;
}

/// The same, and that every known miss still misses. Whoever fixes a miss removes it from the file.
inline void expect_as_known(const std::string& experiment, const ExperimentReport& report,
                            const ExperimentOptions& options = {}) {
  const Judgement judgement = expect_no_new_miss(experiment, report, options);
  EXPECT_EQ(judgement.stale, std::vector<std::string>()) << "no longer miss";
}

inline void expect_as_known(const std::string& experiment, const ExperimentOptions& options = {}) {
  expect_as_known(experiment, reproduce(experiment, options), options);
}

}  // namespace gputlm
