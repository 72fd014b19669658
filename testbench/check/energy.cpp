#include "testbench/check/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <limits>

#include "testbench/check/bench_library.h"
#include "testbench/cost/gate_netlist.h"
#include "testbench/lockstep/lockstep.h"
#include "testbench/lockstep/parallel.h"
#include "tlm/base/error.h"
#include "tlm/base/tools/tool.h"

namespace gputlm {
namespace {

RtlDesign::Interface interface_of(const cost::GateNetlist& gates) {
  RtlDesign::Interface interface;
  for (const cost::GateNetlist::Port& port : gates.ports)
    interface.ports[port.name] = {port.input, static_cast<unsigned>(port.bits.size())};
  return interface;
}

/// Plays a netlist and counts its nets.
LockstepResult play(const cost::ObservableNetlist& netlist, const RtlParameters& size, const std::string& policy,
                    const Kind& kind, const RecordedDecisions& decisions, const std::atomic<bool>& stop) {
  const RtlDesign rtl(netlist.list);
  RtlLibrary library = bench_library(kind, false);
  library.optimize = "-O0";  // runs for seconds; an optimised build takes minutes
  library.file = std::filesystem::path(netlist.list).parent_path() / "library.so";
  void* const device = build_rtl(rtl, interface_of(netlist.gates), {}, library, stop);
  LockstepOptions options;
  options.decisions = std::numeric_limits<std::uint64_t>::max();
  options.count_nets = true;
  options.proceed = [&stop] { return !stop; };
  LockstepResult result = run_lockstep(decisions.make({rtl.top(), size, device}, policy), options);
  if (stop) throw tools::Stopped();
  if (result.difference) {
    throw InputError(fmt::format("{}: the netlist does not decide as {} does, in cycle {}\n{}", netlist.gates.top,
                                 policy, result.difference->cycle, result.difference->text));
  }
  return result;
}

cost::NetActivity activity_of(const NetCounts& counts, const cost::GateNetlist& gates) {
  cost::NetActivity activity;
  const auto cycles = static_cast<double>(counts.cycles);
  for (cost::GateNetlist::Net net = 0; net < gates.nets; ++net) {
    activity.toggles.push_back(static_cast<double>(counts.toggles[net]) / cycles);
    activity.high.push_back(static_cast<double>(counts.high[net]) / cycles);
  }
  return activity;
}

/// Mean share of registers that change their output in a cycle.
double changing(const cost::GateNetlist& unmapped, const cost::NetActivity& activity) {
  double changes = 0, registers = 0;
  for (const cost::GateNetlist::Cell& cell : unmapped.cells) {
    if (cell.type.find("DFF") == std::string::npos) continue;
    changes += activity.toggles[cell.pins.at("Q").net];
    ++registers;
  }
  return registers > 0 ? changes / registers : 0;
}

BlockEnergy energy_of(const cost::StudyRequest& request, const cost::BlockCost& point, const std::string& policy,
                      const Kind& kind, const RecordedDecisions& decisions, const cost::PowerTables& tables,
                      const std::atomic<bool>& stop) {
  const tools::Tool yosys = tools::find_tool("yosys", "yosys"), sta = tools::find_tool("sta", "opensta");
  const std::string folder = cost::folder_of(request, point), script = point.best().script;
  RtlParameters size;
  for (std::size_t i = 0; i < point.geometry.size(); ++i)
    size[point.block->parameters[i].name] = cost::effective(*point.block, point.geometry)[i];

  const cost::Netlist netlist{script, script + ".v", {}};
  const cost::ObservableNetlist mapped = cost::observe_mapped(yosys, *point.block, netlist, folder, stop);
  const LockstepResult result = play(mapped, size, policy, kind, decisions, stop);
  BlockEnergy energy;
  energy.block = point.block;
  energy.geometry = point.geometry;
  energy.policy = policy;
  energy.clock_mhz = decisions.clock_mhz;
  energy.taken = result.decisions;
  energy.played = result.played;
  energy.energy = cost::energy_of(sta, *point.block, netlist, mapped.gates, activity_of(result.nets, mapped.gates),
                                  request.library, tables, folder, stop);

  const cost::ObservableNetlist unmapped =
      cost::observe_unmapped(yosys, *point.block, cost::effective(*point.block, point.geometry), folder, stop);
  const cost::NetActivity before =
      activity_of(play(unmapped, size, policy, kind, decisions, stop).nets, unmapped.gates);
  energy.gating = cost::clock_gating(unmapped.gates, before.high);
  energy.changing_registers = changing(unmapped.gates, before);
  return energy;
}

}  // namespace

const Kind& kind_of(const cost::BlockType& block) { return kinds().at(block.kind); }

std::string policy_of(const cost::BlockType& block) { return kind_of(block).policy_of(block.name); }

std::vector<BlockEnergy> block_energies(const cost::StudyRequest& request, const cost::Study& study, const Kind& kind,
                                        const RecordedDecisions& decisions, const std::string& own_policy,
                                        const std::function<bool(std::size_t, std::size_t)>& proceed) {
  const cost::PowerTables tables = cost::load_power_tables(request.library.path);
  // Rows that differ only in parameters without effect have the same netlist, which is played once.
  std::vector<const cost::BlockCost*> points, played;
  std::vector<std::size_t> played_as;
  const auto add = [&](const cost::BlockCost& point) {
    const auto same = std::find_if(played.begin(), played.end(), [&](const cost::BlockCost* other) {
      return cost::folder_of(request, *other) == cost::folder_of(request, point);
    });
    played_as.push_back(static_cast<std::size_t>(same - played.begin()));
    if (same == played.end()) played.push_back(&point);
    points.push_back(&point);
  };
  for (const cost::StudyRow& row : study.rows) {
    if (row.baseline) add(*row.baseline);
    add(row.cost);
  }
  std::vector<BlockEnergy> energies(played.size());
  run_parallel(
      played.size(), request.parallel,
      [&](std::size_t i, const std::atomic<bool>& stop) {
        const cost::BlockCost& point = *played[i];
        const std::string policy = !point.block->own ? policy_of(*point.block) : own_policy;
        energies[i] = energy_of(request, point, policy, kind, decisions, tables, stop);
      },
      proceed);
  std::vector<BlockEnergy> all;
  for (std::size_t i = 0; i < points.size(); ++i) {
    all.push_back(energies[played_as[i]]);
    all.back().geometry = points[i]->geometry;
  }
  return all;
}

Table energy_table(const std::vector<BlockEnergy>& energies) {
  Table table(
      {{"block", "", "Module"},
       {"size", "", "Its parameters"},
       {"cycles", "clock cycles", "From the first event that was recorded to the last"},
       {"decisions", "", "Questions that the block was asked and has answered"},
       {"served", "", "Decisions that were taken: bursts served, accesses let in, packets sent, instructions issued"},
       {"others", "", "Questions that the run answered differently"},
       {"annotated_percent", "%", "Nets whose activity is known", "nets %", 1},
       {"leakage_uw", "uW", "Leakage power", "leakage uW", 4},
       {"clock_uw", "uW", "Power of registers' clock pins, without clock gating", "clock uW", 1},
       {"gated_clock_uw", "uW", "The same with clock gating", "gated uW", 1},
       {"internal_uw", "uW", "Internal power of cells, without clock pins", "internal uW", 1},
       {"switching_uw", "uW", "Power of the capacitance that cells drive", "switching uW", 1},
       {"pj_decision", "pJ", "Energy per decision, without clock gating", "pJ/decision", 2},
       {"pj_served", "pJ", "Energy per served decision, without clock gating", "pJ/served", 2},
       {"gated_pj_decision", "pJ", "With clock gating", "gated pJ/decision", 2},
       {"gated_pj_served", "pJ", "With clock gating", "gated pJ/served", 2},
       {"registers", "", "Flip-flops"},
       {"gated_registers", "", "Flip-flops behind a gate of the clock", "gated"},
       {"changing_percent", "%", "Flip-flops that change in a cycle: no gating leaves less", "changing %", 2},
       {"clock_mhz", "MHz", "The run's clock", "MHz"}});
  for (const BlockEnergy& e : energies) {
    std::string size;
    for (std::size_t i = 0; i < e.geometry.size(); ++i) {
      if (e.block->parameters[i].has_effect)
        size += fmt::format("{}{}={}", size.empty() ? "" : " ", e.block->parameters[i].option, e.geometry[i]);
    }
    const double per_uw = 1e3 / e.nanoseconds();  // pJ per ns is mW
    const auto decision = [&](bool gated) { return e.total_pj(gated) / static_cast<double>(e.played.answers); };
    const auto served = [&](bool gated) { return e.total_pj(gated) / static_cast<double>(e.taken); };
    table.add({e.block->name,
               size,
               e.played.cycles,
               e.played.answers,
               e.taken,
               e.played.others,
               100 * e.energy.annotated,
               e.energy.leakage_uw,
               e.clock_pj() * per_uw,
               e.gated_clock_pj() * per_uw,
               e.internal_pj() * per_uw,
               e.switching_pj() * per_uw,
               decision(false),
               served(false),
               decision(true),
               served(true),
               e.gating.registers,
               e.gating.gated,
               100 * e.changing_registers,
               e.clock_mhz});
  }
  return table;
}

std::string energy_text(const std::vector<BlockEnergy>& energies, const std::string& run) {
  const Table all = energy_table(energies);
  const auto part = [&](const std::vector<std::string>& names) {
    std::vector<TableColumn> columns;
    for (const std::string& name : names) columns.push_back(all.columns()[all.column(name)]);
    Table table(columns);
    for (const auto& row : all.rows()) {
      std::vector<Cell> cells;
      for (const std::string& name : names) cells.push_back(row[all.column(name)]);
      table.add(std::move(cells));
    }
    return table.text();
  };
  std::string text = fmt::format("\nEnergy, with the decisions of {} ({} MHz)\n\n", run, energies.front().clock_mhz);
  text += part({"block", "size", "cycles", "decisions", "served", "others", "annotated_percent"}) + "\n";
  text += part({"block", "leakage_uw", "clock_uw", "gated_clock_uw", "internal_uw", "switching_uw"}) + "\n";
  text += part({"block", "pj_decision", "pj_served", "gated_pj_decision", "gated_pj_served", "registers",
                "gated_registers", "changing_percent"});
  text += R"(
Of the netlist above, without wires, glitches and the tree of the clock. Decisions: questions that
the block has answered, one for each command; served: those that were taken. Others: questions that
the run answered otherwise. Gated: a gate of the clock for each enable of three flip-flops or more,
calculated from the shares of time in which the enables are on.
)";
  return text;
}

}  // namespace gputlm
