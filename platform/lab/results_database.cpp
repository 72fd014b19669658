#include "platform/lab/results_database.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "platform/files/json_text.h"
#include "platform/input/parameters.h"
#include "platform/run/responses.h"

namespace gputlm {
namespace {

// Programs that read the database check user_version: it changes when a table or column disappears or changes its meaning.
constexpr int kVersion = 3;

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
  application TEXT,              -- name of its application; none: of the run
  metric TEXT NOT NULL           -- over the seeds)"};

}  // namespace

std::string results_database(const Study& study, const std::vector<StudyOutcome>& outcomes,
                             const std::vector<StudySummary>& summaries) {
  Database database(kVersion);
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

void Database::fail(sqlite3* database) {
  throw std::runtime_error(std::string("the database of results cannot be made: ") + sqlite3_errmsg(database));
}

Database::Database(int user_version) {
  if (sqlite3_open(":memory:", &handle_) != SQLITE_OK) fail(handle_);
  execute("PRAGMA user_version = " + std::to_string(user_version));
  execute("BEGIN");
}

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail(handle_);
}

std::string Database::bytes() {
  execute("COMMIT");
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> copy(sqlite3_serialize(handle_, "main", &size, 0),
                                                                     sqlite3_free);
  if (!copy) fail(handle_);
  return {reinterpret_cast<const char*>(copy.get()), static_cast<std::size_t>(size)};
}

}  // namespace gputlm
