#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "platform/cli/commands.h"
#include "platform/cli/exit_codes.h"
#include "platform/files/csv_reader.h"
#include "platform/files/text_file.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/table_views.h"
#include "tlm/error.h"
#include "tlm/numbers.h"

namespace gputlm {
namespace {

constexpr std::size_t kMostLines = 200;  // of all panels: beyond, nobody tells one from another

class ChartCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  Table long_table() const;

  std::string file_, out_, x_, panels_, x_axis_, y_axis_, title_;
  std::vector<std::string> y_, lines_;
  bool doubling_ = false;
};

void ChartCommand::declare(Arguments& arguments) {
  arguments.positional("TABLE", file_, "A table with a head line, as CSV", Values::file());
  arguments.text("-o,--output", out_, "File for the picture, .svg", Values::file());
  arguments.text("-x,--x", x_, "Column along the x axis: numbers, or names", {"COLUMN"});
  arguments.texts("-y,--y", y_, "Column of the y axis; each of several is a line", {"COLUMN"});
  arguments.texts("--lines", lines_, "Column with a line for each value; of several, for each combination", {"COLUMN"});
  arguments.text("--panels", panels_, "Column with a panel for each value", {"COLUMN"});
  arguments.flag("--doubling", doubling_, "The x axis is logarithmic");
  arguments.text("--x-axis", x_axis_, "What is written at the x axis, in the place of the column's name");
  arguments.text("--y-axis", y_axis_, "Likewise at the y axis");
  arguments.text("--title", title_, "Above the picture");
  arguments.example(
      "chart figures/bounds-schedulability.csv -x utilisation -y analysis -y simulation --panels scheme -o s.svg",
      "a table that reproduce, sweep or run has left, as a picture of its own");
}

/// A row for each point: x, panel, line, y.
Table ChartCommand::long_table() const {
  const std::string text = read_text(file_);
  CsvReader csv(file_, text);
  const std::size_t x = csv.column(x_);
  std::vector<std::size_t> y, lines;
  for (const std::string& name : y_) y.push_back(csv.column(name));
  for (const std::string& name : lines_) lines.push_back(csv.column(name));
  const auto panel = panels_.empty() ? std::nullopt : std::optional(csv.column(panels_));
  const auto title = [](const std::string& given, const std::string& column) { return given.empty() ? column : given; };
  Table table({{"x", "", title(x_axis_, x_)}, {"panel"}, {"line"}, {"y", "", title(y_axis_, y_.front())}});
  std::set<std::string> met;
  std::optional<bool> numbers;  // along the x axis
  while (csv.next()) {
    const std::string at(csv.field(x));
    if (!numbers) numbers = parse_number<double>(at).has_value();
    const Cell place = *numbers ? Cell(csv.real(x)) : Cell(at);
    if (doubling_ && !(place.number().value_or(0) > 0))
      csv.fail(fmt::format("{}: found '{}', allowed with --doubling: a number above 0", x_, shortened(at)));
    const std::string of_panel(panel ? csv.field(*panel) : "");
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (csv.field(y[i]).empty()) continue;
      std::string line = y.size() > 1 ? y_[i] : "";
      for (const std::size_t column : lines) line += (line.empty() ? "" : ", ") + std::string(csv.field(column));
      if (met.insert(of_panel + '\n' + line).second && met.size() > kMostLines)
        csv.fail(fmt::format("found a line more, allowed: {} in all panels", kMostLines));
      table.add({place, of_panel, line, csv.real(y[i])});
    }
  }
  if (table.rows().empty()) throw InputError(file_, 0, "found no rows, allowed: 1 or more");
  return table;
}

int ChartCommand::execute() {
  if (x_.empty() || y_.empty()) throw InputError("chart: found no -x or no -y, allowed: a column for each");
  if (std::filesystem::path(out_).extension() != ".svg")
    throw InputError("--output", 0, fmt::format("found '{}', allowed: a file that ends in .svg", out_));
  LineChart chart = line_chart(long_table(), {"x", "y", {"line"}, "panel", doubling_});
  chart.title = title_;
  write_chart(out_, chart);
  return kDone;
}

GPUTLM_REGISTER { add_command<ChartCommand>("chart", "Draw a table (CSV) as lines, an SVG", CommandGroup::kResults); }

}  // namespace

}  // namespace gputlm
