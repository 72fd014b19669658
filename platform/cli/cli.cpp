#include "platform/cli/cli.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <map>

#include "platform/cli/commands.h"
#include "platform/cli/host_process.h"
#include "platform/files/terminal.h"
#include "platform/input/nearest.h"
#include "platform/input/plugin.h"
#include "platform/lab/jobs.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

int execute(Subcommand& command, const std::vector<std::string>& plugins) {
  try {
    for (const std::string& plugin : plugins) load_plugin(plugin);
    return command.execute();
  } catch (const InputError& error) {
    print_error(fmt::format("gputlm: {}", error.what()));
    return 2;
  } catch (const Interrupted& interruption) {
    print_error(fmt::format("gputlm: {}", interruption.what()));
    return 130;
  } catch (const std::exception& error) {
    print_error(fmt::format("gputlm: internal error: {}", error.what()));
    return 70;
  }
}

int parse_and_execute(int argc, char** argv) {
  CLI::App app("gputlm: a SystemC/TLM-2.0 model of a GPU that runs several kernels at once", "gputlm");
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("gputlm ") + GPUTLM_VERSION);

  std::map<std::string, std::unique_ptr<Subcommand>> made;
  std::vector<std::string> plugins;
  for (const CommandInfo& info : commands()) {
    Subcommand& command = *(made[info.name] = info.make());
    Arguments arguments(*app.add_subcommand(info.name, info.description));
    command.declare(arguments);
    arguments.texts("--plugin", plugins,
                    "Shared library with policies of your own, may be repeated (docs/policies.md)");
  }
  // CLI11 would say only that a command is required.
  if (const std::string name = argc > 1 ? argv[1] : "-"; name[0] != '-' && !commands().find(name)) {
    print_error(
        fmt::format("gputlm: there is no command '{}'{}", shortened(name), suggestion(name, commands().names())));
    return 2;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    print_error(shortened(error.what(), InputError::kMostBytes) + "\nRun with --help for more information.");
    return 2;
  }
  return execute(*made.at(app.get_subcommands().front()->get_name()), plugins);
}

}  // namespace

Registry<CommandInfo>& commands() {
  static Registry<CommandInfo> registry("command");
  return registry;
}

int command_line(int argc, char** argv) {
  prepare_process();
  return end_of_text(parse_and_execute(argc, argv));
}

}  // namespace gputlm
