#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "platform/cli/commands.h"
#include "platform/cli/cost_chart.h"
#include "platform/cli/host_process.h"
#include "platform/files/json_text.h"
#include "platform/files/output_folder.h"
#include "platform/files/terminal.h"
#include "platform/input/nearest.h"
#include "platform/lab/chart.h"
#include "testbench/check/energy.h"
#include "testbench/check/same_netlist.h"
#include "testbench/check/yosys_sources.h"
#include "testbench/cost/blocks.h"
#include "testbench/cost/library.h"
#include "testbench/cost/report.h"
#include "testbench/cost/study.h"
#include "testbench/kind/kind.h"
#include "testbench/kind/recorded_run.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr const char* kCsvFile = "cost.csv";
constexpr const char* kEnergyFile = "energy.csv";

const cost::BlockType& find(const std::string& name) {
  if (const cost::BlockType* block = cost::find_block(name)) return *block;
  std::vector<std::string> names;
  for (const cost::BlockType& block : cost::block_types()) names.push_back(block.name);
  throw InputError(fmt::format("there is no block '{}'{}", name, suggestion(name, names)));
}

class CostCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  void declare_block_parameters(Arguments& arguments);
  cost::StudyRequest request();
  void read_own();
  /// Finds the recording to play, and parameters that are large enough for it if the user gives none.
  void find_activity(const cost::BlockType& block);
  cost::Study run(const cost::StudyRequest& request) const;
  std::vector<BlockEnergy> play(const cost::StudyRequest& request, const cost::Study& study) const;

  std::string block_;                ///< name, or a user's own file
  std::optional<RtlDesign> design_;  ///< design in a user's own file
  RtlDesign::Interface interface_;
  std::optional<cost::BlockType> own_;  ///< block type of that design
  std::string against_;                 ///< baseline; empty: none
  std::string like_;                    ///< block with the ports and parameters of a user's own block; empty: against_
  cost::GivenParameters parameters_;
  std::string activity_;        ///< folder of a run; empty: no energy
  std::string policy_;          ///< policy of a user's own block, for the energy; empty: that of the run
  const Kind* kind_ = nullptr;  ///< kind of the block, for the energy
  std::optional<RecordedDecisions> decisions_;  ///< decisions of the run, for the energy
  std::vector<std::string> set_;                ///< parameters of a user's own module
  std::string liberty_ = cost::kDefaultLibrary;
  std::string clocks_;  ///< "924,1750"; empty: none
  std::string nand2_;   ///< unit of area; empty: found by its function
  bool ice40_ = false;
  unsigned jobs_ = 0;  ///< number of parallel jobs; 0: the number of processors
  std::string keep_;   ///< folder for the tools' files; empty: not kept
  std::string out_;    ///< folder for cost.csv and cost.svg; empty: none
  bool csv_ = false;
  bool json_ = false;
};

/// One option for each parameter of any block; whether the chosen block has it is checked later.
void CostCommand::declare_block_parameters(Arguments& arguments) {
  for (const cost::BlockType& block : cost::block_types()) {
    for (const cost::BlockParameter& parameter : block.parameters) {
      if (arguments.has("--" + parameter.option)) continue;
      const std::string meaning = fmt::format("{}: {} to {}, or a list for a sweep (default: {})", parameter.meaning,
                                              parameter.least, parameter.most, parameter.default_text());
      arguments.text("--" + parameter.option,
                     [this, option = parameter.option](const std::string& given) { parameters_[option] = given; },
                     meaning, {"N,..."});
    }
  }
}

