/// Output files that appear whole or not at all. The name "-" means standard output, for every command-line option that names
/// an output file (Values::output()).
#pragma once

#include <cstdio>
#include <limits>
#include <string>
#include <string_view>

namespace gputlm {

inline bool is_standard_output(const std::string& path) { return path == "-"; }

/// Writes beside `path` under an unpredictable name and moves the file into place on commit(). Without a commit nothing is
/// left, unless the program is killed; the next one then removes the rest (remove_abandoned_parts()). Standard output also
/// gets its text on commit().
/// Throws InputError with the path and the reason if the file cannot be written.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  /// Forces what was written so far to the disk, so that commit() cannot hit a full disk and the file survives a crash of the
  /// machine.
  void sync();
  /// SHA-1 of what was written so far (tlm/base/digest.h).
  std::string digest();
  void commit();

 private:
  void open();
  [[noreturn]] void fail();
  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;  ///< locked (tlm/base/file_lock.h); null for standard output
  std::string for_stdout_;
  bool synced_ = false;
};

/// Writes a whole file; throws as AtomicFile does.
void write_file(const std::string& path, std::string_view text);

/// Makes the folder and its parents; throws InputError if this fails or the folder is not writable.
void make_output_folder(const std::string& path);

/// Removes the files that killed programs left in the folder, and nothing else. Other programs may write there at the same
/// time.
void remove_abandoned_parts(const std::string& folder);

// Reads files as text.

/// Reads the file up to one byte beyond `most`: it may be endless (/dev/zero). Throws InputError if it cannot be read.
std::string read_text(const std::string& path, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace gputlm
