/// Files of other tools that look like inputs but are not. A message says what the file is and what to do, instead of
/// complaining about the keys of workload files. Each tool is an entry; every command that reads user files asks here first.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "tlm/base/registry.h"

namespace gputlm {

/// The beginning of a file, uncompressed.
struct FileStart {
  static constexpr std::size_t kBytes = 64 * 1024;  ///< maximum size of `text`
  std::string path;
  std::string text;

  bool begins_with(std::string_view bytes) const { return text.compare(0, bytes.size(), bytes) == 0; }
  bool has(std::string_view part) const { return text.find(part) != std::string::npos; }
  /// https://sqlite.org/fileformat.html, "Magic Header String". The tables of a database stand at its beginning.
  bool is_sqlite() const { return begins_with({"SQLite format 3\0", 16}); }
  /// Whether it is a JSON object, or several, with this key at some level.
  bool has_json_key(std::string_view key) const;
  /// Whether one of its lines is a CSV header with all of these columns, quoted or not: tools print text before it.
  bool has_csv_header(std::initializer_list<std::string_view> columns) const;
};

/// `name` completes the sentence "FILE is ...".
struct ForeignFormat : Registered {
  std::string to_do;  ///< what the user can do instead: a sentence without capital letter and full stop
  /// Looks at the content. Must not throw, and must refuse every file that our readers accept.
  std::function<bool(const FileStart& start)> takes;
};

Registry<ForeignFormat>& foreign_formats();
void add_foreign_format(unsigned rank, const char* name, const char* to_do, bool (*takes)(const FileStart& start));

/// Throws InputError if the file has a foreign format. Ignores a path that cannot be read.
void refuse_foreign(const std::string& path);

}  // namespace gputlm
