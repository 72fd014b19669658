/// Reports: one self-contained HTML file each, of a page compiled in (cmake/EmbedPage.cmake) and the data of runs.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gputlm {

/// The page about the results of runs (run_data()), in this order, with at most `most_boxes` boxes in the Gantt charts of all
/// runs together. The same results give the same bytes. Throws as run_data() does.
std::string report_page(const std::vector<std::string>& results, std::size_t most_boxes);

/// Throws InputError if the file exists and is no report.
void check_is_report(const std::string& path);

/// platform/report/page: page.html with its style and modules; report_page() replaces the text between two @.
std::string_view page_source();
/// Apache ECharts, third_party/echarts.
std::string_view chart_library();

/// Reads the files of a run (docs/result.md) in a folder, or beside a result.json: {"path", "result", "performance",
/// "kernels", "blocks", "tables"}, of which only the first two are always present. `most_boxes`: see packed_blocks(). Throws
/// InputError if there is no result, or if a file is not the one that the result lists.
nlohmann::ordered_json run_data(const std::string& path, std::size_t most_boxes);

}  // namespace gputlm
