#include "platform/lab/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "platform/files/text_table.h"
#include "platform/input/nearest.h"
#include "tlm/error.h"
#include "tlm/numbers.h"

namespace gputlm {
namespace {

/// By how much two numbers differ, in per cent of the paper's; empty if they are no numbers or equal.
std::string difference(const Figure& f) {
  const std::string &a = f.paper.text(), &b = f.ours.text();
  const auto paper = parse_number<double>(a), ours = parse_number<double>(b);
  if (a == b || !paper || !ours || *paper == 0) return "";
  return fmt::format("{:+.0f} %", 100 * (*ours / *paper - 1));
}

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAgrees: return "ok";
    case Verdict::kKnownMiss: return "known";
    case Verdict::kNewMiss: return "NEW";
  }
  return "";
}

}  // namespace

bool ExperimentReport::agrees() const {
  return std::all_of(figures.begin(), figures.end(), [](const Figure& f) { return f.agrees(); });
}

std::vector<const Experiment*> find_experiments(const std::string& name) {
  std::vector<const Experiment*> found;
  std::vector<KnownName> names;
  for (const Experiment& experiment : experiments()) {
    const std::string paper = experiment.name.substr(0, experiment.name.find('/'));
    if (names.empty() || names.back().name.rfind(paper + "/", 0) != 0) names.push_back({paper, ""});
    names.push_back({experiment.name, experiment.description});
    if (experiment.name == name || experiment.name.rfind(name + "/", 0) == 0) found.push_back(&experiment);
  }
  if (found.empty()) {
    throw InputError(fmt::format("there is no experiment '{}'{}", name, suggestion(name, names)));
  }
  return found;
}

Registry<Experiment>& experiments() {
  static Registry<Experiment> registry("experiment");
  return registry;
}

std::string to_text(const Experiment& experiment, const ExperimentReport& report, const Judgement& judgement) {
  std::string text = fmt::format("== {} ==\n{}\n\n{}", experiment.name, experiment.description, report.text);
  if (!report.text.empty() && report.text.back() != '\n') text += '\n';
  if (report.figures.empty()) return text;
  std::vector<TableRow> rows;
  std::string notes;
  const auto note = [&](const std::string& of, const std::string& what) {
    if (what.empty()) return;
    for (const std::string& line : wrapped(of + ": " + what, kTextWidth)) notes += line + "\n";
  };
  for (std::size_t i = 0; i < report.figures.size(); ++i) {
    const Figure& f = report.figures[i];
    rows.push_back(
        {f.name, f.paper.text(), f.ours.text(), difference(f), f.band.name(), name_of(judgement.verdicts[i])});
    note(f.name, f.note);
    note(f.name, judgement.why[i]);
  }
  for (const std::string& figure : judgement.stale) note(figure, "is listed as a known miss, but does not miss");
  using Form = Column::Form;
  text +=
      table({{"figure"}, {"paper"}, {"ours"}, {"difference", Form::kNumber}, {"band"}, {"verdict", Form::kKey}}, rows) +
      notes;
  text += counts_text(judgement.count(Verdict::kAgrees), judgement.count(Verdict::kKnownMiss),
                      judgement.count(Verdict::kNewMiss)) +
          "\n";
  return text;
}

nlohmann::ordered_json to_json(const Experiment& experiment, const ExperimentReport& report,
                               const Judgement& judgement) {
  nlohmann::ordered_json json{{"experiment", experiment.name},
                              {"agree", judgement.count(Verdict::kAgrees)},
                              {"known", judgement.count(Verdict::kKnownMiss)},
                              {"new", judgement.count(Verdict::kNewMiss)},
                              {"stale", judgement.stale}};
  json["figures"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < report.figures.size(); ++i) {
    const Figure& f = report.figures[i];
    json["figures"].push_back({{"name", f.name},
                               {"paper", f.paper.text()},
                               {"ours", f.ours.text()},
                               {"band", f.band.name()},
                               {"verdict", name_of(judgement.verdicts[i])},
                               {"why", judgement.why[i]},
                               {"note", f.note}});
  }
  return json;
}

}  // namespace gputlm
