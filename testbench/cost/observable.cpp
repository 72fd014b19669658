#include "testbench/cost/observable.h"

#include <fmt/format.h>

#include <filesystem>

#include "tlm/base/error.h"

namespace gputlm::cost {
namespace {

namespace fs = std::filesystem;

/// The nets are counted and no waveform is written, which would take a third of the compile time.
constexpr const char* kNoWaveform = "/* verilator tracing_off */\n";

/// In its own subfolder of `folder`, because modules are searched in the folder of the list.
ObservableNetlist write(GateNetlist gates, const std::string& folder, const std::string& cells) {
  fs::create_directories(folder);
  tools::write_file(folder + "/" + gates.top + "_nets.v", kNoWaveform + with_nets_shown(gates));
  tools::write_file(folder + "/cells.v", kNoWaveform + tools::read_file(cells));
  const std::string list = folder + "/" + gates.top + ".f";
  tools::write_file(list, "cells.v\n" + gates.top + "_nets.v\n");
  return {std::move(gates), list};
}

}  // namespace

ObservableNetlist observe_mapped(const tools::Tool& yosys, const BlockType& block, const Netlist& netlist,
                                 const std::string& folder, const std::atomic<bool>& stop) {
  const std::string name = netlist.script + ".gates";
  run_yosys(yosys,
            fmt::format("read_verilog {0}\nread_liberty -ignore_miss_func ../library.lib\nhierarchy -check -top {1}\n"
                        "write_json {2}.json\ndelete {1}\nwrite_verilog -noattr {2}.v\n",
                        netlist.file, block.name, name),
            folder, stop);
  return write(read_gate_netlist(folder + "/" + name + ".json", block.name), folder + "/" + name,
               folder + "/" + name + ".v");
}

ObservableNetlist observe_unmapped(const tools::Tool& yosys, const BlockType& block, const Geometry& geometry,
                                   const std::string& folder, const std::atomic<bool>& stop) {
  const std::string cells = fs::path(yosys.path).parent_path().parent_path() / "share/yosys/simcells.v";
  if (!fs::exists(cells)) throw InputError(cells, 0, "yosys has no models of its cells there");
  run_yosys(yosys,
            read_commands(block, geometry) + "synth -flatten -top " + block.name + "\nwrite_json unmapped.json\n",
            folder, stop);
  return write(read_gate_netlist(folder + "/unmapped.json", block.name), folder + "/unmapped", cells);
}

}  // namespace gputlm::cost
