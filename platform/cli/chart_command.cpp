#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "platform/cli/commands.h"
#include "platform/cli/exit_codes.h"
#include "platform/files/atomic_file.h"
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
  Chart chart() const;

  std::string file_, out_, x_, panels_, names_, x_axis_, y_axis_, title_;
  std::vector<std::string> y_, lines_;
  bool doubling_ = false;
};

void ChartCommand::declare(Arguments& arguments) {
  arguments.positional("TABLE", file_, "A table with a head line, as CSV", Values::file());
  arguments.text("-o,--output", out_, "File for the picture, .svg", Values::output());
  arguments.text("-x,--x", x_, "Column along the x axis: numbers, or names", {"COLUMN"});
  arguments.texts("-y,--y", y_, "Column of the y axis; each of several is a line", {"COLUMN"});
  arguments.texts("--lines", lines_, "Column with a line for each value; of several, for each combination", {"COLUMN"});
  arguments.text("--panels", panels_, "Column with a panel for each value", {"COLUMN"});
  arguments.text("--names", names_,
                 "Column with names: points beside their names in the place of lines, and the y axis is logarithmic",
                 {"COLUMN"});
  arguments.flag("--doubling", doubling_, "The x axis is logarithmic");
  arguments.text("--x-axis", x_axis_, "What is written at the x axis, in the place of the column's name");
  arguments.text("--y-axis", y_axis_, "Likewise at the y axis");
  arguments.text("--title", title_, "Above the picture");
  arguments.example("chart schedulability.csv -x utilisation -y analysis -y simulation --panels scheme -o s.svg",
                    "a table that reproduce, sweep or run has left, as a picture of its own");
}

/// A row for each point: x, panel, line, y, name.
Table ChartCommand::long_table() const {
  const std::string text = read_text(file_);
  CsvReader csv(file_, text);
  const std::size_t x = csv.column(x_);
  std::vector<std::size_t> y, lines;
  for (const std::string& name : y_) y.push_back(csv.column(name));
  for (const std::string& name : lines_) lines.push_back(csv.column(name));
  const std::size_t panel = panels_.empty() ? 0 : csv.column(panels_), name = names_.empty() ? 0 : csv.column(names_);
  const auto title = [](const std::string& given, const std::string& column) { return given.empty() ? column : given; };
  Table table({{"x", "", title(x_axis_, x_)}, {"panel"}, {"line"}, {"y", "", title(y_axis_, y_.front())}, {"name"}});
  std::set<std::string> met;
  std::optional<bool> numbers;  // along the x axis
  while (csv.next()) {
    const std::string at(csv.field(x));
    if (!numbers) numbers = parse_number<double>(at).has_value();
    const Cell place = *numbers ? Cell(csv.real(x)) : Cell(at);
    if (doubling_ && !(place.number().value_or(0) > 0))
      csv.fail(fmt::format("{}: found '{}', allowed with --doubling: a number above 0", x_, shortened(at)));
    const std::string of_panel(panels_.empty() ? "" : csv.field(panel));
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (csv.field(y[i]).empty()) continue;
      std::string line = y.size() > 1 ? y_[i] : "";
      for (const std::size_t column : lines) line += (line.empty() ? "" : ", ") + std::string(csv.field(column));
      if (met.insert(of_panel + '\n' + line).second && met.size() > kMostLines)
        csv.fail(fmt::format("found a line more, allowed: {} in all panels", kMostLines));
      if (names_.empty()) {
        table.add({place, of_panel, line, csv.real(y[i]), ""});
      } else {
        table.add({place, of_panel, line, csv.quantity(y[i]), csv.field(name)});
      }
    }
  }
  if (table.rows().empty()) throw InputError(file_, 0, "found no rows, allowed: 1 or more");
  return table;
}

Chart ChartCommand::chart() const {
  const Table table = long_table();
  if (names_.empty()) {
    LineChart lines = line_chart(table, {"x", "y", {"line"}, "panel", doubling_});
    lines.title = title_;
    return lines;
  }
  LabelledChart points{table.columns()[0].meaning, table.columns()[3].meaning, {}};
  for (const std::vector<Cell>& row : table.rows()) {
    const auto x = row[0].number();
    if (!x || *x < 0)
      throw InputError(file_, 0, fmt::format("{}: found '{}', allowed: numbers from 0 on", x_, row[0].text()));
    const std::string line = row[2].text();
    auto series =
        std::find_if(points.series.begin(), points.series.end(), [&](const auto& s) { return s.name == line; });
    if (series == points.series.end()) series = points.series.insert(series, {line, {}});
    series->points.push_back({*x, *row[3].number(), row[4].text()});
  }
  return points;
}

int ChartCommand::execute() {
  if (x_.empty() || y_.empty()) throw InputError("chart: found no -x or no -y, allowed: a column for each");
  if (!is_standard_output(out_) && std::filesystem::path(out_).extension() != ".svg")
    throw InputError("--output", 0, fmt::format("found '{}', allowed: a file that ends in .svg", out_));
  if (!names_.empty() && (!panels_.empty() || doubling_ || !title_.empty()))
    throw InputError("--names", 0, "found --panels, --doubling or --title beside it, allowed: none of them");
  write_chart(out_, chart());
  return kDone;
}

GPUTLM_REGISTER { add_command<ChartCommand>("chart", "Draw a table (CSV) as lines, an SVG", CommandGroup::kResults); }

}  // namespace

}  // namespace gputlm
