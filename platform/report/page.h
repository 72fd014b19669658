/// The files of a report, compiled in (cmake/EmbedPage.cmake).
#pragma once

#include <string_view>

namespace gputlm {

/// platform/report/page: page.html with its style and modules; report_page() replaces the text between two @.
std::string_view page_source();
/// Apache ECharts, third_party/echarts.
std::string_view chart_library();

}  // namespace gputlm
