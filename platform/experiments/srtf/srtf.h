/// The experiments on srtf. `order` stands for SRTF, so that tests see them refuted.
#pragma once

#include "platform/lab/experiment.h"

namespace gputlm {

ExperimentReport srtf_workloads(const ExperimentOptions& options, const std::string& order = "srtf");
ExperimentReport srtf_arrival(const ExperimentOptions& options, const std::string& order = "srtf");
ExperimentReport srtf_timeline(const ExperimentOptions& options, const std::string& order = "srtf");
/// `worst`: short name of the kernel, other than SAD, that is said to slow SAD most; empty: the paper's.
ExperimentReport srtf_residency(const ExperimentOptions& options, const std::string& worst = "");
ExperimentReport srtf_predictor(const ExperimentOptions& options);
ExperimentReport srtf_dispatch(const ExperimentOptions& options);

}  // namespace gputlm
