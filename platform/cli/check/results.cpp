#include "platform/cli/check/results.h"

#include <fmt/format.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <sstream>

#include "testbench/lockstep/report.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

std::string size_text(const SizedDesign& design) {
  std::string text;
  for (const auto& [name, value] : design.size) text += fmt::format(" {}={}", name, value);
  return text;
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
  if (results.failed) return text + difference_text(*results.failed, report.waveform, report.again);
  return report.traffic.empty() ? text + list_of_gaps(results.coverage) : text;
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
  for (const CoveragePoints::Point& point : results.coverage.all())
    json["points"].push_back({{"name", point.name}, {"hits", point.hits}});
  return json;
}

std::string to_junit(const CheckReport& report) {
  using boost::property_tree::ptree;
  const SeedResults& results = report.results;
  ptree suite;
  suite.put("<xmlattr>.name",
            fmt::format("{} against {},{}", report.design.design.top(), report.against, size_text(report.design)));
  suite.put("<xmlattr>.tests", results.rows.size());
  suite.put("<xmlattr>.failures", results.failed ? 1 : 0);
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
  ptree xml;
  xml.add_child("testsuite", suite);
  std::ostringstream text;
  boost::property_tree::write_xml(text, xml, boost::property_tree::xml_writer_make_settings<std::string>(' ', 2));
  return text.str();
}

}  // namespace gputlm
