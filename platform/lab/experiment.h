/// Experiments of the papers: each runs the platform and compares what comes out with what the paper reports. An
/// experiment is a file of platform/experiments/PAPER that registers itself, in the order of the names:
///
///   GPUTLM_REGISTER { add_experiment("paper/name", run_it); }
///
/// What it shows, and where in the paper, is in its plan.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "platform/files/table.h"
#include "platform/input/preset.h"
#include "platform/lab/chart.h"
#include "platform/lab/figure.h"
#include "platform/lab/jobs.h"
#include "tlm/registry.h"

namespace gputlm {

class YamlNode;

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
  std::string paper = {};  ///< to whose facts (figure.h) the keys below belong: "srtf"
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

// What an experiment runs, as data: platform/experiments/PAPER/EXPERIMENT.yaml, compiled in. Which GPU, which settings,
// which programs beside each other, and what of it the quick form has instead:
//
//   description: What it shows (where in the paper)
//   gpu: baseline60
//   set: {work_distributor.dispatch_width: 4}         # of every run
//   vary: {dram.scheduler: [fr_fcfs, fr_rr_fcfs]}      # by parameter, or by what the experiment varies itself
//   workloads: [[hist, gups], [gups, 3ds]]             # programs that run together
//   texts: {applications: "..."}                      # of workload files, where it runs what no file has
//   quick: {workloads: [[hist, gups]]}
//
// An experiment that has no GPU of its own runs on that of its paper's first. What comes out, and how it is judged, is the
// experiment's.

class Plan {
 public:
  using Workloads = std::vector<std::vector<std::string>>;

  /// Of `options`, whether it is the quick form and which policies take the place of others. Throws InputError, with file
  /// and line, for YAML that is not of this form.
  Plan(const std::string& yaml, const std::string& file, const ExperimentOptions& options);

  const std::string& description() const { return description_; }
  const std::string& gpu() const { return gpu_; }
  Workloads workloads() const { return workloads_; }
  /// Parameters and their values, of every run.
  const std::map<std::string, std::string>& settings() const { return set_; }
  /// Throw std::logic_error for what is not varied, and for a value that is asked for as a number and is none: whoever
  /// asks is code.
  std::vector<std::string> values(const std::string& what) const;
  std::vector<unsigned> numbers(const std::string& what) const;
  unsigned number(const std::string& what) const { return numbers(what).at(0); }
  /// Throws std::out_of_range if there is none of this name.
  const std::string& text(const std::string& name) const { return texts_.at(name); }

 private:
  void read(const YamlNode& node, bool quick);

  std::string file_, description_, gpu_;
  std::map<std::string, std::string> set_, texts_;
  std::map<std::string, std::vector<std::string>> vary_;
  Workloads workloads_;
};

/// Of an experiment, by its name: "fr-rr-fcfs/workloads". Throws std::logic_error if it has none.
Plan plan(const std::string& experiment, const ExperimentOptions& options = {});

/// All that are compiled in, as PAPER/EXPERIMENT with underscores. Generated by cmake/EmbedPresets.cmake.
const std::vector<PresetSource>& plan_sources();

/// Named paper/experiment.
struct Experiment : Registered {
  std::string text;  ///< what it shows; empty: its plan says so
  std::function<ExperimentReport(const ExperimentOptions& options)> run;
  std::string description() const { return text.empty() ? plan(name).description() : text; }
};

Registry<Experiment>& experiments();
inline void add_experiment(const char* name, ExperimentReport (*run)(const ExperimentOptions&)) {
  experiments().add({{name}, "", run});
}
inline void add_experiment(const char* name, ExperimentReport (*run)(const Plan&, const ExperimentOptions&)) {
  experiments().add({{name}, "", [=](const ExperimentOptions& options) { return run(plan(name, options), options); }});
}

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
