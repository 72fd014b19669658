/// The results of a study as an SQLite database; docs/sweep.md describes its tables.
#pragma once

#include <sqlite3.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "platform/files/rows.h"
#include "platform/lab/study_results.h"

namespace gputlm {

/// The bytes of the database file. The same outcomes give the same content on any machine. Throws std::runtime_error if
/// memory is exhausted.
std::string results_database(const Study& study, const std::vector<StudyOutcome>& outcomes,
                             const std::vector<StudySummary>& summaries);

// Tables of described rows (platform/files/rows.h) in an SQLite database.

struct TableSql {
  const char* name;
  const char* keys;  ///< columns before those of the row
  const char* rest = "";
};
/// For a table of key columns only.
struct NoRow {
  template <class Visitor>
  static void describe(Visitor&) {}
};

/// A database in memory. Throws std::runtime_error if memory is exhausted.
class Database {
 public:
  /// Programs that read it check user_version.
  explicit Database(int user_version);
  ~Database() { sqlite3_close(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  sqlite3* handle() const { return handle_; }
  void execute(const std::string& sql);
  /// The bytes of the file; the last call.
  std::string bytes();
  [[noreturn]] static void fail(sqlite3* database);

 private:
  sqlite3* handle_ = nullptr;
};

/// A table: key columns, then those of a Row (platform/files/rows.h).
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
      Database::fail(database_);
    std::string places = "?";
    for (int i = 1; i < sqlite3_column_count(all); ++i) places += ",?";
    sqlite3_finalize(all);
    sql = std::string("INSERT INTO ") + table.name + " VALUES (" + places + ")";
    if (sqlite3_prepare_v2(database_, sql.c_str(), -1, &statement_, nullptr) != SQLITE_OK) Database::fail(database_);
  }
  ~SqlTable() { sqlite3_finalize(statement_); }
  SqlTable(const SqlTable&) = delete;
  SqlTable& operator=(const SqlTable&) = delete;

  template <class... Keys>
  void add(const Row& row, const Keys&... keys) {
    column_ = 0;
    (bind(keys), ...);
    for_each_value(row, [this](const auto& value) { this->bind(value); });
    if (sqlite3_step(statement_) != SQLITE_DONE) Database::fail(database_);
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
  int column_ = 0;  ///< the column that was bound last
};

}  // namespace gputlm
