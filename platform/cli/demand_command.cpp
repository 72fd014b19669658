#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "platform/cli/commands.h"
#include "platform/cli/input_arguments.h"
#include "platform/cli/many_runs.h"
#include "platform/files/atomic_file.h"
#include "platform/files/json_text.h"
#include "platform/files/rows.h"
#include "platform/files/table.h"
#include "platform/files/terminal.h"
#include "platform/input/map_form.h"
#include "platform/lab/demand_run.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// A column for each count of a demand, named as in workload files.
struct DemandColumns {
  std::vector<TableColumn>& columns;

  template <class R, class Form, class... Source>
  void field(KernelDemand::Count R::*, const char* name, const Form& form, const char* meaning, const Source&...) {
    columns.push_back({name, form.unit.name, meaning});
  }
  void part(PipeInstructions KernelDemand::*) { PipeInstructions::describe(*this); }
  template <class... T>
  void origin(T&&...) {}
};

std::vector<TableColumn> demand_columns() {
  std::vector<TableColumn> columns{{"kernel", "", "Name of the kernel"},
                                   {"grid", "blocks", "Blocks of the grid: 432, 432x2 or 432x2x4"},
                                   {"block", "threads", "Threads of a block, in the same form"}};
  DemandColumns rest{columns};
  KernelDemand::describe(rest);
  return columns;
}

/// 16x8 for 16 x 8 x 1.
std::string short_shape(const Dim3& shape) {
  std::string text = std::to_string(shape.x);
  if (shape.y > 1 || shape.z > 1) text += 'x' + std::to_string(shape.y);
  return shape.z > 1 ? text + 'x' + std::to_string(shape.z) : text;
}

class DemandCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  /// The distinct kernels of the workload.
  static std::vector<LaunchCommand> kernels(const Workload& workload);
  static std::string text(const std::vector<LaunchCommand>& kernels, const std::vector<KernelDemand>& demands);
  static std::string csv(const std::vector<LaunchCommand>& kernels, const std::vector<KernelDemand>& demands);
  static std::string yaml(const std::vector<LaunchCommand>& kernels, const std::vector<KernelDemand>& demands);

  InputArguments input_;
  std::string csv_, yaml_;
  ManyRuns runs_;
};

void DemandCommand::declare(Arguments& arguments) {
  input_.declare(arguments);
  arguments.text("--csv", csv_, "File for all counts as CSV", Values::output());
  arguments.text("--yaml", yaml_, "File for the demands in the form of a workload file", Values::output());
  runs_.declare(arguments);
  arguments.example("demand workloads/mixed.yaml --gpu xavier",
                    "each kernel's demand on the hardware, alone on the GPU");
  arguments.example("demand backprop/ --gpu volta80 --csv demands.csv --yaml demands.yaml",
                    "for a traced program, with all counts, and as `demand:` for kernels of a workload file");
}

std::vector<LaunchCommand> DemandCommand::kernels(const Workload& workload) {
  std::vector<LaunchCommand> all;
  std::map<std::string, bool> known;
  for (const LaunchCommand& launch : workload.launches) {
    const Kernel& kernel = *launch.kernel;
    const std::string source = kernel.source();
    const std::string key = fmt::format("{}\n{}\n{}\n{}", kernel.name, to_text(kernel.grid), to_text(kernel.block),
                                        source.empty() ? fmt::format("{}", fmt::ptr(&kernel)) : source);
    if (known.emplace(key, true).second) all.push_back(launch);
  }
  return all;
}

