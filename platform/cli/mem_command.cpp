#include "platform/cli/mem_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "platform/input/dram_preset.h"
#include "platform/cli/host_process.h"
#include "platform/input/address_trace.h"
#include "platform/probes/command_log.h"
#include "platform/run/memory_report.h"
#include "platform/run/memory_run.h"
#include "platform/input/parameters.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

void set(GpuConfig& config, const std::string& setting) {
  if (setting.rfind("dram.", 0) != 0 && setting.rfind("address_map.", 0) != 0) {
    throw InputError("--set " + setting, 0, "allowed: parameters of dram and address_map");
  }
  set_assignment(config, setting);
}

MemorySystem system_of(const MemCommand& command) {
  GpuConfig config;
  config.dram = load_dram(command.dram);
  if (command.channels) set_parameter(config, "dram.channels", std::to_string(*command.channels), {"--channels"});
  for (const std::string& setting : command.settings) set(config, setting);
  if (const std::string what = contradiction(config.dram); !what.empty()) throw InputError(command.dram, 0, what);
  MemorySystem system{config.dram, config.address_map, command.player};
  system.player.bytes = command.bytes.value_or(system.dram.burst_bytes);
  return system;
}

/// The files of a run: opened before it, so that it does not end in vain, and put in place together.
struct OutputFiles {
  OutputFiles(const std::string& folder, bool with_commands) : result(folder + "/memory.json") {
    if (!with_commands) return;
    commands.emplace(folder + "/commands.csv");
    commands->write(CommandLog::kHeader);
  }
  void commit() {
    if (commands) commands->commit();
    result.commit();  // last: where it is, the other is
  }
  AtomicFile result;
  std::optional<AtomicFile> commands;
};

}  // namespace

int mem(const MemCommand& command) {
  if (command.commands && command.out.empty()) throw InputError("--commands: allowed with --out");
  const MemorySystem system = system_of(command);
  const auto trace = open_address_trace(command.trace, system.player.bytes, command.seed);
  MemoryRunOptions options;
  options.check_protocol = command.check_protocol;
  catch_interrupts();
  std::optional<OutputFiles> files;
  if (!command.out.empty()) {
    make_output_folder(command.out);
    files.emplace(command.out, command.commands);
    if (files->commands) options.commands_csv = &*files->commands;
  }
  const double user_before = user_seconds();
  MemoryResult result;
  {
    ProgressLine progress;
    options.proceed = [&](const MemoryProgress& p) {
      progress.show([&](double seconds) {
        return fmt::format("cycle {}, {} accesses, {:.2f} million a second", p.cycles, p.answered,
                           static_cast<double>(p.answered) / seconds / 1e6);
      });
      return !interrupted();
    };
    result = play(system, *trace, options);
  }
  const double user = std::max(user_seconds() - user_before, 1e-6);
  if (result.state == RunState::kComplete && result.issued == 0) throw InputError(command.trace, 0, "has no access");

  const auto json = to_json(result, system, command.dram, command.trace, command.seed);
  if (files) {
    files->result.write(json.dump(2) + "\n");
    files->commit();
  }
  if (command.json) {
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}", summary(result, system, command.dram, command.trace));
  }
  if (command.check_protocol) {
    fmt::print(stderr, "TLM-2.0 base protocol: no violation in {} transactions\n", result.checked_transactions);
  }
  fmt::print(stderr, "{:.2f} s user: {:.3f} million accesses/s\n", user,
             static_cast<double>(result.answered) / user / 1e6);
  if (result.state == RunState::kDeadlocked) {
    fmt::print(stderr, "gputlm: deadlock at cycle {}: {} accesses wait for their response\n", result.cycles,
               result.issued - result.answered);
    return 3;
  }
  if (result.state == RunState::kInterrupted) {
    fmt::print(stderr, "gputlm: interrupted at cycle {} after {} accesses; the result is marked incomplete\n",
               result.cycles, result.answered);
    return 130;
  }
  return 0;
}

}  // namespace gputlm
