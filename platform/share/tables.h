/// What came of sharing, for readers and other programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "platform/share/outcome.h"

namespace gputlm {

/// For a terminal: a line a way and program.
std::string share_text(const std::vector<WayOutcome>& outcomes);
/// share.csv: likewise.
std::string share_csv(const std::vector<WayOutcome>& outcomes);
/// `ways` of share.json: likewise, as objects.
nlohmann::ordered_json share_json(const std::vector<WayOutcome>& outcomes);
/// What the figures do not know, and which ways there are not, a line each.
std::vector<std::string> share_notes(const ShareStudy& study);

}  // namespace gputlm
