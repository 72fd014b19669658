#include "platform/share/tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "platform/files/rows.h"
#include "platform/files/table.h"
#include "platform/lab/results_database.h"

namespace gputlm {
namespace {

/// A program under a way.
struct ShareRow {
  const WayOutcome& way;
  const ProgramOutcome& program;

  double us(double cycles) const { return cycles / way.core_mhz; }
  template <class T>
  static auto of_jobs(T JobTimes::*member) {
    return [member](const ShareRow& r) {
      const auto cycles = static_cast<double>(r.program.times.*member);
      return r.program.times.jobs ? std::optional(r.us(cycles)) : std::nullopt;
    };
  }

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = ShareRow;
    constexpr Value kUs{"us"}, kJobs{"jobs"};
    v.field([](const R& r) -> const std::string& { return r.way.way; }, "way", Value{},
            "`alone`: the program by itself on the whole GPU");
    v.field([](const R& r) -> const std::string& { return r.program.program; }, "program", Value{},
            "Name of the program");
    v.field([](const R& r) { return r.program.times.jobs; }, "jobs", kJobs,
            "Number of jobs that ended: of its tasks, or else passes of the program");
    v.field(of_jobs(&JobTimes::p50), "p50_us", kUs, "Median response time of a job");
    v.field(of_jobs(&JobTimes::p99), "p99_us", kUs, "99th percentile of the response times, by nearest rank");
    v.field(of_jobs(&JobTimes::most), "max_us", kUs, "Longest response time");
    v.field(of_jobs(&JobTimes::mean), "mean_us", kUs, "Mean response time");
    v.field([](const R& r) { return r.program.times.deadlines; }, "deadlines", kJobs, "Number of jobs with a deadline");
    v.field([](const R& r) { return r.program.times.missed; }, "deadlines_missed", kJobs,
            "Number of jobs that missed it");
    v.field([](const R& r) { return r.program.p50_over; }, "p50_over_alone", Value{}, "Median relative to alone");
    v.field([](const R& r) { return r.program.p99_over; }, "p99_over_alone", Value{},
            "99th percentile relative to alone");
    v.field([](const R& r) { return r.program.most_over; }, "max_over_alone", Value{},
            "Longest response time relative to alone");
    v.field([](const R& r) { return r.program.through; }, "times_through", Value{"times"},
            "Number of passes until each program has completed one");
    v.field([](const R& r) { return r.us(r.program.length); }, "length_us", kUs, "Mean time of a pass");
    v.field([](const R& r) { return r.program.throughput; }, "throughput_over_alone", Value{},
            "Its length alone divided by that mean");
    v.field([](const R& r) { return r.us(static_cast<double>(r.way.cycles)); }, "run_us", kUs, "Length of the run");
    v.field([](const R& r) { return r.way.sms; }, "sm_use", Value{},
            "Share of the SMs' time with a block of any program");
    v.field([](const R& r) { return r.way.dram; }, "dram_use", Value{},
            "Share of the DRAM's time in which data moves; none if SMs run blocks");
  }
};

template <class Use>
void for_each_row(const std::vector<WayOutcome>& outcomes, const Use& use) {
  for (const WayOutcome& way : outcomes) {
    for (const ProgramOutcome& program : way.programs) use(ShareRow{way, program});
  }
}

/// A part of a program's loss.
struct LossRow {
  const ProgramLoss& of;
  const LossPart& part;

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = LossRow;
    constexpr Value kUs{"us"};
    v.field([](const R& r) -> const std::string& { return r.of.way; }, "way", Value{}, "Way to share the GPU");
    v.field([](const R& r) -> const std::string& { return r.of.program; }, "program", Value{},
            "Program that lost the time");
    v.field([](const R& r) -> const std::string& { return r.part.cause; }, "cause", Value{},
            "Cause of the wait (docs/share.md)");
    v.field([](const R& r) -> const std::string& { return r.part.whose; }, "whose", Value{},
            "Program whose work it was; empty: none");
    v.field([](const R& r) { return r.part.cycles / r.of.core_mhz; }, "lost_us", kUs,
            "Mean over its jobs; negative: less than alone");
    v.field([](const R& r) { return r.of.cycles / r.of.core_mhz; }, "of_us", kUs,
            "Mean over its jobs minus the same alone: the sum of all parts");
  }
};

