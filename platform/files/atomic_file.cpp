#include "platform/files/atomic_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "tlm/error.h"

namespace gputlm {

AtomicFile::AtomicFile(std::string path)
    : path_(std::move(path)), temporary_(path_ + ".part-" + std::to_string(getpid())) {
  if (std::error_code ignored; std::filesystem::is_directory(path_, ignored)) {  // found here, not in commit()
    errno = EISDIR;
    fail("cannot be written");
  }
  file_ = std::fopen(temporary_.c_str(), "w");
  if (!file_) fail("cannot be written");
}

AtomicFile::~AtomicFile() {
  if (!file_) return;
  std::fclose(file_);
  std::remove(temporary_.c_str());
}

void AtomicFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("cannot be written");
}

void AtomicFile::sync() {
  if (std::fflush(file_) != 0 || fsync(fileno(file_)) != 0) fail("cannot be written");
}

void AtomicFile::commit() {
  const bool flushed = std::fflush(file_) == 0;
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!flushed || !closed || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    std::remove(temporary_.c_str());
    errno = error;
    fail("cannot be written");
  }
}

void AtomicFile::fail(const char* what) { throw InputError(path_, 0, std::string(what) + ": " + std::strerror(errno)); }

void write_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void make_output_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw InputError(path, 0, "cannot be made a folder: " + error.message());
  if (!std::filesystem::is_directory(path)) throw InputError(path, 0, "is not a folder");
  if (access(path.c_str(), W_OK) != 0) {
    throw InputError(path, 0, std::string("cannot be written to: ") + std::strerror(errno));
  }
}

}  // namespace gputlm
