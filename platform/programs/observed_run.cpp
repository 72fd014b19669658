/// A run of the model, by the files of its folder.
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "platform/files/csv_reader.h"
#include "platform/files/result_schema.h"
#include "platform/files/text_file.h"
#include "platform/programs/measurement.h"
#include "platform/programs/observed_names.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

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
  const std::string blocks = (std::filesystem::path(folder) / "blocks.csv").string();
  if (std::error_code none; !std::filesystem::exists(blocks, none)) return observation;
  std::map<std::string, std::size_t, std::less<>> places;
  for (std::size_t i = 0; i < observation.kernels.size(); ++i) places[observation.kernels[i].label] = i;
  const std::string text = read_text(blocks);
  CsvReader csv(blocks, text);
  const std::size_t kernels = csv.column("kernel"), numbers = csv.column("block"), sms = csv.column("sm");
  const std::size_t starts = csv.column("start_cycle"), ends = csv.column("end_cycle");
  const auto ns = [&](std::size_t column) { return static_cast<double>(csv.number(column)) * observation.cycle_ns; };
  while (csv.next()) {
    const auto kernel = places.find(csv.field(kernels));
    if (kernel == places.end()) continue;  // it has not ended
    observation.kernels[kernel->second].blocks.push_back(
        {csv.number(numbers), static_cast<unsigned>(csv.number(sms)), ns(starts), ns(ends)});
  }
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
    run.cycle_ns = 0;  // its clock may be another
    return run;
  };
  measurement_formats().add(std::move(format));
}

}  // namespace gputlm
