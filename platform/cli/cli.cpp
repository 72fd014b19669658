#include "platform/cli/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "platform/files/atomic_file.h"
#include "platform/cli/cost_command.h"
#include "platform/input/dram_preset.h"
#include "platform/lab/experiment.h"
#include "platform/cli/list.h"
#include "platform/cli/mem_command.h"
#include "platform/input/nearest.h"
#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "platform/cli/run_command.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kMostCycles = 1'000'000'000'000;  // simulated time is finite: 2^64 fs are five hours

struct ReproduceCommand {
  std::vector<std::string> names;
  ExperimentOptions options;
  bool json = false;
};

/// Checks before CLI11 converts, which takes -1 for a large number.
CLI::Validator whole_number(std::uint64_t most) {
  return CLI::Validator(
      [most](std::string& text) {
        std::uint64_t value = 0;
        const char* end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, value);
        if (error == std::errc() && rest == end && value <= most) return std::string();
        return fmt::format("found '{}', allowed: a whole number from 0 to {}", text, most);
      },
      "");
}

int reproduce(const ReproduceCommand& command) {
  std::vector<const Experiment*> chosen;
  for (const std::string& name : command.names) {
    for (const Experiment* experiment : find_experiments(name)) chosen.push_back(experiment);
  }
  if (!command.options.out.empty()) make_output_folder(command.options.out);
  bool agrees = true;
  auto json = nlohmann::ordered_json::array();
  for (const Experiment* experiment : chosen) {
    const ExperimentReport report = experiment->run(command.options);
    agrees = agrees && report.agrees();
    if (command.json) {
      json.push_back(to_json(*experiment, report));
    } else {
      fmt::print("{}\n", to_text(*experiment, report));
      std::fflush(stdout);
    }
  }
  if (command.json) fmt::print("{}\n", json.dump(2));
  return agrees ? 0 : 1;
}

/// One option for each parameter that any block has; which of them the chosen one has is checked later.
void add_block_parameters(CLI::App& app, cost::GivenParameters& given) {
  for (const cost::BlockType& block : cost::block_types()) {
    for (const cost::BlockParameter& parameter : block.parameters) {
      if (app.get_option_no_throw("--" + parameter.option)) continue;
      const std::string help = fmt::format("{}: {} to {}; several, separated by commas, are a sweep (default: {})",
                                           parameter.meaning, parameter.least, parameter.most, parameter.standard);
      app.add_option_function<std::string>(
          "--" + parameter.option,
          [&given, option = parameter.option](const std::string& text) { given[option] = text; }, help);
    }
  }
}

int list(const std::string& what, const std::string& gpu, bool json) {
  const ListFormat format = json ? ListFormat::kJson : ListFormat::kText;
  if (what == "gpus") {
    fmt::print("{}", list_gpus(format));
  } else if (what == "drams") {
    std::vector<ListEntry> entries;
    for (const DramPresetInfo& preset : dram_presets()) entries.push_back({preset.name, preset.description});
    fmt::print("{}", list_entries("drams", entries, format));
  } else if (what == "parameters") {
    fmt::print("{}", list_parameters(load_gpu(gpu), format));
  } else if (what == "policies") {
    fmt::print("{}", list_policies(format));
  } else {
    std::vector<ListEntry> entries;
    for (const Experiment& experiment : experiments()) entries.push_back({experiment.name, experiment.description});
    fmt::print("{}", list_entries("experiments", entries, format));
  }
  return 0;
}

}  // namespace

