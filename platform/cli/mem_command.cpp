#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "platform/cli/commands.h"
#include "platform/cli/host_process.h"
#include "platform/files/json_text.h"
#include "platform/files/output_folder.h"
#include "platform/files/terminal.h"
#include "platform/input/address_trace.h"
#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "platform/probes/probe.h"
#include "platform/run/memory_run.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr const char* kMemoryFile = "memory.json";

void set(GpuConfig& config, const std::string& setting, Origins& origins) {
  if (setting.rfind("dram.", 0) != 0 && setting.rfind("address_map.", 0) != 0) {
    throw InputError("--set " + shortened(setting), 0, "allowed: parameters of dram and address_map");
  }
  set_assignment(config, setting, &origins);
}

class MemCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  MemorySystem system() const;

  std::string trace_;                  ///< see platform/input/address_trace.h
  std::string dram_ = "gddr5";         ///< preset or file (platform/input/preset.h)
  std::vector<std::string> settings_;  ///< dram.* and address_map.*, key=value
  std::optional<unsigned> channels_;   ///< number of channels; none: that of the device
  std::optional<Bytes> bytes_;         ///< bytes per access; none: one burst
  PlayerConfig player_;                ///< configuration of the player, except the size of accesses
  std::uint64_t seed_ = 1;
  std::string out_;  ///< folder for files; empty: none
  std::vector<std::string> probes_;
  bool check_protocol_ = false;
  bool json_ = false;
};

void MemCommand::declare(Arguments& arguments) {
  arguments.positional("trace", trace_,
                       "Trace file, or random:COUNT, mix:COUNT or stream:COUNT for a generated one (docs/memory.md)",
                       Values::file());
  arguments.text("--dram", dram_, "Preset (gputlm list drams) or DRAM file", Values::names_or_files("DRAM", {"drams"}));
  arguments.texts("--set", settings_, "key=value of dram or address_map, may be repeated", Values::settings());
  arguments.number("--channels", channels_, "Channels, each with a controller (default: the device's)", 64);
  arguments.number("--bytes", bytes_, "Bytes per access (default: one burst)", kLineBytes);
  arguments.number("--outstanding", player_.outstanding,
                   "Maximum accesses that wait for a response (default: limited by the queues only)");
  arguments.number("--interval", player_.interval, "Minimum command cycles from one access to the next",
                   kMaxTraceCycle);
  arguments.number("--trace-mhz", player_.trace_mhz,
                   "Clock of the cycles in the trace, as clkMhz of DRAMSys (default: the command clock)", 20000);
  arguments.seed(seed_, "Seed of generated traces");
  arguments.text("--out", out_, "Folder for memory.json", Values::folder());
  arguments.texts("--probe", probes_, "Attach a probe, may be repeated (gputlm list probes); its files go to --out",
                  Values::names("NAME[=VALUE]", {"probes"}));
  arguments.flag("--check-protocol", check_protocol_, "Check the TLM-2.0 base protocol on every socket");
  arguments.flag("--json", json_, "Print memory.json instead of a summary");
  arguments.example("mem random:1000000 --dram gddr5", "a million reads at random places");
  arguments.example("mem my.trace.xz --dram my_device.yaml --channels 4 --set dram.scheduler=fr_rr_fcfs",
                    "a trace and a device of your own");
}

MemorySystem MemCommand::system() const {
  GpuConfig config;
  Origins origins;
  config.dram = load_dram(dram_, &origins);
  if (channels_) set_parameter(config, "dram.channels", std::to_string(*channels_), {"--channels"}, &origins);
  for (const std::string& setting : settings_) set(config, setting, origins);
  if (const std::string what = contradiction(config.dram); !what.empty()) fail_together(what, {dram_}, origins);
  MemorySystem system{config.dram, config.address_map, player_};
  system.player.bytes = bytes_.value_or(system.dram.burst_bytes);
  check(system);
  return system;
}

int MemCommand::execute() {
  const MemorySystem memory = system();
  const auto trace = open_address_trace(trace_, memory.player.bytes, seed_);
  MemoryRunOptions options;
  options.check_protocol = check_protocol_;
  catch_interrupts();
  std::optional<OutputFolder> folder;  // opened before the run, so that no result is lost
  if (!out_.empty()) folder.emplace(out_, kMemoryFile);
  ProbeSet probes(probes_, folder ? &*folder : nullptr);
  options.probes = &probes;
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
    result = play(memory, *trace, options);
  }
  const double user = std::max(user_seconds() - user_before, 1e-6);
  if (result.state == RunState::kComplete && result.issued == 0) throw InputError(trace_, 0, "has no access");

  auto json = to_json(result, memory, dram_, trace_, seed_);
  if (folder) json["files"] = probes.digests();
  const std::string text = json_text(json);
  if (folder) {
    folder->file(kMemoryFile).write(text);
    folder->commit();
  }
  release_interrupts();
  print(json_ ? text : summary(result, memory, dram_, trace_));
  if (check_protocol_) {
    print_error(fmt::format("TLM-2.0 base protocol: no violation in {} transactions", result.checked_transactions));
  }
  print_error(
      fmt::format("{:.2f} s user: {:.3f} million accesses/s", user, static_cast<double>(result.answered) / user / 1e6));
  if (result.state == RunState::kDeadlocked) {
    print_failure(fmt::format("deadlock at cycle {}: {} accesses wait for their response", result.cycles,
                              result.issued - result.answered));
    return kDeadlocked;
  }
  if (result.state == RunState::kInterrupted) {
    print_failure(fmt::format("interrupted at cycle {} after {} accesses; the result is marked incomplete",
                              result.cycles, result.answered));
    return kInterruptedBySignal;
  }
  if (result.state == RunState::kTimeLimit) {
    print_failure(fmt::format(
        "simulated time ended at cycle {}, after five hours and {} accesses; the result is marked incomplete",
        result.cycles, result.answered));
    return kTimeEnded;
  }
  return kDone;
}

GPUTLM_REGISTER {
  add_command<MemCommand>("mem", "Play an address trace on DRAM controllers alone", CommandGroup::kRun);
}

}  // namespace

}  // namespace gputlm
