#include <strings.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "platform/input/preset.h"
#include "platform/programs/capture.h"
#include "tests/fuzz/replayed_program.h"
#include "tests/fuzz/target.h"
#include "tests/support/sqlite_file.h"

namespace gputlm::fuzz {
namespace {

/// A database is no text, so the text is what is in one: a line a row, the table's name and then columns with their
/// values, `NVTX_EVENTS start 100 end 200 text frame`. Where `damage 2000 255` stands, the file has that byte there.
class DatabaseOfText {
 public:
  explicit DatabaseOfText(const std::string& text) : folder_(made_folder()) {
    std::istringstream lines(text);
    std::vector<std::pair<std::size_t, int>> damage;
    std::map<std::string, Table> tables;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string table;
      words >> table;
      if (table == "damage") {
        std::size_t at = 0;
        int byte = 0;
        if (words >> at >> byte) damage.emplace_back(at, byte);
      } else if (is_name(table)) {
        add_row(words, tables[table]);
      }
    }
    write(tables);
    for (const auto& [at, byte] : damage) overwrite(at, byte);
  }
  ~DatabaseOfText() { std::filesystem::remove_all(folder_); }
  DatabaseOfText(const DatabaseOfText&) = delete;
  DatabaseOfText& operator=(const DatabaseOfText&) = delete;

  /// Messages name it: `input` is what they call the text under attack.
  std::string path() const { return folder_ + "/input.sqlite"; }

 private:
  struct Table {
    std::vector<std::string> columns;
    std::vector<std::map<std::string, SqliteValue>> rows;
  };

  static std::string made_folder() {
    const char* const memory = "/dev/shm";
    std::string name =
        (std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path().string()) +
        "/gputlm_fuzz_XXXXXX";
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    return name;
  }

  static bool is_name(const std::string& word) {
    return !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
                                std::string::npos;
  }

  static SqliteValue value(const std::string& word) {
    if (word == "null") return {};
    std::int64_t number = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
    if (read.ec == std::errc() && read.ptr == word.data() + word.size()) return number;
    return word;
  }

  static void add_row(std::istringstream& words, Table& table) {
    std::map<std::string, SqliteValue>& row = table.rows.emplace_back();
    for (std::string column, word; words >> column >> word;) {
      // SQLite's names of columns do not tell cases apart.
      const auto known = std::find_if(table.columns.begin(), table.columns.end(), [&](const std::string& other) {
        return ::strcasecmp(other.c_str(), column.c_str()) == 0;
      });
      if (known != table.columns.end()) {
        row[*known] = value(word);
      } else if (is_name(column) && table.columns.size() < kMaxColumns) {
        row[column] = value(word);
        table.columns.push_back(column);
      }
    }
  }

  void write(const std::map<std::string, Table>& tables) {
    SqliteFile file(path());
    file.run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; CREATE TABLE none (none)");
    std::set<std::string> made;  // SQLite's names of tables do not tell cases apart either
    for (const auto& [name, table] : tables) {
      std::string low = name;
      std::transform(low.begin(), low.end(), low.begin(), [](unsigned char c) { return std::tolower(c); });
      if (table.columns.empty() || low.rfind("sqlite_", 0) == 0 || low == "none" || !made.insert(low).second) continue;
      std::string columns;
      for (const std::string& column : table.columns) columns += (columns.empty() ? "\"" : ", \"") + column + "\"";
      file.run("CREATE TABLE \"" + name + "\" (" + columns + ")");
      SqliteRows rows;
      for (const auto& row : table.rows) {
        std::vector<SqliteValue>& values = rows.emplace_back();
        for (const std::string& column : table.columns) {
          const auto found = row.find(column);
          values.push_back(found == row.end() ? SqliteValue() : found->second);
        }
      }
      file.insert("\"" + name + "\"", rows);
    }
    file.run("COMMIT");
  }

  void overwrite(std::size_t at, int byte) const {
    std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
    if (at >= std::filesystem::file_size(path())) return;
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(byte));
  }

  static constexpr std::size_t kMaxColumns = 100;
  std::string folder_;
};

void attack_nsight(const std::string& text) {
  const DatabaseOfText file(text);
  use(capture_formats().at("Nsight Systems").read(file.path(), {}));
}

const Registration of_nsight{{"nsight", Grammar::kLines, attack_nsight}};

}  // namespace
}  // namespace gputlm::fuzz
