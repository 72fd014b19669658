/// Output files that appear whole or not at all.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace gputlm {

/// Writes beside `path` and moves the file there on commit(); without a commit nothing is left.
/// Throws InputError, naming the path and the reason, when the file cannot be written.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  /// Has the disk take what was written so far: after commit() it outlives a machine that goes down.
  void sync();
  void commit();

 private:
  [[noreturn]] void fail(const char* what);
  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;
};

/// Writes a whole file; throws as AtomicFile does.
void write_file(const std::string& path, std::string_view text);

/// Makes the folder and those above it; throws InputError if that cannot be, or if it cannot be written to.
void make_output_folder(const std::string& path);

}  // namespace gputlm
