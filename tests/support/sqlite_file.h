/// A database file, written statement by statement.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace gputlm {

/// What a column holds: nothing, a number or a text.
using SqliteValue = std::variant<std::monostate, std::int64_t, std::string>;
using SqliteRows = std::vector<std::vector<SqliteValue>>;

class SqliteFile {
 public:
  /// Opens the file, or creates it.
  explicit SqliteFile(const std::string& path) {
    sqlite3* opened = nullptr;
    const int result = sqlite3_open(path.c_str(), &opened);
    database_.reset(opened);
    check(result);
  }

  void run(const std::string& sql) {
    char* error = nullptr;
    const int result = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, &error);
    const std::string message = error ? error : "";
    sqlite3_free(error);
    if (result != SQLITE_OK) throw std::logic_error(sql + ": " + message);
  }

  /// The rows that a query returns.
  SqliteRows rows(const std::string& sql) {
    const Statement statement = prepared(sql);
    SqliteRows all;
    int state = sqlite3_step(statement.get());
    for (; state == SQLITE_ROW; state = sqlite3_step(statement.get())) {
      std::vector<SqliteValue>& row = all.emplace_back();
      for (int column = 0; column < sqlite3_column_count(statement.get()); ++column)
        row.push_back(value(statement.get(), column));
    }
    if (state != SQLITE_DONE) check(state);
    return all;
  }

  /// Appends rows, which have a value for each column.
  void insert(const std::string& table, const SqliteRows& rows) {
    if (rows.empty()) return;
    std::string places = "?";
    for (std::size_t i = 1; i < rows.front().size(); ++i) places += ", ?";
    const Statement statement = prepared("INSERT INTO " + table + " VALUES (" + places + ")");
    for (const std::vector<SqliteValue>& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) check(bind(statement.get(), static_cast<int>(i + 1), row[i]));
      if (sqlite3_step(statement.get()) != SQLITE_DONE) check(SQLITE_ERROR);
      check(sqlite3_reset(statement.get()));
    }
  }

 private:
  using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

  Statement prepared(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr));
    return {statement, sqlite3_finalize};
  }
  static int bind(sqlite3_stmt* statement, int position, const SqliteValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return sqlite3_bind_int64(statement, position, *number);
    if (const auto* text = std::get_if<std::string>(&value))
      return sqlite3_bind_text(statement, position, text->data(), static_cast<int>(text->size()), SQLITE_STATIC);
    return sqlite3_bind_null(statement, position);
  }
  static SqliteValue value(sqlite3_stmt* statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
      case SQLITE_NULL: return {};
      case SQLITE_INTEGER: return std::int64_t{sqlite3_column_int64(statement, column)};
      default: return std::string(reinterpret_cast<const char*>(sqlite3_column_text(statement, column)));
    }
  }
  void check(int result) const {
    if (result != SQLITE_OK) throw std::logic_error(sqlite3_errmsg(database_.get()));
  }

  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
  };
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace gputlm
