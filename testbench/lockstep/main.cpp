// The lockstep regression as a program: `lockstep --help`.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <set>

#include "testbench/lockstep/code_coverage.h"
#include "testbench/lockstep/lockstep.h"
#include "testbench/lockstep/report.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

/// Of this program, as a user can start it again.
std::string replay(const std::string& program, const Design& design, const LockstepOptions& options) {
  return fmt::format("{} --design {} --seed {} --decisions {}{}", program, design.name(), options.seed,
                     options.decisions, knob_options(options.knobs));
}

struct Arguments {
  LockstepOptions lockstep;
  std::vector<std::string> names;
  bool list = false, list_points = false, allow_gaps = false;
  std::string waveforms = ".";
  std::string waivers;
};

/// Those of all designs.
void add_knobs(CLI::App& app, FixedKnobs& fixed) {
  std::set<std::string> names;
  for (const auto& design : designs()) {
    for (const Knob& knob : design->knobs()) {
      if (!names.insert(knob.name).second) continue;
      app.add_option_function<unsigned>(
             std::string("--") + knob.name, [&fixed, name = knob.name](unsigned value) { fixed[name] = value; },
             knob.description)
          ->group("Knobs (drawn anew every few thousand cycles unless told; per cent unless it says otherwise)");
    }
  }
}

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
  add_knobs(app, lockstep.knobs);
}

std::vector<const Design*> chosen(const std::vector<std::string>& names) {
  std::vector<const Design*> all;
  std::string allowed;
  for (const auto& design : designs()) {
    all.push_back(design.get());
    allowed += (allowed.empty() ? "" : ", ") + design->name();
  }
  if (names.empty()) return all;
  std::vector<const Design*> some;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Design* design) { return design->name() == name; });
    if (found == all.end()) throw InputError("--design: found '" + name + "', allowed are " + allowed);
    some.push_back(*found);
  }
  return some;
}

/// Those that the design has.
FixedKnobs knobs_of(const Design& design, const FixedKnobs& fixed) {
  FixedKnobs some;
  for (const Knob& knob : design.knobs()) {
    const auto found = fixed.find(knob.name);
    if (found != fixed.end()) some.insert(*found);
  }
  return some;
}

void check_that_knobs_fit(const FixedKnobs& fixed, const std::vector<const Design*>& chosen) {
  for (const auto& knob : fixed) {
    const bool fits = std::any_of(chosen.begin(), chosen.end(),
                                  [&](const Design* design) { return knobs_of(*design, {knob}).size() == 1; });
    if (!fits) throw InputError("--" + knob.first + ": no knob of the designs that were chosen");
  }
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

/// What all designs together have shown.
struct Totals {
  std::uint64_t decisions = 0, cycles = 0, differences = 0;
};

/// True if the design is right, and the coverage complete where it must be.
bool run(const Design& design, const std::string& program, const Arguments& arguments, Totals& totals) {
  LockstepOptions options = arguments.lockstep;
  options.knobs = knobs_of(design, options.knobs);
  options.waveform = fmt::format("{}/{}-seed{}.fst", arguments.waveforms, design.name(), options.seed);
  const std::clock_t start = std::clock();
  const LockstepResult result = run_lockstep(design, options);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  fmt::print("{} {:>7.0f} kcycle/s\n", run_line(design.name(), options.seed, result),
             static_cast<double>(result.cycles) / 1000 / std::max(seconds, 1e-3));
  std::fflush(stdout);  // a log of hours is read while it grows
  totals.decisions += result.decisions;
  totals.cycles += result.cycles;
  if (result.difference) ++totals.differences;
  if (arguments.list_points) fmt::print("{}", list_of_points(result.coverage));
  if (result.difference) {
    fmt::print("{}", difference_text(result, options.waveform, replay(program, design, options)));
    return false;
  }
  bool complete = true;
  if (!arguments.waivers.empty()) complete = report_code_coverage(options.coverage, arguments.waivers);
  fmt::print("{}", list_of_gaps(result.coverage));
  return arguments.allow_gaps || (complete && result.coverage.missing().empty());
}

int run_program(int argc, char** argv) {
  Arguments arguments;
  CLI::App app{
      "Runs the arbiters and sorters of rtl/ in lockstep with the C++ policies under constrained-random traffic."};
  add_options(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const std::vector<const Design*> all = chosen(arguments.names);
  if (arguments.list) {
    for (const Design* design : all) fmt::print("{}\n", design->name());
    return 0;
  }
  check_that_knobs_fit(arguments.lockstep.knobs, all);
  if (!arguments.lockstep.coverage.empty() && all.size() != 1) {
    throw InputError("--verilator-coverage: found " + std::to_string(all.size()) + " designs, allowed is one --design");
  }
  if (!arguments.waivers.empty() && arguments.lockstep.coverage.empty()) {
    throw InputError("--waivers: allowed with --verilator-coverage only");
  }
  bool right = true;
  Totals totals;
  for (const Design* design : all) right &= run(*design, argv[0], arguments, totals);
  if (all.size() > 1) {
    fmt::print("{} designs, seed {}: {} decisions in {} cycles, {} differences\n", all.size(), arguments.lockstep.seed,
               totals.decisions, totals.cycles, totals.differences);
  }
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
