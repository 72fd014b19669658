#include "platform/cli/slurm_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "platform/cli/commands.h"
#include "platform/cli/host_process.h"
#include "platform/files/split.h"
#include "platform/files/terminal.h"
#include "platform/run/check_fits.h"
#include "testbench/kind/load.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

std::string option_of(const std::string& slurm_key) {
  std::string option = "--slurm-" + slurm_key;
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

/// A number that Slurm passes to its tasks in the environment; none if it is missing.
std::optional<std::uint64_t> from_environment(const char* name) {
  const char* const text = std::getenv(name);
  const auto number = parse_number<std::uint64_t>(text ? text : "");
  return number == 0u ? std::nullopt : number;
}

/// The words of the command line after the program.
std::vector<std::string> command_words() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words = split(std::string(std::istreambuf_iterator<char>(file), {}), '\0');
  words.erase(words.begin());
  words.pop_back();  // the empty word at the end
  return words;
}

}  // namespace

std::vector<CampaignRun> campaign_runs(const PlannedRuns& planned, const std::string& origin) {
  std::vector<CampaignRun> runs;
  for (std::size_t place = 0; place < planned.size(); ++place) {
    runs.push_back({planned.job(place).id, planned.text(place)});
    if (runs.back().id.empty()) throw InputError(origin, 0, "has a kernel without a digest");
  }
  return runs;
}

void SlurmRuns::declare(Arguments& arguments) {
  arguments.flag("--slurm", slurm_, "Let tasks of a Slurm array do the runs; all nodes must see the folder of --out");
  for (const SlurmKey& key : slurm_keys()) {
    const std::string otherwise = key.default_value ? fmt::format(" (default: {})", key.default_text()) : "";
    arguments.text(option_of(key.name), given_[key.name], key.meaning + otherwise,
                   key.is_number() ? Values{"N"} : Values{});
  }
  arguments.flag("--no-wait", no_wait_, "Submit tasks without waiting for them");
  arguments.text("--work", work_, "For tasks of Slurm: work on the runs in this folder", Values::folder());
  arguments.text("--task", task_, "For tasks of Slurm: the task, SUBMISSION.NUMBER");
}

void SlurmRuns::set(SlurmSettings& settings) const {
  for (const SlurmKey& key : slurm_keys()) {
    const auto given = given_.find(key.name);
    if (given != given_.end() && !given->second.empty())
      set_slurm(settings, key, given->second, {option_of(key.name), 0});
  }
}

void SlurmRuns::refuse() const {
  const bool any = std::any_of(given_.begin(), given_.end(), [](const auto& given) { return !given.second.empty(); });
  if (any || no_wait_) throw InputError("options for Slurm have no effect without --slurm");
}

void SlurmRuns::begin() {
  catch_interrupts();
  commands_.emplace();
}

std::optional<Campaign> SlurmRuns::carry_out(CampaignRecord record, const PlannedRuns& planned,
                                             const std::string& folder, const std::string& again) {
  if (record.command.empty()) {
    record.command = command_words();
    record.directory = std::filesystem::current_path().string();
  }
  record.program = program_digest();
  record.plugins = loaded_extensions();
  Campaign campaign = Campaign::begin(folder, std::move(record));
  CampaignEnd end{};
  {
    ProgressLine line;
    CampaignWatch watch;
    watch.progress = [&](const CampaignStatus& s) {
      line.show([&](double seconds) {
        return fmt::format("{} of {} runs, {} in running tasks, {} in waiting tasks, {} failed, {:.0f} s", s.done, s.of,
                           s.running, s.waiting, s.failed, seconds);
      });
    };
    watch.say = [](const std::string& text) { print_error("gputlm: " + text); };
    watch.proceed = [] { return !interrupted(); };
    watch.again = again;
    end = gputlm::carry_out(campaign, *commands_, !no_wait_, watch);
  }
  if (end == CampaignEnd::kDone) return campaign;
  print_error(
      fmt::format("gputlm: {} of {} runs are done, the tasks continue: {} waits for them, gputlm sweep --status {} "
                  "shows their progress, scancel ends them",
                  campaign.finished().size(), planned.size(), again, campaign.folder()));
  exit_code_ = end == CampaignEnd::kLeft ? kInterruptedBySignal : kDone;
  return std::nullopt;
}

int SlurmRuns::work(const MakePlan& plan) const {
  catch_interrupts();
  JobOptions options;
  options.parallel = static_cast<unsigned>(from_environment("SLURM_CPUS_PER_TASK").value_or(1));
  options.most_memory = default_memory_limit();
  if (const auto limit = from_environment("SLURM_MEM_PER_NODE")) {
    options.most_memory = std::min<Bytes>(options.most_memory, *limit << 20);
  }
  options.progress = [](const JobProgress& p) { print_error(fmt::format("{} of {} runs are done", p.done, p.of)); };
  options.proceed = [] { return !interrupted(); };
  const std::size_t without = work_on(work_, task_, plan, options);
  if (without > 0) throw InputError(work_, 0, fmt::format("{} runs of task {} have no result", without, task_));
  return kDone;
}

}  // namespace gputlm
