#include "platform/cli/cost_command.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "platform/files/atomic_file.h"
#include "platform/cli/host_process.h"
#include "platform/input/nearest.h"
#include "testbench/cost/plot.h"
#include "testbench/cost/report.h"
#include "testbench/cost/study.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

const cost::BlockType& find(const std::string& name) {
  if (const cost::BlockType* block = cost::find_block(name)) return *block;
  std::vector<std::string> names;
  for (const cost::BlockType& block : cost::block_types()) names.push_back(block.name);
  throw InputError(fmt::format("there is no block '{}'{}", name, suggestion(name, names)));
}

cost::StudyRequest request(const CostCommand& command) {
  cost::StudyRequest request;
  request.block = &find(command.block);
  request.geometries = cost::geometries(*request.block, command.parameters);
  if (!command.against.empty()) {
    request.against = &find(command.against);
    if (request.against == request.block) throw InputError("--against: found the block itself, allowed: another one");
    if (cost::geometries(*request.against, command.parameters) != request.geometries)
      throw InputError(fmt::format("--against: {} has other parameters than {}", command.against, command.block));
  }
  request.library = cost::load_library(command.liberty, command.nand2);
  request.ice40 = command.ice40;
  request.parallel = command.jobs;
  return request;
}

/// Opened before the tools run, so that they do not run in vain.
struct OutputFiles {
  explicit OutputFiles(const std::string& folder) : csv(folder + "/cost.csv"), svg(folder + "/cost.svg") {}
  AtomicFile csv, svg;
};

}  // namespace

int cost_of(const CostCommand& command) {
  if (command.csv && command.json) throw InputError("--csv and --json: found both, allowed: one");
  cost::StudyRequest study_request = request(command);
  std::optional<OutputFiles> files;
  if (!command.out.empty()) {
    make_output_folder(command.out);
    files.emplace(command.out);
  }
  const cost::WorkFolder folder(command.keep);
  study_request.folder = folder.path();
  catch_interrupts();
  cost::Study study;
  try {
    ProgressLine progress;
    study = cost::run_study(study_request, [&](std::size_t done, std::size_t points) {
      progress.show([&](double seconds) { return fmt::format("{} of {} points, {:.0f} s", done, points, seconds); });
      return !interrupted();
    });
  } catch (const cost::Stopped&) {
    fmt::print(stderr, "gputlm: interrupted; nothing was written\n");
    return 130;
  }
  if (files) {
    files->csv.write(to_csv(study));
    files->svg.write(to_svg(study));
    files->csv.commit();
    files->svg.commit();
  }
  if (command.json) {
    fmt::print("{}\n", to_json(study).dump(2));
  } else {
    fmt::print("{}", command.csv ? to_csv(study) : to_text(study));
  }
  return 0;
}

}  // namespace gputlm
