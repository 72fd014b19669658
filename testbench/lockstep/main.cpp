// The lockstep regression as a program: `lockstep --help`.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>

#include "testbench/lockstep/bench.h"
#include "testbench/lockstep/code_coverage.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

/// Of this program, as a user can start it again.
std::string replay(const std::string& program, const Design& design, const LockstepOptions& options) {
  std::string text =
      fmt::format("{} --design {} --seed {} --decisions {}", program, design.name, options.seed, options.decisions);
  const auto knob = [&](const char* name, const std::optional<unsigned>& value) {
    if (value) text += fmt::format(" --{} {}", name, *value);
  };
  knob("applications", options.knobs.applications);
  knob("banks", options.knobs.banks);
  knob("rows", options.knobs.rows);
  knob("hit-ratio", options.knobs.hit_ratio);
  knob("burstiness", options.knobs.burstiness);
  knob("fill", options.knobs.fill);
  knob("asks", options.knobs.asks);
  knob("back-pressure", options.knobs.back_pressure);
  knob("misses-taken", options.knobs.misses_taken);
  knob("row-commands", options.knobs.row_commands);
  knob("stray-rows", options.knobs.stray_rows);
  knob("resets", options.knobs.resets);
  knob("hit-cap", options.knobs.hit_cap);
  return text;
}

struct Arguments {
  LockstepOptions lockstep;
  std::vector<std::string> names;
  bool list = false, list_points = false, allow_gaps = false;
  std::string waveforms = ".";
  std::string waivers;
};

void add_options(CLI::App& app, Arguments& arguments) {
  LockstepOptions& lockstep = arguments.lockstep;
  app.add_flag("--list", arguments.list, "The designs that are built in, and end");
  app.add_option("--design", arguments.names, "Designs to run; all of them unless told");
  app.add_option("--seed", lockstep.seed, "Of the traffic and the registers' first contents")->capture_default_str();
  app.add_option("--decisions", lockstep.decisions, "Grants taken, of each design")->capture_default_str();
  app.add_flag("--points", arguments.list_points, "Print every coverage point with how often it was reached");
  app.add_flag("--allow-gaps", arguments.allow_gaps, "Coverage points that were not reached are no failure");
  app.add_option("--waveforms", arguments.waveforms, "Folder for the FST file of a difference")->capture_default_str();
  app.add_option("--waveform-cycles", lockstep.waveform_cycles, "Cycles before the difference that it holds")
      ->capture_default_str();
  app.add_option("--verilator-coverage", lockstep.coverage,
                 "File for line and toggle coverage, for one design that is built with it");
  app.add_option("--waivers", arguments.waivers, "Points of line and toggle coverage that no input reaches");
  const char* const group =
      "Knobs (drawn anew every few thousand cycles unless told; per cent unless it says otherwise)";
  const auto knob = [&](const char* name, std::optional<unsigned>& value, const char* description) {
    app.add_option(std::string("--") + name, value, description)->group(group);
  };
  knob("applications", lockstep.knobs.applications, "Applications that send requests, a number");
  knob("banks", lockstep.knobs.banks, "Banks that requests go to, a number");
  knob("rows", lockstep.knobs.rows, "Rows of a bank that requests go to, a number");
  knob("hit-ratio", lockstep.knobs.hit_ratio, "Requests to the open row of their bank");
  knob("burstiness", lockstep.knobs.burstiness, "Requests from the application and to the bank of the one before");
  knob("fill", lockstep.knobs.fill, "Cycles with a request offered");
  knob("asks", lockstep.knobs.asks, "Cycles with a decision asked for");
  knob("back-pressure", lockstep.knobs.back_pressure, "Grants that could be taken and are not");
  knob("misses-taken", lockstep.knobs.misses_taken, "Grants without a row hit that are taken nevertheless");
  knob("row-commands", lockstep.knobs.row_commands, "Cycles with a row command, if one is due");
  knob("stray-rows", lockstep.knobs.stray_rows, "Cycles with a row command that no request asks for");
  knob("resets", lockstep.knobs.resets, "Resets in 10,000 cycles, a number");
  knob("hit-cap", lockstep.knobs.hit_cap, "Row-hit cap, a number; 0 for none");
}

