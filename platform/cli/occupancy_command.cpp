#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/kernel/program.h"
#include "models/work_distributor/gpcs.h"
#include "models/work_distributor/kernel_order.h"
#include "platform/cli/commands.h"
#include "platform/files/json_text.h"
#include "platform/files/rows.h"
#include "platform/files/table.h"
#include "platform/files/terminal.h"
#include "platform/input/parameters.h"
#include "platform/input/preset.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// The part of a kernel with clusters of this size that a GPU holds at once.
struct OccupancyRow {
  unsigned cluster;
  unsigned of_sm;
  std::uint64_t clusters, places;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = OccupancyRow;
    v.field(&R::cluster, "cluster_blocks", Value{"blocks"}, "Blocks per cluster; 1: no clusters");
    v.field(&R::of_sm, "blocks_of_sm", Value{"blocks"},
            "That an SM holds (cudaOccupancyMaxActiveBlocksPerMultiprocessor)");
    v.field(&R::clusters, "clusters", Value{"clusters"}, "That the GPU holds (cudaOccupancyMaxActiveClusters)");
    v.field([](const R& r) { return r.clusters * r.cluster; }, "blocks", Value{"blocks"}, "Blocks of these clusters");
    v.field([](const R& r) { return r.places - r.clusters * r.cluster; }, "empty_places", Value{"blocks"},
            "Blocks that would have room, but do not make up a cluster on one GPC");
  }
};

/// A block with this shape and these resources.
class Shape final : public Kernel {
 public:
  std::unique_ptr<BlockCode> code(std::uint64_t) override { return nullptr; }
};

class OccupancyCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  GpuConfig gpu() const;

  std::string gpu_ = kDefaultGpu;
  std::vector<std::string> settings_;
  unsigned threads_ = 256, registers_ = 32, cluster_ = 0;
  Bytes shared_memory_ = 0;
  bool json_ = false;
};

void OccupancyCommand::declare(Arguments& arguments) {
  arguments.text("--gpu", gpu_, "Preset (gputlm list gpus) or GPU file", Values::names_or_files("GPU", {"gpus"}));
  arguments.texts("--set", settings_, "key=value, may be repeated (gputlm list parameters)", Values::settings());
  arguments.number("--block", threads_, "Threads per block (default: 256)", kMaxThreadsPerBlock, 1);
  arguments.number("--registers", registers_, "Registers per thread (default: 32)", kNoRegister);
  arguments.number("--shared-memory", shared_memory_, "Bytes of shared memory per block (default: 0)",
                   kMaxSharedMemory);
  arguments.number("--cluster", cluster_, "Blocks of a cluster (default: every size that the GPU supports)", 64);
  arguments.flag("--json", json_, "Print JSON");
  arguments.example("occupancy --gpu h100_sxm --block 384 --registers 168 --shared-memory 200000",
                    "how many clusters of each size the GPU holds at once");
  arguments.example("occupancy --gpu h100_sxm --set gpc_sms=16+16+16+16+16+16+18+18 --cluster 16",
                    "clusters of 16 blocks, with 18 SMs in two GPCs and 16 in the others");
}

GpuConfig OccupancyCommand::gpu() const {
  Origins origins;
  GpuConfig config = load_gpu(gpu_, &origins);
  for (const std::string& setting : settings_) set_assignment(config, setting, &origins);
  validate(config, {gpu_, 0}, origins);
  return config;
}

int OccupancyCommand::execute() {
  const GpuConfig config = gpu();
  const unsigned most = config.work_distributor.non_portable_cluster_blocks;
  if (cluster_ > most)
    throw InputError("--cluster", 0, fmt::format("found {}, allowed: 1 to {} on {}", cluster_, most, config.name));
  Shape kernel;
  kernel.block = {threads_};
  kernel.registers_per_thread = registers_;
  kernel.shared_memory = shared_memory_;
  const unsigned of_sm = residency(block_demand(kernel, config.sm, config.work_distributor), capacity(config.sm));
  const std::vector<SmSet> gpcs = gpc_sets(config.sms_of_gpcs());
  std::vector<OccupancyRow> rows;
  for (unsigned size = cluster_ > 0 ? cluster_ : 1; size <= (cluster_ > 0 ? cluster_ : most); ++size) {
    rows.push_back(
        {size, of_sm, resident_clusters(size, of_sm, gpcs, all_sms(config.sms)), std::uint64_t{of_sm} * config.sms});
  }
  if (json_) {
    auto json = nlohmann::ordered_json::array();
    for (const OccupancyRow& row : rows) json.push_back(row_json(row));
    print(json_text(json));
    return kDone;
  }
  Table table({{"cluster_blocks", "", "", "blocks of a cluster"},
               {"of_sm", "", "", "blocks of an SM"},
               {"clusters"},
               {"blocks"},
               {"empty_places", "", "", "empty places"}});
  for (const OccupancyRow& row : rows)
    table.add(
        {row.cluster, row.of_sm, row.clusters, row.clusters * row.cluster, row.places - row.clusters * row.cluster});
  print(table.text());
  return kDone;
}

GPUTLM_REGISTER {
  add_command<OccupancyCommand>("occupancy", "Count the blocks and clusters of a kernel that a GPU holds at once",
                                CommandGroup::kAsk);
}

}  // namespace
}  // namespace gputlm
