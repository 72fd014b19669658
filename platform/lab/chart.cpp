#include "platform/lab/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <tuple>

#include "platform/files/atomic_file.h"
#include "platform/files/terminal.h"
#include "tlm/base/tools/tool.h"

namespace gputlm {
namespace {

/// Runs gnuplot without the user's own settings.
std::string drawn(const Chart& chart, const std::string& ending) {
  const tools::Tool gnuplot = tools::find_tool("gnuplot", "gnuplot-nox");
  const tools::WorkFolder folder;
  tools::write_file(folder.path() + "/chart.gnuplot", gnuplot_script(chart, "chart" + ending));
  tools::run_tool(gnuplot, {"--default-settings", "chart.gnuplot"}, folder.path(), "log", std::atomic<bool>(false));
  return tools::read_file(folder.path() + "/chart" + ending);
}

/// Whether a file was made by drawn() or gnuplot_script(), and not by a user.
bool is_of_a_chart(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string start(1000, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return start.find(path.extension() == ".gnuplot" ? "set encoding utf8\nset terminal " : "Gnuplot") !=
         std::string::npos;
}

/// The row of each block on its SM: the first free one.
std::vector<std::size_t> rows_of(std::vector<ScheduledBlock>& blocks, std::vector<std::size_t>& rows_of_sm) {
  std::sort(blocks.begin(), blocks.end(), [](const ScheduledBlock& a, const ScheduledBlock& b) {
    return std::tie(a.from, a.series, a.sm) < std::tie(b.from, b.series, b.sm);
  });
  std::vector<std::vector<Cycle>> busy(rows_of_sm.size());
  std::vector<std::size_t> rows;
  for (const ScheduledBlock& block : blocks) {
    std::vector<Cycle>& ends = busy[block.sm];
    auto row = std::find_if(ends.begin(), ends.end(), [&](Cycle end) { return end <= block.from; });
    if (row == ends.end()) row = ends.insert(ends.end(), 0);
    *row = block.until;
    rows.push_back(static_cast<std::size_t>(row - ends.begin()));
    rows_of_sm[block.sm] = ends.size();
  }
  return rows;
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
  if (const auto other = picture ? script : file; is_of_a_chart(other)) {  // from another run
    std::error_code ignored;
    std::filesystem::remove(other, ignored);
  }
  if (!picture) {
    print_failure(fmt::format("{} was not drawn: {}; `gnuplot {}` draws it", path, why, script.string()));
  }
}

std::vector<ScheduledBlock> schedule_of(const std::vector<LaunchOutcome>& launches) {
  std::vector<ScheduledBlock> blocks;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    for (const BlockRecord& block : launches[i].blocks) blocks.push_back({block.sm, i, block.start, block.end});
  }
  return blocks;
}

std::vector<ScheduledBlock> schedule_of(const RunResult& result, const std::vector<ApplicationId>& applications,
                                        bool preempted) {
  std::vector<ScheduledBlock> blocks;
  for (const BlockRecord& block : result.blocks) {
    const ApplicationId application = applications[block.kernel];
    if (!preempted) {
      blocks.push_back({block.sm, application, block.start, block.end});
      continue;
    }
    for (const SliceEnded& slice : result.engine_slices) {
      if (slice.application != application) continue;
      const Cycle until = slice.preempted_blocks > 0 ? slice.end : slice.off;
      const Cycle from = std::max(block.start, slice.start), to = std::min(block.end, until);
      if (from < to) blocks.push_back({block.sm, application, from, to});
    }
  }
  return blocks;
}

TimelineChart schedule_chart(std::vector<ScheduledBlock> blocks, std::vector<ChartSeries> series, unsigned sms,
                             Cycle from, Cycle until, double mhz) {
  const auto us = [mhz](Cycle cycle) { return static_cast<double>(cycle) / mhz; };
  TimelineChart chart{"time (us)", us(from), us(until), std::move(series), {}, {}};
  std::vector<std::size_t> rows_of_sm(sms, 1);
  const std::vector<std::size_t> rows = rows_of(blocks, rows_of_sm);
  for (unsigned sm = 0; sm < sms; ++sm)
    chart.bands.push_back({fmt::format("SM {}", sm), std::vector<std::string>(rows_of_sm[sm])});
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const ScheduledBlock& block = blocks[i];
    if (block.until <= from || block.from >= until) continue;
    chart.boxes.push_back(
        {block.sm, rows[i], block.series, us(std::max(block.from, from)), us(std::min(block.until, until))});
  }
  return chart;
}

std::string schedule_text(std::vector<ScheduledBlock> blocks, const std::string& letters, unsigned sms, Cycle from,
                          Cycle until, Cycle step) {
  std::vector<std::size_t> rows_of_sm(sms, 1);
  const std::vector<std::size_t> rows = rows_of(blocks, rows_of_sm);
  std::vector<std::vector<std::string>> picture(sms);
  for (unsigned sm = 0; sm < sms; ++sm)
    picture[sm].assign(rows_of_sm[sm], std::string((until - from + step - 1) / step, '.'));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::string& line = picture[blocks[i].sm][rows[i]];
    for (std::size_t column = 0; column < line.size(); ++column) {
      const Cycle at = from + column * step + step / 2;
      if (blocks[i].from <= at && at < blocks[i].until) line[column] = letters[blocks[i].series];
    }
  }
  std::string text;
  for (unsigned sm = 0; sm < sms; ++sm) {
    for (std::size_t row = 0; row < picture[sm].size(); ++row)
      text += fmt::format("{:<6}{}\n", row == 0 ? fmt::format("SM {}", sm) : "", picture[sm][row]);
  }
  return text;
}

}  // namespace gputlm
