/// What tests of experiments share.
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

/// The first figure whose name begins so.
inline const Figure& figure(const ExperimentReport& report, const std::string& name) {
  const auto found = std::find_if(report.figures.begin(), report.figures.end(),
                                  [&](const Figure& f) { return f.name.rfind(name, 0) == 0; });
  if (found == report.figures.end()) throw std::runtime_error("no figure " + name);
  return *found;
}

/// Of the judged figures exactly these miss the paper; docs/experiments.md says why. Who mends one takes it out.
inline void expect_missed(const ExperimentReport& report, const std::vector<std::string>& missed) {
  for (const Figure& f : report.figures) {
    const bool misses = std::find(missed.begin(), missed.end(), f.name) != missed.end();
    EXPECT_EQ(f.agrees() || !f.judged(), !misses)
        << f.name << ": paper " << f.paper.text() << ", ours " << f.ours.text();
  }
}

}  // namespace gputlm
