#include "testbench/cost/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "testbench/cost/study.h"

namespace gputlm::cost {
namespace {

using Line = std::vector<std::string>;

std::string fixed(double value, int digits) { return fmt::format("{:.{}f}", value, digits); }
std::string fixed(const std::optional<double>& value, int digits) { return value ? fixed(*value, digits) : ""; }
std::string signed_percent(double value) { return fmt::format("{:+.1f}", value); }
double frequency_mhz(const Implementation& i) { return 1000 / i.delays.critical(); }

struct Group {
  std::string title;
  Line columns;
};

/// Right-aligned columns. The columns of a group are close together below the group's title.
std::string aligned(const std::vector<Group>& groups, const std::vector<Line>& rows) {
  Line titles, text(rows.size() + 2);
  for (const Group& group : groups) titles.insert(titles.end(), group.columns.begin(), group.columns.end());
  std::size_t first = 0;
  for (const Group& group : groups) {
    const std::string gap = first > 0 ? "   " : "";
    std::size_t width = 0;
    Line lines(rows.size() + 1, gap);
    for (std::size_t c = first; c < first + group.columns.size(); ++c) {
      std::size_t column = titles[c].size();
      for (const Line& row : rows) column = std::max(column, row[c].size());
      const std::string between = c > first ? "  " : "";
      lines[0] += fmt::format("{}{:>{}}", between, titles[c], column);
      for (std::size_t r = 0; r < rows.size(); ++r)
        lines[r + 1] += fmt::format("{}{:>{}}", between, rows[r][c], column);
      width += between.size() + column;
    }
    width = std::max(width, group.title.size());
    text[0] += fmt::format("{}{:^{}}", gap, group.title, width);
    for (std::size_t r = 0; r < lines.size(); ++r) text[r + 1] += fmt::format("{:>{}}", lines[r], gap.size() + width);
    first += group.columns.size();
  }
  std::string table;
  for (const std::string& line : text) table += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  return table;
}

/// All groups side by side or, if that exceeds the width of printed text, below each other: each group except the first,
/// which names the row, becomes a table of its own.
std::string laid_out(const std::vector<Group>& groups, const std::vector<Line>& rows) {
  constexpr std::size_t kWidest = 100;
  std::string beside = aligned(groups, rows);
  std::size_t width = 0;
  for (std::size_t at = 0, end = 0; at < beside.size(); at = end + 1) {
    end = beside.find('\n', at);
    width = std::max(width, end - at);
  }
  const std::size_t names = groups.front().title.empty() ? groups.front().columns.size() : 0;
  if (width <= kWidest || names == 0) return beside;
  std::string text;
  std::size_t first = names;
  for (std::size_t g = 1; g < groups.size(); ++g) {
    std::vector<Line> part;
    for (const Line& row : rows) {
      Line& line = part.emplace_back(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(names));
      line.insert(line.end(), row.begin() + static_cast<std::ptrdiff_t>(first),
                  row.begin() + static_cast<std::ptrdiff_t>(first + groups[g].columns.size()));
    }
    text += (text.empty() ? "" : "\n") + aligned({groups.front(), groups[g]}, part);
    first += groups[g].columns.size();
  }
  return text;
}

/// Parameters whose values differ between rows.
std::vector<std::size_t> swept(const Study& study) {
  std::vector<std::size_t> list;
  for (std::size_t p = 0; p < study.block->parameters.size(); ++p) {
    for (const StudyRow& row : study.rows) {
      if (row.cost.geometry[p] == study.rows.front().cost.geometry[p]) continue;
      list.push_back(p);
      break;
    }
  }
  return list;
}

std::string constant_parameters(const Study& study) {
  const std::vector<std::size_t> columns = swept(study);
  std::string text;
  for (std::size_t p = 0; p < study.block->parameters.size(); ++p) {
    if (std::find(columns.begin(), columns.end(), p) != columns.end()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", study.block->parameters[p].option,
                        study.rows.front().cost.geometry[p]);
  }
  return text;
}

/// One row per geometry: the swept parameters, the baseline, the block, and its overhead.
template <typename Cost, typename More>
std::string comparison(const Study& study, const Line& cost_columns, const Cost& cost, const Line& overhead_columns,
                       const More& more) {
  const std::vector<std::size_t> parameters = swept(study);
  std::vector<Group> groups;
  if (!parameters.empty()) groups.push_back({"", {}});
  for (const std::size_t p : parameters) groups[0].columns.push_back(study.block->parameters[p].option);
  if (study.against) groups.push_back({study.against->name, cost_columns});
  groups.push_back({study.block->name, cost_columns});
  if (study.against && !overhead_columns.empty()) groups.push_back({"overhead", overhead_columns});

  std::vector<Line> rows;
  for (const StudyRow& row : study.rows) {
    Line line;
    const auto add = [&](const Line& more_cells) { line.insert(line.end(), more_cells.begin(), more_cells.end()); };
    for (const std::size_t p : parameters) line.push_back(std::to_string(row.cost.geometry[p]));
    if (row.baseline) add(cost(*row.baseline));
    add(cost(row.cost));
    if (row.baseline) add(more(row));
    rows.push_back(std::move(line));
  }
  return laid_out(groups, rows);
}

std::string library_table(const Study& study) {
  const auto cost = [&](const BlockCost& block) {
    const Implementation& best = block.best();
    return Line{std::to_string(best.cells),
                std::to_string(best.flip_flops),
                fixed(best.area, 0),
                fixed(study.nand2_equivalents(best.area), 0),
                fixed(best.delays.critical(), 2),
                fixed(best.delays.critical() / study.fan_out_of_four, 0),
                fixed(frequency_mhz(best), 0)};
  };
  const auto more = [&](const StudyRow& row) {
    const Overhead above = overhead(study, row);
    const auto range = [](const Range& r) { return signed_percent(r.least) + ".." + signed_percent(r.most); };
    return Line{fmt::format("{:+.0f}", above.nand2_equivalents), signed_percent(above.area_percent),
                range(above.area_range), signed_percent(above.delay_percent), range(above.delay_range)};
  };
  return comparison(study, {"cells", "flip-flops", "area", "NAND2", "ns", "FO4", "MHz"}, cost,
                    {"NAND2", "area %", "range", "delay %", "range"}, more);
}

/// The longest path relative to the cycle of each clock.
std::string clock_table(const Study& study) {
  Line columns;
  for (const unsigned mhz : study.clocks_mhz) columns.push_back(fmt::format("{} MHz", mhz));
  const auto cost = [&](const BlockCost& block) {
    Line line;
    for (const unsigned mhz : study.clocks_mhz) {
      const ClockFit clock = fit(block.best(), mhz);
      line.push_back(clock.cycles == 1 ? fmt::format("{:.0f} %", 100 * clock.share)
                                       : fmt::format("{:.0f} %: {} cycles", 100 * clock.share, clock.cycles));
    }
    return line;
  };
  return "\nOf a clock's cycle\n\n" + comparison(study, columns, cost, {}, [](const StudyRow&) { return Line{}; });
}

std::string fpga_table(const Study& study) {
  const auto cost = [](const BlockCost& block) {
    const FpgaCost& fpga = block.fpga.value();
    return Line{std::to_string(fpga.lookup_tables), std::to_string(fpga.flip_flops),
                fpga.logic_cells ? std::to_string(*fpga.logic_cells) : "no room",
                fpga.register_to_register_mhz ? fixed(*fpga.register_to_register_mhz, 1) : "-"};
  };
  const auto more = [](const StudyRow& row) {
    const double with = row.cost.fpga->lookup_tables, without = row.baseline->fpga->lookup_tables;
    return Line{fmt::format("{:+.0f}", with - without), signed_percent(100 * (with / without - 1))};
  };
  return "\niCE40 HX8K\n\n" +
         comparison(study, {"LUT4", "flip-flops", "logic cells", "MHz"}, cost, {"LUT4", "LUT4 %"}, more);
}

}  // namespace

std::string to_text(const Study& study) {
  std::string tools;
  for (const tools::Tool& tool : study.tools) tools += (tools.empty() ? "" : "; ") + tool.version;
  std::string text = study.block->name + (study.against ? " against " + study.against->name : "") + "\n" +
                     study.block->description + "\n";
  if (const std::string constant = constant_parameters(study); !constant.empty()) text += constant + "\n";
  text += fmt::format("library {} ({}),\ncounted in {} of area {:g}\n{}\n\n", study.library.name, study.library.path,
                      study.library.nand2.name, study.library.nand2.area, tools);
  text += library_table(study);
  if (!study.clocks_mhz.empty()) text += clock_table(study);
  if (study.rows.front().cost.fpga) text += fpga_table(study);
  text += fmt::format(R"(
Area: the sum of the cells' areas in the library's unit (um2 as a rule), without wires.
ns: the longest of the paths between registers, inputs and outputs; ideal clock, wires without
delay, inputs at the clock edge from {}, outputs into {:g} inverter inputs. Of {} mappings, the same
for every block, the one with the least area x delay counts.
Differences below {} % in area and {} % in delay are noise of the structure.
FO4: the longest path in delays of an inverter that drives four of its kind, {:.4f} ns in this
library.
)",
                      study.library.inverter.name, kOutputLoad, study.rows.front().cost.implementations.size(),
                      kAreaNoisePercent, kDelayNoisePercent, study.fan_out_of_four);
  if (study.against) text += "Range: from the least to the most when one and the same mapping makes both blocks.\n";
  if (!study.clocks_mhz.empty()) {
    text +=
        "Part of a clock cycle that the longest path takes; wires, skew and jitter have the rest. Above 100 %: "
        "number\nof cycles that it would take, if the block's state can wait that long.\n";
  }
  if (study.rows.front().cost.fpga) text += "iCE40: MHz between registers, without paths from and to pins.\n";
  return text;
}

