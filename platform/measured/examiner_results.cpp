#include "platform/measured/examiner_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "platform/examiner/plugin.h"
#include "platform/files/text_file.h"
#include "platform/measured/measurement.h"
#include "platform/measured/observed_names.h"
#include "tlm/error.h"
#include "tlm/numbers.h"
#include "tlm/text.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;
using ResultJson = nlohmann::ordered_json;

constexpr unsigned kThreadsOfViewers = 2048;  // of an SM: the tool's viewers divide max_resident_threads by it

/// The files of folders, in the order of the numbers in their names: those of the benchmarks.
std::vector<std::string> result_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
      if (ends_with(entry->path().string(), ".json")) found.push_back(entry->path().string());
    }
    if (error) throw InputError(path, 0, "cannot be read: " + error.message());
    const auto number = [](const std::string& name) {  // the last one: PLUGIN_NUMBER.json
      const std::string stem = fs::path(name).stem().string();
      const std::size_t digits = stem.find_last_not_of("0123456789") + 1;
      return parse_number<std::uint64_t>(stem.substr(digits)).value_or(0);
    };
    std::sort(found.begin(), found.end(), [&](const std::string& a, const std::string& b) {
      return std::make_pair(number(a), a) < std::make_pair(number(b), b);
    });
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

/// One file on its way into the measurement.
class ResultFile {
 public:
  ResultFile(std::string path, std::size_t stream) : path_(std::move(path)), stream_(stream) {
    try {
      json_ = ResultJson::parse(read_text(path_));
    } catch (const nlohmann::json::exception& error) {
      throw InputError(path_, 0, std::string("is no result file of cuda_scheduling_examiner: ") + error.what());
    }
  }

  std::uint64_t max_resident_threads() const { return whole(json_, "max_resident_threads", 1, 1 << 30); }

