/// The experiments on qaws. `policy` stands for QAWS, so that tests see them refuted.
#pragma once

#include "platform/lab/experiment.h"

namespace gputlm {

ExperimentReport qaws_figure2(const ExperimentOptions& options, const std::string& policy = "qaws");
ExperimentReport qaws_figure3(const ExperimentOptions& options);
ExperimentReport qaws_homogeneous(const ExperimentOptions& options, const std::string& policy = "qaws");
ExperimentReport qaws_heterogeneous(const ExperimentOptions& options, const std::string& policy = "qaws");
ExperimentReport qaws_readings(const ExperimentOptions& options, const std::string& policy = "qaws");
ExperimentReport qaws_budget(const ExperimentOptions& options, const std::string& policy = "qaws");
ExperimentReport qaws_kernels(const ExperimentOptions& options, const std::string& policy = "qaws");
ExperimentReport qaws_deadlines(const ExperimentOptions& options, const std::string& policy = "qaws");

}  // namespace gputlm