template <class Use>
void for_each_part(const std::vector<ProgramLoss>& losses, const Use& use) {
  for (const ProgramLoss& loss : losses) {
    for (const LossPart& part : loss.parts) use(LossRow{loss, part});
  }
}

/// "decode 98 %, nobody 2 %": shares of a program's loss.
std::string whose_text(const ProgramLoss& loss) {
  std::vector<std::pair<std::string, double>> whose;
  for (const LossPart& part : loss.parts) {
    const auto same = [&](const auto& other) { return other.first == part.whose; };
    const auto found = std::find_if(whose.begin(), whose.end(), same);
    if (found == whose.end()) {
      whose.emplace_back(part.whose, part.cycles);
    } else {
      found->second += part.cycles;
    }
  }
  std::sort(whose.begin(), whose.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [name, cycles] : whose) {
    const double percent = 100 * cycles / loss.cycles;
    if (percent < 0.5) continue;
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", name.empty() ? "nobody" : name, percent);
  }
  return text;
}

constexpr int kVersion = 1;  ///< version of share.sqlite
constexpr TableSql kWays{"ways", R"(
  number INTEGER PRIMARY KEY     -- in the order of share.csv, from 0)"};
constexpr TableSql kLosses{"losses", R"(
  number INTEGER PRIMARY KEY     -- in the order of share_losses.csv, from 0)"};

GPUTLM_REGISTER {
  add_row_table<ShareRow>("share.csv of gputlm share", "A program under a way to share the GPU");
  add_row_table<LossRow>("share_losses.csv of gputlm share", "A part of the time that a program lost under a way");
}

}  // namespace

std::string share_database(const std::vector<WayOutcome>& outcomes, const std::vector<ProgramLoss>& losses) {
  Database database(kVersion);
  {
    SqlTable<ShareRow> ways(database, kWays);
    SqlTable<LossRow> parts(database, kLosses);
    std::size_t number = 0;
    for_each_row(outcomes, [&](const ShareRow& row) { ways.add(row, number++); });
    number = 0;
    for_each_part(losses, [&](const LossRow& row) { parts.add(row, number++); });
  }
  return database.bytes();
}

std::string share_text(const std::vector<WayOutcome>& outcomes) {
  const bool deadlines = std::any_of(outcomes.begin(), outcomes.end(), [](const WayOutcome& way) {
    return std::any_of(way.programs.begin(), way.programs.end(),
                       [](const ProgramOutcome& program) { return program.times.deadlines > 0; });
  });
  std::vector<TableColumn> columns{{"way"},
                                   {"program"},
                                   {"jobs"},
                                   {"p50_us", "us", "", "p50 us", 1},
                                   {"p99_us", "us", "", "p99 us", 1},
                                   {"max_us", "us", "", "max us", 1},
                                   {"p50", "", "", "p50/alone", 2},
                                   {"p99", "", "", "p99/alone", 2}};
  if (deadlines) columns.push_back({"missed"});
  columns.insert(
      columns.end(),
      {{"throughput", "", "", "throughput", 2}, {"sms", "%", "", "SMs %", 0}, {"dram", "%", "", "DRAM %", 0}});
  Table table(columns);
  for (const WayOutcome& way : outcomes) {
    bool first = true;
    for (const ProgramOutcome& program : way.programs) {
      const ShareRow row{way, program};
      const JobTimes& times = program.times;
      std::vector<Cell> cells{first || way.way == "alone" ? Cell(way.way) : Cell(), program.program, times.jobs};
      if (times.jobs) {
        for (const Cycle cycles : {times.p50, times.p99, times.most})
          cells.emplace_back(row.us(static_cast<double>(cycles)));
      } else {
        cells.resize(cells.size() + 3);
      }
      cells.insert(cells.end(), {program.p50_over, program.p99_over});
      if (deadlines) cells.push_back(times.deadlines ? Cell(times.missed) : Cell());
      cells.emplace_back(program.throughput);
      if (first) {
        cells.insert(cells.end(), {100 * way.sms, way.dram ? Cell(100 * *way.dram) : Cell()});
      } else {
        cells.resize(columns.size());
      }
      table.add(std::move(cells));
      first = false;
    }
  }
  return table.text();
}

