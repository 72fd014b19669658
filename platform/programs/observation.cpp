#include "platform/programs/observation.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include <utility>

#include "platform/files/atomic_file.h"
#include "platform/files/csv.h"
#include "platform/files/run_folder.h"
#include "platform/input/nearest.h"
#include "platform/programs/capture.h"
#include "tlm/base/error.h"
#include "tlm/base/format_field.h"

namespace gputlm {
namespace {

const MeasurementFormat& format_of_measurement(const std::string& path) {
  if (std::error_code none; !std::filesystem::exists(path, none)) throw InputError(path, 0, "is not there");
  const auto& all = measurement_formats().all();
  const auto found = std::find_if(all.begin(), all.end(), [&](const MeasurementFormat& f) { return f.takes(path); });
  if (found != all.end()) return *found;
  std::string allowed;
  for (const MeasurementFormat& format : all) allowed += (allowed.empty() ? "" : "; ") + format.description;
  throw InputError(path, 0, "is no measurement; allowed are: " + allowed);
}

void refuse_option(const char* option, bool MeasurementFormat::*takes, const std::string& path,
                   const MeasurementFormat& format) {
  if (format.*takes) return;
  std::string others;
  for (const MeasurementFormat& other : measurement_formats()) {
    if (other.*takes) others += (others.empty() ? "" : ", ") + other.name;
  }
  throw InputError(option, 0, "is for: " + others + "; " + path + " is: " + format.name);
}

// A run of the model, from the files of its folder.

std::optional<SmCapacity> capacity_of(const nlohmann::ordered_json& configuration) {
  const nlohmann::ordered_json& sm = configuration.at("sm");
  SmCapacity capacity;
  capacity.sms = configuration.at("sms");
  capacity.threads = sm.at("threads");
  capacity.blocks = sm.at("blocks").get<unsigned>();
  capacity.shared_memory = sm.at("shared_memory").get<Bytes>();
  return capacity;
}

}  // namespace

Registry<MeasurementFormat>& measurement_formats() {
  static Registry<MeasurementFormat> registry("format of measurements");
  return registry;
}

Observation observe(const std::vector<std::string>& paths, const MeasurementOptions& options,
                    const Observation& model) {
  const MeasurementFormat& format = format_of_measurement(paths.at(0));
  for (std::size_t i = 1; i < paths.size(); ++i) {
    if (!format.has_parts || &format_of_measurement(paths[i]) != &format)
      throw InputError(paths[i], 0,
                       "is a second measurement beside " + paths[0] + ", " + format.name +
                           "; allowed: one, or result files of cuda_scheduling_examiner");
  }
  if (options.device) refuse_option("--device", &MeasurementFormat::has_devices, paths[0], format);
  if (!options.configuration.empty())
    refuse_option("--config", &MeasurementFormat::has_configurations, paths[0], format);
  return format.read(paths, options, model);
}

// A capture as a measurement: times of kernels and copies.

namespace {

Observation of_capture(const Program& program) {
  Observation observation{program.path, program.gpu.name, {}, {}, true, program.warnings};
  for (const MeasuredCommand& command : program.commands) {
    const std::string stream = "stream " + std::to_string(program.streams[command.stream].id);
    const MeasuredKernel* const kernel = command.kernel();
    auto& commands = kernel ? observation.kernels : observation.copies;
    commands.push_back({command.label, kernel ? base_name(kernel->name) : to_string(command.copy()->kind), stream,
                        static_cast<double>(command.start), static_cast<double>(command.end)});
  }
  return observation;
}

GPUTLM_REGISTER {
  MeasurementFormat format;
  format.name = "a capture";
  format.rank = 2;
  format.description = "a capture (" + capture_descriptions() + ")";
  format.has_devices = true;
  format.takes = [](const std::string& path) { return capture_format(path) != nullptr; };
  format.read = [](const std::vector<std::string>& paths, const MeasurementOptions& options, const Observation&) {
    return of_capture(capture_format(paths[0])->read(paths[0], options.device));
  };
  measurement_formats().add(std::move(format));
}

}  // namespace

Observation observe_run(const std::string& folder) {
  RunFolder run(folder);
  const std::string path = run.path_of(run_files::kResult);
  const nlohmann::ordered_json& result = run.result();
  Observation observation;
  observation.path = folder;
  try {
    observation.gpu = result.at("gpu");
    if (!result.at("complete").get<bool>())
      observation.warnings.push_back(path + ": the run is not complete (" + result.at("state").get<std::string>() +
                                     ")");
    const nlohmann::ordered_json& configuration = result.at("configuration");
    const double ns = observation.cycle_ns = 1e3 / configuration.at("core_mhz").get<double>();
    // A profiler's time of a kernel includes the GPU's overhead before its first block and after its last.
    const auto overhead = [&](const char* name) { return configuration.at("work_distributor").value(name, 0.0) * ns; };
    observation.launch_ns = overhead("kernel_launch_latency");
    observation.completion_ns = overhead("kernel_completion_latency");
    observation.capacity = capacity_of(configuration);
    const bool several = result.at("applications").size() > 1;
    const auto add = [&](const nlohmann::ordered_json& from, const std::string& label, const std::string& name,
                         const char* start, std::vector<ObservedCommand>& to) {
      std::string stream = from.at("stream");
      if (several) stream = from.at("application").get<std::string>() + "/" + stream;
      to.push_back({label, name, stream, from.at(start).get<double>() * ns, from.at("end_cycle").get<double>() * ns});
    };
    for (const nlohmann::ordered_json& kernel : result.at("kernels")) {
      add(kernel, kernel.at("kernel"), base_name(kernel.at("name")), "first_block_cycle", observation.kernels);
      observation.kernels.back().start_ns -= observation.launch_ns;
      observation.kernels.back().end_ns += observation.completion_ns;
    }
    if (result.contains("copies")) {
      for (const nlohmann::ordered_json& copy : result.at("copies"))
        add(copy, copy.at("copy"), copy.at("kind"), "start_cycle", observation.copies);
    }
  } catch (const nlohmann::json::exception& error) {
    throw InputError(path, 0, std::string("is no result of gputlm run: ") + error.what());
  }
  const auto blocks = run.read(run_files::kBlocks);
  if (!blocks) return observation;
  std::map<std::string, std::size_t, std::less<>> places;
  for (std::size_t i = 0; i < observation.kernels.size(); ++i) places[observation.kernels[i].label] = i;
  for_each_row<BlockLine>(run.path_of(run_files::kBlocks), *blocks, [&](const BlockLine& block) {
    const auto kernel = places.find(block.kernel);
    if (kernel == places.end()) return;  // it has not ended
    observation.kernels[kernel->second].blocks.push_back({block.block, block.sm,
                                                          static_cast<double>(block.start) * observation.cycle_ns,
                                                          static_cast<double>(block.end) * observation.cycle_ns});
  });
  return observation;
}

GPUTLM_REGISTER {
  MeasurementFormat format;
  format.name = "a run";
  format.rank = 3;
  format.description = "the folder of another run";
  format.takes = [](const std::string& path) {
    std::error_code none;
    return std::filesystem::is_directory(path, none);
  };
  format.read = [](const std::vector<std::string>& paths, const MeasurementOptions&, const Observation&) {
    Observation run = observe_run(paths[0]);
    run.cycle_ns = 0;  // its clock may differ
    return run;
  };
  measurement_formats().add(std::move(format));
}

// CSV files as measurements: times of kernels, and SMs of blocks (measured by placement.cu).

namespace {

namespace durations_csv {
FileFormat format{"times of kernels", "this program's own form", "docs/compare.md"};
constexpr const char *kLine = "line", *kDocument = "docs/compare.md";
const FormatField kKernel(format, kLine, "kernel", "name of the kernel; one line per launch", "", "", kDocument);
const FormatField kCycles(format, kLine, "cycles", "time of the launch; this column or ns", "cycles of the run's GPU",
                          "a number above 0", kDocument);
const FormatField kNs(format, kLine, "ns", "time of the launch; this column or cycles", "ns", "a number above 0",
                      kDocument);
}  // namespace durations_csv

namespace placement_csv {
FileFormat format{"placement of blocks", "placement.cu, a kernel whose blocks note where and when they run",
                  "docs/compare.md"};
constexpr const char *kLine = "line", *kPrinted = "placement.cu, what main() prints";
const FormatField kConfig(format, kLine, "config", "name of a measurement; one is compared (--config)", "", "",
                          kPrinted);
const FormatField kLaunch(format, kLine, "launch", "number of the launch in its config", "", "from 0 on", kPrinted);
const FormatField kStream(format, kLine, "stream", "number of the stream; may be left out", "", "", kPrinted);
const FormatField kBlock(format, kLine, "block", "index of the block (blockIdx)", "", "from 0 on", kPrinted);
const FormatField kSm(format, kLine, "sm", "SM that it ran on", "", "from 0 on",
                      "placement.cu, spin(): %smid (PTX ISA, Special Registers)");
const FormatField kStart(format, kLine, "start_ns", "start, by the GPU's clock", "ns", "since any time",
                         "placement.cu, spin(): %globaltimer (PTX ISA, Special Registers)");
const FormatField kEnd(format, kLine, "end_ns", "end, by the GPU's clock", "ns", "as start_ns",
                       "placement.cu, spin(): %globaltimer (PTX ISA, Special Registers)");
}  // namespace placement_csv

Observation of_durations(const std::string& path, CsvReader& csv, double cycle_ns) {
  Observation observation;
  observation.path = path;
  observation.durations = true;
  using namespace durations_csv;
  const bool cycles = csv.has(kCycles.name);
  if (cycles && csv.has(kNs.name))
    throw InputError(path, 0, "has a column 'cycles' and a column 'ns', allowed: one of them");
  if (cycles) observation.cycle_ns = cycle_ns;
  const std::size_t kernels = csv.column(kKernel.name), times = csv.column((cycles ? kCycles : kNs).name);
  std::map<std::string, unsigned> launches;
  while (csv.next()) {
    const std::string kernel(csv.field(kernels));
    const unsigned launch = ++launches[kernel];
    ObservedCommand command;
    command.label = launch == 1 ? kernel : kernel + " (" + std::to_string(launch) + ")";
    command.name = base_name(kernel);
    command.end_ns = csv.quantity(times) * (cycles ? cycle_ns : 1);
    observation.kernels.push_back(std::move(command));
  }
  if (observation.kernels.empty()) throw InputError(path, 0, "has no kernels");
  if (!csv.comments().empty()) observation.gpu = csv.comments().front();
  return observation;
}

Observation of_placement(const std::string& path, CsvReader& csv, const std::string& wanted) {
  Observation observation;
  observation.path = path;
  observation.names_kernels = false;
  observation.blocks_only = true;
  using namespace placement_csv;
  const std::size_t names = csv.column(kConfig.name), numbers = csv.column(kLaunch.name),
                    blocks = csv.column(kBlock.name), sms = csv.column(kSm.name), starts = csv.column(kStart.name),
                    ends = csv.column(kEnd.name);
  std::map<std::uint64_t, ObservedCommand> launches;
  std::vector<std::string> configs;
  std::string config = wanted;
  while (csv.next()) {
    const std::string name(csv.field(names));
    if (configs.empty() || configs.back() != name) configs.push_back(name);
    if (config.empty()) config = name;
    if (name != config) continue;
    ObservedCommand& launch = launches[csv.number(numbers)];
    const auto start = static_cast<double>(csv.number(starts)), end = static_cast<double>(csv.number(ends));
    if (launch.blocks.empty()) {
      launch.label = launch.name = "launch " + std::string(csv.field(numbers));
      if (csv.has(kStream.name)) launch.stream = "stream " + std::string(csv.field(csv.column(kStream.name)));
      launch.start_ns = start;
      launch.end_ns = end;
    }
    launch.start_ns = std::min(launch.start_ns, start);
    launch.end_ns = std::max(launch.end_ns, end);
    launch.blocks.push_back({csv.number(blocks), static_cast<unsigned>(csv.number(sms)), start, end});
  }
  if (launches.empty() && !wanted.empty())
    throw InputError("--config: no configuration of " + path + " is called '" + wanted + "'" +
                     suggestion(wanted, configs));
  if (launches.empty()) throw InputError(path, 0, "has no blocks");
  if (wanted.empty() && configs.size() > 1)
    throw InputError(path, 0,
                     "has " + std::to_string(configs.size()) + " configurations; say which: --config " + configs[0] +
                         ", --config " + configs[1] + " ...");
  if (!csv.comments().empty()) observation.gpu = csv.comments().front();
  for (auto& [number, launch] : launches) observation.kernels.push_back(std::move(launch));
  return observation;
}

/// Whether a file is CSV with these columns in its header.
bool has_columns(const std::string& path, const std::vector<const FormatField*>& columns) {
  constexpr std::size_t kLooked = 64 * 1024;
  try {
    const std::string text = read_text(path, kLooked);
    const CsvReader csv(path, text, CsvReader::Comments::kHash);
    return std::all_of(columns.begin(), columns.end(),
                       [&](const FormatField* column) { return csv.has(column->name); });
  } catch (const InputError&) {
    return false;
  }
}

GPUTLM_REGISTER {
  MeasurementFormat durations;
  durations.name = "times of kernels";
  durations.rank = 4;
  durations.description = "CSV with the columns kernel, and cycles or ns";
  durations.takes = [](const std::string& path) {
    return has_columns(path, {&durations_csv::kKernel, &durations_csv::kCycles}) ||
           has_columns(path, {&durations_csv::kKernel, &durations_csv::kNs});
  };
  durations.read = [](const std::vector<std::string>& paths, const MeasurementOptions&, const Observation& model) {
    const std::string text = read_text(paths[0]);
    CsvReader csv(paths[0], text, CsvReader::Comments::kHash);
    return of_durations(paths[0], csv, model.cycle_ns);
  };
  measurement_formats().add(std::move(durations));

  MeasurementFormat placement;
  placement.name = "placement of blocks";
  placement.rank = 5;
  placement.description = "CSV with the columns config, launch, block, sm, start_ns and end_ns";
  placement.has_configurations = true;
  placement.takes = [](const std::string& path) {
    return has_columns(path, {&placement_csv::kConfig, &placement_csv::kSm});
  };
  placement.read = [](const std::vector<std::string>& paths, const MeasurementOptions& options, const Observation&) {
    const std::string text = read_text(paths[0]);
    CsvReader csv(paths[0], text, CsvReader::Comments::kHash);
    return of_placement(paths[0], csv, options.configuration);
  };
  measurement_formats().add(std::move(placement));
}

}  // namespace

}  // namespace gputlm
