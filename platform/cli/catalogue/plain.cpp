// What has a name and a line to say of itself.
#include "platform/cli/catalogue.h"
#include "platform/input/dram_preset.h"
#include "platform/input/foreign_formats.h"
#include "platform/input/run_input.h"
#include "platform/lab/experiment.h"
#include "platform/probes/probe.h"
#include "platform/share/ways.h"
#include "testbench/cost/blocks.h"

namespace gputlm {
namespace {

template <class Entries>
Listing listing_of(const std::string& one, const Entries& entries) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const auto& entry : entries) list.emplace_back(entry.name, entry.description);
  return plain_listing(one, list);
}

GPUTLM_REGISTER {
  catalogues().add(
      {{"drams"},
       "DRAM",
       "DRAM devices with a controller for them: what `gputlm mem --dram` takes, beside files (docs/gpu.md)",
       [](const ListOptions&) { return listing_of("DRAM", dram_presets()); }});
  catalogues().add({{"probes"},
                    "probe",
                    "Probes: what may watch a run, with `--probe NAME` (docs/probes.md)",
                    [](const ListOptions&) { return listing_of("probe", probes()); }});
  catalogues().add(
      {{"experiments"},
       "experiment",
       "Experiments of the papers: what `gputlm reproduce` runs, one or all of a paper (docs/experiments.md)",
       [](const ListOptions&) { return listing_of("experiment", experiments()); }});
  catalogues().add({{"formats"}, "format", "Formats of what `gputlm run` reads", [](const ListOptions&) {
                      return listing_of("format", input_formats());
                    }});
  catalogues().add({{"foreign-formats"},
                    "foreign format",
                    "Files of other tools that are known and not read, and what to do instead",
                    [](const ListOptions&) {
                      std::vector<std::pair<std::string, std::string>> list;
                      for (const ForeignFormat& format : foreign_formats())
                        list.emplace_back(format.name, format.to_do);
                      return plain_listing("foreign format", list);
                    }});
  catalogues().add({{"ways"},
                    "way to share",
                    "Ways to share a GPU: what `gputlm share --way` takes (docs/share.md)",
                    [](const ListOptions&) { return listing_of("way to share", way_kinds()); }});
  catalogues().add({{"blocks"},
                    "block",
                    "Blocks of rtl/ whose hardware cost `gputlm cost` finds (docs/cost.md)",
                    [](const ListOptions&) { return listing_of("block", cost::block_types()); }});
}

}  // namespace
}  // namespace gputlm