std::string to_csv(const Study& study) {
  std::string text = "block";
  for (const BlockParameter& p : study.block->parameters) text += "," + p.option;
  text +=
      ",library,script,cells,flip_flops,area,nand2_equivalents,critical_path_ns,frequency_mhz,register_to_register_ns,"
      "input_to_register_ns,register_to_output_ns,input_to_output_ns,critical_path_fo4,ice40_lut4,ice40_flip_flops,"
      "ice40_logic_cells,"
      "ice40_mhz,against,overhead_nand2_equivalents,overhead_area_percent,overhead_area_percent_least,"
      "overhead_area_percent_most,overhead_delay_percent,overhead_delay_percent_least,overhead_delay_percent_most\n";
  const auto add = [&](const BlockCost& cost, const StudyRow* above_baseline) {
    text += cost.block->name;
    for (const unsigned value : cost.geometry) text += fmt::format(",{}", value);
    const Implementation& best = cost.best();
    const PathDelays& d = best.delays;
    text +=
        fmt::format(",{},{},{},{},{:.2f},{:.1f},{:.4f},{:.1f}", study.library.name, best.script, best.cells,
                    best.flip_flops, best.area, study.nand2_equivalents(best.area), d.critical(), frequency_mhz(best));
    for (const auto& delay : {d.register_to_register, d.input_to_register, d.register_to_output, d.input_to_output})
      text += "," + fixed(delay, 4);
    text += fmt::format(",{:.1f}", d.critical() / study.fan_out_of_four);
    if (cost.fpga) {
      text += fmt::format(",{},{},{},{}", cost.fpga->lookup_tables, cost.fpga->flip_flops,
                          cost.fpga->logic_cells ? std::to_string(*cost.fpga->logic_cells) : "",
                          fixed(cost.fpga->register_to_register_mhz, 1));
    } else {
      text += ",,,,";
    }
    if (above_baseline) {
      const Overhead more = overhead(study, *above_baseline);
      text += fmt::format(",{},{:.1f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f}\n", study.against->name,
                          more.nand2_equivalents, more.area_percent, more.area_range.least, more.area_range.most,
                          more.delay_percent, more.delay_range.least, more.delay_range.most);
    } else {
      text += ",,,,,,,,\n";
    }
  };
  for (const StudyRow& row : study.rows) {
    if (row.baseline) add(*row.baseline, nullptr);
    add(row.cost, row.baseline ? &row : nullptr);
  }
  return text;
}

