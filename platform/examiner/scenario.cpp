#include "platform/examiner/scenario.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <set>

#include "platform/examiner/fields.h"
#include "platform/examiner/plugin.h"
#include "platform/input/nearest.h"

namespace gputlm::examiner {

namespace configuration {
constexpr const char *kPlace = "configuration",
                     *kParse = "README.md, Configuration Files; src/parse_config.c, ParseConfiguration";
const FormatField kName(configuration_format, kPlace, "name", "name of the scenario", "", "a text; required", kParse);
const FormatField kMaxIterations(configuration_format, kPlace, "max_iterations",
                                 "iterations of each benchmark that does not set its own", "iterations",
                                 "from 0 on; 0: no limit; required", kParse);
const FormatField kMaxTime(configuration_format, kPlace, "max_time",
                           "time of each benchmark that does not set its own; no iteration begins after it", "s",
                           "a real; 0 or less: no limit; required", kParse);
const FormatField kUseProcesses(configuration_format, kPlace, "use_processes",
                                "whether benchmarks are processes or threads of one process", "",
                                "true or false; default false", kParse);
const FormatField kDevice(configuration_format, kPlace, "cuda_device", "number of the GPU", "", "from 0 on; required",
                          kParse);
const FormatField kResults(configuration_format, kPlace, "base_result_directory", "folder of the result files", "",
                           "a path; default ./results", kParse);
const FormatField kPinCpus(configuration_format, kPlace, "pin_cpus",
                           "whether benchmarks are pinned to the CPU's cores in turn, from core 1 on", "",
                           "true or false; default false", kParse);
const FormatField kWarmUp(configuration_format, kPlace, "do_warmup",
                          "whether each benchmark does four iterations that are not recorded", "",
                          "true or false; default false",
                          "src/parse_config.c, ParseConfiguration; src/task_host.c, DoWarmup");
const FormatField kSynchronize(configuration_format, kPlace, "sync_every_iteration",
                               "whether all benchmarks begin each iteration together", "",
                               "true or false; default false", kParse);
const FormatField kBenchmarks(configuration_format, kPlace, "benchmarks", "benchmarks of the scenario", "",
                              "a list, not empty; required", kParse);
const FormatField kComment(configuration_format, kPlace, "comment", "passed over; as often as wanted", "", "", kParse);
}  // namespace configuration

namespace benchmark {
constexpr const char *kPlace = "benchmarks[]",
                     *kParse = "README.md, Configuration Files; src/parse_config.c, ParseBenchmarkList";
const FormatField kFile(configuration_format, kPlace, "filename", "library of the plug-in", "", "a path; required",
                        kParse);
const FormatField kLog(configuration_format, kPlace, "log_name", "result file, below base_result_directory", "",
                       "a path; default LIBRARY_NUMBER.json, from 0 on",
                       "src/parse_config.c, ParseBenchmarkList; src/task_host.c, GetLogFileName");
const FormatField kLabel(configuration_format, kPlace, "label", "name of the benchmark, for its result file", "",
                         "a text", kParse);
const FormatField kThreads(configuration_format, kPlace, "thread_count", "threads of a block", "threads",
                           "a number, or a list of up to three; 0 where the plug-in has its own; required",
                           "README.md, Configuration Files; src/parse_config.c, ParseDim3OrInt");
const FormatField kBlocks(configuration_format, kPlace, "block_count", "blocks of the grid", "blocks",
                          "a number, or a list of up to three; 0 where the plug-in has its own; required",
                          "README.md, Configuration Files; src/parse_config.c, ParseDim3OrInt");
const FormatField kData(configuration_format, kPlace, "data_size", "size of the plug-in's data", "B",
                        "from 0 on; required", kParse);
const FormatField kInfo(configuration_format, kPlace, "additional_info", "further input of the plug-in", "",
                        "any JSON; see each plug-in", kParse);
const FormatField kMaxIterations(configuration_format, kPlace, "max_iterations",
                                 "iterations of this benchmark, instead of the configuration's", "iterations",
                                 "0: no limit; negative: the configuration's", kParse);
const FormatField kMaxTime(configuration_format, kPlace, "max_time",
                           "time of this benchmark, instead of the configuration's", "s",
                           "0: no limit; negative: the configuration's", kParse);
const FormatField kRelease(configuration_format, kPlace, "release_time",
                           "time that it sleeps before its first iteration", "s", "a real; 0 or less: not at all",
                           kParse);
const FormatField kCore(configuration_format, kPlace, "cpu_core", "core that it is pinned to, unless pin_cpus is true",
                        "", "negative: none", kParse);
const FormatField kPriority(configuration_format, kPlace, "stream_priority",
                            "priority of its stream, which then takes no part in the NULL stream's order", "",
                            "0 (low) down to the device's highest, -1 or -5; another number, or none: a stream without "
                            "one",
                            "src/benchmark_gpu_utilities.cu, CreateCUDAStreamWithPriorityAndMask; CUDA Runtime API, "
                            "cudaDeviceGetStreamPriorityRange");
const FormatField kMps(configuration_format, kPlace, "mps_thread_percentage",
                       "share of the threads that a process gets under MPS (CUDA_MPS_ACTIVE_THREAD_PERCENTAGE)", "%",
                       "above 0, to 100; default 100",
                       "src/parse_config.c, ParseBenchmarkList; src/task_host.c, "
                       "SetMPSResourceLimit");
const FormatField kMask(configuration_format, kPlace, "sm_mask", "TPCs that its stream may not use (libsmctrl)", "",
                        "a text: hexadecimal, a set bit disables the TPC of its number; behind ~ it enables it",
                        "README.md, Configuration Files; libsmctrl, libsmctrl_set_stream_mask");
const FormatField kComment(configuration_format, kPlace, "comment", "passed over; as often as wanted", "", "", kParse);
}  // namespace benchmark

}  // namespace gputlm::examiner

