/// Output files that appear whole or not at all. A file called "-" is standard output, for every option of the command line
/// that takes a file to write (Values::output()).
#pragma once

#include <cstdio>
#include <limits>
#include <string>
#include <string_view>

namespace gputlm {

inline bool is_standard_output(const std::string& path) { return path == "-"; }

/// Writes beside `path`, under a name that nobody can foresee, and moves the file there on commit(); without a commit
/// nothing is left, unless the program is killed: then the next one finds it (remove_abandoned_parts()). Standard output
/// gets what was written on commit(), too.
/// Throws InputError, naming the path and the reason, when the file cannot be written.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  /// Has the disk take what was written so far, so that commit() finds no full disk, and the file outlives a machine that
  /// goes down.
  void sync();
  /// SHA-1 of what was written so far (tlm/digest.h).
  std::string digest();
  void commit();

 private:
  void open();
  [[noreturn]] void fail();
  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;  ///< locked (tlm/file_lock.h); of standard output, none
  std::string for_stdout_;
  bool synced_ = false;
};

/// Writes a whole file; throws as AtomicFile does.
void write_file(const std::string& path, std::string_view text);

/// Makes the folder and those above it; throws InputError if that cannot be, or if it cannot be written to.
void make_output_folder(const std::string& path);

/// Removes what AtomicFiles of programs that were killed have left in the folder, and nothing else. Others may write files
/// there at the same time.
void remove_abandoned_parts(const std::string& folder);

// Files as text.

/// All of the file, but no more than one byte beyond `most`: it may be endless (/dev/zero). Throws InputError if it cannot
/// be read.
std::string read_text(const std::string& path, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace gputlm
