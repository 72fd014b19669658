#include "platform/cli/check/results.h"

#include <fmt/format.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <sstream>

#include "testbench/lockstep/report.h"

namespace gputlm {
namespace {

using boost::property_tree::ptree;
using Json = nlohmann::ordered_json;

std::string size_text(const SizedDesign& design) {
  std::string text;
  for (const auto& [name, value] : design.size) text += fmt::format(" {}={}", name, value);
  return text;
}

/// Of the contract. The shortest counterexample is the text of its failure.
ptree test_of(const formal::PropertyProof& property, const CheckReport& report) {
  ptree test;
  test.put("<xmlattr>.classname", report.design.design.top() + ".contract");
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
  std::string text =
      fmt::format("{} against {},{}\n", report.design.design.top(), report.against, size_text(report.design));
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
  if (with_points) text += list_of_points(results.coverage);
  if (results.failed)
    text += difference_text(*results.failed, report.waveform, report.again);
  else if (report.traffic.empty())
    text += list_of_gaps(results.coverage);
  return report.proof ? text + to_text(*report.proof, report.against) : text;
}

Json to_json(const CheckReport& report) {
  const SeedResults& results = report.results;
  Json json{{"schema", "gputlm-check-1"},
            {"design", report.design.design.top()},
            {"file", report.design.design.path()},
            {"kind", report.kind},
            {"against", report.against},
            {"size", report.design.size},
            {"parameters", report.design.parameters},
            {"knobs", report.options.knobs},
            {"decisions", results.decisions},
            {"cycles", results.cycles},
            {"seeds", Json::array()},
            {"traffic", nullptr},
            {"difference", nullptr},
            {"proof", nullptr},
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
  for (const CoveragePoints::Point& point : results.coverage.all())
    json["points"].push_back({{"name", point.name}, {"hits", point.hits}});
  return json;
}

std::string to_junit(const CheckReport& report) {
  const SeedResults& results = report.results;
  ptree suite;
  suite.put("<xmlattr>.name",
            fmt::format("{} against {},{}", report.design.design.top(), report.against, size_text(report.design)));
  std::size_t failures = results.failed ? 1 : 0;
  std::vector<ptree> properties;
  if (report.proof) {
    for (const formal::PropertyProof& property : report.proof->proof.properties) {
      properties.push_back(test_of(property, report));
      failures += properties.back().count("failure");
    }
  }
  suite.put("<xmlattr>.tests", results.rows.size() + properties.size());
  suite.put("<xmlattr>.failures", failures);
  for (const SeedResults::Row& row : results.rows) {
    ptree test;
    test.put("<xmlattr>.classname", report.design.design.top());
    test.put("<xmlattr>.name", fmt::format("seed {}", row.seed));
    if (results.failed && &row == &results.rows.back()) {
      ptree& failure = test.put("failure", difference_text(*results.failed, report.waveform, report.again));
      failure.put("<xmlattr>.message", fmt::format("difference in cycle {}", results.failed->difference->cycle));
    }
    suite.add_child("testcase", test);
  }
  for (const ptree& property : properties) suite.add_child("testcase", property);
  ptree xml;
  xml.add_child("testsuite", suite);
  std::ostringstream text;
  boost::property_tree::write_xml(text, xml, boost::property_tree::xml_writer_make_settings<std::string>(' ', 2));
  return text.str();
}

}  // namespace gputlm
