#include "platform/measured/sqlite_reader.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "tlm/error.h"

namespace gputlm {

bool is_sqlite(const std::string& path) {
  constexpr std::string_view kMagic("SQLite format 3", 16);  // with its NUL
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

SqliteReader::Rows SqliteReader::query(const std::string& sql) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) fail();
  return Rows(*this, statement);
}

bool SqliteReader::Rows::next() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) reader_->fail();
  return code == SQLITE_ROW;
}

bool SqliteReader::Rows::null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

std::int64_t SqliteReader::Rows::number(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string SqliteReader::Rows::text(int column) const {
  const unsigned char* const text = sqlite3_column_text(statement_.get(), column);
  return text ? reinterpret_cast<const char*>(text) : "";
}

std::vector<std::string> SqliteReader::tables() const {
  std::vector<std::string> names;
  for (Rows rows = query("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"); rows.next();)
    names.push_back(rows.text(0));
  return names;
}

bool SqliteReader::has(const std::string& table) const {
  const std::vector<std::string> all = tables();
  return std::find(all.begin(), all.end(), table) != all.end();
}

bool SqliteReader::has(const std::string& table, const std::string& column) const {
  for (Rows rows = query("SELECT name FROM pragma_table_info('" + table + "')"); rows.next();) {
    if (rows.text(0) == column) return true;
  }
  return false;
}

SqliteReader::Rows SqliteReader::select(const std::string& table, const std::vector<std::string>& columns,
                                        const std::string& end) const {
  std::string list;
  for (const std::string& column : columns)
    list += (list.empty() ? "" : ", ") + (has(table, column) ? "\"" + column + "\"" : "NULL");
  return query("SELECT " + list + " FROM \"" + table + "\" " + end);
}

}  // namespace gputlm