void CostCommand::declare(Arguments& arguments) {
  arguments.positional(
      "block", block_,
      "Block of rtl/ (gputlm list blocks), or with --like a module of your own: MODULE.sv, or a list of "
      "files MODULE.f (docs/cost.md)",
      Values::names_or_files("BLOCK", {"blocks"}));
  arguments.text("--against", against_, "Block of rtl/ with the same parameters, to compare with",
                 Values::names("BLOCK", {"blocks"}));
  arguments.text("--like", like_,
                 "Block of rtl/ whose clock and parameters your own module has (default: that of --against)",
                 Values::names("BLOCK", {"blocks"}));
  declare_block_parameters(arguments);
  arguments.texts("--parameter", set_, "Another parameter of a module of your own, may be repeated", {"NAME=NUMBER"});
  arguments.text("--liberty", liberty_, "Standard-cell library", Values::file());
  arguments.text("--clock-mhz", clocks_,
                 "Target clocks: the share of a cycle that the block takes, and whether it fits", {"N,..."});
  arguments.text(
      "--activity", activity_,
      fmt::format("Folder of a run that has recorded its decisions (--probe {}): report the block's energy for them",
                  fmt::join(kinds().names(), ", ")),
      Values::folder());
  arguments.text("--policy", policy_,
                 "With --activity: the policy that a module of your own follows (default: that of the run)",
                 Values::names("POLICY", {"policies"}));
  arguments.text("--nand2", nand2_, "Cell that is the unit of area (default: found by its function)");
  arguments.flag("--ice40", ice40_, "Also map to an iCE40 FPGA, with nextpnr (up to minutes per point)");
  arguments.number("--jobs", jobs_, "Simultaneous points (default: the number of processors)", 1024);
  arguments.text("--keep", keep_, "New folder for all files of the tools: netlists, scripts, logs", Values::folder());
  arguments.text("--out", out_, "Folder for cost.csv and cost.svg", Values::folder());
  arguments.flag("--csv", csv_, "Print CSV");
  arguments.flag("--json", json_, "Print JSON");
  arguments.not_together("--json", {"--csv"});
  arguments.not_together("--activity", {"--ice40"});
  arguments.example("cost fr_rr_fcfs_arbiter --against fr_fcfs_arbiter --entries 16,32,64 --apps 2,4,8",
                    "the overhead of one arbiter over another, by size");
}

cost::StudyRequest CostCommand::request() {
  cost::StudyRequest request;
  if (!policy_.empty() && (activity_.empty() || !is_rtl(block_)))
    throw InputError("--policy: allowed only with --activity and a file of your own");
  if (is_rtl(block_)) {
    read_own();
    request.block = &*own_;
    request.compare = [this](const cost::Geometry& geometry, const std::string& gates, const std::atomic<bool>& stop) {
      const Kind& kind = kind_of(find(like_));
      const SizedDesign sized = in_size(*design_, interface_, kind, cost::parameters_of(*own_, geometry));
      expect_same_netlist(sized, kind, gates, stop);
    };
  } else {
    if (!like_.empty())
      throw InputError("--like: found '" + shortened(like_) + "', allowed only with a file of your own");
    if (!set_.empty()) throw InputError("--parameter: allowed only with a file of your own");
    request.block = &find(block_);
  }
  if (!activity_.empty()) find_activity(like_.empty() ? *request.block : find(like_));
  request.geometries = cost::geometries(*request.block, parameters_);
  if (!against_.empty()) {
    request.against = &find(against_);
    if (request.against == request.block) throw InputError("--against: found the block itself, allowed: another one");
    if (cost::geometries(*request.against, parameters_) != request.geometries)
      throw InputError(fmt::format("--against: {} and {} have different parameters", against_, block_));
  }
  request.library = cost::load_library(liberty_, nand2_);
  if (decisions_) cost::load_power_tables(liberty_);  // refused before anything that takes time
  if (!clocks_.empty()) {
    const cost::BlockParameter clock{{{"", "", "", 1, 100000}, "clock-mhz"}};
    request.clocks_mhz = cost::parameter_values(*request.block, clock, clocks_);
  }
  request.ice40 = ice40_;
  request.parallel = jobs_;
  return request;
}

