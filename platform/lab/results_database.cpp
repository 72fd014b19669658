#include "platform/lab/results_database.h"

#include <sqlite3.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "platform/files/json_text.h"
#include "platform/input/parameters.h"

namespace gputlm {
namespace {

// A program that reads it looks at user_version: it changes when a table or column goes, or means something else.
constexpr const char* kSchema = R"(
PRAGMA user_version = 1;
CREATE TABLE gpus (
  gpu TEXT PRIMARY KEY,        -- preset or file, as the study names it
  configuration TEXT NOT NULL  -- JSON, as in result.json; without what is varied
);
CREATE TABLE points (          -- combinations of all but the seed
  point INTEGER PRIMARY KEY,   -- from 0, in the study's order
  gpu TEXT NOT NULL REFERENCES gpus,
  workload TEXT NOT NULL
);
CREATE TABLE settings (        -- of each point: the parameters that are varied
  point INTEGER NOT NULL REFERENCES points,
  parameter TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (point, parameter)
);
CREATE TABLE runs (
  run INTEGER PRIMARY KEY,      -- from 0, in the study's order
  id TEXT NOT NULL,             -- digest of program, configuration and inputs, as in applications.csv
  point INTEGER NOT NULL REFERENCES points,
  seed INTEGER NOT NULL,
  program TEXT NOT NULL,        -- digests: executable with libraries,
  configuration TEXT NOT NULL,  -- GPU with all settings,
  inputs TEXT NOT NULL,         -- workload with kernels and seed
  cycles INTEGER NOT NULL,
  stp REAL, antt REAL, strictf REAL
);
CREATE TABLE applications (
  run INTEGER NOT NULL REFERENCES runs,
  number INTEGER NOT NULL,      -- in the workload, from 0
  application TEXT NOT NULL,
  cycles INTEGER NOT NULL,
  iterations INTEGER NOT NULL,
  instructions INTEGER NOT NULL,
  ipc REAL NOT NULL,
  slowdown REAL,
  PRIMARY KEY (run, number)
);
CREATE TABLE kernels (          -- launches that have ended; times in core cycles
  run INTEGER NOT NULL REFERENCES runs,
  number INTEGER NOT NULL,      -- in the order in which they are in launches.csv, from 0
  launch TEXT NOT NULL,
  application TEXT NOT NULL,
  stream TEXT NOT NULL,
  released INTEGER NOT NULL,
  arrived INTEGER NOT NULL,
  first_block INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  notified INTEGER NOT NULL,
  instructions INTEGER NOT NULL,
  PRIMARY KEY (run, number)
);
CREATE TABLE figures (          -- over the seeds of a point
  point INTEGER NOT NULL REFERENCES points,
  number INTEGER,               -- of the application; none: of the run
  application TEXT,
  metric TEXT NOT NULL,
  seeds INTEGER NOT NULL,
  mean REAL NOT NULL,
  deviation REAL, low REAL, high REAL  -- 95 % confidence interval; none of a single seed
);
)";

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
  std::string bytes() {
    execute("COMMIT");
    sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> copy(sqlite3_serialize(handle_, "main", &size, 0),
                                                                       sqlite3_free);
    if (!copy) fail(handle_);
    return {reinterpret_cast<const char*>(copy.get()), static_cast<std::size_t>(size)};
  }

 private:
  void execute(const char* sql) {
    if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(handle_);
  }
  sqlite3* handle_ = nullptr;
};

/// Adds rows to a table.
class Table {
 public:
  Table(const Database& database, const std::string& name, int columns) : database_(database.handle()) {
    std::string sql = "INSERT INTO " + name + " VALUES (?";
    for (int i = 1; i < columns; ++i) sql += ",?";
    if (sqlite3_prepare_v2(database_, (sql + ")").c_str(), -1, &statement_, nullptr) != SQLITE_OK) fail(database_);
  }
  ~Table() { sqlite3_finalize(statement_); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  template <class... Values>
  void add(const Values&... values) {
    int column = 0;
    (bind(++column, values), ...);
    if (sqlite3_step(statement_) != SQLITE_DONE) fail(database_);
    sqlite3_reset(statement_);
  }

 private:
  void bind(int column, std::string_view text) {
    sqlite3_bind_text(statement_, column, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  void bind(int column, const std::string& text) { bind(column, std::string_view(text)); }
  void bind(int column, std::uint64_t number) {
    sqlite3_bind_int64(statement_, column, static_cast<sqlite3_int64>(number));
  }
  void bind(int column, double number) { sqlite3_bind_double(statement_, column, number); }
  template <class Value>
  void bind(int column, const std::optional<Value>& value) {
    value ? bind(column, *value) : static_cast<void>(sqlite3_bind_null(statement_, column));
  }
  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace

std::string results_database(const Study& study, const std::vector<StudyOutcome>& outcomes,
                             const std::vector<StudySummary>& summaries) {
  Database database;
  {
    Table gpus(database, "gpus", 2), points(database, "points", 3), settings(database, "settings", 3),
        figures(database, "figures", 9);
    for (std::size_t g = 0; g < study.gpus().size(); ++g) gpus.add(study.gpus()[g], json_text(to_json(study.base(g))));
    for (std::uint64_t point = 0; point < summaries.size(); ++point) {
      const StudySummary& summary = summaries[point];
      points.add(point, study.gpus()[summary.point.gpu], study.workloads()[summary.point.workload]);
      for (std::size_t a = 0; a < study.axes().size(); ++a) {
        const Study::Axis& axis = study.axes()[a];
        settings.add(point, axis.parameter, axis.values[summary.point.settings[a]]);
      }
      const auto add = [&](std::optional<std::uint64_t> number, const std::optional<std::string>& application,
                           const std::vector<StudyFigure>& all) {
        for (const auto& [metric, e] : all) {
          std::optional<double> low, high;
          if (e.half_width) {
            low = e.low();
            high = e.high();
          }
          figures.add(point, number, application, metric, std::uint64_t{e.count}, e.mean, e.deviation, low, high);
        }
      };
      add(std::nullopt, std::nullopt, summary.figures);
      for (std::uint64_t a = 0; a < summary.applications.size(); ++a) {
        add(a, summary.applications[a].name, summary.applications[a].figures);
      }
    }
    Table runs(database, "runs", 11), applications(database, "applications", 8), kernels(database, "kernels", 11);
    const std::uint64_t seeds = study.seeds().size();
    for (std::uint64_t run = 0; run < outcomes.size(); ++run) {
      const StudyOutcome& o = outcomes[run];
      runs.add(run, o.id, run / seeds, study.seeds()[o.point.seed], o.digests.program, o.digests.configuration,
               o.digests.inputs, o.cycles, o.stp, o.antt, o.strictf);
      for (std::uint64_t a = 0; a < o.applications.size(); ++a) {
        const ApplicationOutcome& application = o.applications[a];
        applications.add(run, a, application.name, application.cycles, application.iterations, application.instructions,
                         application.ipc, application.slowdown);
      }
      for (std::uint64_t l = 0; l < o.launches.size(); ++l) {
        const auto& [label, application, stream, k] = o.launches[l];
        kernels.add(run, l, label, application, stream, k.released, k.arrived, k.first_block, k.end, k.notified,
                    k.counters.instructions);
      }
    }
  }
  return database.bytes();
}

}  // namespace gputlm
