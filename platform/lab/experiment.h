/// Experiments of the papers: each runs the platform and compares what comes out with what the paper reports.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace gputlm {

/// One figure of a paper beside ours.
struct Figure {
  std::string name;
  std::string paper;  ///< what the paper reports
  std::string ours;   ///< what the model gives
  std::string band;   ///< what counts as agreement: `equal`, or a range; empty: compared, but not judged
  bool agrees = false;
  std::string note;  ///< why not, or what was assumed
};

struct ExperimentReport {
  std::string text;  ///< tables and pictures, printed before the figures
  std::vector<Figure> figures;
  /// Every figure that has a band lies in it.
  bool agrees() const;
};

struct ExperimentOptions {
  std::uint64_t seed = 1;
  bool quick = false;     ///< a smaller form of the experiment, where it has one
  unsigned parallel = 0;  ///< runs at the same time; 0: as many as there are processors
  std::string out;        ///< folder for files; empty: none
};

struct Experiment {
  std::string name;  ///< paper/experiment
  std::string description;
  ExperimentReport (*run)(const ExperimentOptions& options);
};

/// All experiments, in the order of the papers.
const std::vector<Experiment>& experiments();

/// Experiments that a name means: one, or all of a paper (`most-room`). Throws InputError for an unknown name.
std::vector<const Experiment*> find_experiments(const std::string& name);

/// A figure that is shown beside the paper's, with the reason why it is not judged.
Figure compared_figure(std::string name, const std::string& paper, const std::string& ours, std::string note);

/// A figure that must be matched exactly.
Figure exact_figure(std::string name, const std::string& paper, const std::string& ours, std::string note = "");

std::string to_text(const Experiment& experiment, const ExperimentReport& report);
nlohmann::ordered_json to_json(const Experiment& experiment, const ExperimentReport& report);

}  // namespace gputlm
