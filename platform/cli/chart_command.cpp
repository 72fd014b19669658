#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "platform/cli/commands.h"
#include "platform/files/atomic_file.h"
#include "platform/files/csv.h"
#include "platform/lab/chart.h"
#include "platform/lab/chart_of_table.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

class ChartCommand final : public Subcommand {
 public:
  void declare(Arguments& arguments) override;
  int execute() override;

 private:
  LabelledChart named_points() const;
  Chart chart() const;

  std::string file_, out_, form_ = "lines", names_;
  std::vector<std::string> where_;
  TableChart what_;
};

const std::vector<std::pair<std::string, TableChart::Form>>& forms() {
  static const std::vector<std::pair<std::string, TableChart::Form>> all{
      {"lines", TableChart::Form::kLines}, {"bars", TableChart::Form::kBars}, {"cdf", TableChart::Form::kCdf}};
  return all;
}

void ChartCommand::declare(Arguments& arguments) {
  std::vector<std::string> names;
  for (const auto& [name, form] : forms()) names.push_back(name);
  arguments.positional("TABLE", file_, "CSV table with a header line", Values::file());
  arguments.text("-o,--output", out_, "File for the picture: .svg, .pdf or .png", Values::output());
  arguments.text("--form", form_, "Lines; bars side by side; or cdf, the share of values of -y up to each value",
                 Values::one_of("FORM", names));
  arguments.text("-x,--x", what_.x, "Column along the x axis: numbers, or names", {"COLUMN"});
  arguments.texts("-y,--y", what_.y, "Column of the y axis; if repeated, one line each", {"COLUMN"});
  arguments.texts("--where", where_, "Only rows with this value in a column; if repeated, with all of them",
                  {"COLUMN=VALUE"});
  arguments.texts("--group", what_.groups,
                  "Column whose values get a line or a bar each; if repeated, their combinations", {"COLUMN"});
  arguments.text("--facet", what_.facets, "Column whose values get a panel each", {"COLUMN"});
  arguments.text("--low", what_.low, "Column with the lower end of each value's interval, for error bars", {"COLUMN"});
  arguments.text("--high", what_.high, "Column with its upper end", {"COLUMN"});
  arguments.needs("--low", "--high");
  arguments.needs("--high", "--low");
  arguments.flag("--mean", what_.means,
                 "Draw the mean of several values at a place, with its 95 % confidence interval (Student's t)");
  arguments.text("--names", names_, "Column with names: draw named points instead of lines, on a logarithmic y axis",
                 {"COLUMN"});
  arguments.flag("--doubling", what_.doubling, "Make the x axis logarithmic");
  arguments.text("--x-axis", what_.x_axis, "Label of the x axis, instead of the column's name");
  arguments.text("--y-axis", what_.y_axis, "Label of the y axis");
  arguments.text("--title", what_.title, "Title above the picture");
  arguments.example("chart schedulability.csv -x utilisation -y analysis -y simulation --facet scheme -o s.svg",
                    "a picture of a table that reproduce, sweep or run has written");
  arguments.example("chart summary.csv --where metric=STP --form bars -x workload -y mean --low low --high high",
                    "means of a sweep over its seeds, with error bars");
  arguments.example("chart out/jobs.csv --form cdf -y response_cycles --group task -o responses.png",
                    "how many jobs of each task had ended within a time");
}

LabelledChart ChartCommand::named_points() const {
  const std::string text = read_text(file_);
  CsvReader csv(file_, text);
  const std::size_t x = csv.column(what_.x), y = csv.column(what_.y.front()), name = csv.column(names_);
  std::vector<std::size_t> groups;
  for (const std::string& group : what_.groups) groups.push_back(csv.column(group));
  const auto title = [](const std::string& given, const std::string& column) { return given.empty() ? column : given; };
  LabelledChart points{title(what_.x_axis, what_.x), title(what_.y_axis, what_.y.front()), {}};
  while (csv.next()) {
    if (csv.field(y).empty()) continue;
    const double at = csv.real(x);
    if (at < 0) csv.fail(fmt::format("{}: found '{}', allowed: numbers from 0 on", what_.x, csv.field(x)));
    std::string line;
    for (const std::size_t column : groups) line += (line.empty() ? "" : ", ") + std::string(csv.field(column));
    auto series =
        std::find_if(points.series.begin(), points.series.end(), [&](const auto& s) { return s.name == line; });
    if (series == points.series.end()) series = points.series.insert(series, {line, {}});
    series->points.push_back({at, csv.quantity(y), std::string(csv.field(name))});
  }
  if (points.series.empty()) throw InputError(file_, 0, "found no rows, allowed: 1 or more");
  return points;
}

Chart ChartCommand::chart() const {
  if (!names_.empty()) return named_points();
  TableChart what = what_;
  for (const auto& [name, form] : forms()) {
    if (name == form_) what.form = form;
  }
  for (const std::string& one : where_) {
    const std::size_t at = one.find('=');
    if (at == std::string::npos || at == 0)
      throw InputError("--where", 0, fmt::format("found '{}', allowed: COLUMN=VALUE", shortened(one)));
    what.where.emplace_back(one.substr(0, at), one.substr(at + 1));
  }
  return chart_of_table(file_, what);
}

int ChartCommand::execute() {
  const bool cdf = form_ == "cdf";
  if (what_.y.empty() || (what_.x.empty() && !cdf))
    throw InputError("chart: found no -x or no -y, allowed: a column for each");
  const auto none_beside = [](const char* option, bool is_given, const char* others, bool others_given) {
    if (is_given && others_given)
      throw InputError(option, 0, fmt::format("found {} beside it, allowed: none of them", others));
  };
  none_beside("--form cdf", cdf, "-x, --low, --high, --mean or --doubling",
              !what_.x.empty() || !what_.low.empty() || !what_.high.empty() || what_.means || what_.doubling);
  none_beside("--form bars", form_ == "bars", "--doubling", what_.doubling);
  none_beside("--names", !names_.empty(),
              "--facet, --form, --where, --low, --high, --mean, --doubling, --title or a second -y",
              !what_.facets.empty() || form_ != "lines" || !where_.empty() || !what_.low.empty() ||
                  !what_.high.empty() || what_.means || what_.doubling || !what_.title.empty() || what_.y.size() > 1);
  none_beside("--low", !what_.low.empty(), "a second -y", what_.y.size() > 1);
  const std::string ending = std::filesystem::path(out_).extension().string();
  const std::vector<std::string>& endings = picture_endings();
  if (!is_standard_output(out_) && std::find(endings.begin(), endings.end(), ending) == endings.end())
    throw InputError("--output", 0,
                     fmt::format("found '{}', allowed: a file that ends in {}", out_, fmt::join(endings, ", ")));
  write_chart(out_, chart());
  return kDone;
}

GPUTLM_REGISTER {
  add_command<ChartCommand>("chart", "Draw a table (CSV): lines, bars, distributions", CommandGroup::kResults);
}

}  // namespace

}  // namespace gputlm
