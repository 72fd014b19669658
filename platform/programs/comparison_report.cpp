#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "platform/files/csv.h"
#include "platform/programs/comparison.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

std::string percent(std::optional<double> share) { return share ? fmt::format("{:+.2f}%", 100 * *share) : "-"; }

/// The unit of displayed durations.
struct Unit {
  const char* name;
  double ns;
};
Unit unit_of(const Comparison& comparison) {
  return comparison.cycle_ns > 0 ? Unit{"cycles", comparison.cycle_ns} : Unit{"us", 1e3};
}

std::string error_line(const char* what, const ErrorSummary& e, const Unit& unit) {
  return fmt::format("  {:<10} {:>14.3f} {:>14.3f} {:>14.3f}\n", what, e.mean / unit.ns, e.median / unit.ns,
                     e.most / unit.ns);
}

std::string errors_text(const Comparison& comparison, bool copies) {
  const ErrorSummary start = comparison.summary(copies, &ComparedCommand::start_error_ns);
  if (start.count == 0) return "";
  const Unit unit = unit_of(comparison);
  const ErrorSummary relative = comparison.relative_summary(copies);
  std::string text = fmt::format("\n{} {}, absolute errors [{}]\n  {:<10} {:>14} {:>14} {:>14}\n", start.count,
                                 copies ? "copies" : "kernels", unit.name, "", "mean", "median", "max");
  if (!comparison.durations)
    text += error_line("start", start, unit) +
            error_line("end", comparison.summary(copies, &ComparedCommand::end_error_ns), unit);
  text += error_line("duration", comparison.summary(copies, &ComparedCommand::duration_error_ns), unit) +
          fmt::format("  {:<10} {:>13.2f}% {:>13.2f}% {:>13.2f}%\n", "", 100 * relative.mean, 100 * relative.median,
                      100 * relative.most);
  const std::optional<double> correlation = comparison.correlation();
  if (!copies && correlation) text += fmt::format("  correlation of durations {:.4f}\n", *correlation);
  return text;
}

std::string block_errors_text(const Comparison& comparison) {
  if (comparison.blocks.empty()) return "";
  const Unit unit = unit_of(comparison);
  return fmt::format("\nblocks, absolute errors [{}]\n  {:<10} {:>14} {:>14} {:>14}\n", unit.name, "", "mean", "median",
                     "max") +
         error_line("start", comparison.summary(&ComparedBlock::start_error_ns), unit) +
         error_line("end", comparison.summary(&ComparedBlock::end_error_ns), unit) +
         error_line("duration", comparison.summary(&ComparedBlock::duration_error_ns), unit);
}

std::string names(const std::vector<std::string>& all) {
  constexpr std::size_t kMax = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMax, all.size()); ++i) text += (i ? ", " : "") + all[i];
  return all.size() > kMax ? text + fmt::format(" and {} more", all.size() - kMax) : text;
}

Json summary_json(const ErrorSummary& errors) {
  return {{"mean", errors.mean}, {"median", errors.median}, {"max", errors.most}};
}

Json summaries_json(const Comparison& comparison, bool copies) {
  const ErrorSummary start = comparison.summary(copies, &ComparedCommand::start_error_ns);
  Json json{{"count", start.count}};
  if (!comparison.durations) {
    json["start_ns"] = summary_json(start);
    json["end_ns"] = summary_json(comparison.summary(copies, &ComparedCommand::end_error_ns));
  }
  json["duration_ns"] = summary_json(comparison.summary(copies, &ComparedCommand::duration_error_ns));
  json["duration_relative"] = summary_json(comparison.relative_summary(copies));
  const std::optional<double> correlation = comparison.correlation();
  if (!copies && correlation) json["duration_correlation"] = *correlation;
  return json;
}

}  // namespace