std::string share_csv(const std::vector<WayOutcome>& outcomes) {
  fmt::memory_buffer csv;
  for_each_row(outcomes, [&](const ShareRow& row) { write_csv_row(csv, row); });
  return csv_header<ShareRow>() + fmt::to_string(csv);
}

std::string losses_text(const std::vector<ProgramLoss>& losses) {
  std::vector<TableColumn> columns{{"way"}, {"program"}, {"lost_us", "", "", "lost us", 1}};
  std::vector<std::string> causes;
  for (const std::string& cause : loss_causes(losses)) {
    const auto shows = [&](const ProgramLoss& loss) {
      return std::abs(loss.of(cause)) >= 0.005 * std::abs(loss.cycles) && loss.of(cause) != 0;
    };
    if (std::none_of(losses.begin(), losses.end(), shows)) continue;
    causes.push_back(cause);
    columns.push_back({cause, "", "", "", 1});
  }
  columns.push_back({"whose work", "", "", "", -1, Column::Form::kNumber});
  Table table(columns);
  std::string last;
  for (const ProgramLoss& loss : losses) {
    std::vector<Cell> row{loss.way == last ? Cell() : Cell(loss.way), loss.program, loss.cycles / loss.core_mhz};
    for (const std::string& cause : causes) row.emplace_back(loss.of(cause) / loss.core_mhz);
    row.emplace_back(loss.cycles > 0 ? whose_text(loss) : std::string());
    table.add(std::move(row));
    last = loss.way;
  }
  return table.text();
}

std::string losses_csv(const std::vector<ProgramLoss>& losses) {
  fmt::memory_buffer csv;
  for_each_part(losses, [&](const LossRow& row) { write_csv_row(csv, row); });
  return csv_header<LossRow>() + fmt::to_string(csv);
}

nlohmann::ordered_json share_json(const ShareStudy& study, const std::vector<WayOutcome>& outcomes,
                                  const std::vector<ProgramLoss>& losses) {
  using Json = nlohmann::ordered_json;
  Json json{{"schema", "gputlm-share-1"}, {"gpu", study.gpu().name}};
  json["programs"] = Json::array();
  for (const SharedProgram& program : study.programs()) json["programs"].push_back(program.name);
  json["ways"] = Json::array();
  for_each_row(outcomes, [&](const ShareRow& row) { json["ways"].push_back(row_json(row)); });
  json["losses"] = Json::array();
  for_each_part(losses, [&](const LossRow& row) { json["losses"].push_back(row_json(row)); });
  json["notes"] = share_notes(study);
  return json;
}

std::vector<std::string> share_notes(const ShareStudy& study) {
  std::vector<std::string> notes, spin, once;
  for (std::size_t p = 0; p < study.programs().size(); ++p) {
    const std::string& name = study.programs()[p].name;
    const ShareStudy::Unknown unknown = study.unknown(p);
    if (unknown.launches > 0)
      spin.push_back(unknown.launches == unknown.of
                         ? name
                         : fmt::format("{} ({} of {} kernels)", name, unknown.launches, unknown.of));
    if (!study.repeats(p)) once.push_back(name);
  }
  if (!spin.empty()) {
    notes.push_back(fmt::format(
        "{}: for these kernels only durations are known, not their demands on SMs, caches and memory: they compete for "
        "places on SMs, time slices, priorities and copy engines only, and the DRAM moves nothing for them",
        fmt::join(spin, ", ")));
  }
  if (!once.empty() && study.programs().size() > 1) {
    notes.push_back(
        fmt::format("{}: with loops or phases, run once; programs that end earlier leave the GPU to the others",
                    fmt::join(once, ", ")));
  }
  for (const ShareStudy::Refused& refused : study.refused())
    notes.push_back(fmt::format("{} cannot be had: {}", refused.way, refused.why));
  return notes;
}

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
