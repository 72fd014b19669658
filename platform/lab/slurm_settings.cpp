/// What may be said of the cluster, apart from Slurm itself: reading a sweep's file takes no more.
#include <fmt/format.h>

#include <algorithm>

#include "platform/lab/slurm.h"
#include "tlm/error.h"
#include "tlm/numbers.h"

namespace gputlm {
const std::vector<SlurmKey>& slurm_keys() {
  static const std::vector<SlurmKey> keys{
      {"partition", "Partition of the tasks", "--partition"},
      {"account", "Account that they are charged to", "--account"},
      {"qos", "Quality of service", "--qos"},
      {"time", "Time limit of a task (sbatch --time): 30, 2:00:00", "--time"},
      {"memory", "Memory of a task (sbatch --mem): 4G", "--mem"},
      {"cpus", "Processors of a task, and runs at once in it", "--cpus-per-task", 4096, 1},
      {"tasks", "Most tasks of an array", "", 4'000'000, 1000},
      {"at_once", "Most tasks that run at the same time (default: any)", "", 4'000'000},
      {"tries", "Most submissions in a row that finish no run", "", 1000, 3},
      {"container", "Image that tasks run in (apptainer exec IMAGE gputlm ...)", ""},
      {"options", "More options of sbatch, spaces between them", ""},
  };
  return keys;
}

const SlurmKey& slurm_key(const std::string& name) {
  const auto& keys = slurm_keys();
  return *std::find_if(keys.begin(), keys.end(), [&](const SlurmKey& key) { return key.name == name; });
}

std::uint64_t slurm_number(const std::string& text) { return parse_number<std::uint64_t>(text).value_or(0); }

void set_slurm(SlurmSettings& settings, const SlurmKey& key, const std::string& value, const Origin& origin) {
  if (key.most > 0 && (slurm_number(value) == 0 || slurm_number(value) > key.most)) {
    throw InputError(origin.source, origin.line,
                     fmt::format("found '{}', allowed: a whole number from 1 to {}", shortened(value), key.most));
  }
  settings[key.name] = value;
}

std::uint64_t slurm_number(const SlurmSettings& settings, const std::string& key) {
  const auto found = settings.find(key);
  return found == settings.end() ? slurm_key(key).standard : slurm_number(found->second);
}

}  // namespace gputlm
