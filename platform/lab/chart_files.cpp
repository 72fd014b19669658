#include "platform/lab/chart_files.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>

#include "platform/files/atomic_file.h"
#include "platform/files/terminal.h"
#include "tlm/tools/tool.h"

namespace gputlm {
namespace {

/// Without the user's own settings of gnuplot.
std::string drawn(const Chart& chart, const std::string& ending) {
  const tools::Tool gnuplot = tools::find_tool("gnuplot", "gnuplot-nox");
  const tools::WorkFolder folder;
  tools::write_file(folder.path() + "/chart.gnuplot", gnuplot_script(chart, "chart" + ending));
  tools::run_tool(gnuplot, {"--default-settings", "chart.gnuplot"}, folder.path(), "log", std::atomic<bool>(false));
  return tools::read_file(folder.path() + "/chart" + ending);
}

/// Whether a file is what drawn() or gnuplot_script() makes, and no user's own.
bool is_of_a_chart(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string start(1000, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return start.find(path.extension() == ".gnuplot" ? "set encoding utf8\nset terminal " : "Gnuplot") !=
         std::string::npos;
}

}  // namespace

void write_chart(const std::string& path, const Chart& chart) {
  if (is_standard_output(path)) return write_file(path, drawn(chart, ".svg"));
  const std::filesystem::path file(path), script = std::filesystem::path(path).replace_extension(".gnuplot");
  std::optional<std::string> picture;
  std::string why;
  try {
    picture = drawn(chart, file.extension());
  } catch (const std::runtime_error& error) {
    why = error.what();
  }
  write_file(picture ? path : script.string(), picture ? *picture : gnuplot_script(chart, path));
  if (const auto other = picture ? script : file; is_of_a_chart(other)) {  // of another run
    std::error_code ignored;
    std::filesystem::remove(other, ignored);
  }
  if (!picture) {
    print_failure(fmt::format("{} was not drawn: {}; `gnuplot {}` draws it", path, why, script.string()));
  }
}

}  // namespace gputlm