std::string comparison_text(const Comparison& comparison, std::size_t most) {
  std::size_t label = 6, stream = 6;
  const std::size_t shown = std::min(most, comparison.commands.size());
  for (std::size_t i = 0; i < shown; ++i) {
    label = std::max(label, comparison.commands[i].label.size());
    stream = std::max(stream, comparison.commands[i].stream.size());
  }
  label = std::min<std::size_t>(label, 40);
  const Unit unit = unit_of(comparison);
  const std::string start_head = fmt::format("start [{}]", unit.name), head = fmt::format("duration [{}]", unit.name);
  std::string text = fmt::format("{:{}}  {:{}}  ", "", label, "", stream);
  if (!comparison.durations) text += fmt::format("{:>23}   ", start_head);
  text += fmt::format("{:>32}\n{:<{}}  {:<{}}  ", head, "kernel", label, "stream", stream);
  if (!comparison.durations) text += fmt::format("{:>11} {:>11}   ", "measured", "model");
  text += fmt::format("{:>11} {:>11} {:>8}\n", "measured", "model", "error");
  for (std::size_t i = 0; i < shown; ++i) {
    const ComparedCommand& c = comparison.commands[i];
    text += fmt::format("{:<{}.{}}  {:<{}}  ", c.label, label, label, c.stream, stream);
    if (!comparison.durations)
      text += fmt::format("{:>11.3f} {:>11.3f}   ", c.measured_start_ns / unit.ns, c.model_start_ns / unit.ns);
    text += fmt::format("{:>11.3f} {:>11.3f} {:>8}\n", c.measured_duration_ns() / unit.ns,
                        c.model_duration_ns() / unit.ns, percent(c.duration_error()));
  }
  if (comparison.commands.size() > shown)
    text += fmt::format("... and {} more (comparison.csv of --out has all)\n", comparison.commands.size() - shown);
  text += errors_text(comparison, false) + errors_text(comparison, true);
  if (comparison.placement) {
    const PlacementAgreement& p = *comparison.placement;
    const auto share = [&](std::uint64_t same) {
      return 100.0 * static_cast<double>(same) / static_cast<double>(p.blocks);
    };
    text += fmt::format("\n{} blocks: {:.2f}% on the same SM, {:.2f}% if the SMs are given other numbers\n", p.blocks,
                        share(p.same_sm), share(p.same_sm_renamed));
  }
  text += block_errors_text(comparison);
  if (!comparison.model_only.empty()) text += fmt::format("\nIn the model only: {}\n", names(comparison.model_only));
  if (!comparison.measured_only.empty()) text += fmt::format("\nMeasured only: {}\n", names(comparison.measured_only));
  return text;
}

std::string broken_rules_text(const std::vector<BrokenRule>& broken) {
  constexpr std::size_t kShown = 5;
  std::string text;
  std::size_t of_rule = 0;
  for (std::size_t i = 0; i < broken.size(); ++i) {
    if (i == 0) text = "\nThe measurement breaks rules of scheduling:\n";
    const bool is_new = i == 0 || broken[i].rule != broken[i - 1].rule;
    if (is_new) text += "  " + broken[i].rule + ":\n";
    of_rule = is_new ? 1 : of_rule + 1;
    if (of_rule <= kShown) text += "    " + broken[i].what + "\n";
    const bool is_last = i + 1 == broken.size() || broken[i + 1].rule != broken[i].rule;
    if (is_last && of_rule > kShown) text += fmt::format("    and {} more\n", of_rule - kShown);
  }
  return text;
}

Json comparison_json(const Comparison& comparison, const Observation& model, const Observation& measured) {
  Json json{{"schema", "gputlm-comparison-1"},
            {"model", {{"path", model.path}, {"gpu", model.gpu}}},
            {"measured", {{"path", measured.path}, {"gpu", measured.gpu}}}};
  json["errors"] = {{"kernels", summaries_json(comparison, false)}, {"copies", summaries_json(comparison, true)}};
  if (comparison.placement) {
    const PlacementAgreement& p = *comparison.placement;
    const auto share = [&](std::uint64_t same) { return static_cast<double>(same) / static_cast<double>(p.blocks); };
    json["placement"] = {
        {"blocks", p.blocks}, {"same_sm", share(p.same_sm)}, {"same_sm_renamed", share(p.same_sm_renamed)}};
  }
  if (!comparison.blocks.empty())
    json["errors"]["blocks"] = {{"count", comparison.blocks.size()},
                                {"start_ns", summary_json(comparison.summary(&ComparedBlock::start_error_ns))},
                                {"end_ns", summary_json(comparison.summary(&ComparedBlock::end_error_ns))},
                                {"duration_ns", summary_json(comparison.summary(&ComparedBlock::duration_error_ns))}};
  json["broken_rules"] = Json::array();
  for (const BrokenRule& broken : measured.broken_rules)
    json["broken_rules"].push_back({{"rule", broken.rule}, {"what", broken.what}});
  json["commands"] = Json::array();
  for (const ComparedCommand& c : comparison.commands) {
    Json command{
        {"label", c.label},
        {"kind", c.is_copy ? "copy" : "kernel"},
        {"stream", c.stream},
        {"measured", {{"start_ns", c.measured_start_ns}, {"end_ns", c.measured_end_ns}}},
        {"model", {{"start_ns", c.model_start_ns}, {"end_ns", c.model_end_ns}}},
        {"error",
         {{"start_ns", c.start_error_ns()}, {"end_ns", c.end_error_ns()}, {"duration_ns", c.duration_error_ns()}}}};
    if (const auto error = c.duration_error()) command["error"]["duration_relative"] = *error;
    json["commands"].push_back(std::move(command));
  }
  json["model_only"] = comparison.model_only;
  json["measured_only"] = comparison.measured_only;
  json["warnings"] = model.warnings;
  for (const std::string& warning : measured.warnings) json["warnings"].push_back(warning);
  return json;
}

