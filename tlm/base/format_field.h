/// Fields of files that other tools write: a row for each field that is read, with what the tool's documentation or source
/// says about it. A reader declares its rows in its own file and reads through them, so no field is read without a row:
///
///   namespace kineto {  // files of a library are compiled together, so the rows of each have a namespace
///   FileFormat format{"Kineto", "PyTorch's profiler (libkineto)", "2.1 to 2.6"};
///   const FormatField kDuration(format, "events of ph X", "dur", "duration of the event", "us", "decimal fraction, from 0 on",
///                               "libkineto/src/output_json.cpp, ChromeTraceLogger::handleActivity");
///   }
///   ...
///   event.find(kineto::kDuration.name)
///
/// A value without a name in the file, such as the third number of a line, has the name used in the tool's source or
/// documentation; messages use it. `gputlm list fields` and docs/reference/fields.md are generated from the rows. Rows
/// register themselves before main(), in any order of files; the rows of a format may be in several files, for instance in
/// plug-ins.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

class FormatField;

/// A file format, as one tool writes it. It is a constant of a file, or `extern` if several files have rows for it.
class FileFormat {
 public:
  /// `tool`: what writes it; `versions`: the versions of the tool or its files against which the rows were checked.
  constexpr FileFormat(const char* name_of_format, const char* tool_of_format, const char* versions_seen) noexcept
      : name(name_of_format), tool(tool_of_format), versions(versions_seen) {}
  FileFormat(const FileFormat&) = delete;
  FileFormat& operator=(const FileFormat&) = delete;

  /// Its rows, by name of the place, then in the order of declaration.
  std::vector<const FormatField*> fields() const;
  /// Names that may appear in a place, as the tool calls them.
  std::vector<std::string> names(const char* place) const;

  const char* const name;
  const char* const tool;
  const char* const versions;

 private:
  friend class FormatField;
  friend std::vector<const FileFormat*> file_formats();

  const FormatField* last_ = nullptr;  ///< the row declared last
  const FileFormat* next_ = nullptr;   ///< the next one of all formats
};

/// A row. It lives as long as the program.
class FormatField {
 public:
  FormatField(FileFormat& of, const char* where, const char* called, const char* what, const char* in_unit,
              const char* allowed, const char* said_by) noexcept;
  FormatField(const FormatField&) = delete;
  FormatField& operator=(const FormatField&) = delete;

  const FileFormat& format;
  const char* const place;    ///< table, category of events, section
  const char* const name;     ///< column, key, token, as the tool writes it
  const char* const meaning;  ///< meaning of the field, without a full stop
  const char* const unit;     ///< "ns", "B"; empty: it has none
  const char* const values;  ///< base, sign, enumeration, default: "hexadecimal, with 0x"; empty: a text, or any number
  const char* const source;  ///< a document and its section, or a file of the tool's source

 private:
  friend class FileFormat;
  const FormatField* const before_;  ///< the row of this format declared before it
};

/// The formats that have rows, by name.
std::vector<const FileFormat*> file_formats();

}  // namespace gputlm
