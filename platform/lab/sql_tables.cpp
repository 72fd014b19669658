#include "platform/lab/sql_tables.h"

#include <memory>
#include <stdexcept>

namespace gputlm {

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
