#include "platform/lab/results_database.h"

#include <sqlite3.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "platform/files/json_text.h"
#include "platform/files/rows.h"
#include "platform/input/parameters.h"
#include "platform/run/responses.h"

namespace gputlm {
namespace {

// A program that reads it looks at user_version: it changes when a table or column goes, or means something else.
constexpr const char* kSchema = "PRAGMA user_version = 3;";

struct TableSql {
  const char* name;
  const char* keys;  ///< columns in front of the row's
  const char* rest = "";
};
constexpr TableSql kGpus{"gpus", R"(
  gpu TEXT PRIMARY KEY,          -- preset or file, as the study names it
  configuration TEXT NOT NULL    -- JSON, as in result.json; without what is varied)"};
constexpr TableSql kPoints{"points", R"(
  point INTEGER PRIMARY KEY,     -- combinations of all but the seed, from 0, in the study's order
  gpu TEXT NOT NULL REFERENCES gpus,
  workload TEXT NOT NULL)"};
constexpr TableSql kSettings{"settings", R"(
  point INTEGER NOT NULL REFERENCES points,
  parameter TEXT NOT NULL,       -- that is varied
  value TEXT NOT NULL)",
                             ", PRIMARY KEY (point, parameter)"};
constexpr TableSql kRuns{"runs", R"(
  run INTEGER PRIMARY KEY,       -- from 0, in the study's order
  id TEXT NOT NULL,              -- digest of program, configuration and inputs, as in applications.csv
  point INTEGER NOT NULL REFERENCES points,
  seed INTEGER NOT NULL,
  program TEXT NOT NULL,         -- digests: executable with libraries,
  configuration TEXT NOT NULL,   -- GPU with all settings,
  inputs TEXT NOT NULL           -- workload with kernels and seed)"};
constexpr TableSql kApplications{"applications", R"(
  run INTEGER NOT NULL REFERENCES runs,
  number INTEGER NOT NULL        -- in the workload, from 0)",
                                 ", PRIMARY KEY (run, number)"};
constexpr TableSql kKernels{"kernels", R"(
  run INTEGER NOT NULL REFERENCES runs,
  number INTEGER NOT NULL        -- in the order of launches.csv, from 0)",
                            ", PRIMARY KEY (run, number)"};
constexpr TableSql kResponses{"responses", R"(
  run INTEGER NOT NULL REFERENCES runs,
  number INTEGER NOT NULL        -- in the order of responses.csv, from 0)",
                              ", PRIMARY KEY (run, number)"};
constexpr TableSql kFigures{"figures", R"(
  point INTEGER NOT NULL REFERENCES points,
  "of" TEXT NOT NULL,            -- run, application, task or launch
  name TEXT,                     -- none: of the run
  application TEXT,              -- whose it is; likewise
  metric TEXT NOT NULL           -- over the seeds)"};

struct NoRow {
  template <class Visitor>
  static void describe(Visitor&) {}
};

[[noreturn]] void fail(sqlite3* database) {
  throw std::runtime_error(std::string("the database of results cannot be made: ") + sqlite3_errmsg(database));
}

