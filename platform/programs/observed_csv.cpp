/// CSV files as measurements: times of kernels, and where blocks were (what placement.cu measures).
#include <algorithm>
#include <map>
#include <utility>

#include "platform/files/csv_reader.h"
#include "platform/files/text_file.h"
#include "platform/input/nearest.h"
#include "platform/programs/measurement.h"
#include "platform/programs/observed_names.h"
#include "tlm/error.h"
#include "tlm/format_field.h"

namespace gputlm {
namespace {

namespace durations_csv {
FileFormat format{"times of kernels", "this program's own form", "docs/compare.md"};
constexpr const char *kLine = "line", *kDocument = "docs/compare.md";
const FormatField kKernel(format, kLine, "kernel", "name of the kernel, as often as it was launched", "", "",
                          kDocument);
const FormatField kCycles(format, kLine, "cycles", "how long it took; this column or ns", "cycles of the run's GPU",
                          "a number above 0", kDocument);
const FormatField kNs(format, kLine, "ns", "how long it took; this column or cycles", "ns", "a number above 0",
                      kDocument);
}  // namespace durations_csv

namespace placement_csv {
FileFormat format{"placement of blocks", "placement.cu, a kernel whose blocks note where and when they run",
                  "docs/compare.md"};
constexpr const char *kLine = "line", *kPrinted = "placement.cu, what main() prints";
const FormatField kConfig(format, kLine, "config", "what was measured, of which one is compared (--config)", "", "",
                          kPrinted);
const FormatField kLaunch(format, kLine, "launch", "number of the launch in its config", "", "from 0 on", kPrinted);
const FormatField kStream(format, kLine, "stream", "number of the stream; may be left out", "", "", kPrinted);
const FormatField kBlock(format, kLine, "block", "blockIdx", "", "from 0 on", kPrinted);
const FormatField kSm(format, kLine, "sm", "SM that it ran on", "", "from 0 on",
                      "placement.cu, spin(): %smid (PTX ISA, Special Registers)");
const FormatField kStart(format, kLine, "start_ns", "when it started, by the GPU's clock", "ns", "since any time",
                         "placement.cu, spin(): %globaltimer (PTX ISA, Special Registers)");
const FormatField kEnd(format, kLine, "end_ns", "when it ended, by the GPU's clock", "ns", "as start_ns",
                       "placement.cu, spin(): %globaltimer (PTX ISA, Special Registers)");
}  // namespace placement_csv

Observation of_durations(const std::string& path, CsvReader& csv, double cycle_ns) {
  Observation observation;
  observation.path = path;
  observation.durations = true;
  using namespace durations_csv;
  const bool cycles = csv.has(kCycles.name);
  if (cycles && csv.has(kNs.name))
    throw InputError(path, 0, "has a column 'cycles' and a column 'ns'; one of them is needed");
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

/// Whether a file is CSV whose header has these columns.
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