nlohmann::ordered_json to_json(const Study& study) {
  using Json = nlohmann::ordered_json;
  const auto optional = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  const auto implementation = [&](const Implementation& i) {
    Json clocks = Json::array();
    for (const unsigned mhz : study.clocks_mhz) {
      const ClockFit clock = fit(i, mhz);
      clocks.push_back(
          {{"mhz", mhz}, {"share", clock.share}, {"cycles", clock.cycles}, {"state_share", clock.state_share}});
    }
    Json json{{"script", i.script},
              {"cells", i.cells},
              {"flip_flops", i.flip_flops},
              {"area", i.area},
              {"nand2_equivalents", study.nand2_equivalents(i.area)},
              {"critical_path_ns", i.delays.critical()},
              {"critical_path_fo4", i.delays.critical() / study.fan_out_of_four},
              {"frequency_mhz", frequency_mhz(i)},
              {"delays_ns",
               {{"register_to_register", optional(i.delays.register_to_register)},
                {"input_to_register", optional(i.delays.input_to_register)},
                {"register_to_output", optional(i.delays.register_to_output)},
                {"input_to_output", optional(i.delays.input_to_output)}}}};
    if (!clocks.empty()) json["clocks"] = std::move(clocks);
    return json;
  };
  const auto block_cost = [&](const BlockCost& cost) {
    Json json{{"block", cost.block->name}, {"best", implementation(cost.best())}, {"implementations", Json::array()}};
    for (const Implementation& i : cost.implementations) json["implementations"].push_back(implementation(i));
    if (cost.fpga) {
      json["ice40_hx8k"] = {{"lut4", cost.fpga->lookup_tables},
                            {"flip_flops", cost.fpga->flip_flops},
                            {"logic_cells", optional(cost.fpga->logic_cells)},
                            {"register_to_register_mhz", optional(cost.fpga->register_to_register_mhz)}};
    }
    return json;
  };
  Json json{{"schema", "gputlm-cost-1"}};
  for (const tools::Tool& tool : study.tools) json["tools"][tool.name] = tool.version;
  json["library"] = {{"name", study.library.name},
                     {"file", study.library.path},
                     {"nand2", {{"cell", study.library.nand2.name}, {"area", study.library.nand2.area}}},
                     {"fan_out_of_four_ns", study.fan_out_of_four}};
  json["conditions"] = {{"input_driver", study.library.inverter.name},
                        {"output_load_ff", kOutputLoad * study.library.inverter_input}};
  json["noise_percent"] = {{"area", kAreaNoisePercent}, {"delay", kDelayNoisePercent}};
  json["points"] = Json::array();
  for (const StudyRow& row : study.rows) {
    Json point;
    for (std::size_t p = 0; p < row.cost.geometry.size(); ++p)
      point["geometry"][study.block->parameters[p].option] = row.cost.geometry[p];
    for (std::size_t p = 0; p < row.cost.geometry.size(); ++p)
      point["parameters"][study.block->parameters[p].name] = row.cost.geometry[p];
    point["cost"] = block_cost(row.cost);
    if (row.baseline) {
      const Overhead more = overhead(study, row);
      point["against"] = block_cost(*row.baseline);
      point["overhead"] = {{"nand2_equivalents", more.nand2_equivalents},
                           {"area_percent", more.area_percent},
                           {"area_percent_range", {more.area_range.least, more.area_range.most}},
                           {"delay_percent", more.delay_percent},
                           {"delay_percent_range", {more.delay_range.least, more.delay_range.most}}};
    }
    json["points"].push_back(std::move(point));
  }
  return json;
}

}  // namespace gputlm::cost
