#include "platform/lab/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "platform/files/split.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

/// The non-empty parts.
std::vector<std::string> words(const std::string& text, char at) {
  std::vector<std::string> parts = split(text, at);
  parts.erase(std::remove(parts.begin(), parts.end(), ""), parts.end());
  return parts;
}

}  // namespace

bool SlurmTask::ended() const {
  static const std::set<std::string> kEnds{"COMPLETED", "FAILED",    "CANCELLED",     "TIMEOUT",  "NODE_FAIL",
                                           "PREEMPTED", "BOOT_FAIL", "OUT_OF_MEMORY", "DEADLINE", "REVOKED"};
  return kEnds.count(state) > 0;
}

Slurm::Slurm()
    : sbatch_(tools::find_tool("sbatch", "slurm-client")), squeue_(tools::find_tool("squeue", "slurm-client")) {}

std::string Slurm::run(const tools::Tool& tool, const std::vector<std::string>& arguments) const {
  static const std::atomic<bool> kNeverStop{false};  // they end by themselves within a minute
  tools::run_tool(tool, arguments, folder_.path(), tool.name, kNeverStop);
  return tools::read_file(folder_.path() + "/" + tool.name);
}

std::string Slurm::submit(const SlurmArray& array, const SlurmSettings& settings) const {
  std::string numbers = fmt::format("--array=0-{}", array.tasks - 1);
  if (const auto most = slurm_number(settings, "at_once"); most > 0) numbers += fmt::format("%{}", most);
  std::vector<std::string> arguments{"--parsable",
                                     "--requeue",
                                     "--open-mode=append",
                                     "--job-name=" + array.name,
                                     "--chdir=" + array.folder,
                                     "--output=" + array.log,
                                     numbers};
  for (const auto& [key, value] : settings) {
    if (const std::string& option = slurm_key(key).sbatch; !option.empty()) arguments.push_back(option + "=" + value);
  }
  if (const auto more = settings.find("options"); more != settings.end()) {
    for (const std::string& word : words(more->second, ' ')) arguments.push_back(word);
  }
  arguments.push_back(array.script);
  // "12" or "12;cluster", preceded by warnings.
  const std::vector<std::string> lines = words(run(sbatch_, arguments), '\n');
  if (lines.empty() || lines.back().find_first_of("0123456789") != 0) {
    throw InputError("sbatch did not say which job it has submitted: " + (lines.empty() ? "nothing" : lines.back()));
  }
  return lines.back().substr(0, lines.back().find(';'));
}

std::vector<SlurmTask> Slurm::tasks(const std::vector<std::string>& names) const {
  std::vector<SlurmTask> tasks;
  if (names.empty()) return tasks;
  const std::string answer = run(squeue_, {"--noheader", "--array", "--states=all", "--format=%j|%K|%T|%r|%N",
                                           fmt::format("--name={}", fmt::join(names, ","))});
  for (const std::string& line : words(answer, '\n')) {
    std::vector<std::string> cells = split(line, '|');
    cells.resize(5);
    if (std::find(names.begin(), names.end(), cells[0]) == names.end()) continue;  // a warning
    tasks.push_back({cells[0], cells[2], cells[3], cells[4], slurm_number(cells[1])});
  }
  return tasks;
}

// Settings of the cluster, separate from Slurm itself: reading a sweep's file needs no more.

const std::vector<SlurmKey>& slurm_keys() {
  static const std::vector<SlurmKey> keys{
      {{"partition", "", "Partition of the tasks"}, "--partition"},
      {{"account", "", "Account to charge"}, "--account"},
      {{"qos", "", "Quality of service"}, "--qos"},
      {{"time", "", "Time limit of a task (sbatch --time): 30, 2:00:00"}, "--time"},
      {{"memory", "", "Memory of a task (sbatch --mem): 4G"}, "--mem"},
      {{"cpus", "", "Processors of a task, and its simultaneous runs", 1, 4096, 1u}, "--cpus-per-task"},
      {{"tasks", "", "Maximum tasks of an array", 1, 4'000'000, 1000u}},
      {{"at_once", "", "Maximum simultaneous tasks (default: any)", 1, 4'000'000}},
      {{"tries", "", "Maximum consecutive submissions that finish no run", 1, 1000, 3u}},
      {{"container", "", "Image that tasks run in (apptainer exec IMAGE gputlm ...)"}},
      {{"options", "", "Further options of sbatch, separated by spaces"}},
  };
  return keys;
}

const SlurmKey& slurm_key(const std::string& name) {
  const auto& keys = slurm_keys();
  return *std::find_if(keys.begin(), keys.end(), [&](const SlurmKey& key) { return key.name == name; });
}

std::uint64_t slurm_number(const std::string& text) { return parse_number<std::uint64_t>(text).value_or(0); }

void set_slurm(SlurmSettings& settings, const SlurmKey& key, const std::string& value, const Origin& origin) {
  if (key.is_number() && !key.allows(slurm_number(value))) {
    throw InputError(origin.source, origin.line,
                     fmt::format("found '{}', allowed: a whole number from {}", shortened(value), key.range()));
  }
  settings[key.name] = value;
}

std::uint64_t slurm_number(const SlurmSettings& settings, const std::string& key) {
  const auto found = settings.find(key);
  return found == settings.end() ? slurm_key(key).default_number() : slurm_number(found->second);
}

}  // namespace gputlm
