/// Files of other tools that look like inputs and are none: they are named for what they are, with what to do, instead of a
/// message about keys of workload files. A tool is an entry; whoever takes files of users asks here before all readers.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

#include "tlm/registry.h"

namespace gputlm {

/// What a file begins with, unpacked if it is compressed.
struct FileStart {
  static constexpr std::size_t kBytes = 64 * 1024;  ///< of `text`, at most
  std::string path;
  std::string text;

  bool begins_with(std::string_view bytes) const { return text.compare(0, bytes.size(), bytes) == 0; }
  bool has(std::string_view part) const { return text.find(part) != std::string::npos; }
  /// https://sqlite.org/fileformat.html, "Magic Header String". The tables of a database stand at its beginning.
  bool is_sqlite() const { return begins_with({"SQLite format 3\0", 16}); }
  /// It is a JSON object, or several, with this key at some level.
  bool has_json_key(std::string_view key) const;
  /// One of its lines is a CSV header with all of these columns, quoted or not: tools write text before it.
  bool has_csv_header(std::initializer_list<std::string_view> columns) const;
};

/// `name`: what such a file is, behind "is".
struct ForeignFormat : Registered {
  std::string to_do;  ///< what its user does instead, a sentence without a capital and a full stop
  /// By content. Must not throw, and must refuse what a reader of ours takes.
  std::function<bool(const FileStart& start)> takes;
};

Registry<ForeignFormat>& foreign_formats();
void add_foreign_format(unsigned rank, const char* name, const char* to_do, bool (*takes)(const FileStart& start));

/// Throws InputError if the file is of a foreign format. A path that names no file that can be read is nobody's.
void refuse_foreign(const std::string& path);

}  // namespace gputlm
