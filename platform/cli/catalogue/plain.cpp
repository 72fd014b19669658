// Listings of items that have only a name and a description.
#include <fmt/format.h>

#include "platform/cli/catalogue.h"
#include "platform/cli/commands.h"
#include "platform/cli/help.h"
#include "platform/files/rows.h"
#include "platform/input/foreign_formats.h"
#include "platform/input/map_form.h"
#include "platform/input/preset.h"
#include "platform/input/run_input.h"
#include "platform/input/workload_file_forms.h"
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
       "DRAM devices, each with a controller: values of `gputlm mem --dram`, in addition to files (docs/gpu.md)",
       [](const ListOptions&) { return listing_of("DRAM", dram_presets()); }});
  catalogues().add(
      {{"probes"}, "probe", "Probes, which observe a run: `--probe NAME` (docs/probes.md)", [](const ListOptions&) {
         return listing_of("probe", probes());
       }});
  catalogues().add(
      {{"experiments"},
       "experiment",
       "Experiments of the papers: `gputlm reproduce` runs one of them, or all of a paper (docs/experiments.md)",
       [](const ListOptions&) {
         std::vector<std::pair<std::string, std::string>> list;
         for (const Experiment& experiment : experiments())
           list.emplace_back(experiment.name, experiment.description());
         return plain_listing("experiment", list);
       }});
  catalogues().add({{"formats"}, "format", "Input formats of `gputlm run`", [](const ListOptions&) {
                      return listing_of("format", input_formats());
                    }});
  catalogues().add({{"foreign-formats"},
                    "foreign format",
                    "Files of other tools that are recognised but not supported, and what to do instead",
                    [](const ListOptions&) {
                      std::vector<std::pair<std::string, std::string>> list;
                      for (const ForeignFormat& format : foreign_formats())
                        list.emplace_back(format.name, format.to_do);
                      return plain_listing("foreign format", list);
                    }});
  catalogues().add({{"ways"},
                    "way to share",
                    "Ways to share a GPU: values of `gputlm share --way` (docs/share.md)",
                    [](const ListOptions&) { return listing_of("way to share", way_kinds()); }});
  catalogues().add({{"blocks"},
                    "block",
                    "Blocks of rtl/ whose hardware cost `gputlm cost` estimates (docs/cost.md)",
                    [](const ListOptions&) { return listing_of("block", cost::block_types()); }});
}

Listing listing_of_commands(const ListOptions&) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const CommandInfo& command : commands()) entries.emplace_back(command.name, command.description);
  return plain_listing("command", entries);
}

std::string explain_command(const Item& item) { return help_text(declaration_of(commands().at(item.name))); }

std::string reference_of_commands() {
  std::string text;
  for (const CommandInfo& command : commands())
    text += fmt::format("{}## {}\n\n```\n{}```\n", text.empty() ? "" : "\n", command.name,
                        help_text(declaration_of(command)));
  return text;
}

GPUTLM_REGISTER {
  catalogues().add({{"commands"},
                    "command",
                    "Commands of the program",
                    listing_of_commands,
                    explain_command,
                    nullptr,
                    reference_of_commands});
}

}  // namespace

const std::vector<ExitCodeInfo>& exit_codes() {
  static const std::vector<ExitCodeInfo> codes = {
      {kDone, "Done, or stopped by --max-cycles"},
      {kDisagrees,
       "A check failed: a figure of a paper is missed and not a known miss (reproduce), a response exceeds its bound "
       "(bound, run --check-bounds), a design differs from its policy, is refuted or not covered (check)"},
      {kBadInput,
       "Bad input; nothing was written. It is found before the run, or during it: a policy of a plugin, or a user's "
       "design, that answers wrongly"},
      {kDeadlocked, "Deadlock: nothing can make progress; the report says which unit waits for what"},
      {kTimeEnded, "Simulated time is exhausted, after five hours; the result is marked incomplete"},
      {kInternalError, "An error inside the program, or a violation found by --check-protocol"},
      {kTextLost,
       "Done, with all files in place, but text of stdout or stderr could not be written (closed, full, or a pipe that "
       "has no reader)"},
      {kInterruptedBySignal,
       "Interrupted by SIGINT (Ctrl-C), SIGTERM or SIGHUP: a run or a sweep with its results so far, check and cost "
       "without results"},
  };
  return codes;
}

namespace {

GPUTLM_REGISTER {
  catalogues().add({{"exit-codes"}, "exit code", "Exit codes of every command", [](const ListOptions&) {
                      std::vector<std::pair<std::string, std::string>> entries;
                      for (const ExitCodeInfo& info : exit_codes())
                        entries.emplace_back(std::to_string(info.code), info.meaning);
                      return plain_listing("code", entries);
                    }});
}

using Form = Column::Form;

Listing results(const ListOptions&) {
  Listing listing{{{"in"}, {"field", Form::kKey}, {"unit"}, {"meaning"}}, {}};
  for (const RowTable& table : row_tables()) {
    for (const TableColumn& column : table.columns) {
      listing.items.push_back({column.name,
                               column.meaning,
                               {table.name, column.name, column.unit, column.meaning},
                               {{"in", table.name},
                                {"rows", table.description},
                                {"name", column.name},
                                {"unit", column.unit},
                                {"text", column.is_text},
                                {"meaning", column.meaning}}});
    }
  }
  return listing;
}

std::string explain(const Item& item) {
  return fmt::format("{} (field of {}{}): {}\n", item.name, item.cells[0],
                     item.cells[2].empty() ? "" : ", in " + item.cells[2], item.cells[3]);
}

/// One table per section.
std::string reference() {
  std::string text;
  for (const RowTable& table : row_tables()) {
    std::vector<TableRow> rows;
    for (const TableColumn& column : table.columns)
      rows.push_back({"`" + column.name + "`", column.unit, column.meaning});
    text += fmt::format("{}## {}\n{}.\n\n{}", text.empty() ? "" : "\n", table.name, table.description,
                        markdown_table({{"field", Form::kKey}, {"unit"}, {"meaning"}}, rows));
  }
  return text;
}

GPUTLM_REGISTER {
  catalogues().add({{"results", 55},
                    "field of a result",
                    "Columns of the CSV files of a run, and keys of its result.json (docs/result.md)",
                    results,
                    explain,
                    nullptr,
                    reference});
}

}  // namespace

// The keys of workload files, by mapping: the complete list for docs/workload.md.

namespace {

Listing keys(const ListOptions&) {
  Listing listing{{{"key", Column::Form::kKey}, {"values"}, {"default"}, {"meaning"}}, {}};
  for (const MapForm* const form : workload_forms()) {
    for (const MapForm::Key& key : form->keys()) {
      const std::string name = form->name() + "." + key.name, values = forms::allowed(key.form),
                        otherwise = key.required ? "required" : key.default_text();
      const std::string meaning = key.meaning + (key.source.empty() ? "" : " (" + key.source + ")");
      listing.items.push_back({name,
                               key.meaning,
                               {name, values + (key.unit.empty() ? "" : " " + key.unit), otherwise, meaning},
                               {{"name", name},
                                {"values", values},
                                {"default", key.default_text()},
                                {"required", key.required},
                                {"unit", key.unit},
                                {"meaning", key.meaning},
                                {"source", key.source}}});
    }
  }
  return listing;
}

GPUTLM_REGISTER { catalogues().add({{"keys"}, "key", "Keys of workload files, by mapping", keys}); }

}  // namespace

}  // namespace gputlm
