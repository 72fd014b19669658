/// Fields of files that other tools write: a row for each one that is read, with what the tool's documentation or source
/// says of it. A reader declares its rows in its own file and reads by them, so no field is read without a row:
///
///   namespace kineto {  // files of a library are compiled together, so the rows of each have a namespace
///   FileFormat format{"Kineto", "PyTorch's profiler (libkineto)", "2.1 to 2.6"};
///   const FormatField kDuration(format, "events of ph X", "dur", "how long it took", "us", "decimal fraction, from 0 on",
///                               "libkineto/src/output_json.cpp, ChromeTraceLogger::handleActivity");
///   }
///   ...
///   event.find(kineto::kDuration.name)
///
/// What has no name in the file, as the third number of a line, has the one of the tool's source or documentation, and its
/// reader names it in messages. `gputlm list fields` and docs/reference/fields.md are made of the rows. They register
/// themselves before main(), in any order of files; a format may have rows in several files, as one that plug-ins add to.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

class FormatField;

/// A form of files, as one tool writes it. Constants of a file, or `extern` where several files have rows for it.
class FileFormat {
 public:
  /// `tool`: who writes it; `versions`: those of the tool, or of its files, that the rows were checked against.
  constexpr FileFormat(const char* name_of_format, const char* tool_of_format, const char* versions_seen) noexcept
      : name(name_of_format), tool(tool_of_format), versions(versions_seen) {}
  FileFormat(const FileFormat&) = delete;
  FileFormat& operator=(const FileFormat&) = delete;

  /// Its rows: places by name, those of a place in the order in which its file declares them.
  std::vector<const FormatField*> fields() const;
  /// What may stand in a place, as the tool calls it.
  std::vector<std::string> names(const char* place) const;

  const char* const name;
  const char* const tool;
  const char* const versions;

 private:
  friend class FormatField;
  friend std::vector<const FileFormat*> file_formats();

  const FormatField* last_ = nullptr;  ///< that was declared
  const FileFormat* next_ = nullptr;   ///< of all formats
};

/// A row, as long as the program runs.
class FormatField {
 public:
  FormatField(FileFormat& of, const char* where, const char* called, const char* what, const char* in_unit,
              const char* allowed, const char* said_by) noexcept;
  FormatField(const FormatField&) = delete;
  FormatField& operator=(const FormatField&) = delete;

  const FileFormat& format;
  const char* const place;    ///< table, category of events, section
  const char* const name;     ///< column, key, token, as the tool writes it
  const char* const meaning;  ///< without a full stop
  const char* const unit;     ///< "ns", "B"; empty: it has none
  const char* const values;  ///< base, sign, enumeration, default: "hexadecimal, with 0x"; empty: a text, or any number
  const char* const source;  ///< a document and its section, or a file of the tool's source

 private:
  friend class FileFormat;
  const FormatField* const before_;  ///< declared before it, of its format
};

/// Those that have rows, by name.
std::vector<const FileFormat*> file_formats();

}  // namespace gputlm
