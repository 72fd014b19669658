/// A SQLite database, to read from (https://sqlite.org). Throws InputError, with the database's path, for a file that is
/// none or cannot be read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace gputlm {

/// Whether a file begins as a SQLite database does. Does not throw.
bool is_sqlite(const std::string& path);

class SqliteReader {
 public:
  explicit SqliteReader(const std::string& path);

  bool has(const std::string& table) const;
  bool has(const std::string& table, const std::string& column) const;
  std::vector<std::string> tables() const;

  /// Rows of an answer, one at a time.
  class Rows {
   public:
    bool next();
    bool null(int column) const;
    std::int64_t number(int column) const;  ///< 0 for what is none
    std::string text(int column) const;

   private:
    friend class SqliteReader;
    struct Finish {
      void operator()(sqlite3_stmt* statement) const;
    };
    Rows(const SqliteReader& reader, sqlite3_stmt* statement) : reader_(&reader), statement_(statement) {}
    const SqliteReader* reader_;
    std::unique_ptr<sqlite3_stmt, Finish> statement_;
  };
  /// Of a table, these columns of its rows; a column that it does not have is null. `end`: the SQL behind it ("ORDER BY
  /// start").
  Rows select(const std::string& table, const std::vector<std::string>& columns, const std::string& end = "") const;

 private:
  [[noreturn]] void fail() const;
  Rows query(const std::string& sql) const;

  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace gputlm