namespace gputlm {
namespace {

namespace configuration = examiner::configuration;
namespace benchmark = examiner::benchmark;
using Kind = HostCall::Kind;
using Named = WorkloadBuilder::Named;

constexpr const char* kTaskHost = "task_host";  // the plug-in of a benchmark that is itself a configuration
constexpr std::uint32_t kWarmUpIterations = 4;  // as in the tool
constexpr std::uint32_t kFirstProcess = 1000;
constexpr int kHighestPriority = -5;  // of streams, by cudaDeviceGetStreamPriorityRange; -1 on GPUs of 2017

/// A number, or a list of up to three.
Dim3 read_shape(const YamlNode& node) {
  constexpr std::array<std::uint64_t, 3> kMax = {0x7fffffff, 65535, 65535};  // maximum of a grid (CUDA)
  std::array<std::uint32_t, 3> size{1, 1, 1};
  const std::vector<YamlNode> items = node.is_list() ? node.items() : std::vector<YamlNode>{node};
  if (items.empty() || items.size() > 3) node.fail(fmt::format("found {} dimensions, allowed: 1 to 3", items.size()));
  for (std::size_t i = 0; i < items.size(); ++i)
    size[i] = static_cast<std::uint32_t>(examiner::whole_number(items[i], 0, kMax[i]));
  return {size[0], size[1], size[2]};
}

/// The part of a path below a folder; a path that leaves the folder is reduced to its last part.
std::string path_below(const std::string& path) {
  const std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  const bool leaves = normal.is_absolute() || (!normal.empty() && *normal.begin() == "..");
  const std::string below = (leaves ? normal.filename() : normal).generic_string();
  return below == "." ? "" : below;
}

/// Settings of a configuration for all its benchmarks.
struct Scenario {
  explicit Scenario(const YamlNode& root, std::vector<std::string>& warnings)
      : name(root.at(configuration::kName).possibly_empty_text()),
        max_iterations(examiner::whole_number(root.at(configuration::kMaxIterations), 0, 0xffffffff)),
        max_time(std::max(root.at(configuration::kMaxTime).number(-1e9, 1e9), 0.0)),
        processes(examiner::is_true(root, configuration::kUseProcesses)),
        pins(examiner::is_true(root, configuration::kPinCpus)),
        warms_up(examiner::is_true(root, configuration::kWarmUp)),
        synchronizes(examiner::is_true(root, configuration::kSynchronize)),
        benchmarks(root.at(configuration::kBenchmarks).items()) {
    examiner::note_unknown_keys(root, configuration::kPlace, warnings);
    if (benchmarks.empty())
      root.at(configuration::kBenchmarks).fail("the list is empty, but at least one benchmark is needed");
    const auto directory = root.find(configuration::kResults);
    folder = path_below(directory ? directory->possibly_empty_text() : "results");
    const auto device = root.find(configuration::kDevice);
    if (const std::uint64_t number = device ? examiner::whole_number(*device) : 0; number != 0)
      warnings.push_back(
          fmt::format("{}:{}: cuda_device {} has no effect: there is one GPU", root.file(), device->line(), number));
  }

