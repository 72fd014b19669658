#include "testbench/cost/study.h"

#include <algorithm>
#include <cmath>

#include "testbench/lockstep/parallel.h"

namespace gputlm::cost {
namespace {

struct Toolbox {
  tools::Tool yosys, sta, nextpnr;
};

Toolbox find_tools(bool ice40, const std::atomic<bool>& stop) {
  Toolbox tools{
      tools::find_tool("yosys", "yosys", "-V", stop), tools::find_tool("sta", "opensta", "-version", stop), {}};
  tools.sta.version = "OpenSTA " + tools.sta.version;  // it prints only the number
  if (ice40) tools.nextpnr = tools::find_tool("nextpnr-ice40", "nextpnr-ice40", "--version", stop);
  return tools;
}

Implementation implementation(const Netlist& netlist, const Library& library) {
  Implementation result;
  result.script = netlist.script;
  for (const auto& [name, count] : netlist.cells) {
    const Cell& cell = library.cells.at(name);
    result.cells += count;
    result.flip_flops += count * cell.flip_flops;
    result.area += count * cell.area;
  }
  return result;
}

void measure(const Toolbox& tools, const StudyRequest& request, BlockCost& cost, const std::atomic<bool>& stop) {
  const std::string folder = folder_of(request, cost);
  const std::vector<Netlist> netlists =
      map_to_library(tools.yosys, *cost.block, cost.geometry, request.library, folder, stop);
  if (cost.block->own && request.compare) request.compare(cost.geometry, folder + "/" + kGatesFile, stop);
  for (const Netlist& netlist : netlists) {
    cost.implementations.push_back(implementation(netlist, request.library));
    cost.implementations.back().delays = analyse_timing(tools.sta, *cost.block, netlist, request.library, folder, stop);
  }
  if (request.ice40) cost.fpga = map_to_ice40(tools.yosys, tools.nextpnr, *cost.block, cost.geometry, folder, stop);
}

}  // namespace

std::string folder_of(const StudyRequest& request, const BlockCost& cost) {
  std::string folder = request.folder + "/" + cost.block->name;
  for (const unsigned value : effective(*cost.block, cost.geometry)) folder += "-" + std::to_string(value);
  return folder;
}

const Implementation& BlockCost::best() const {
  const auto product = [](const Implementation& i) { return i.area * i.delays.critical(); };
  return *std::min_element(implementations.begin(), implementations.end(),
                           [&](const auto& a, const auto& b) { return product(a) < product(b); });
}

Overhead overhead(const Study& study, const StudyRow& row) {
  const BlockCost& baseline = row.baseline.value();
  const auto area = [](const Implementation& with, const Implementation& without) {
    return 100 * (with.area / without.area - 1);
  };
  const auto delay = [](const Implementation& with, const Implementation& without) {
    return 100 * (with.delays.critical() / without.delays.critical() - 1);
  };
  const auto range = [&](const auto& percent) {
    std::vector<double> all;
    for (std::size_t i = 0; i < baseline.implementations.size(); ++i)
      all.push_back(percent(row.cost.implementations.at(i), baseline.implementations[i]));
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    return Range{*least, *most};
  };
  const Implementation &with = row.cost.best(), &without = baseline.best();
  return {study.nand2_equivalents(with.area - without.area), area(with, without), delay(with, without), range(area),
          range(delay)};
}

Study run_study(const StudyRequest& request, const std::function<bool(std::size_t, std::size_t)>& proceed) {
  Study study{request.block, request.against, request.library, {}, 0, {}, request.clocks_mhz};
  std::vector<const BlockType*> blocks{request.block};
  if (request.against) blocks.push_back(request.against);
  Toolbox tools;
  const auto prepare = [&](std::size_t, const std::atomic<bool>& stop) {
    tools = find_tools(request.ice40, stop);
    prepare_sources(request.library, blocks, request.folder);
    study.fan_out_of_four = fan_out_of_four(tools.sta, request.library, request.folder, stop);
  };
  run_parallel(1, 1, prepare, [&](std::size_t, std::size_t) { return proceed(0, request.geometries.size()); });
  study.tools = {tools.yosys, tools.sta};
  if (request.ice40) study.tools.push_back(tools.nextpnr);
  for (const Geometry& geometry : request.geometries) {
    study.rows.push_back({{request.block, geometry, {}, {}}, {}});
    if (request.against) study.rows.back().baseline = BlockCost{request.against, geometry, {}, {}};
  }
  std::vector<BlockCost*> points;       // costs to be filled in
  std::vector<BlockCost> measurements;  // equal netlists are made once
  std::vector<std::size_t> measurement_of;
  const auto add = [&](BlockCost& point) {
    const Geometry geometry = effective(*point.block, point.geometry);
    const auto same = std::find_if(measurements.begin(), measurements.end(), [&](const BlockCost& m) {
      return m.block == point.block && m.geometry == geometry;
    });
    measurement_of.push_back(static_cast<std::size_t>(same - measurements.begin()));
    if (same == measurements.end()) measurements.push_back({point.block, geometry, {}, {}});
    points.push_back(&point);
  };
  for (StudyRow& row : study.rows) {
    add(row.cost);
    if (row.baseline) add(*row.baseline);
  }
  run_parallel(
      measurements.size(), request.parallel,
      [&](std::size_t i, const std::atomic<bool>& stop) { measure(tools, request, measurements[i], stop); }, proceed);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i]->implementations = measurements[measurement_of[i]].implementations;
    points[i]->fpga = measurements[measurement_of[i]].fpga;
  }
  return study;
}

ClockFit fit(const Implementation& implementation, unsigned clock_mhz) {
  const double cycle = 1000.0 / clock_mhz;  // in ns
  const double share = implementation.delays.critical() / cycle;
  return {share, static_cast<unsigned>(std::ceil(share)),
          implementation.delays.register_to_register.value_or(0) / cycle};
}

}  // namespace gputlm::cost
