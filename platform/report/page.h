/// The files that a report is made of, compiled in (cmake/EmbedPage.cmake).
#pragma once

#include <string_view>

namespace gputlm {

/// platform/report/page: page.html with its style and its modules; what stands between two @ is put there by report_page().
std::string_view page_source();
/// Apache ECharts, third_party/echarts.
std::string_view chart_library();

}  // namespace gputlm
