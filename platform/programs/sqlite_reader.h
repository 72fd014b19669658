/// Reads a SQLite database (https://sqlite.org). Throws InputError, with the database's path, for a file that is no database
/// or cannot be read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tlm/base/format_field.h"

struct sqlite3;
struct sqlite3_stmt;

namespace gputlm {

/// Whether a file begins like a SQLite database. Does not throw.
bool is_sqlite(const std::string& path);

class SqliteReader {
 public:
  explicit SqliteReader(const std::string& path);

  bool has(const std::string& table) const;
  bool has(const std::string& table, const FormatField& column) const;

  /// Rows of a query result, one at a time. A column that the table does not have is null.
  class Rows {
   public:
    bool next();
    bool null(const FormatField& column) const;
    std::int64_t number(const FormatField& column) const;  ///< 0 if it is not a number
    std::string text(const FormatField& column) const;

   private:
    friend class SqliteReader;
    struct Finish {
      void operator()(sqlite3_stmt* statement) const;
    };
    Rows(const SqliteReader& reader, sqlite3_stmt* statement, std::vector<const FormatField*> columns)
        : reader_(&reader), statement_(statement), columns_(std::move(columns)) {}
    int place(const FormatField& column) const;

    const SqliteReader* reader_;
    std::unique_ptr<sqlite3_stmt, Finish> statement_;
    std::vector<const FormatField*> columns_;
  };
  /// These columns of a table's rows; no rows if the table does not exist. `end`: SQL to append ("ORDER BY start").
  Rows select(const std::string& table, std::vector<const FormatField*> columns, const std::string& end = "") const;

 private:
  [[noreturn]] void fail() const;
  sqlite3_stmt* prepare(const std::string& sql) const;

  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace gputlm
