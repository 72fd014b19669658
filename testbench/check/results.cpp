#include "testbench/check/results.h"

#include <fmt/format.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <sstream>

namespace gputlm {
namespace {

using boost::property_tree::ptree;
using Json = nlohmann::ordered_json;

/// "fr_fcfs_arbiter against fr_fcfs, Apps=4 Banks=16"
std::string title_of(const CheckedDesign& design) {
  if (design.against.empty()) return design.name + ", the contract of its kind alone:";  // the proof has its own size
  std::string text = fmt::format("{} against {},", design.name, design.against);
  for (const auto& [name, value] : design.size) text += fmt::format(" {}={}", name, value);
  return text;
}

std::string difference_text(const CheckReport& report) {
  const LockstepResult& failed = *report.results.failed;
  return fmt::format("DIFFERENCE in cycle {} after {} decisions\n{}  waveform: {}\n  again: {}\n",
                     failed.difference->cycle, failed.decisions, failed.difference->text, report.waveform,
                     report.again);
}

std::string list_of(const char* what, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += fmt::format("  {}: {}\n", what, name);
  return text;
}

std::string to_text(const CodeCoverage& code) {
  std::string text;
  for (const auto& [name, kind] : code.kinds)
    text += fmt::format("{} coverage: {} of {} points\n", name, kind.reached, kind.points);
  return text + list_of("excused", code.excused) + list_of("NOT REACHED", code.missing);
}

Json to_json(const CodeCoverage& code) {
  Json kinds = Json::object();
  for (const auto& [name, kind] : code.kinds) kinds[name] = {{"points", kind.points}, {"reached", kind.reached}};
  return {{"kinds", kinds}, {"excused", code.excused}, {"missing", code.missing}};
}

ptree test_of(const CodeCoverage& code, const CheckReport& report) {
  ptree test;
  test.put("<xmlattr>.classname", report.design.name);
  test.put("<xmlattr>.name", "code coverage");
  if (!code.missing.empty()) {
    test.put("failure", list_of("NOT REACHED", code.missing))
        .put("<xmlattr>.message", fmt::format("{} points not reached", code.missing.size()));
  }
  return test;
}

/// A test case for a property of the contract. The text of its failure is the shortest counterexample.
ptree test_of(const formal::PropertyProof& property, const CheckReport& report) {
  ptree test;
  test.put("<xmlattr>.classname", report.design.name + ".contract");
  test.put("<xmlattr>.name", property.name);
  if (property.outcome == formal::PropertyProof::Outcome::kRefuted) {
    const bool shown = report.proof->proof.counterexample->property == property.name;
    test.put("failure", shown ? counterexample_text(*report.proof) : "")
        .put("<xmlattr>.message", outcome_text(property));
  } else {
    test.put("system-out", outcome_text(property));
  }
  return test;
}

}  // namespace

std::string to_text(const CheckReport& report, bool with_points) {
  const SeedResults& results = report.results;
  std::string text = title_of(report.design) + "\n";
  if (report.design.against.empty()) return text + to_text(*report.proof, "");
  const std::string outcome =
      results.failed ? fmt::format("seed {} finds a difference", results.rows.back().seed) : "no difference";
  if (report.traffic.empty()) {
    text += fmt::format("{} {} from {}: {} decisions in {} cycles, {}\n", results.rows.size(),
                        results.rows.size() == 1 ? "seed" : "seeds", report.options.seed, results.decisions,
                        results.cycles, outcome);
  } else {
    const Played& played = results.played;
    text += fmt::format("traffic of {}: {} decisions in {} cycles, {}\n", report.traffic, results.decisions,
                        played.cycles, outcome);
    text += fmt::format("{} answers; {} are not those of the run\n", played.answers, played.others);
  }
  text += fmt::format("coverage: {} of {} points\n", results.coverage.reached(), results.coverage.all().size());
  if (with_points) {
    for (const CoveragePoints::Point& point : results.coverage.all())
      text += fmt::format("  {:>10} {}\n", point.hits, point.name);
  }
  if (results.failed)
    text += difference_text(report);
  else if (report.traffic.empty())
    text += list_of("NOT REACHED", results.coverage.missing());
  if (report.code) text += to_text(*report.code);
  return report.proof ? text + to_text(*report.proof, report.design.against) : text;
}

Json to_json(const CheckReport& report) {
  const SeedResults& results = report.results;
  Json json{{"schema", "gputlm-check-1"},
            {"design", report.design.name},
            {"file", report.design.file},
            {"kind", report.design.kind},
            {"against", report.design.against},
            {"size", report.design.size},
            {"parameters", report.design.parameters},
            {"knobs", report.options.knobs},
            {"decisions", results.decisions},
            {"cycles", results.cycles},
            {"seeds", Json::array()},
            {"traffic", nullptr},
            {"difference", nullptr},
            {"proof", nullptr},
            {"code_coverage", nullptr},
            {"points", Json::array()}};
  for (const SeedResults::Row& row : results.rows)
    json["seeds"].push_back({{"seed", row.seed}, {"decisions", row.decisions}, {"cycles", row.cycles}});
  if (!report.traffic.empty()) {
    json["traffic"] = {{"run", report.traffic},
                       {"cycles", results.played.cycles},
                       {"answers", results.played.answers},
                       {"other_answers", results.played.others}};
  }
  if (results.failed) {
    json["difference"] = {{"seed", results.rows.back().seed},
                          {"cycle", results.failed->difference->cycle},
                          {"text", results.failed->difference->text},
                          {"waveform", report.waveform},
                          {"again", report.again}};
  }
  if (report.proof) json["proof"] = to_json(*report.proof);
  if (report.code) json["code_coverage"] = to_json(*report.code);
  for (const CoveragePoints::Point& point : results.coverage.all())
    json["points"].push_back({{"name", point.name}, {"hits", point.hits}});
  return json;
}

std::string to_junit(const CheckReport& report) {
  const SeedResults& results = report.results;
  ptree suite;
  suite.put("<xmlattr>.name", title_of(report.design));
  std::vector<ptree> others;
  if (report.proof) {
    for (const formal::PropertyProof& property : report.proof->proof.properties)
      others.push_back(test_of(property, report));
  }
  if (report.code) others.push_back(test_of(*report.code, report));
  std::size_t failures = results.failed ? 1 : 0;
  for (const ptree& test : others) failures += test.count("failure");
  suite.put("<xmlattr>.tests", results.rows.size() + others.size());
  suite.put("<xmlattr>.failures", failures);
  for (const SeedResults::Row& row : results.rows) {
    ptree test;
    test.put("<xmlattr>.classname", report.design.name);
    test.put("<xmlattr>.name", fmt::format("seed {}", row.seed));
    if (results.failed && &row == &results.rows.back()) {
      ptree& failure = test.put("failure", difference_text(report));
      failure.put("<xmlattr>.message", fmt::format("difference in cycle {}", results.failed->difference->cycle));
    }
    suite.add_child("testcase", test);
  }
  for (const ptree& other : others) suite.add_child("testcase", other);
  ptree xml;
  xml.add_child("testsuite", suite);
  std::ostringstream text;
  boost::property_tree::write_xml(text, xml, boost::property_tree::xml_writer_make_settings<std::string>(' ', 2));
  return text.str();
}

}  // namespace gputlm
