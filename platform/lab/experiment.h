/// Experiments of the papers: each runs the platform and compares what comes out with what the paper reports. An
/// experiment is a file of platform/experiments/PAPER that registers itself, in the order of the names:
///
///   GPUTLM_REGISTER { experiments().add({{"paper/name"}, "What it shows (where in the paper)", run_it}); }
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "platform/files/table.h"
#include "platform/lab/chart.h"
#include "platform/lab/figure.h"
#include "platform/lab/jobs.h"
#include "platform/lab/known_misses.h"
#include "tlm/registry.h"

namespace gputlm {

struct ReportTable {
  std::string title;  ///< printed above it; empty: it is written to a file only, being too long for a reader
  Table table;
  std::string name = {};  ///< of its file: EXPERIMENT-NAME.csv; empty: EXPERIMENT.csv
  std::string note = {};  ///< printed below it
};

struct ReportChart {
  Chart chart;
  std::string name = {};  ///< of its file, as a table's
};

/// What came of an experiment, as values: to_text(), to_json() and write_files() make of it what a user sees.
struct ExperimentReport {
  std::string paper = {};  ///< to whose facts (reference.h) the keys below belong: "srtf"
  std::string text = {};   ///< pictures made of letters, and remarks; printed first
  std::vector<ReportTable> tables = {};
  std::vector<ReportChart> charts = {};
  std::vector<Figure> figures = {};

  // A figure beside the paper's fact of a key.
  void number(std::string name, const std::string& key, double ours, int digits, Band band, std::string note = "");
  void equal(std::string name, const std::string& key, Quantity ours, std::string note = "");
  void yes(std::string name, const std::string& key, bool holds) { equal(std::move(name), key, holds ? "yes" : "no"); }
  /// `band`: what has to hold, in a word or two.
  void trend(std::string name, const std::string& key, Quantity ours, std::string band, bool holds,
             std::string note = "");
  /// A figure that no paper has a number of: all have to hold.
  void all(std::string name, std::uint64_t holding, std::uint64_t of, std::string note = "");

  /// Every figure agrees.
  bool agrees() const;
};

/// With how its runs are carried out, on which figures do not depend but for the settings.
struct ExperimentOptions : JobOptions {
  std::uint64_t seed = 1;
  bool quick = false;  ///< a smaller form of the experiment, where it has one
  /// Policies and other values of a plan, and what takes their place: tests see an experiment refuted.
  std::map<std::string, std::string> instead = {};

  const JobOptions& jobs() const { return *this; }
  /// The policy of this name, or what takes its place.
  std::string policy(const std::string& name) const {
    const auto found = instead.find(name);
    return found == instead.end() ? name : found->second;
  }
};

/// Named paper/experiment.
struct Experiment : Registered {
  std::string description;
  ExperimentReport (*run)(const ExperimentOptions& options);
};

Registry<Experiment>& experiments();

/// Experiments that a name means: one, or all of a paper (`most-room`). Throws InputError for an unknown name.
std::vector<const Experiment*> find_experiments(const std::string& name);

/// The figures beside the paper's, with their verdicts: of `judgement`.
Table figures_table(const ExperimentReport& report, const Judgement& judgement);

std::string to_text(const Experiment& experiment, const ExperimentReport& report, const Judgement& judgement);
/// For a page of docs/: the figures, and what misses in either form.
std::string to_markdown(const Experiment& experiment, const ExperimentReport& report, const Judgement& judgement);
nlohmann::ordered_json to_json(const Experiment& experiment, const ExperimentReport& report,
                               const Judgement& judgement);
/// Each table as CSV and each chart as SVG.
void write_files(const std::string& folder, const Experiment& experiment, const ExperimentReport& report);

}  // namespace gputlm