std::vector<const Design*> chosen(const std::vector<std::string>& names) {
  std::vector<const Design*> all;
  std::string allowed;
  for (const Design& design : designs()) {
    all.push_back(&design);
    allowed += (allowed.empty() ? "" : ", ") + std::string(design.name);
  }
  if (names.empty()) return all;
  std::vector<const Design*> some;
  for (const std::string& name : names) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Design* design) { return design->name == name; });
    if (found == all.end()) throw InputError("--design: found '" + name + "', allowed are " + allowed);
    some.push_back(*found);
  }
  return some;
}

/// True if every point was reached or is excused.
bool report_code_coverage(const std::string& data, const std::string& waivers) {
  const CodeCoverage coverage = read_code_coverage(data, waivers);
  for (const auto& [name, kind] : coverage.kinds) {
    fmt::print("  {} coverage: {} of {} points\n", name, kind.reached, kind.points);
  }
  for (const std::string& waiver : coverage.excused) fmt::print("  excused: {}\n", waiver);
  for (const std::string& point : coverage.missing) fmt::print("  NOT REACHED: {}\n", point);
  return coverage.missing.empty();
}

/// True if the design is right, and the coverage complete where it must be.
bool run(const Design& design, const std::string& program, const Arguments& arguments) {
  LockstepOptions options = arguments.lockstep;
  options.waveform = fmt::format("{}/{}-seed{}.fst", arguments.waveforms, design.name, options.seed);
  const std::clock_t start = std::clock();
  const LockstepResult result = run_lockstep(design, options);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  fmt::print("{:<28} seed {} {:>10} decisions {:>10} cycles {:>7.0f} kcycle/s  coverage {}/{}\n", design.name,
             options.seed, result.decisions, result.cycles,
             static_cast<double>(result.cycles) / 1000 / std::max(seconds, 1e-3), result.coverage.reached(),
             result.coverage.points().size());
  if (arguments.list_points) {
    for (const Coverage::Point& point : result.coverage.points()) fmt::print("  {:>10} {}\n", point.hits, point.name);
  }
  if (result.difference) {
    fmt::print("DIFFERENCE in cycle {} after {} decisions\n{}  waveform: {}\n  again: {}\n", result.difference->cycle,
               result.decisions, result.difference->text, options.waveform, replay(program, design, options));
    return false;
  }
  bool complete = true;
  if (!arguments.waivers.empty()) complete = report_code_coverage(options.coverage, arguments.waivers);
  for (const std::string& name : result.coverage.missing()) fmt::print("  NOT REACHED: {}\n", name);
  return arguments.allow_gaps || (complete && result.coverage.missing().empty());
}

int run_program(int argc, char** argv) {
  Arguments arguments;
  CLI::App app{"Runs the arbiters of rtl/ in lockstep with the C++ policies under constrained-random traffic."};
  add_options(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const std::vector<const Design*> all = chosen(arguments.names);
  if (arguments.list) {
    for (const Design* design : all) fmt::print("{}\n", design->name);
    return 0;
  }
  if (!arguments.lockstep.coverage.empty() && all.size() != 1) {
    throw InputError("--verilator-coverage: found " + std::to_string(all.size()) + " designs, allowed is one --design");
  }
  if (!arguments.waivers.empty() && arguments.lockstep.coverage.empty()) {
    throw InputError("--waivers: allowed with --verilator-coverage only");
  }
  bool right = true;
  for (const Design* design : all) right &= run(*design, argv[0], arguments);
  return right ? 0 : 1;
}

}  // namespace
}  // namespace gputlm

int main(int argc, char** argv) {
  try {
    return gputlm::run_program(argc, argv);
  } catch (const gputlm::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
