/// Result files of cuda_scheduling_examiner (docs/examiner.md), from the tool on a GPU or from a run of gputlm: one JSON file
/// per benchmark; together they are one measurement.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "platform/examiner/plugin.h"
#include "platform/files/atomic_file.h"
#include "platform/programs/observation.h"
#include "tlm/base/error.h"
#include "tlm/base/format_field.h"
#include "tlm/base/numbers.h"
#include "tlm/base/text.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;
using ResultJson = nlohmann::ordered_json;

namespace examiner_results {
FileFormat format{"cuda_scheduling_examiner results", "cuda_scheduling_examiner (src/task_host.c)",
                  "2017 (times of blocks at the top) to 2025"};
constexpr const char *kFile = "file", *kHeader = "src/task_host.c, WriteOutputHeader; README.md, Output File Format",
                     *kEntry = "times[]",
                     *kTimesWriter = "src/task_host.c, WriteTimesToOutput; README.md, Output File Format";
const FormatField kBenchmark(format, kFile, "benchmark_name", "title of the plug-in, which get_name() returns", "", "",
                             kHeader);
const FormatField kLabel(format, kFile, "label", "label of the benchmark", "",
                         "not there where the configuration has none: the file's name then", kHeader);
const FormatField kResident(format, kFile, "max_resident_threads", "threads that the whole GPU can hold at a time",
                            "threads", "SMs x 32 x warps of an SM (48 up to compute capability 2, otherwise always 64)",
                            "src/task_host_utilities.cu, GetMaxResidentThreads");
const FormatField kProcess(format, kFile, "PID", "number of the process", "", "from 1 on", kHeader);
const FormatField kTimes(format, kFile, "times", "iterations and kernels, in their order", "",
                         "a list, the first of which is empty", kHeader);
const FormatField kCpuTimes(format, kEntry, "cpu_times", "begin and end of an iteration, whose kernels follow", "s",
                            "[from, to], since the tool's start", "src/task_host.c, WriteCPUTimesToOutput");
const FormatField kKernel(format, kEntry, "kernel_name", "name of the kernel", "",
                          "not there where the plug-in has none", kTimesWriter);
const FormatField kBlocks(format, kEntry, "block_count", "blocks of the grid", "blocks",
                          "from 1 on; at the top of older files", kTimesWriter);
const FormatField kThreads(format, kEntry, "thread_count", "threads of a block", "threads",
                           "from 1 on; at the top of older files", kTimesWriter);
const FormatField kShared(format, kEntry, "shared_memory", "shared memory of a block", "B",
                          "from 0 on; not there in older files", kTimesWriter);
const FormatField kLaunch(format, kEntry, "cuda_launch_times",
                          "times before the launch, after it, and after the synchronization that waited for it", "s",
                          "since the tool's start, by the host's clock; the third is 0 where nothing waited; negative: "
                          "the plug-in sets none; not there in older files",
                          kTimesWriter);
const FormatField kBlockTimes(
    format, kEntry, "block_times", "start and end of each block, in the order of blockIdx", "s",
    "[start, end, start, ...], since the tool's start, by the GPU's clock; the difference has 64 "
    "bits without a sign, so what is unset, or counted by clock64(), is 1.8e10 or nearly so",
    "src/task_host.c, WriteTimesToOutput and GPUTimerToCPUTime");
const FormatField kSms(format, kEntry, "block_smids", "SM of each block, in the order of blockIdx", "",
                       "%smid, from 0 on", "src/task_host.c, WriteTimesToOutput; PTX ISA, Special Registers, %smid");
}  // namespace examiner_results

constexpr unsigned kThreadsOfViewers = 2048;  // per SM: the tool's viewers divide max_resident_threads by it