std::string comparison_csv(const Comparison& comparison) {
  fmt::memory_buffer text;
  text.append(std::string_view(
      "label,kind,stream,measured_start_ns,measured_end_ns,model_start_ns,model_end_ns,start_error_ns,end_error_ns,"
      "duration_error_ns,duration_error_percent\n"));
  for (const ComparedCommand& c : comparison.commands) {
    write_csv_field(text, c.label);
    text.append(std::string_view(c.is_copy ? ",copy," : ",kernel,"));
    write_csv_field(text, c.stream);
    for (const double value : {c.measured_start_ns, c.measured_end_ns, c.model_start_ns, c.model_end_ns,
                               c.start_error_ns(), c.end_error_ns(), c.duration_error_ns()})
      fmt::format_to(std::back_inserter(text), ",{:.3f}", value);
    const auto error = c.duration_error();
    text.append(error ? fmt::format(",{:.3f}\n", 100 * *error) : std::string(",\n"));
  }
  return fmt::to_string(text);
}

std::string compared_blocks_csv(const Comparison& comparison) {
  fmt::memory_buffer text;
  text.append(std::string_view(
      "label,block,measured_sm,model_sm,measured_start_ns,measured_end_ns,model_start_ns,model_end_ns,start_error_ns,"
      "end_error_ns,duration_error_ns\n"));
  for (const ComparedBlock& b : comparison.blocks) {
    write_csv_field(text, comparison.commands[b.command].label);
    fmt::format_to(std::back_inserter(text), ",{},{},{}", b.block, b.measured_sm, b.model_sm);
    for (const double value : {b.measured_start_ns, b.measured_end_ns, b.model_start_ns, b.model_end_ns,
                               b.start_error_ns(), b.end_error_ns(), b.duration_error_ns()})
      fmt::format_to(std::back_inserter(text), ",{:.3f}", value);
    text.push_back('\n');
  }
  return fmt::to_string(text);
}

Chart correlation_chart(const Comparison& comparison) {
  const Unit unit = unit_of(comparison);
  ScatterChart chart{fmt::format("measured [{}]", unit.name), fmt::format("model [{}]", unit.name), "kernels", {}};
  for (const ComparedCommand& c : comparison.commands) {
    if (!c.is_copy && c.measured_duration_ns() > 0 && c.model_duration_ns() > 0)
      chart.points.emplace_back(c.measured_duration_ns() / unit.ns, c.model_duration_ns() / unit.ns);
  }
  return chart;
}

Chart comparison_chart(const Comparison& comparison) {
  TimelineChart chart{"time [us]", 0, 0, {{"measured", colours::kSky}, {"model", colours::kVermillion}}, {}, {}};
  std::vector<std::string> streams;
  for (const ComparedCommand& c : comparison.commands) {
    if (std::find(streams.begin(), streams.end(), c.stream) == streams.end()) streams.push_back(c.stream);
  }
  for (const std::string& stream : streams) chart.bands.push_back({stream, {"measured", "model"}});
  for (const ComparedCommand& c : comparison.commands) {
    const auto band = static_cast<std::size_t>(std::find(streams.begin(), streams.end(), c.stream) - streams.begin());
    chart.boxes.push_back({band, 0, 0, c.measured_start_ns / 1e3, c.measured_end_ns / 1e3});
    chart.boxes.push_back({band, 1, 1, c.model_start_ns / 1e3, c.model_end_ns / 1e3});
  }
  for (const TimelineChart::Box& box : chart.boxes) {
    chart.from = std::min(chart.from, box.from);
    chart.until = std::max(chart.until, box.until);
  }
  return chart;
}

}  // namespace gputlm
