#include "platform/programs/sqlite_reader.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "tlm/base/error.h"

namespace gputlm {

bool is_sqlite(const std::string& path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;
  std::array<char, kMagic.size()> begin{};
  std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
  return std::string_view(begin.data(), begin.size()) == kMagic;
}

void SqliteReader::Close::operator()(sqlite3* database) const { sqlite3_close(database); }
void SqliteReader::Rows::Finish::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

SqliteReader::SqliteReader(const std::string& path) : path_(path) {
  sqlite3* database = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr);
  database_.reset(database);
  if (code != SQLITE_OK) fail();
}

void SqliteReader::fail() const {
  throw InputError(path_, 0, std::string("cannot be read as a SQLite database: ") + sqlite3_errmsg(database_.get()));
}

sqlite3_stmt* SqliteReader::prepare(const std::string& sql) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) fail();
  return statement;
}

bool SqliteReader::Rows::next() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) reader_->fail();
  return code == SQLITE_ROW;
}

int SqliteReader::Rows::place(const FormatField& column) const {
  return static_cast<int>(std::find(columns_.begin(), columns_.end(), &column) - columns_.begin());
}

bool SqliteReader::Rows::null(const FormatField& column) const {
  return sqlite3_column_type(statement_.get(), place(column)) == SQLITE_NULL;
}

std::int64_t SqliteReader::Rows::number(const FormatField& column) const {
  return sqlite3_column_int64(statement_.get(), place(column));
}

std::string SqliteReader::Rows::text(const FormatField& column) const {
  const unsigned char* const text = sqlite3_column_text(statement_.get(), place(column));
  return text ? reinterpret_cast<const char*>(text) : "";
}

bool SqliteReader::has(const std::string& table) const {
  const std::unique_ptr<sqlite3_stmt, Rows::Finish> found(
      prepare("SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND name = '" + table + "'"));
  return sqlite3_step(found.get()) == SQLITE_ROW;
}

bool SqliteReader::has(const std::string& table, const FormatField& column) const {
  const std::unique_ptr<sqlite3_stmt, Rows::Finish> found(
      prepare("SELECT 1 FROM pragma_table_info('" + table + "') WHERE name = '" + column.name + "'"));
  return sqlite3_step(found.get()) == SQLITE_ROW;
}

SqliteReader::Rows SqliteReader::select(const std::string& table, std::vector<const FormatField*> columns,
                                        const std::string& end) const {
  const bool there = has(table);
  std::string list;
  for (const FormatField* column : columns)
    list +=
        (list.empty() ? "" : ", ") + (there && has(table, *column) ? "\"" + std::string(column->name) + "\"" : "NULL");
  sqlite3_stmt* const rows =
      prepare("SELECT " + list + (there ? " FROM \"" + table + "\" " + end : std::string(" WHERE 0")));
  return Rows(*this, rows, std::move(columns));
}

}  // namespace gputlm