/// The files of folders, sorted by the numbers in their names, which are the numbers of the benchmarks.
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
    const auto number = [](const std::string& name) {  // the last number: PLUGIN_NUMBER.json
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

/// Impossible values written by the tool, over all files.
struct LeftOut {
  std::uint64_t blocks = 0;
  std::string first;
};

/// Reads one file into the measurement.
class ResultFile {
 public:
  ResultFile(std::string path, std::size_t stream, LeftOut& left_out)
      : path_(std::move(path)), stream_(stream), left_out_(left_out) {
    try {
      json_ = ResultJson::parse(read_text(path_));
    } catch (const nlohmann::json::exception& error) {
      throw InputError(path_, 0, std::string("is no result file of cuda_scheduling_examiner: ") + error.what());
    }
  }

  std::uint64_t max_resident_threads() const { return whole(json_, examiner_results::kResident, 1, 1 << 30); }

  /// `made`: labels of other launches.
  void read(std::map<std::string, unsigned>& made, std::vector<TimedKernel>& kernels,
            std::vector<ObservedCommand>& commands) {
    using namespace examiner_results;
    const std::string benchmark = text(json_, kLabel, label_of_file());
    const ExaminerPlugin* const plugin = plugin_of(text(json_, kBenchmark, ""));
    const ResultJson& entries = member(json_, kTimes);
    if (!entries.is_array()) fail(kTimes.name, "a list");
    std::size_t iteration = 0;
    std::map<std::string, unsigned> of_iteration;
    for (const ResultJson& entry : entries) {
      ++entry_;
      if (!entry.is_object()) fail("an entry", "objects");
      if (entry.contains(kCpuTimes.name)) {
        ++iteration;
        of_iteration.clear();
      }
      if (!entry.contains(kBlockTimes.name)) continue;
      const std::string name = text(entry, kKernel, benchmark);
      std::string label = plugin && plugin->names_launches ? name : benchmark;
      if (const unsigned number = ++of_iteration[label]; number > 1) label += fmt::format("#{}", number);
      if (iteration > 1) label += fmt::format("@{}", iteration);
      if (const unsigned number = ++made[label]; number > 1) label += fmt::format("#{}", number);
      TimedKernel kernel = read_kernel(entry, label);
      if (kernel.blocks.empty()) continue;
      commands.push_back(command_of(kernel, name, benchmark));
      kernels.push_back(std::move(kernel));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& allowed) const {
    throw InputError(path_, 0,
                     (entry_ ? fmt::format("times, entry {}: ", entry_) : "") + what + ": allowed: " + allowed);
  }

  static const ResultJson& member(const ResultJson& object, const FormatField& field) {
    static const ResultJson nothing;
    const auto found = object.is_object() ? object.find(field.name) : object.end();
    return found == object.end() ? nothing : *found;
  }
  static std::string text(const ResultJson& object, const FormatField& field, const std::string& otherwise) {
    const ResultJson& value = member(object, field);
    return value.is_string() && !value.get_ref<const std::string&>().empty() ? value.get<std::string>() : otherwise;
  }
  std::uint64_t whole(const ResultJson& object, const FormatField& field, std::uint64_t least,
                      std::uint64_t most) const {
    const ResultJson& value = member(object, field);
    if (value.is_number_unsigned() && value.get<std::uint64_t>() >= least && value.get<std::uint64_t>() <= most)
      return value.get<std::uint64_t>();
    fail(std::string(field.name) + " is " + shortened(value.dump()), fmt::format("{} to {}", least, most));
  }

  /// `timer_spin_0` for `timer_spin.so_0.json`.
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

  /// The time in nanoseconds; none if it is impossible.
  std::optional<std::int64_t> nanoseconds(const ResultJson& seconds, const FormatField& field) const {
    constexpr double kMost = 4e9;
    if (!seconds.is_number()) fail(fmt::format("{} has {}", field.name, shortened(seconds.dump())), "seconds");
    if (!(std::abs(seconds.get<double>()) <= kMost)) return std::nullopt;
    return std::llround(seconds.get<double>() * 1e9);
  }

  TimedKernel read_kernel(const ResultJson& entry, const std::string& label) {
    using namespace examiner_results;
    constexpr std::uint64_t kMany = std::uint64_t{1} << 40,
                            kManyThreads = 1 << 20;  // more than fits is reported as a broken
                                                     // rule
    const auto of_entry = [&](const FormatField& field) -> const ResultJson& {
      return entry.contains(field.name) ? entry : json_;
    };
    TimedKernel kernel;
    kernel.label = label;
    kernel.stream = stream_;
    if (json_.contains(kProcess.name)) kernel.process = whole(json_, kProcess, 0, kMany);
    kernel.grid = whole(of_entry(kBlocks), kBlocks, 1, kMany);
    kernel.threads = static_cast<unsigned>(whole(of_entry(kThreads), kThreads, 1, kManyThreads));
    if (entry.contains(kShared.name)) kernel.shared_memory = whole(entry, kShared, 0, kMany);
    if (const ResultJson& host = member(entry, kLaunch); !host.is_null()) {
      if (!host.is_array() || host.size() != 3) fail(kLaunch.name, "three times");
      const auto before = nanoseconds(host[0], kLaunch), known = nanoseconds(host[2], kLaunch);
      if (before && *before >= 0) kernel.launched = before;
      if (known && *known > 0) kernel.known = known;
    }
    const ResultJson &times = member(entry, kBlockTimes), &sms = member(entry, kSms);
    if (!times.is_array() || !sms.is_array() || times.size() != 2 * sms.size() || sms.empty())
      fail("block_times and block_smids", "a start and an end in block_times for each block, and an SM in block_smids");
    for (std::size_t i = 0; i < sms.size(); ++i) {
      if (!sms[i].is_number_unsigned())
        fail(fmt::format("{} has {}", kSms.name, shortened(sms[i].dump())), "numbers from 0 on");
      const auto start = nanoseconds(times[2 * i], kBlockTimes), end = nanoseconds(times[2 * i + 1], kBlockTimes);
      if (start && end) {
        kernel.blocks.push_back({*start, *end, sms[i].get<std::uint64_t>(), i});
      } else {
        --kernel.grid;
        leave_out(fmt::format("block {} of {} {} at {} s", i, label, start ? "ends" : "starts",
                              shortened(times[2 * i + (start ? 1 : 0)].dump())));
      }
    }
    return kernel;
  }

  void leave_out(const std::string& what) {
    if (left_out_.blocks++ == 0) left_out_.first = fmt::format("{}, times, entry {}: {}", path_, entry_, what);
  }

  static ObservedCommand command_of(const TimedKernel& kernel, const std::string& name, const std::string& stream) {
    ObservedCommand command;
    command.label = kernel.label;
    command.name = base_name(name);
    command.stream = stream;
    std::int64_t start = kernel.blocks[0].start, end = kernel.blocks[0].end;
    for (const TimedBlock& block : kernel.blocks) {
      start = std::min(start, block.start);
      end = std::max(end, block.end);
      command.blocks.push_back({*block.number, static_cast<unsigned>(std::min<std::uint64_t>(block.sm, 0xffffffff)),
                                static_cast<double>(block.start), static_cast<double>(block.end)});
    }
    command.start_ns = static_cast<double>(start);
    command.end_ns = static_cast<double>(end);
    return command;
  }

  std::string path_;
  std::size_t stream_;
  LeftOut& left_out_;
  ResultJson json_;
  std::size_t entry_ = 0;  ///< index in `times`, from 1; 0: none
};

/// The tool writes the number of threads resident on the whole GPU; gputlm writes 2048 per SM, as the viewers expect.
SmCapacity capacity_of_results(std::uint64_t resident, const std::optional<SmCapacity>& modelled,
                               Observation& observation) {
  if (modelled && (resident == std::uint64_t{modelled->sms} * modelled->threads ||
                   resident == std::uint64_t{modelled->sms} * kThreadsOfViewers))
    return *modelled;
  SmCapacity capacity;
  capacity.sms = static_cast<unsigned>(std::max<std::uint64_t>(resident / kThreadsOfViewers, 1));
  capacity.threads = kThreadsOfViewers;
  observation.warnings.push_back(
      fmt::format("{}: max_resident_threads is {}, which does not match the run's GPU; assumed: {} SMs of {} threads, "
                  "as the tool's viewers do",
                  observation.path, resident, capacity.sms, capacity.threads));
  return capacity;
}

bool is_result_file(const std::string& path) {
  constexpr std::size_t kLooked = 64 * 1024;
  if (std::error_code none; !ends_with(path, ".json") || !fs::is_regular_file(path, none)) return false;
  try {
    const std::string begin = read_text(path, kLooked);
    const auto has = [&](const FormatField& field) {
      return begin.find(fmt::format("\"{}\"", field.name)) != std::string::npos;
    };
    return has(examiner_results::kBenchmark) && has(examiner_results::kResident);
  } catch (const InputError&) {
    return false;
  }
}

/// Whether the path is such a file, or a folder of such files that is not a run's folder.
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

/// `paths`: files, or folders of them. Launches get the labels that a run of the configuration gives them. `modelled`: the
/// capacity of the run's GPU, used to judge the rules if the results have the same number of SMs. Throws InputError.
Observation observe_results(const std::vector<std::string>& paths, const std::optional<SmCapacity>& modelled) {
  Observation observation;
  observation.path = paths.at(0);
  observation.blocks_only = true;
  std::vector<TimedKernel> kernels;
  std::map<std::string, unsigned> labels;
  std::optional<std::uint64_t> resident;
  std::size_t stream = 0;
  LeftOut left_out;
  for (const std::string& path : result_files(paths)) {
    ResultFile file(path, stream++, left_out);
    const std::uint64_t threads = file.max_resident_threads();
    if (resident && *resident != threads)
      throw InputError(
          path, 0,
          fmt::format("max_resident_threads is {}, but {} in the previous files: they are from another GPU", threads,
                      *resident));
    resident = threads;
    file.read(labels, kernels, observation.kernels);
  }
  if (left_out.blocks > 0) {
    const std::string what = fmt::format("{} block{} with impossible times left out; the first: {}", left_out.blocks,
                                         left_out.blocks == 1 ? "" : "s", left_out.first);
    if (kernels.empty()) throw InputError(observation.path, 0, "has no kernels: " + what);
    observation.warnings.push_back(fmt::format("{}: {}", observation.path, what));
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
    return observe_results(paths, model.capacity);
  };
  measurement_formats().add(std::move(format));
}

}  // namespace
}  // namespace gputlm