void CostCommand::read_own() {
  if (like_.empty()) like_ = against_;
  if (like_.empty())
    throw InputError(block_, 0, "is a file of your own; --like must say which block's parameters it has");
  const cost::BlockType& like = find(like_);
  cost::BlockType::Own own{block_, {}, {}, parse_parameters(set_)};
  for (const cost::BlockParameter& parameter : like.parameters) {
    if (own.set.count(parameter.name) > 0)
      throw InputError("--parameter", 0,
                       fmt::format("found {}, allowed for it: --{}", parameter.name, parameter.option));
  }
  design_.emplace(block_);
  own_ = cost::own_block(design_->top(), like, std::move(own));
  interface_ = design_->interface({});
  kind_of_ports(*design_, interface_, like.kind);  // throws InputError for ports of another kind
  own_->own->sources = yosys_sources(*design_, interface_);
  own_->own->parameters = interface_.parameters;
  design_->set(own_->own->set);
}

void CostCommand::find_activity(const cost::BlockType& block) {
  kind_ = &kind_of(block);
  decisions_ = kind_->recorded(RecordedRun(activity_));
  if (own_ && policy_.empty()) {
    policy_ = decisions_->policy;
    const auto all = kind_->decision().policies();
    if (std::none_of(all.begin(), all.end(), [&](const PolicyInfo* one) { return one->name == policy_; })) {
      throw InputError(fmt::format("{}: was recorded under {}; --policy must say which policy {} follows", activity_,
                                   policy_, block_));
    }
  }
  if (own_) kind_->decision().policy(policy_);
  for (const cost::BlockParameter& parameter : block.parameters) {
    const auto needed = decisions_->size.find(parameter.name);
    if (needed != decisions_->size.end()) parameters_.try_emplace(parameter.option, std::to_string(needed->second));
  }
}

int CostCommand::execute() {
  cost::StudyRequest study_request = request();
  catch_interrupts();
  std::optional<OutputFolder> folder;  // opened before the tools run, so that no result is lost
  if (!out_.empty()) {
    folder.emplace(out_).file(kCsvFile);
    if (decisions_) folder->file(kEnergyFile);
  }
  const tools::WorkFolder work(keep_);
  study_request.folder = work.path();
  cost::Study study;
  std::vector<BlockEnergy> energies;
  try {
    study = run(study_request);
    if (decisions_) energies = play(study_request, study);
  } catch (const tools::Stopped&) {
    print_failure("interrupted; nothing was written");
    return kInterruptedBySignal;
  }
  if (folder) {
    folder->file(kCsvFile).write(to_csv(study));
    if (decisions_) folder->file(kEnergyFile).write(energy_table(energies).csv());
    folder->commit();
    write_chart(out_ + "/cost.svg", cost_chart(study));
  }
  release_interrupts();
  if (json_) {
    nlohmann::ordered_json json = to_json(study);
    if (decisions_) json["energy"] = {{"run", activity_}, {"blocks", energy_table(energies).json()}};
    print(json_text(json));
  } else if (csv_) {
    print(decisions_ ? energy_table(energies).csv() : to_csv(study));
  } else {
    print(to_text(study) + (decisions_ ? energy_text(energies, activity_) : ""));
  }
  return 0;
}

cost::Study CostCommand::run(const cost::StudyRequest& request) const {
  ProgressLine progress;
  try {
    return cost::run_study(request, [&](std::size_t done, std::size_t points) {
      progress.show([&](double seconds) { return fmt::format("{} of {} points, {:.0f} s", done, points, seconds); });
      return !interrupted();
    });
  } catch (const OtherNetlist&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(design_ ? yosys_error(interface_, error.what()) : error.what());
  }
}

std::vector<BlockEnergy> CostCommand::play(const cost::StudyRequest& request, const cost::Study& study) const {
  ProgressLine progress;
  return block_energies(request, study, *kind_, *decisions_, policy_, [&](std::size_t done, std::size_t netlists) {
    progress.show(
        [&](double seconds) { return fmt::format("energy: {} of {} blocks, {:.0f} s", done, netlists, seconds); });
    return !interrupted();
  });
}

GPUTLM_REGISTER {
  add_command<CostCommand>("cost", "Find the cost of a block of rtl/ in gates, with yosys and OpenSTA",
                           CommandGroup::kHardware);
}

}  // namespace

}  // namespace gputlm
