/// The outcome of sharing, for readers and other programs: tables, notes, and a chart.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "platform/lab/chart.h"
#include "platform/share/loss.h"
#include "platform/share/outcome.h"

namespace gputlm {

/// For a terminal: one line per way and program.
std::string share_text(const std::vector<WayOutcome>& outcomes);
/// share.csv: one line per way and program.
std::string share_csv(const std::vector<WayOutcome>& outcomes);
/// Losses by cause, for a terminal: one line per way and program, with the causes that occur.
std::string losses_text(const std::vector<ProgramLoss>& losses);
/// share_losses.csv: one line per way, program, cause and culprit.
std::string losses_csv(const std::vector<ProgramLoss>& losses);
/// share.json: the GPU, the programs, the rows of share.csv as `ways` and those of share_losses.csv as `losses`.
nlohmann::ordered_json share_json(const ShareStudy& study, const std::vector<WayOutcome>& outcomes,
                                  const std::vector<ProgramLoss>& losses);
/// share.sqlite: tables `ways` and `losses`, with the columns of the CSV files.
std::string share_database(const std::vector<WayOutcome>& outcomes, const std::vector<ProgramLoss>& losses);
/// Limits of the figures, and the ways that are not possible, one line each.
std::vector<std::string> share_notes(const ShareStudy& study);

/// The first program's 99th percentile relative to alone over the mean relative throughput of the others: one point per way,
/// and the Pareto front.
LabelledChart share_picture(const std::vector<WayOutcome>& outcomes);

/// The points of the Pareto front (large x, small y), in the order of x.
std::vector<std::pair<double, double>> front_of(const std::vector<LabelledChart::Point>& points);

}  // namespace gputlm
