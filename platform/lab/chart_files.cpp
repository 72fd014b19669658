#include "platform/lab/chart_files.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "platform/files/atomic_file.h"
#include "testbench/tools/tool.h"

namespace gputlm {
namespace {

/// Without the user's own settings of gnuplot.
std::string drawn(const Chart& chart) {
  const tools::Tool gnuplot = tools::find_tool("gnuplot", "gnuplot-nox");
  const tools::WorkFolder folder;
  tools::write_file(folder.path() + "/chart.gnuplot", gnuplot_script(chart, "chart.svg"));
  tools::run_tool(gnuplot, {"--default-settings", "chart.gnuplot"}, folder.path(), "log", std::atomic<bool>(false));
  return tools::read_file(folder.path() + "/chart.svg");
}

}  // namespace

void write_chart(const std::string& path, const Chart& chart) {
  const std::filesystem::path svg(path), script = std::filesystem::path(path).replace_extension(".gnuplot");
  std::optional<std::string> picture;
  std::string why;
  try {
    picture = drawn(chart);
  } catch (const std::runtime_error& error) {
    why = error.what();
  }
  write_file(picture ? path : script.string(), picture ? *picture : gnuplot_script(chart, path));
  std::error_code ignored;
  std::filesystem::remove(picture ? script : svg, ignored);  // of another run
  if (!picture) fmt::print(stderr, "gputlm: {} was not drawn: {}; `gnuplot {}` draws it\n", path, why, script.string());
}

}  // namespace gputlm