  std::string name;
  std::uint64_t max_iterations;
  double max_time;
  bool processes, pins, warms_up, synchronizes;
  std::vector<YamlNode> benchmarks;
  std::string folder;
};

/// The environment of a configuration's benchmarks: the top level, or a task_host.
struct Surroundings {
  std::optional<ApplicationId> application = std::nullopt;  ///< process that the benchmarks are threads of
  std::optional<std::uint32_t> start = std::nullopt;        ///< barrier where the benchmarks wait for their task_host
  std::optional<std::uint32_t> end = std::nullopt;          ///< barrier where the task_host waits for the benchmarks
};

class ScenarioReader {
 public:
  explicit ScenarioReader(std::uint64_t time_scale)
      : run_(std::make_shared<ExaminerRun>()), builder_(input_.workload, time_scale) {
    run_->time_scale = time_scale;
  }

  RunInput read(const YamlNode& root) {
    add(root, {});
    Workload& workload = input_.workload;
    if (pins_) workload.warnings.push_back("cpu_core and pin_cpus have no effect: every thread has a core of its own");
    if (has_processes_) {
      // Processes have contexts; if the configuration mentions MPS, its server runs.
      workload.settings.push_back(std::string("work_distributor.application=") +
                                  (mps_ ? "partitioned" : "time_sliced"));
    }
    workload.origin = run_;
    input_.warnings = [warnings = workload.warnings] { return warnings; };
    return std::move(input_);
  }

 private:
  void add(const YamlNode& root, const Surroundings& around) {
    Workload& workload = input_.workload;
    const Scenario scenario(root, workload.warnings);
    std::optional<std::uint32_t> ready, iteration;
    if (scenario.warms_up) ready = barriers_++;
    if (scenario.synchronizes) iteration = barriers_++;
    std::optional<ApplicationId> application = around.application;
    if (!scenario.processes && !application) application = add_application(scenario.name, root);
    pins_ = pins_ || scenario.pins;
    for (std::size_t i = 0; i < scenario.benchmarks.size(); ++i) {
      Benchmark benchmark(*this, scenario, scenario.benchmarks[i], i);
      benchmark.add(application, around, ready, iteration);
    }
  }

  ApplicationId add_application(const std::string& name, const YamlNode& node) {
    ApplicationSpec application;
    application.name = builder_.unique(Named::kApplication, name);
    application.file = node.file();
    application.line = node.line();
    input_.workload.applications.push_back(std::move(application));
    return static_cast<ApplicationId>(input_.workload.applications.size() - 1);
  }

  /// Adds one benchmark to the workload.
  class Benchmark {
   public:
    Benchmark(ScenarioReader& reader, const Scenario& scenario, const YamlNode& entry, std::size_t number)
        : reader_(reader), scenario_(scenario), entry_(entry), number_(number),
          plugin_(find_plugin(entry)), parameters_{
                                           entry, entry.find(benchmark::kInfo),
                                           read_shape(entry.at(benchmark::kThreads)),
                                           read_shape(entry.at(benchmark::kBlocks)),
                                           examiner::whole_number(entry.at(benchmark::kData), 0, Bytes{1} << 40)} {
      examiner::note_unknown_keys(entry, benchmark::kPlace, warnings());
      if (const auto mask = entry.find(benchmark::kMask)) parameters_.sms = read_sm_mask(*mask);
      if (const auto label = entry.find(benchmark::kLabel)) out_.label = label->possibly_empty_text();
      parameters_.label = out_.label && !out_.label->empty() ? *out_.label : fmt::format("{}_{}", stem(), number);
      out_.file = result_file();
      out_.scenario = scenario.name;
      out_.title = plugin_ ? plugin_->title : "Benchmark host";
      out_.data_size = parameters_.data_size;
      if (const auto release = entry.find(benchmark::kRelease)) out_.release_seconds = release->number(-1e9, 18000);
      const auto core = entry.find(benchmark::kCore);
      out_.cpu_core = core && !scenario.pins ? static_cast<std::int64_t>(core->number(-1, 1e6))
                                             : static_cast<std::int64_t>(number + (scenario.pins ? 1 : 0));
      reader.pins_ = reader.pins_ || core;
      read_limits();
    }