  /// `made`: labels that other launches have.
  void read(std::map<std::string, unsigned>& made, std::vector<TimedKernel>& kernels,
            std::vector<ObservedCommand>& commands) {
    const std::string benchmark = text(json_, "label", label_of_file());
    const ExaminerPlugin* const plugin = plugin_of(text(json_, "benchmark_name", ""));
    const ResultJson& entries = member(json_, "times");
    if (!entries.is_array()) fail("times", "a list");
    std::size_t iteration = 0;
    std::map<std::string, unsigned> of_iteration;
    for (const ResultJson& entry : entries) {
      ++entry_;
      if (!entry.is_object()) fail("an entry", "objects");
      if (entry.contains("cpu_times")) {
        ++iteration;
        of_iteration.clear();
      }
      if (!entry.contains("block_times")) continue;
      const std::string name = text(entry, "kernel_name", benchmark);
      std::string label = plugin && plugin->names_launches ? name : benchmark;
      if (const unsigned number = ++of_iteration[label]; number > 1) label += fmt::format("#{}", number);
      if (iteration > 1) label += fmt::format("@{}", iteration);
      if (const unsigned number = ++made[label]; number > 1) label += fmt::format("#{}", number);
      TimedKernel kernel = read_kernel(entry, label);
      commands.push_back(command_of(kernel, name, benchmark));
      kernels.push_back(std::move(kernel));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& allowed) const {
    throw InputError(path_, 0,
                     (entry_ ? fmt::format("times, entry {}: ", entry_) : "") + what + ": allowed: " + allowed);
  }

  static const ResultJson& member(const ResultJson& object, const char* key) {
    static const ResultJson nothing;
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found == object.end() ? nothing : *found;
  }
  static std::string text(const ResultJson& object, const char* key, const std::string& otherwise) {
    const ResultJson& value = member(object, key);
    return value.is_string() && !value.get_ref<const std::string&>().empty() ? value.get<std::string>() : otherwise;
  }
  std::uint64_t whole(const ResultJson& object, const char* key, std::uint64_t least, std::uint64_t most) const {
    const ResultJson& value = member(object, key);
    if (value.is_number_unsigned() && value.get<std::uint64_t>() >= least && value.get<std::uint64_t>() <= most)
      return value.get<std::uint64_t>();
    fail(std::string(key) + " is " + shortened(value.dump()), fmt::format("{} to {}", least, most));
  }

  /// `timer_spin_0` of `timer_spin.so_0.json`.
  std::string label_of_file() const {
    std::string stem = fs::path(path_).stem().string();
    if (const std::size_t library = stem.rfind(".so_"); library != std::string::npos) stem.erase(library, 3);
    return stem;
  }

  static const ExaminerPlugin* plugin_of(const std::string& title) {
    for (const ExaminerPlugin& plugin : examiner_plugins()) {
      if (plugin.title == title) return &plugin;
    }
    return nullptr;
  }

  std::int64_t nanoseconds(const ResultJson& seconds, const char* what) const {
    constexpr double kMost = 4e9;
    if (!seconds.is_number() || std::abs(seconds.get<double>()) > kMost)
      fail(std::string(what) + " has " + shortened(seconds.dump()), "seconds");
    return std::llround(seconds.get<double>() * 1e9);
  }

  TimedKernel read_kernel(const ResultJson& entry, const std::string& label) const {
    constexpr std::uint64_t kMany = std::uint64_t{1} << 40, kManyThreads = 1 << 20;  // more than fit is a broken rule
    const auto of_entry = [&](const char* key) -> const ResultJson& { return entry.contains(key) ? entry : json_; };
    TimedKernel kernel;
    kernel.label = label;
    kernel.stream = stream_;
    if (json_.contains("PID")) kernel.process = whole(json_, "PID", 0, kMany);
    kernel.grid = whole(of_entry("block_count"), "block_count", 1, kMany);
    kernel.threads = static_cast<unsigned>(whole(of_entry("thread_count"), "thread_count", 1, kManyThreads));
    if (entry.contains("shared_memory")) kernel.shared_memory = whole(entry, "shared_memory", 0, kMany);
    if (const ResultJson& host = member(entry, "cuda_launch_times"); !host.is_null()) {
      if (!host.is_array() || host.size() != 3) fail("cuda_launch_times", "three times");
      kernel.launched = nanoseconds(host[0], "cuda_launch_times");
      if (host[2] != 0) kernel.known = nanoseconds(host[2], "cuda_launch_times");
    }
    const ResultJson &times = member(entry, "block_times"), &sms = member(entry, "block_smids");
    if (!times.is_array() || !sms.is_array() || times.size() != 2 * sms.size() || sms.empty())
      fail("block_times and block_smids", "a start and an end in block_times for each block, and an SM in block_smids");
    for (std::size_t i = 0; i < sms.size(); ++i) {
      if (!sms[i].is_number_unsigned()) fail("block_smids has " + shortened(sms[i].dump()), "numbers from 0 on");
      kernel.blocks.push_back({nanoseconds(times[2 * i], "block_times"), nanoseconds(times[2 * i + 1], "block_times"),
                               sms[i].get<std::uint64_t>()});
    }
    return kernel;
  }

  static ObservedCommand command_of(const TimedKernel& kernel, const std::string& name, const std::string& stream) {
    ObservedCommand command;
    command.label = kernel.label;
    command.name = base_name(name);
    command.stream = stream;
    std::int64_t start = kernel.blocks[0].start, end = kernel.blocks[0].end;
    for (std::size_t i = 0; i < kernel.blocks.size(); ++i) {
      const TimedBlock& block = kernel.blocks[i];
      start = std::min(start, block.start);
      end = std::max(end, block.end);
      command.blocks.push_back({i, static_cast<unsigned>(std::min<std::uint64_t>(block.sm, 0xffffffff)),
                                static_cast<double>(block.start), static_cast<double>(block.end)});
    }
    command.start_ns = static_cast<double>(start);
    command.end_ns = static_cast<double>(end);
    return command;
  }

  std::string path_;
  std::size_t stream_;
  ResultJson json_;
  std::size_t entry_ = 0;  ///< of `times`, from 1; 0: none of them
};

/// The tool says how many threads are resident on the whole GPU; gputlm says 2048 for each SM, as the viewers take it.
SmCapacity capacity_of_results(std::uint64_t resident, const std::optional<SmCapacity>& modelled,
                               Observation& observation) {
  if (modelled && (resident == std::uint64_t{modelled->sms} * modelled->threads ||
                   resident == std::uint64_t{modelled->sms} * kThreadsOfViewers))
    return *modelled;
  SmCapacity capacity;
  capacity.sms = static_cast<unsigned>(std::max<std::uint64_t>(resident / kThreadsOfViewers, 1));
  capacity.threads = kThreadsOfViewers;
  observation.warnings.push_back(
      fmt::format("{}: max_resident_threads is {}, which is not of the run's GPU; assumed: {} SMs of {} threads, as "
                  "the tool's viewers do",
                  observation.path, resident, capacity.sms, capacity.threads));
  return capacity;
}

bool is_result_file(const std::string& path) {
  constexpr std::size_t kLooked = 64 * 1024;
  if (std::error_code none; !ends_with(path, ".json") || !fs::is_regular_file(path, none)) return false;
  try {
    const std::string begin = read_text(path, kLooked);
    const auto has = [&](const char* key) { return begin.find(key) != std::string::npos; };
    return has("\"benchmark_name\"") && has("\"max_resident_threads\"");
  } catch (const InputError&) {
    return false;
  }
}

/// A file, or a folder of such files that is no run's.
bool are_results(const std::string& path) {
  std::error_code none;
  if (!fs::is_directory(path, none)) return is_result_file(path);
  if (fs::exists(fs::path(path) / "result.json", none)) return false;
  try {
    const std::vector<std::string> files = result_files({path});
    return !files.empty() && is_result_file(files.front());
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

Observation observe_examiner_results(const std::vector<std::string>& paths, const std::optional<SmCapacity>& modelled) {
  Observation observation;
  observation.path = paths.at(0);
  observation.blocks_only = true;
  std::vector<TimedKernel> kernels;
  std::map<std::string, unsigned> labels;
  std::optional<std::uint64_t> resident;
  std::size_t stream = 0;
  for (const std::string& path : result_files(paths)) {
    ResultFile file(path, stream++);
    const std::uint64_t threads = file.max_resident_threads();
    if (resident && *resident != threads)
      throw InputError(path, 0,
                       fmt::format("max_resident_threads is {}, but {} in the files before: they are of another GPU",
                                   threads, *resident));
    resident = threads;
    file.read(labels, kernels, observation.kernels);
  }
  if (kernels.empty()) throw InputError(observation.path, 0, "has no kernels: no entry of times has block_times");
  observation.broken_rules = broken_rules(kernels, capacity_of_results(*resident, modelled, observation));
  return observation;
}

GPUTLM_REGISTER {
  MeasurementFormat format;
  format.name = "results of cuda_scheduling_examiner";
  format.rank = 1;
  format.description = "result files of cuda_scheduling_examiner, or the folder of them";
  format.has_parts = true;
  format.takes = are_results;
  format.read = [](const std::vector<std::string>& paths, const MeasurementOptions&, const Observation& model) {
    return observe_examiner_results(paths, model.capacity);
  };
  measurement_formats().add(std::move(format));
}

}  // namespace gputlm
