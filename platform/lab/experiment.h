/// Experiments of the papers: each runs the platform and compares what comes out with what the paper reports. An
/// experiment is a file of platform/experiments/PAPER that registers itself:
///
///   GPUTLM_REGISTER { experiments().add({{"paper/name", 201}, "What it shows (where in the paper)", run_it}); }
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "platform/lab/figure.h"
#include "platform/lab/jobs.h"
#include "platform/lab/known_misses.h"
#include "tlm/registry.h"

namespace gputlm {

struct ExperimentReport {
  std::string text;  ///< tables and pictures, printed before the figures
  std::vector<Figure> figures;
  /// Every figure agrees.
  bool agrees() const;
};

struct ExperimentOptions {
  std::uint64_t seed = 1;
  bool quick = false;               ///< a smaller form of the experiment, where it has one
  unsigned parallel = 0;            ///< runs at the same time; 0: as many as there are processors
  Bytes most_memory = 0;            ///< that they may take together; 0: any
  Execution execution = {};         ///< of each run; figures do not depend on it
  std::string out;                  ///< folder for files; empty: none
  const RunStore* store = nullptr;  ///< of finished runs; null: none
  std::function<void(const JobProgress&)> progress = nullptr;
  std::function<bool()> proceed = nullptr;  ///< as JobOptions
  std::vector<std::string> settings = {};   ///< likewise, whatever the experiment sets

  JobOptions jobs() const { return {parallel, most_memory, execution, store, progress, proceed, nullptr, settings}; }
};

/// Named paper/experiment; the rank is a hundred for each paper before, and its place among the paper's.
struct Experiment : Registered {
  std::string description;
  ExperimentReport (*run)(const ExperimentOptions& options);
};

/// All experiments, in the order of the papers.
Registry<Experiment>& experiments();

/// Experiments that a name means: one, or all of a paper (`most-room`). Throws InputError for an unknown name.
std::vector<const Experiment*> find_experiments(const std::string& name);

/// `judgement`: of the report's figures.
std::string to_text(const Experiment& experiment, const ExperimentReport& report, const Judgement& judgement);
nlohmann::ordered_json to_json(const Experiment& experiment, const ExperimentReport& report,
                               const Judgement& judgement);

}  // namespace gputlm