    void add(std::optional<ApplicationId> application, const Surroundings& around, std::optional<std::uint32_t> ready,
             std::optional<std::uint32_t> iteration) {
      Workload& workload = reader_.input_.workload;
      const ApplicationId of = scenario_.processes ? reader_.add_application(parameters_.label, entry_) : *application;
      read_share(workload.applications[of]);
      out_.process = kFirstProcess + of;
      out_.thread = workload.threads.size();
      if (!scenario_.processes) out_.thread_id = static_cast<std::uint32_t>(2 * kFirstProcess + out_.thread);
      const std::string name = reader_.builder_.unique(Named::kThread, parameters_.label);
      workload.threads.push_back({name, of, {}, entry_.file()});
      if (plugin_) add_stream(of);
      if (around.start) call(Kind::kBarrier, *around.start);
      std::map<std::string, Address> buffers;
      if (plugin_ && scenario_.warms_up) {
        ExaminerBenchmark unrecorded = out_;
        add_loop(unrecorded, " (warm-up)", std::nullopt, kWarmUpIterations, 0, buffers);
      }
      if (ready) call(Kind::kBarrier, *ready);
      if (const Femtoseconds release = time(std::max(out_.release_seconds, 0.0)); release > 0)
        call(Kind::kHostFunction, 0, release);
      if (plugin_) {
        add_loop(out_, "", iteration, static_cast<std::uint32_t>(max_iterations_), time(max_time_), buffers);
      } else {
        add_task_host(of, iteration);
      }
      if (around.end) call(Kind::kBarrier, *around.end);
      reader_.run_->benchmarks.push_back(std::move(out_));
    }

   private:
    std::vector<std::string>& warnings() { return reader_.input_.workload.warnings; }
    std::string stem() const {
      return std::filesystem::path(entry_.at(benchmark::kFile).possibly_empty_text()).stem().string();
    }

    /// Null for task_host.
    const ExaminerPlugin* find_plugin(const YamlNode& entry) const {
      const std::string name = std::filesystem::path(entry.at(benchmark::kFile).possibly_empty_text()).stem().string();
      if (name == kTaskHost) return nullptr;
      if (const ExaminerPlugin* const plugin = examiner_plugins().find(name)) return plugin;
      std::vector<std::string> names = examiner_plugins().names();
      names.emplace_back(kTaskHost);
      entry.at(benchmark::kFile)
          .fail(fmt::format("no plug-in is called '{}'{}; allowed: {}", name, question(names_meant(name, names)),
                            fmt::join(names, ", ")));
    }

    std::string result_file() {
      const auto node = entry_.find(benchmark::kLog);
      const std::string asked = node ? node->possibly_empty_text() : fmt::format("{}_{}.json", stem(), number_);
      const std::string name = path_below(asked);
      if (name.empty()) node->fail("found '" + asked + "', allowed: the name of a file");
      if (std::filesystem::path(asked).is_absolute())
        warnings().push_back(
            fmt::format("{}:{}: log_name '{}' is '{}' below --out", entry_.file(), node->line(), asked, name));
      std::string file = scenario_.folder.empty() ? name : scenario_.folder + "/" + name;
      if (!reader_.files_.insert(file).second)
        (node ? *node : entry_).fail("another benchmark writes " + file + ", too; allowed: a log_name for each");
      return file;
    }

    void read_limits() {
      max_iterations_ = scenario_.max_iterations;
      max_time_ = scenario_.max_time;
      if (const auto own = entry_.find(benchmark::kMaxIterations); own && own->number(-1e9, 0xffffffffp0) >= 0) {
        max_iterations_ = examiner::whole_number(*own, 0, 0xffffffff);
        if (scenario_.synchronizes)
          own->fail("found with sync_every_iteration, allowed: max_iterations of the configuration only");
      }
      if (const auto own = entry_.find(benchmark::kMaxTime); own && own->number(-1e9, 1e9) >= 0)
        max_time_ = own->number(0, 1e9);
      if (max_iterations_ == 0 && max_time_ == 0)
        entry_.fail("found max_iterations 0 and max_time 0, which never ends, allowed: one of them above 0");
      if (!plugin_ && max_iterations_ != 1)
        entry_.fail(
            "found a task_host without exactly one iteration; each would write the same files; allowed: max_iterations "
            "1");
    }

