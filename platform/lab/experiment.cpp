#include "platform/lab/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "platform/files/text_table.h"
#include "platform/input/nearest.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

/// By how much two numbers differ, in per cent of the paper's; empty if they are no numbers or equal.
std::string difference(const Figure& f) {
  double paper = 0, ours = 0;
  const auto number = [](const std::string& text, double& value) {
    const char* end = text.data() + text.size();
    return std::from_chars(text.data(), end, value).ptr == end;
  };
  const std::string &a = f.paper.text(), &b = f.ours.text();
  if (a == b || !number(a, paper) || !number(b, ours) || paper == 0) return "";
  return fmt::format("{:+.0f} %", 100 * (ours / paper - 1));
}

}  // namespace

bool ExperimentReport::agrees() const {
  return std::all_of(figures.begin(), figures.end(), [](const Figure& f) { return f.agrees() || !f.judged(); });
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

std::string to_text(const Experiment& experiment, const ExperimentReport& report) {
  std::string text = fmt::format("== {} ==\n{}\n\n{}", experiment.name, experiment.description, report.text);
  if (!report.text.empty() && report.text.back() != '\n') text += '\n';
  if (report.figures.empty()) return text;
  std::vector<TableRow> rows;
  std::string notes;
  std::size_t judged = 0, agree = 0;
  for (const Figure& f : report.figures) {
    judged += f.judged();
    agree += f.judged() && f.agrees();
    rows.push_back({f.name, f.paper.text(), f.ours.text(), difference(f), f.band.name(),
                    !f.judged()  ? "not judged"
                    : f.agrees() ? "ok"
                                 : "DIFFERS"});
    if (f.note.empty()) continue;
    for (const std::string& line : wrapped(fmt::format("{}: {}", f.name, f.note), kTextWidth)) notes += line + "\n";
  }
  using Form = Column::Form;
  text +=
      table({{"figure"}, {"paper"}, {"ours"}, {"difference", Form::kNumber}, {"band"}, {"verdict", Form::kKey}}, rows) +
      notes;
  text += fmt::format("{} of {} figures agree", agree, judged);
  if (judged < report.figures.size()) text += fmt::format(", {} more not judged", report.figures.size() - judged);
  text += '\n';
  return text;
}

nlohmann::ordered_json to_json(const Experiment& experiment, const ExperimentReport& report) {
  nlohmann::ordered_json json{{"experiment", experiment.name}, {"agrees", report.agrees()}};
  json["figures"] = nlohmann::ordered_json::array();
  for (const Figure& f : report.figures) {
    json["figures"].push_back({{"name", f.name},
                               {"paper", f.paper.text()},
                               {"ours", f.ours.text()},
                               {"band", f.band.name()},
                               {"judged", f.judged()},
                               {"agrees", f.agrees()},
                               {"note", f.note}});
  }
  return json;
}

}  // namespace gputlm
