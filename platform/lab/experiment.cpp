#include "platform/lab/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "platform/files/atomic_file.h"
#include "platform/files/table.h"
#include "platform/input/nearest.h"
#include "platform/input/yaml_reader.h"
#include "platform/lab/chart.h"
#include "platform/lab/figure.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// Difference of two numbers in per cent of the paper's; empty if they are equal or not numbers.
std::string difference(const Figure& f) {
  const auto paper = Quantity::of_text(f.paper.text()).number(), ours = Quantity::of_text(f.ours.text()).number();
  if (f.paper.text() == f.ours.text() || !paper || !ours || *paper == 0) return "";
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

std::string counts_of(const Judgement& judgement) {
  return counts_text(judgement.count(Verdict::kAgrees), judgement.count(Verdict::kKnownMiss),
                     judgement.count(Verdict::kNewMiss));
}

/// Throws std::logic_error if it has none.
YamlNode plan_of(const std::string& experiment) {
  std::string name = experiment;
  std::replace(name.begin(), name.end(), '-', '_');
  for (const PresetSource& source : plan_sources()) {
    if (source.name == name) return YamlNode::load_text(source.yaml, "platform/experiments/" + name + ".yaml");
  }
  throw std::logic_error("experiment '" + experiment + "' has no plan");
}

}  // namespace

void ExperimentReport::number(std::string name, const std::string& key, double ours, int digits, Band band,
                              std::string note) {
  figures.push_back(
      {std::move(name), reference(paper).at(key), Quantity::number(ours, digits), std::move(band), std::move(note)});
}

void ExperimentReport::equal(std::string name, const std::string& key, Quantity ours, std::string note) {
  figures.push_back(exact_figure(std::move(name), reference(paper).at(key), std::move(ours), std::move(note)));
}

void ExperimentReport::trend(std::string name, const std::string& key, Quantity ours, std::string band, bool holds,
                             std::string note) {
  figures.push_back({std::move(name), reference(paper).at(key), std::move(ours), Band::trend(std::move(band), holds),
                     std::move(note)});
}

void ExperimentReport::all(std::string name, std::uint64_t holding, std::uint64_t of, std::string note) {
  figures.push_back(exact_figure(std::move(name), fmt::format("{0} of {0}", of), fmt::format("{} of {}", holding, of),
                                 std::move(note)));
}

bool ExperimentReport::agrees() const {
  return std::all_of(figures.begin(), figures.end(), [](const Figure& f) { return f.agrees(); });
}

std::vector<const Experiment*> find_experiments(const std::string& name) {
  std::vector<const Experiment*> found;
  std::vector<KnownName> names;
  for (const Experiment& experiment : experiments()) {
    const std::string paper = experiment.name.substr(0, experiment.name.find('/'));
    if (names.empty() || names.back().name.rfind(paper + "/", 0) != 0) names.push_back({paper, ""});
    names.push_back({experiment.name, experiment.description()});
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

Table figures_table(const ExperimentReport& report, const Judgement& judgement) {
  Table table({{"figure"}, {"paper"}, {"ours"}, {"difference"}, {"band"}, {"verdict"}});
  for (std::size_t i = 0; i < report.figures.size(); ++i) {
    const Figure& f = report.figures[i];
    table.add({f.name, f.paper.text(), f.ours.text(), difference(f), f.band.name(), name_of(judgement.verdicts[i])});
  }
  return table;
}

std::string to_text(const Experiment& experiment, const ExperimentReport& report, const Judgement& judgement) {
  std::string text = fmt::format("== {} ==\n{}\n\n", experiment.name, experiment.description());
  const auto paragraph = [&](const std::string& lines) {
    if (!lines.empty()) text += lines + (lines.back() == '\n' ? "" : "\n");
  };
  const auto remark = [&](const std::string& words) {
    for (const std::string& line : wrapped(words, kTextWidth)) text += line + "\n";
  };
  paragraph(report.text);
  if (!report.text.empty()) text += '\n';
  for (const ReportTable& table : report.tables) {
    if (table.title.empty()) continue;
    remark(table.title);
    paragraph(table.table.text());
    if (!table.note.empty()) remark(table.note);
    text += '\n';
  }
  if (report.figures.empty()) return text;
  paragraph(figures_table(report, judgement).text());
  for (std::size_t i = 0; i < report.figures.size(); ++i) {
    const Figure& f = report.figures[i];
    for (const std::string& note : {f.note, judgement.why[i]}) {
      if (!note.empty()) remark(f.name + ": " + note);
    }
  }
  for (const std::string& figure : judgement.stale) remark(figure + ": is listed as a known miss, but does not miss");
  return text + counts_of(judgement) + "\n";
}

std::string to_markdown(const Experiment& experiment, const ExperimentReport& report, const Judgement& judgement) {
  std::string text = fmt::format("<!-- figures of {} -->\n", experiment.name);
  text += report.figures.empty() ? "Nothing is judged.\n"
                                 : figures_table(report, judgement).markdown() + "\n" + counts_of(judgement) + ".\n";
  const std::vector<KnownMiss>& known = known_misses().of(experiment.name);
  if (!known.empty()) text += "\nKnown to miss:\n\n";
  for (const KnownMiss& miss : known) {
    std::string figures;
    for (const bool quick : {false, true}) {
      for (const auto& [name, ours] : miss.in_form(quick))
        figures += fmt::format("{}*{}* {}{}", figures.empty() ? "" : "; ", name, ours.text(), quick ? " (quick)" : "");
    }
    text += fmt::format("- {}: {}{}\n", figures, miss.why, miss.tried.empty() ? "" : " Tried: " + miss.tried);
  }
  return text + "<!-- end of figures -->\n";
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
  json["tables"] = nlohmann::ordered_json::array();
  for (const ReportTable& table : report.tables) {
    json["tables"].push_back(
        {{"name", table.name}, {"title", table.title}, {"note", table.note}, {"rows", table.table.json()}});
  }
  return json;
}

void write_files(const std::string& folder, const Experiment& experiment, const ExperimentReport& report) {
  const auto file = [&](const std::string& name, const char* extension) {
    std::string path = experiment.name + (name.empty() ? "" : "-") + name + extension;
    std::replace(path.begin(), path.end(), '/', '-');
    return folder + "/" + path;
  };
  for (const ReportTable& table : report.tables) write_file(file(table.name, ".csv"), table.table.csv());
  for (const ReportChart& chart : report.charts) write_chart(file(chart.name, ".svg"), chart.chart);
}

Study plan(const std::string& experiment, const ExperimentOptions& options) {
  const Experiment* const found = experiments().find(experiment);
  if (!found) throw std::logic_error("there is no experiment '" + experiment + "'");
  Study study = Study::read_plan(plan_of(experiment), found->factors, options.quick);
  study.replace(options.instead);
  return study;
}

std::string Experiment::description() const { return plan_of(name).at("description").text(); }

}  // namespace gputlm
