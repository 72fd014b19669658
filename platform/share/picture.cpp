#include "platform/share/picture.h"

#include <algorithm>

namespace gputlm {

std::vector<std::pair<double, double>> front_of(const std::vector<LabelledChart::Point>& points) {
  std::vector<std::pair<double, double>> all, front;
  for (const LabelledChart::Point& point : points) all.emplace_back(point.x, point.y);
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  for (const auto& point : all) {
    if (front.empty() || point.second < front.back().second) front.push_back(point);
  }
  std::reverse(front.begin(), front.end());
  return front;
}

LabelledChart share_picture(const std::vector<WayOutcome>& outcomes) {
  LabelledChart chart;
  LabelledChart::Series ways{"a way to share", {}};
  for (const WayOutcome& way : outcomes) {
    if (way.way == "alone" || way.programs.size() < 2) continue;
    const ProgramOutcome& first = way.programs.front();
    double sum = 0;
    for (std::size_t p = 1; p < way.programs.size(); ++p) sum += way.programs[p].throughput.value_or(0);
    chart.y_axis = "99th percentile of " + first.program + " over alone";
    chart.x_axis = way.programs.size() == 2 ? "Throughput of " + way.programs[1].program + ", % of that alone"
                                            : "Throughput of the others, % of that alone (mean)";
    if (first.p99_over)
      ways.points.push_back({100 * sum / static_cast<double>(way.programs.size() - 1), *first.p99_over, way.way});
  }
  chart.line_name = "no other is better in both";
  chart.line = front_of(ways.points);
  chart.series.push_back(std::move(ways));
  return chart;
}

}  // namespace gputlm
