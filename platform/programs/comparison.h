/// Compares a run of the model with a measurement: which commands correspond, how far their times differ, and whether their
/// blocks were on the same SMs. Times count from the start of the first kernel that both have; if only durations were
/// measured, starts are 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/lab/chart.h"
#include "platform/programs/observation.h"

namespace gputlm {

struct ComparedCommand {
  std::string label, stream;  ///< names in the model
  bool is_copy = false;
  double measured_start_ns = 0, measured_end_ns = 0;
  double model_start_ns = 0, model_end_ns = 0;

  double start_error_ns() const { return model_start_ns - measured_start_ns; }
  double end_error_ns() const { return model_end_ns - measured_end_ns; }
  double measured_duration_ns() const { return measured_end_ns - measured_start_ns; }
  double model_duration_ns() const { return model_end_ns - model_start_ns; }
  double duration_error_ns() const { return model_duration_ns() - measured_duration_ns(); }
  /// Relative to the measured duration; none if that is 0.
  std::optional<double> duration_error() const {
    const double measured = measured_duration_ns();
    return measured > 0 ? std::optional(duration_error_ns() / measured) : std::nullopt;
  }
};

/// Statistics of absolute errors.
struct ErrorSummary {
  std::size_t count = 0;
  double mean = 0, median = 0, most = 0;
};

/// Blocks that both sides have.
struct PlacementAgreement {
  std::uint64_t blocks = 0;
  std::uint64_t same_sm = 0;  ///< number of blocks that are on the SM of the same number
  /// The same after a renumbering of the measurement's SMs, common to all blocks, that maximises the agreement.
  std::uint64_t same_sm_renamed = 0;
};

/// A block, matched by number, of a kernel that both sides have; times count as those of kernels.
struct ComparedBlock {
  std::size_t command = 0;  ///< index in Comparison::commands
  std::uint64_t block = 0;
  unsigned measured_sm = 0, model_sm = 0;
  double measured_start_ns = 0, measured_end_ns = 0;
  double model_start_ns = 0, model_end_ns = 0;

  double start_error_ns() const { return model_start_ns - measured_start_ns; }
  double end_error_ns() const { return model_end_ns - measured_end_ns; }
  double duration_error_ns() const { return end_error_ns() - start_error_ns(); }
};

struct Comparison {
  std::vector<ComparedCommand> commands;               ///< kernels, then copies, in the order of the model
  std::vector<std::string> model_only, measured_only;  ///< labels of commands that only one side has
  std::optional<PlacementAgreement> placement;         ///< none unless both sides have blocks
  std::vector<ComparedBlock> blocks;                   ///< in the order of the commands, then of block numbers
  bool durations = false;                              ///< only durations were measured
  double cycle_ns = 0;                                 ///< not 0 if durations were measured in cycles

  /// Summarizes kernels or copies; `error`: a member function of ComparedCommand.
  ErrorSummary summary(bool copies, double (ComparedCommand::*error)() const) const;
  ErrorSummary summary(double (ComparedBlock::*error)() const) const;
  /// Summarizes duration_error().
  ErrorSummary relative_summary(bool copies) const;
  /// Pearson's correlation of measured and modelled kernel durations; none for fewer than two kernels, or if one side's
  /// durations are all equal.
  std::optional<double> correlation() const;
};

/// Commands correspond if they have the same label; of the rest, the n-th launch of a kernel corresponds to the n-th launch
/// of the same name. Without names in the measurement, the n-th launch corresponds to the n-th. Throws InputError if no
/// kernel corresponds.
Comparison compare(const Observation& model, const Observation& measured);

// The output of `gputlm compare`.

/// A table of the first `most` commands, and the errors over all commands.
std::string comparison_text(const Comparison& comparison, std::size_t most = 40);
/// The rules that a measurement breaks, each with its first violations; empty if there are none.
std::string broken_rules_text(const std::vector<BrokenRule>& broken);
nlohmann::ordered_json comparison_json(const Comparison& comparison, const Observation& model,
                                       const Observation& measured);
/// comparison.csv: one line per command.
std::string comparison_csv(const Comparison& comparison);
/// comparison_blocks.csv: one line per block that both sides have.
std::string compared_blocks_csv(const Comparison& comparison);
/// Streams over time, each with a measured and a modelled row. Not available if only durations were measured.
Chart comparison_chart(const Comparison& comparison);
/// Modelled over measured durations of kernels.
Chart correlation_chart(const Comparison& comparison);

}  // namespace gputlm