std::string DemandCommand::text(const std::vector<LaunchCommand>& kernels, const std::vector<KernelDemand>& demands) {
  Table table({{"kernel"},
               {"grid"},
               {"block"},
               {"duration_us", "us", "", "us", 2},
               {"instructions"},
               {"l1_sectors", "", "", "L1 sectors"},
               {"l1_hits", "%", "", "hits", 1},
               {"l2_reads", "", "", "L2 reads"},
               {"l2_writes", "", "", "L2 writes"},
               {"l2_hits", "%", "", "hits", 1},
               {"read_mb", "MB", "", "DRAM read", 2},
               {"written_mb", "MB", "", "written", 2},
               {"warps", "%", "", "warps", 1}});
  const auto whole = [](const KernelDemand::Count& count) {
    return count ? Cell(static_cast<std::uint64_t>(*count)) : Cell();
  };
  const auto times = [](const KernelDemand::Count& count, double factor) {
    return count ? Cell(*count * factor) : Cell();
  };
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const KernelDemand& d = demands[k];
    const Kernel& kernel = *kernels[k].kernel;
    table.add({kernel.name, short_shape(kernel.grid), short_shape(kernel.block), d.duration_us, whole(d.instructions),
               whole(d.l1_sectors), times(d.l1_hit_rate, 100), whole(d.l2_read_sectors), whole(d.l2_write_sectors),
               times(d.l2_hit_rate, 100), times(d.dram_read_bytes, 1e-6), times(d.dram_write_bytes, 1e-6),
               times(d.warps_active, 100)});
  }
  return table.text();
}

std::string DemandCommand::csv(const std::vector<LaunchCommand>& kernels, const std::vector<KernelDemand>& demands) {
  Table table(demand_columns());
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const Kernel& kernel = *kernels[k].kernel;
    std::vector<Cell> row{kernel.name, short_shape(kernel.grid), short_shape(kernel.block)};
    for_each_count([&](const char*, auto of) { row.emplace_back(of(demands[k])); });
    table.add(std::move(row));
  }
  return table.csv();
}

std::string DemandCommand::yaml(const std::vector<LaunchCommand>& kernels, const std::vector<KernelDemand>& demands) {
  nlohmann::ordered_json file;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    std::string key = kernels[k].kernel->name;
    for (std::size_t number = 2; file["kernels"].contains(key); ++number)
      key = fmt::format("{}#{}", kernels[k].kernel->name, number);
    nlohmann::ordered_json& demand = file["kernels"][key]["demand"];
    write_fields(demands[k], demand);
    for (auto& count : demand) {  // 5 and 5.0 read the same
      const double value = count.get<double>();
      if (value == std::floor(value)) count = static_cast<std::uint64_t>(value);
    }
  }
  return yaml_text(file);
}

int DemandCommand::execute() {
  LoadedInput loaded = input_.load();
  loaded.config.sm.model = "warps";  // overrides the workload: other models do not have these counts
  std::vector<DemandRun> runs;
  for (LaunchCommand& launch : kernels(loaded.input.workload)) runs.push_back({loaded.config, std::move(launch)});
  std::optional<AtomicFile> csv_file, yaml_file;  // opened before the runs, so that no result is lost
  if (!csv_.empty()) csv_file.emplace(csv_);
  if (!yaml_.empty()) yaml_file.emplace(yaml_);
  runs_.begin();
  runs_.name("demand");
  JobOptions options;
  runs_.set(options);
  std::vector<Job> jobs;
  for (const DemandRun& run : runs) jobs.push_back(run.job());
  std::vector<KernelDemand> demands;
  for (const std::string& bytes : carry_out(jobs, options)) demands.push_back(DemandRun::result(bytes));
  const std::string made = runs_.end();
  std::vector<LaunchCommand> launches;
  for (DemandRun& run : runs) launches.push_back(std::move(run.launch));
  if (csv_file) {
    csv_file->write(csv(launches, demands));
    csv_file->commit();
  }
  if (yaml_file) {
    yaml_file->write(yaml(launches, demands));
    yaml_file->commit();
  }
  print(text(launches, demands));
  print_error(made);
  return kDone;
}

GPUTLM_REGISTER {
  row_tables().add({{"gputlm demand --csv"},
                    "Demand of each kernel on the hardware, alone on the GPU; the names are those of `demand:`",
                    demand_columns()});
  add_command<DemandCommand>("demand", "Count each kernel's demand on the hardware, alone", CommandGroup::kRun);
}

}  // namespace
}  // namespace gputlm