class Database {
 public:
  Database() {
    if (sqlite3_open(":memory:", &handle_) != SQLITE_OK) fail(handle_);
    execute(kSchema);
    execute("BEGIN");
  }
  ~Database() { sqlite3_close(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  sqlite3* handle() const { return handle_; }
  void execute(const std::string& sql) {
    if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail(handle_);
  }
  std::string bytes() {
    execute("COMMIT");
    sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> copy(sqlite3_serialize(handle_, "main", &size, 0),
                                                                       sqlite3_free);
    if (!copy) fail(handle_);
    return {reinterpret_cast<const char*>(copy.get()), static_cast<std::size_t>(size)};
  }

 private:
  sqlite3* handle_ = nullptr;
};

/// A table: key columns, and those of a Row (platform/files/rows.h).
template <class Row = NoRow>
class SqlTable {
 public:
  SqlTable(Database& database, const TableSql& table) : database_(database.handle()) {
    std::string sql = std::string("CREATE TABLE ") + table.name + " (" + table.keys;
    for (const TableColumn& column : row_columns<Row>()) {
      sql += "\n, \"" + column.name + "\"  -- " + column.meaning;
      if (!column.unit.empty()) sql += " [" + column.unit + "]";
    }
    database.execute(sql + "\n" + table.rest + ")");
    sqlite3_stmt* all = nullptr;
    if (sqlite3_prepare_v2(database_, (std::string("SELECT * FROM ") + table.name).c_str(), -1, &all, nullptr) !=
        SQLITE_OK)
      fail(database_);
    std::string places = "?";
    for (int i = 1; i < sqlite3_column_count(all); ++i) places += ",?";
    sqlite3_finalize(all);
    sql = std::string("INSERT INTO ") + table.name + " VALUES (" + places + ")";
    if (sqlite3_prepare_v2(database_, sql.c_str(), -1, &statement_, nullptr) != SQLITE_OK) fail(database_);
  }
  ~SqlTable() { sqlite3_finalize(statement_); }
  SqlTable(const SqlTable&) = delete;
  SqlTable& operator=(const SqlTable&) = delete;

  template <class... Keys>
  void add(const Row& row, const Keys&... keys) {
    column_ = 0;
    (bind(keys), ...);
    for_each_value(row, [this](const auto& value) { this->bind(value); });
    if (sqlite3_step(statement_) != SQLITE_DONE) fail(database_);
    sqlite3_reset(statement_);
  }

 private:
  void bind(std::string_view text) {
    sqlite3_bind_text(statement_, ++column_, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
  void bind(Number number) {
    if constexpr (std::is_integral_v<Number>) {
      sqlite3_bind_int64(statement_, ++column_, static_cast<sqlite3_int64>(number));
    } else {
      sqlite3_bind_double(statement_, ++column_, number);
    }
  }
  template <class Value>
  void bind(const std::optional<Value>& value) {
    value ? bind(*value) : static_cast<void>(sqlite3_bind_null(statement_, ++column_));
  }
  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
  int column_ = 0;  ///< that was bound last
};

}  // namespace

std::string results_database(const Study& study, const std::vector<StudyOutcome>& outcomes,
                             const std::vector<StudySummary>& summaries) {
  Database database;
  {
    SqlTable<> gpus(database, kGpus), points(database, kPoints), settings(database, kSettings);
    SqlTable<StudyOutcome> runs(database, kRuns);
    SqlTable<ApplicationOutcome> applications(database, kApplications);
    SqlTable<StudyLaunch> kernels(database, kKernels);
    SqlTable<ResponseRow> responses(database, kResponses);
    SqlTable<Estimate> figures(database, kFigures);
    for (std::size_t g = 0; g < study.gpus().size(); ++g)
      gpus.add({}, study.gpus()[g], json_text(to_json(study.base(g))));
    for (std::size_t point = 0; point < summaries.size(); ++point) {
      const StudySummary& summary = summaries[point];
      points.add({}, point, study.gpus()[summary.point.gpu], study.workloads()[summary.point.workload]);
      for (std::size_t a = 0; a < study.axes().size(); ++a) {
        const Study::Axis& axis = study.axes()[a];
        settings.add({}, point, axis.parameter, axis.values[summary.point.settings[a]]);
      }
      for (const auto& [subject, all] : summary.subjects) {
        const auto named = [](const std::string& name) { return name.empty() ? std::nullopt : std::optional(name); };
        for (const StudyFigure& figure : all)
          figures.add(figure.estimate, point, to_string(subject.kind), named(subject.name), named(subject.application),
                      figure.metric);
      }
    }
    for (std::size_t run = 0; run < outcomes.size(); ++run) {
      const StudyOutcome& o = outcomes[run];
      runs.add(o, run, o.id, run / study.seeds().size(), study.seeds()[o.point.seed], o.digests.program,
               o.digests.configuration, o.digests.inputs);
      for (std::size_t a = 0; a < o.applications.size(); ++a) applications.add(o.applications[a], run, a);
      for (std::size_t l = 0; l < o.launches.size(); ++l) kernels.add(o.launches[l], run, l);
      std::size_t number = 0;
      for_each_response(o.responses, study.workload(o.point),
                        [&](const ResponseRow& row) { responses.add(row, run, number++); });
    }
  }
  return database.bytes();
}

}  // namespace gputlm
