#include "platform/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "platform/atomic_file.h"
#include "platform/experiment.h"
#include "platform/list.h"
#include "platform/nearest.h"
#include "platform/parameters.h"
#include "platform/preset.h"
#include "platform/run_command.h"
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

int list(const std::string& what, const std::string& gpu, bool json) {
  const ListFormat format = json ? ListFormat::kJson : ListFormat::kText;
  if (what == "gpus") {
    fmt::print("{}", list_gpus(format));
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

  std::string what, list_gpu = kDefaultGpu;
  bool list_json = false;
  CLI::App* list_app = app.add_subcommand("list", "List what there is to choose from");
  list_app->add_option("what", what, "gpus, policies, experiments or parameters")
      ->required()
      ->check(CLI::IsMember({"gpus", "policies", "experiments", "parameters"}));
  list_app->add_option("--gpu", list_gpu, "GPU whose values `parameters` shows")->capture_default_str();
  list_app->add_flag("--json", list_json, "Print JSON");

  // CLI11 would say only that a command is required.
  const std::vector<std::string> commands{"run", "reproduce", "list"};
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