    void read_share(ApplicationSpec& application) {
      const auto node = entry_.find(benchmark::kMps);
      if (scenario_.processes) reader_.has_processes_ = true;
      if (!node) return;
      const double percent = node->number(0.5, 100);
      if (!scenario_.processes) {
        warnings().push_back(fmt::format("{}:{}: mps_thread_percentage has no effect: use_processes is false",
                                         entry_.file(), node->line()));
        return;
      }
      reader_.mps_ = true;
      // A process under MPS sees this fraction of the SMs (CUDA_MPS_ACTIVE_THREAD_PERCENTAGE).
      application.share.sm_percent = static_cast<unsigned>(std::lround(percent));
    }

    /// For a stream without a priority, or with one that does not exist, the tool makes one that waits for the NULL stream.
    void add_stream(ApplicationId application) {
      StreamSpec stream;
      stream.name = reader_.builder_.unique(Named::kStream, parameters_.label);
      stream.application = application;
      stream.file = entry_.file();
      stream.line = entry_.line();
      if (const auto node = entry_.find(benchmark::kPriority)) {
        const double priority = std::trunc(node->number(-1e9, 1e9));  // the tool casts it
        if (priority <= 0 && priority >= kHighestPriority) {
          stream.priority = static_cast<int>(priority);
          stream.kind = StreamKind::kNonBlocking;
        } else {
          warnings().push_back(
              fmt::format("{}:{}: stream_priority {} is not a priority of a GPU, {} to 0: the stream gets none",
                          entry_.file(), node->line(), priority, kHighestPriority));
        }
      }
      stream_ = static_cast<StreamId>(reader_.input_.workload.streams.size());
      reader_.input_.workload.streams.push_back(std::move(stream));
    }

    void begin_loop(ExaminerBenchmark& out, std::optional<std::uint32_t> barrier) {
      out.loop = calls();
      call(Kind::kLoop);
      if (barrier) call(Kind::kBarrier, *barrier);
      out.begin = out.execute = calls();
    }
    void end_loop(ExaminerBenchmark& out, std::uint32_t count, Femtoseconds most) {
      out.repeat = calls();
      reader_.builder_.call(out.thread, Kind::kRepeat, 0, out.loop, most, count);
    }

    void add_loop(ExaminerBenchmark& out, const std::string& remark, std::optional<std::uint32_t> barrier,
                  std::uint32_t count, Femtoseconds most, std::map<std::string, Address>& buffers) {
      begin_loop(out, barrier);
      PluginProgram program(reader_.builder_, parameters_, out, stream_, buffers, remark);
      plugin_->build(program);
      end_loop(out, count, most);
    }

    /// The single iteration of a task_host is a run of the configuration inside it.
    void add_task_host(ApplicationId application, std::optional<std::uint32_t> barrier) {
      Surroundings inside;
      inside.application = application;
      inside.start = reader_.barriers_++;
      inside.end = reader_.barriers_++;
      begin_loop(out_, barrier);
      call(Kind::kBarrier, *inside.start);
      call(Kind::kBarrier, *inside.end);
      out_.copy_out = calls();
      end_loop(out_, 1, 0);
      reader_.add(parameters_.needed_info(), inside);
    }

    std::size_t calls() const { return reader_.input_.workload.threads[out_.thread].calls.size(); }
    void call(Kind kind, std::size_t what = 0, Femtoseconds time = 0) {
      reader_.builder_.call(out_.thread, kind, 0, what, time);
    }
    Femtoseconds time(double seconds) const {
      const double scaled = seconds / static_cast<double>(reader_.run_->time_scale);
      if (scaled > 18000) entry_.fail(fmt::format("found {} s, allowed: up to five hours of simulated time", seconds));
      return static_cast<Femtoseconds>(std::llround(scaled * 1e9)) * 1'000'000;
    }

    ScenarioReader& reader_;
    const Scenario& scenario_;
    const YamlNode& entry_;
    std::size_t number_;
    const ExaminerPlugin* plugin_;
    PluginParameters parameters_;
    ExaminerBenchmark out_;
    std::uint64_t max_iterations_ = 0;
    double max_time_ = 0;
    StreamId stream_ = 0;
  };

  RunInput input_;
  std::shared_ptr<ExaminerRun> run_;
  WorkloadBuilder builder_;
  std::set<std::string> files_;
  std::uint32_t barriers_ = 0;
  bool pins_ = false, has_processes_ = false, mps_ = false;
};

}  // namespace

RunInput load_examiner_configuration(const YamlNode& configuration, std::uint64_t time_scale) {
  return ScenarioReader(time_scale).read(configuration);
}

}  // namespace gputlm
