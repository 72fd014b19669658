/// Reports: one HTML file each, which needs nothing beside itself.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gputlm {

/// The page about the results of runs (run_data.h), in the order in which they are to be shown, with so many boxes in
/// their Gantt charts at most, all runs together. The same results give the same bytes. Throws as run_data() does.
std::string report_page(const std::vector<std::string>& results, std::size_t most_boxes);

/// Throws InputError if the file is there and is no report.
void check_is_report(const std::string& path);

}  // namespace gputlm
