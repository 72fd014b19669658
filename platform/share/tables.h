/// What came of sharing, for readers and other programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "platform/share/loss.h"

namespace gputlm {

/// For a terminal: a line a way and program.
std::string share_text(const std::vector<WayOutcome>& outcomes);
/// share.csv: likewise.
std::string share_csv(const std::vector<WayOutcome>& outcomes);
/// Where the time went that programs lost, for a terminal: a line a way and program, with the causes that there are.
std::string losses_text(const std::vector<ProgramLoss>& losses);
/// share_losses.csv: a line a way, program, cause and whose work it was.
std::string losses_csv(const std::vector<ProgramLoss>& losses);
/// share.json: the GPU, the programs, the rows of share.csv as `ways` and those of share_losses.csv as `losses`.
nlohmann::ordered_json share_json(const ShareStudy& study, const std::vector<WayOutcome>& outcomes,
                                  const std::vector<ProgramLoss>& losses);
/// share.sqlite: tables `ways` and `losses`, with the columns of the CSV files.
std::string share_database(const std::vector<WayOutcome>& outcomes, const std::vector<ProgramLoss>& losses);
/// What the figures do not know, and which ways there are not, a line each.
std::vector<std::string> share_notes(const ShareStudy& study);

}  // namespace gputlm