int command_line(int argc, char** argv) {
  CLI::App app("gputlm: a SystemC/TLM-2.0 model of a GPU that runs several kernels at once", "gputlm");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("gputlm ") + GPUTLM_VERSION);

  const CLI::Validator seed = whole_number(std::numeric_limits<std::uint64_t>::max());
  RunCommand run_command;
  CLI::App* run_app = app.add_subcommand("run", "Run a workload on a GPU");
  run_app->add_option("input", run_command.input, "Workload file (YAML) or an Accel-Sim kernelslist.g")->required();
  run_app->add_option("--gpu", run_command.gpu, "Preset (gputlm list gpus) or GPU file")->capture_default_str();
  run_app->add_option("--set", run_command.settings, "key=value, may be repeated (gputlm list parameters)")
      ->allow_extra_args(false);
  run_app->add_option("--seed", run_command.seed, "Seed of all randomness")->capture_default_str()->check(seed);
  run_app->add_option("--out", run_command.out, "Folder for result.json, blocks.csv and performance.json");
  run_app
      ->add_option("--window", run_command.window,
                   "Look-ahead window in core cycles; does not change results (default: the shortest hop)")
      ->check(whole_number(std::numeric_limits<unsigned>::max()));
  run_app->add_option("--max-cycles", run_command.cycle_limit, "End the run after so many core cycles, incomplete")
      ->check(whole_number(kMostCycles));
  run_app->add_flag("--check-protocol", run_command.check_protocol, "Check the TLM-2.0 base protocol on every socket");
  run_app->add_flag("--json", run_command.json, "Print result.json instead of a summary");

  MemCommand mem_command;
  CLI::App* mem_app = app.add_subcommand("mem", "Play an address trace on DRAM controllers alone");
  mem_app
      ->add_option("trace", mem_command.trace,
                   "Trace file, or random:COUNT, mix:COUNT or stream:COUNT for a generated one (docs/memory.md)")
      ->required();
  mem_app->add_option("--dram", mem_command.dram, "Preset (gputlm list drams) or DRAM file")->capture_default_str();
  mem_app->add_option("--set", mem_command.settings, "key=value of dram or address_map, may be repeated")
      ->allow_extra_args(false);
  mem_app->add_option("--channels", mem_command.channels, "Channels, each with a controller (default: the device's)")
      ->check(whole_number(64));
  mem_app->add_option("--bytes", mem_command.bytes, "Bytes of an access (default: one burst)")
      ->check(whole_number(kLineBytes));
  mem_app
      ->add_option("--outstanding", mem_command.player.outstanding,
                   "Accesses that wait for their response at most (default: as many as the queues take)")
      ->check(whole_number(std::numeric_limits<unsigned>::max()));
  mem_app->add_option("--interval", mem_command.player.interval, "Command cycles from one access to the next, at least")
      ->check(whole_number(kMostTraceCycle));
  mem_app->add_option("--seed", mem_command.seed, "Seed of generated traces")->capture_default_str()->check(seed);
  mem_app->add_option("--out", mem_command.out, "Folder for memory.json");
  mem_app->add_flag("--commands", mem_command.commands, "Also commands.csv: every command, with cycle, bank and row");
  mem_app->add_flag("--check-protocol", mem_command.check_protocol, "Check the TLM-2.0 base protocol on every socket");
  mem_app->add_flag("--json", mem_command.json, "Print memory.json instead of a summary");

  ReproduceCommand reproduce_command;
  CLI::App* reproduce_app = app.add_subcommand("reproduce", "Run experiments of the papers and compare");
  reproduce_app
      ->add_option("experiments", reproduce_command.names,
                   "Names, or a paper's name for all of it (gputlm list experiments)")
      ->required();
  reproduce_app->add_option("--seed", reproduce_command.options.seed, "Seed of all randomness")
      ->capture_default_str()
      ->check(seed);
  reproduce_app->add_option("--out", reproduce_command.options.out, "Folder for files of the experiment");
  reproduce_app->add_option("--jobs", reproduce_command.options.parallel, "Runs at the same time (default: processors)")
      ->check(whole_number(1024));
  reproduce_app->add_flag("--quick", reproduce_command.options.quick, "A smaller form, where the experiment has one");
  reproduce_app->add_flag("--json", reproduce_command.json, "Print JSON");

  CostCommand cost_command;
  CLI::App* cost_app = app.add_subcommand("cost", "What a block of rtl/ costs in gates, with yosys and OpenSTA");
  cost_app
      ->add_option("block", cost_command.block,
                   "fr_fcfs_arbiter, fr_rr_fcfs_arbiter, lrr_sorter, gto_sorter, qaws_sorter (docs/cost.md)")
      ->required();
  cost_app->add_option("--against", cost_command.against, "Block with the same parameters, to compare with");
  add_block_parameters(*cost_app, cost_command.parameters);
  cost_app->add_option("--liberty", cost_command.liberty, "Standard-cell library")->capture_default_str();
  cost_app->add_option("--nand2", cost_command.nand2, "Cell in which area is counted (default: found by its function)");
  cost_app->add_flag("--ice40", cost_command.ice40, "Also on an iCE40 FPGA, with nextpnr (up to minutes a point)");
  cost_app->add_option("--jobs", cost_command.jobs, "Points at the same time (default: processors)")
      ->check(whole_number(1024));
  cost_app->add_option("--keep", cost_command.keep, "New folder for all files of the tools: netlists, scripts, logs");
  cost_app->add_option("--out", cost_command.out, "Folder for cost.csv and cost.svg");
  cost_app->add_flag("--csv", cost_command.csv, "Print CSV");
  cost_app->add_flag("--json", cost_command.json, "Print JSON");

  std::string what, list_gpu = kDefaultGpu;
  bool list_json = false;
  CLI::App* list_app = app.add_subcommand("list", "List what there is to choose from");
  list_app->add_option("what", what, "gpus, drams, policies, experiments or parameters")
      ->required()
      ->check(CLI::IsMember({"gpus", "drams", "policies", "experiments", "parameters"}));
  list_app->add_option("--gpu", list_gpu, "GPU whose values `parameters` shows")->capture_default_str();
  list_app->add_flag("--json", list_json, "Print JSON");

  // CLI11 would say only that a command is required.
  const std::vector<std::string> commands{"run", "mem", "reproduce", "cost", "list"};
  if (const std::string command = argc > 1 ? argv[1] : "-";
      command[0] != '-' && std::find(commands.begin(), commands.end(), command) == commands.end()) {
    fmt::print(stderr, "gputlm: there is no command '{}'{}\n", command, suggestion(command, commands));
    return 2;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    if (*run_app) return run(run_command);
    if (*mem_app) return mem(mem_command);
    if (*cost_app) return cost_of(cost_command);
    if (*reproduce_app) return reproduce(reproduce_command);
    return list(what, list_gpu, list_json);
  } catch (const InputError& error) {
    fmt::print(stderr, "gputlm: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "gputlm: internal error: {}\n", error.what());
    return 70;
  }
}

}  // namespace gputlm
