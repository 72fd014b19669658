/// Reports: one self-contained HTML file each.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gputlm {

/// The page about the results of runs (run_data.h), in this order, with at most `most_boxes` boxes in the Gantt charts of all
/// runs together. The same results give the same bytes. Throws as run_data() does.
std::string report_page(const std::vector<std::string>& results, std::size_t most_boxes);

/// Throws InputError if the file exists and is no report.
void check_is_report(const std::string& path);

}  // namespace gputlm
