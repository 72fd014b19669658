#include "testbench/cost/ice40.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tlm/base/error.h"

namespace gputlm::cost {
namespace {

FpgaCost count(const CellCounts& cells) {
  FpgaCost cost;
  for (const auto& [name, number] : cells) {
    if (name == "SB_LUT4") cost.lookup_tables += number;
    if (name.compare(0, 6, "SB_DFF") == 0) cost.flip_flops += number;
  }
  return cost;
}

/// nextpnr's message if cells or pins do not fit.
constexpr const char* kNoRoom = "no BELs remaining";

}  // namespace

FpgaCost map_to_ice40(const tools::Tool& yosys, const tools::Tool& nextpnr, const BlockType& block,
                      const Geometry& geometry, const std::string& parent, const std::atomic<bool>& stop) {
  const std::string folder = parent + "-ice40";
  std::filesystem::create_directory(folder);
  run_yosys(yosys,
            read_commands(block, geometry) +
                fmt::format("synth_ice40 -top {} -json ice40.json\ntee -o stat.json stat -json\n", block.name),
            folder, stop);
  FpgaCost cost = count(read_cell_counts(folder + "/stat.json"));
  try {
    // The target frequency is unreachable, so that placement optimises speed everywhere; missing it is not a failure.
    tools::run_tool(nextpnr,
                    {"--hx8k", "--package", "ct256", "--json", "ice40.json", "--freq", "200", "--seed", "1",
                     "--timing-allow-fail", "--report", "report.json", "--quiet"},
                    folder, "nextpnr.log", stop);
  } catch (const InputError& error) {
    if (std::string(error.what()).find(kNoRoom) != std::string::npos) return cost;
    throw;
  }
  const auto report = nlohmann::json::parse(tools::read_file(folder + "/report.json"));
  cost.logic_cells = report.at("utilization").at("ICESTORM_LC").at("used").get<unsigned>();
  for (const auto& clock : report.at("fmax")) cost.register_to_register_mhz = clock.at("achieved").get<double>();
  return cost;
}

}  // namespace gputlm::cost
