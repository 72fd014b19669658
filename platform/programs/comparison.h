/// A run of the model beside what was measured: which commands are the same, how far their times are apart, and whether
/// their blocks were on the same SMs. Times count from the start of the first kernel that both have; where only durations
/// were measured, starts are 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/programs/observation.h"

namespace gputlm {

struct ComparedCommand {
  std::string label, stream;  ///< of the model
  bool is_copy = false;
  double measured_start_ns = 0, measured_end_ns = 0;
  double model_start_ns = 0, model_end_ns = 0;

  double start_error_ns() const { return model_start_ns - measured_start_ns; }
  double end_error_ns() const { return model_end_ns - measured_end_ns; }
  double measured_duration_ns() const { return measured_end_ns - measured_start_ns; }
  double model_duration_ns() const { return model_end_ns - model_start_ns; }
  double duration_error_ns() const { return model_duration_ns() - measured_duration_ns(); }
  /// As a share of what was measured; none if that is 0.
  std::optional<double> duration_error() const {
    const double measured = measured_duration_ns();
    return measured > 0 ? std::optional(duration_error_ns() / measured) : std::nullopt;
  }
};

/// Of absolute errors.
struct ErrorSummary {
  std::size_t count = 0;
  double mean = 0, median = 0, most = 0;
};

/// Blocks that both have.
struct PlacementAgreement {
  std::uint64_t blocks = 0;
  std::uint64_t same_sm = 0;  ///< of them, on the SM of the same number
  /// The same if the SMs of the measurement are given other numbers, all blocks alike, so that most agree.
  std::uint64_t same_sm_renamed = 0;
};

/// Of the blocks of kernels that both have, by their numbers; times count as those of kernels.
struct ComparedBlock {
  std::size_t command = 0;  ///< in Comparison::commands
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
  std::vector<std::string> model_only, measured_only;  ///< labels
  std::optional<PlacementAgreement> placement;         ///< none if not both have blocks
  std::vector<ComparedBlock> blocks;                   ///< in the order of the commands and of their numbers
  bool durations = false;                              ///< only durations were measured
  double cycle_ns = 0;                                 ///< not 0 if they were measured in cycles

  /// Of kernels or of copies; `error`: a member function of ComparedCommand.
  ErrorSummary summary(bool copies, double (ComparedCommand::*error)() const) const;
  ErrorSummary summary(double (ComparedBlock::*error)() const) const;
  /// Of duration_error().
  ErrorSummary relative_summary(bool copies) const;
  /// Pearson's coefficient of correlation of the durations of kernels, measured and of the model; none of fewer than two
  /// kernels, or if one side's are all the same.
  std::optional<double> correlation() const;
};

/// Commands are the same if they have the same label; of the others, the n-th launch of a kernel is the n-th of the same
/// name. Where the measurement has no names, the n-th launch is the n-th. Throws InputError if no kernel is the same.
Comparison compare(const Observation& model, const Observation& measured);

}  // namespace gputlm
