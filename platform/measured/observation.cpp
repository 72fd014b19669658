#include "platform/measured/observation.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "platform/files/csv_reader.h"
#include "platform/files/result_schema.h"
#include "platform/files/text_file.h"
#include "platform/input/kernel_names.h"
#include "platform/input/nearest.h"
#include "platform/measured/capture.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

std::string base_name(const std::string& kernel) { return short_names({demangled(kernel)}).front(); }

nlohmann::ordered_json load_result(const std::string& path) {
  if (std::error_code none; !std::filesystem::exists(path, none))
    throw InputError(path, 0, "is not there; needed is a folder that gputlm run --out has written");
  try {
    auto result = nlohmann::ordered_json::parse(read_text(path));
    bring_up_to_date(result, path);
    return result;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(path, 0, std::string("is no result of gputlm run: ") + error.what());
  }
}

Observation of_capture(const MeasuredTimeline& timeline) {
  const std::string& path = timeline.path;
  Observation observation{path, timeline.gpu.name, {}, {}, true, timeline.warnings};
  const auto add = [&](const MeasuredCommand& command, const std::string& name,
                       std::vector<ObservedCommand>& commands) {
    const MeasuredStream& stream = timeline.streams[command.stream];
    commands.push_back({command.label, name, "stream " + std::to_string(stream.id), static_cast<double>(command.start),
                        static_cast<double>(command.end)});
  };
  for (const MeasuredKernel& kernel : timeline.kernels) add(kernel, base_name(kernel.name), observation.kernels);
  for (const MeasuredCopy& copy : timeline.copies) add(copy, to_string(copy.kind), observation.copies);
  return observation;
}

Observation of_durations(const std::string& path, CsvReader& csv, double cycle_ns) {
  Observation observation;
  observation.path = path;
  observation.durations = true;
  const bool cycles = csv.has("cycles");
  if (cycles && csv.has("ns"))
    throw InputError(path, 0, "has a column 'cycles' and a column 'ns'; one of them is needed");
  if (cycles) observation.cycle_ns = cycle_ns;
  const std::size_t kernels = csv.column("kernel"), times = csv.column(cycles ? "cycles" : "ns");
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
  const std::size_t names = csv.column("config"), numbers = csv.column("launch"), blocks = csv.column("block"),
                    sms = csv.column("sm"), starts = csv.column("start_ns"), ends = csv.column("end_ns");
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
      if (csv.has("stream")) launch.stream = "stream " + std::string(csv.field(csv.column("stream")));
      launch.start_ns = start;
      launch.end_ns = end;
    }
    launch.start_ns = std::min(launch.start_ns, start);
    launch.end_ns = std::max(launch.end_ns, end);
    launch.blocks.push_back({csv.number(blocks), static_cast<unsigned>(csv.number(sms))});
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

}  // namespace

Observation observe_run(const std::string& folder) {
  const std::string path = (std::filesystem::path(folder) / "result.json").string();
  const nlohmann::ordered_json result = load_result(path);
  Observation observation;
  observation.path = folder;
  try {
    observation.gpu = result.at("gpu");
    if (!result.at("complete").get<bool>())
      observation.warnings.push_back(path + ": the run is not complete (" + result.at("state").get<std::string>() +
                                     ")");
    const nlohmann::ordered_json& configuration = result.at("configuration");
    const double ns = observation.cycle_ns = 1e3 / configuration.at("core_mhz").get<double>();
    // What a GPU does before a kernel's first block and after its last is part of what a profiler reports of it.
    const auto overhead = [&](const char* name) { return configuration.at("work_distributor").value(name, 0.0) * ns; };
    const double before = overhead("kernel_launch_latency"), after = overhead("kernel_completion_latency");
    const bool several = result.at("applications").size() > 1;
    const auto add = [&](const nlohmann::ordered_json& from, const std::string& label, const std::string& name,
                         const char* start, std::vector<ObservedCommand>& to) {
      std::string stream = from.at("stream");
      if (several) stream = from.at("application").get<std::string>() + "/" + stream;
      to.push_back({label, name, stream, from.at(start).get<double>() * ns, from.at("end_cycle").get<double>() * ns});
    };
    for (const nlohmann::ordered_json& kernel : result.at("kernels")) {
      add(kernel, kernel.at("kernel"), base_name(kernel.at("name")), "first_block_cycle", observation.kernels);
      observation.kernels.back().start_ns -= before;
      observation.kernels.back().end_ns += after;
    }
    if (result.contains("copies")) {
      for (const nlohmann::ordered_json& copy : result.at("copies"))
        add(copy, copy.at("copy"), copy.at("kind"), "start_cycle", observation.copies);
    }
  } catch (const nlohmann::json::exception& error) {
    throw InputError(path, 0, std::string("is no result of gputlm run: ") + error.what());
  }
  const std::string blocks = (std::filesystem::path(folder) / "blocks.csv").string();
  if (std::error_code none; !std::filesystem::exists(blocks, none)) return observation;
  std::map<std::string, std::size_t, std::less<>> places;
  for (std::size_t i = 0; i < observation.kernels.size(); ++i) places[observation.kernels[i].label] = i;
  const std::string text = read_text(blocks);
  CsvReader csv(blocks, text);
  const std::size_t kernels = csv.column("kernel"), numbers = csv.column("block"), sms = csv.column("sm");
  while (csv.next()) {
    const auto kernel = places.find(csv.field(kernels));
    if (kernel == places.end()) continue;  // it has not ended
    observation.kernels[kernel->second].blocks.push_back({csv.number(numbers), static_cast<unsigned>(csv.number(sms))});
  }
  return observation;
}

Observation observe(const std::string& path, const std::optional<std::uint64_t>& device, const std::string& config,
                    double cycle_ns) {
  std::error_code none;
  const bool folder = std::filesystem::is_directory(path, none);
  const CaptureFormat* const capture = folder ? nullptr : capture_format(path);
  if (device && !capture) throw InputError("--device", 0, "is for a capture, but " + path + " is none");
  if (capture) return of_capture(capture->read(path, device));
  if (!config.empty() && folder)
    throw InputError("--config", 0, "is for a measurement of block placement, but " + path + " is a run's folder");
  if (folder) {
    Observation run = observe_run(path);
    run.cycle_ns = 0;  // its clock may be another
    return run;
  }
  const std::string text = read_text(path);
  CsvReader csv(path, text, CsvReader::Comments::kHash);
  if (csv.has("kernel") && (csv.has("cycles") || csv.has("ns"))) {
    if (!config.empty())
      throw InputError("--config", 0, "is for a measurement of block placement, but " + path + " has times of kernels");
    return of_durations(path, csv, cycle_ns);
  }
  if (!csv.has("config") || !csv.has("sm"))
    throw InputError(path, 0,
                     "is no measurement; allowed are a capture (" + capture_descriptions() +
                         "), the folder of "
                         "a run, and a CSV file with the columns kernel and cycles or ns, or config, launch, block, "
                         "sm, start_ns and "
                         "end_ns");
  return of_placement(path, csv, config);
}

}  // namespace gputlm
