#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/cli/commands.h"
#include "platform/cli/host_process.h"
#include "platform/cli/many_runs.h"
#include "platform/files/atomic_file.h"
#include "platform/files/output_folder.h"
#include "platform/files/terminal.h"
#include "platform/input/yaml_reader.h"
#include "platform/lab/run_set.h"
#include "tlm/base/bytes.h"
#include "tlm/base/digest.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRunKind = "files of a run";

/// Runs `work` with files in place of stdout and stderr; returns the text that it wrote to stderr.
template <class Work>
std::string said_by(Work work) {
  std::FILE* const said = std::tmpfile();
  std::FILE* const nobody = std::fopen("/dev/null", "w");
  if (!said || !nobody) throw std::runtime_error("no file for what a run says");
  dup2(fileno(nobody), STDOUT_FILENO);
  dup2(fileno(said), STDERR_FILENO);
  work();
  return read_text(fmt::format("/proc/self/fd/{}", fileno(said)));
}

/// The message of a failure, from the text that a run wrote.
std::string failure_in(const std::string& said) {
  constexpr std::string_view kName = "gputlm: ";
  const std::size_t at = said.find(kName);
  std::string text = at == std::string::npos ? said : said.substr(at + kName.size());
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

bool add_contents(const fs::path& path, std::set<fs::path>& met, std::string& all);

/// Adds the files that the texts under a node name, relative to `folder`; false if add_contents() returns false.
bool add_named(const YamlNode& node, const fs::path& folder, std::set<fs::path>& met, std::string& all) {
  const auto add = [&](const YamlNode& inner) { return add_named(inner, folder, met, all); };
  if (node.is_list()) {
    const std::vector<YamlNode> items = node.items();
    return std::all_of(items.begin(), items.end(), add);
  }
  if (node.is_map()) {
    const auto entries = node.entries();
    return std::all_of(entries.begin(), entries.end(), [&](const auto& entry) { return add(entry.second); });
  }
  if (!node.is_text()) return true;
  const std::string& text = node.possibly_empty_text();
  const std::string name = text.substr(0, text.find('#'));  // FILE#variant
  std::error_code error;
  return name.empty() || !fs::exists(folder / name, error) || add_contents(folder / name, met, all);
}

/// Adds the digests of a workload's or GPU's file and, recursively, of the files that it names; false if one of them has a
/// foreign format, so that the files that it names are unknown.
bool add_contents(const fs::path& path, std::set<fs::path>& met, std::string& all) {
  constexpr std::uintmax_t kLargest = 1 << 20;  // a larger JSON file is a capture
  const std::string extension = path.extension().string();
  if (!fs::is_regular_file(path)) return false;
  if (extension != ".yaml" && extension != ".yml" && (extension != ".json" || fs::file_size(path) > kLargest))
    return false;
  if (!met.insert(fs::canonical(path)).second) return true;
  all += "\nfile " + file_digest(path.string());
  return add_named(YamlNode::load_file(path.string()), path.parent_path(), met, all);
}

/// A command line of `gputlm run` as a run of a set. Its result is the files that it writes.
struct CommandRun {
  std::vector<std::string> words;  ///< words after `run`
  std::string folder;              ///< folder for --out

  struct Result {
    int code = kDone;
    std::string failure;  ///< message of a run with another code
    std::map<std::string, std::string> files;
  };

  Job job() const {
    return {id(), [this](const Execution&) { return bytes_of(kRunKind, run()); }};
  }
  static Result result(std::string_view bytes) { return from_bytes<Result>(kRunKind, bytes); }

 private:
  /// Empty for a run that is not kept because a foreign file, such as a trace, may name other files.
  std::string id() const {
    std::string all = program_digest();
    std::set<fs::path> met;
    for (const std::string& word : words) {
      const std::size_t value = word.find('=') + 1;  // also for --gpu=FILE
      const std::size_t variant = word.find('#', value);
      const fs::path path = word.substr(value, variant - value);
      std::error_code error;
      const bool is_file = fs::exists(path, error);
      all += "\nword " + (is_file ? word.substr(0, value) + word.substr(std::min(variant, word.size())) : word);
      if (is_file && !add_contents(path, met, all)) return "";
    }
    return digest(all);
  }

  /// Runs in a separate process, like every job.
  Result run() const {
    std::vector<std::string> line{"gputlm", "run"};
    line.insert(line.end(), words.begin(), words.end());
    line.insert(line.end(), {"--out", folder});
    std::vector<char*> arguments;
    for (std::string& word : line) arguments.push_back(word.data());
    Result result;
    const std::string said =
        said_by([&] { result.code = command_line(static_cast<int>(arguments.size()), arguments.data()); });
    if (result.code == kBadInput) throw InputError(failure_in(said));
    if (result.code != kDone) result.failure = failure_in(said);
    if (result.code != kDone && result.code != kDeadlocked && result.code != kTimeEnded)
      throw std::runtime_error(result.failure);
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file())
        result.files[fs::relative(entry.path(), folder).string()] = read_text(entry.path().string());
    }
    return result;
  }
};

/// `gputlm batch`: runs that are not combinations of lists.
class BatchCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  std::string file_, out_;
  ManyRuns runs_;
};

void BatchCommand::declare(Arguments& arguments) {
  arguments.positional("file", file_, "YAML: a list of runs, each the list of what `gputlm run` takes", Values::file());
  arguments.text("--out", out_, "Folder with a folder for each run, 1, 2, ..., of what `gputlm run --out` writes",
                 Values::folder());
  runs_.declare(arguments);
  arguments.example("batch runs.yaml --out out", "several at a time; - [w.yaml, --gpu, tx2] is one");
}

int BatchCommand::execute() {
  if (out_.empty()) throw InputError("batch needs --out");
  RunSet<std::size_t, CommandRun> runs;
  for (const YamlNode& run : YamlNode::load_file(file_).items()) {
    CommandRun added{{}, fmt::format("{}/{}", out_, runs.size() + 1)};
    for (const YamlNode& word : run.items()) {
      if (word.text() == "-") word.fail("found standard input, allowed: a file");
      added.words.push_back(word.text());
    }
    runs.add(runs.size(), std::move(added));
  }
  runs_.begin();
  OutputFolder folder(out_);
  JobOptions jobs;
  runs_.set(jobs);
  std::optional<RunFailure> failure;  // the first failure, which stops the other runs
  jobs.failed = [&](const RunFailure& f) {
    if (!failure) failure = f;
  };
  jobs.proceed = [&, proceed = jobs.proceed] { return proceed() && !failure; };
  try {
    runs.run(jobs);
  } catch (const std::exception&) {
    if (!failure) throw;
  }
  const std::string kept = runs_.end();
  if (failure) {
    const std::string what = fmt::format("run {}: {}", failure->job + 1, failure->why);
    if (failure->kind == RunFailure::Kind::kInput) throw InputError(what);
    throw std::runtime_error(what);
  }
  int code = kDone;
  for (const std::size_t number : runs.keys()) {
    const CommandRun::Result& result = runs.result(number);
    for (const auto& [name, content] : result.files) {
      const fs::path path = fs::path(runs.request(number).folder) / name;
      fs::create_directories(path.parent_path());
      write_file(path.string(), content);
    }
    if (result.code == kDone) continue;
    print_failure(fmt::format("run {}: {}", number + 1, result.failure));
    if (code == kDone) code = result.code;
  }
  print_error(kept);
  return code;
}

GPUTLM_REGISTER { add_command<BatchCommand>("batch", "Carry out a list of runs", CommandGroup::kRun); }

}  // namespace
}  // namespace gputlm
