// The captures in workloads/captures are those that tests/support/tutorial_captures.h writes.

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/tutorial_captures.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;

std::string bytes_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::vector<std::string>> sql_rows(sqlite3* database, const std::string& sql) {
  std::vector<std::vector<std::string>> all;
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr), SQLITE_OK) << sql;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    std::vector<std::string> row;
    for (int c = 0; c < sqlite3_column_count(statement); ++c) {
      const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement, c));
      row.emplace_back(text ? text : "(null)");
    }
    all.push_back(std::move(row));
  }
  sqlite3_finalize(statement);
  return all;
}

/// What is in the file, whatever version of SQLite has written it.
std::string sql_content(const fs::path& path) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK) << path;
  std::string text;
  for (const auto& table : sql_rows(database, "SELECT name, sql FROM sqlite_master ORDER BY name")) {
    text += table[1] + "\n";
    for (const auto& row : sql_rows(database, "SELECT * FROM \"" + table[0] + "\" ORDER BY rowid")) {
      for (const std::string& value : row) text += value + "|";
      text += "\n";
    }
  }
  sqlite3_close(database);
  return text;
}

TEST(TutorialCaptures, AreThoseThatAreWritten) {
  const fs::path there = fs::path(GPUTLM_SOURCE_DIR) / "workloads/captures";
  if (std::getenv("GPUTLM_WRITE")) write_tutorial_captures(there.string());
  const fs::path here = fs::temp_directory_path() / ("gputlm-captures-" + std::to_string(::getpid()));
  fs::create_directories(here);
  write_tutorial_captures(here.string());
  for (const char* name : {"decode.csv", "train.csv"})
    EXPECT_TRUE(bytes_of_file(here / name) == bytes_of_file(there / name)) << name;
  for (const char* name : {"decode.sqlite", "train.sqlite"}) {
    EXPECT_GT(sql_content(here / name).size(), 10'000u) << name;
    EXPECT_TRUE(sql_content(here / name) == sql_content(there / name)) << name;
  }
  fs::remove_all(here);
}

}  // namespace
}  // namespace gputlm
