#include "platform/files/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <utility>

#include "platform/files/terminal.h"
#include "tlm/base/digest.h"
#include "tlm/base/error.h"
#include "tlm/base/file_lock.h"

namespace gputlm {
namespace {

constexpr std::string_view kPart = ".part-";  // between a file's name and random hexadecimal digits
constexpr std::size_t kDigits = 16;

std::string random_digits() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

bool is_part(const std::string& name) {
  const std::size_t length = kPart.size() + kDigits;
  return name.size() > length && name.compare(name.size() - length, kPart.size(), kPart) == 0 &&
         name.find_first_not_of("0123456789abcdef", name.size() - kDigits) == std::string::npos;
}

/// Whether the new file is still ours: between its creation and its locking another program may have removed it as abandoned.
bool is_ours(int descriptor) {
  struct stat status {};
  return try_lock(descriptor) != FileLock::kHeldByAnother && fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (is_standard_output(path_)) {
    give_stdout_to_file();
    return;
  }
  if (std::error_code ignored; std::filesystem::is_directory(path_, ignored)) {  // reported here instead of in commit()
    errno = EISDIR;
    fail();
  }
  while (!file_) open();
}

void AtomicFile::open() {
  temporary_ = path_;
  temporary_.append(kPart).append(random_digits());
  // O_EXCL: never writes through a link that another user has placed there.
  const int descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0 && errno == EEXIST) return;
  if (descriptor < 0) fail();
  if (!is_ours(descriptor)) {
    close(descriptor);
    return;
  }
  file_ = fdopen(descriptor, "w");
  if (!file_) fail();
}

AtomicFile::~AtomicFile() {
  if (!file_) return;
  std::remove(temporary_.c_str());
  std::fclose(file_);
}

void AtomicFile::write(std::string_view text) {
  synced_ = false;
  if (!file_) {
    for_stdout_ += text;
    return;
  }
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
}

void AtomicFile::sync() {
  if (synced_ || !file_) return;
  if (std::fflush(file_) != 0 || fsync(fileno(file_)) != 0) fail();
  synced_ = true;
}

std::string AtomicFile::digest() {
  if (!file_) return sha1(for_stdout_);
  sync();
  return sha1_of_file(temporary_);
}

void AtomicFile::commit() {
  if (!file_) return print_file(for_stdout_);
  sync();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
  std::fclose(std::exchange(file_, nullptr));
}

void AtomicFile::fail() { throw InputError(path_, 0, std::string("cannot be written: ") + std::strerror(errno)); }

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

void remove_abandoned_parts(const std::string& folder) {
  std::error_code error;  // other programs may remove files during the iteration
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (!is_part(entry.path().filename().string())) continue;
    // O_NONBLOCK: the entry may be anything, even a named pipe.
    const int descriptor = ::open(entry.path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    struct stat status {};
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && try_lock(descriptor) == FileLock::kTaken) {
      std::filesystem::remove(entry.path(), error);
    }
    close(descriptor);
  }
}

std::string read_text(const std::string& path, std::size_t most) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), &std::fclose);
  if (!file) throw InputError(path, 0, std::string("cannot be opened: ") + std::strerror(errno));
  const std::size_t limit = std::max(most, most + 1);
  std::string text;
  for (std::size_t size = 0, wanted = 0; text.size() == size + wanted && text.size() < limit;) {
    constexpr std::size_t kChunk = std::size_t{1} << 18;
    size = text.size();
    wanted = std::min(kChunk, limit - size);
    text.resize(size + wanted);
    text.resize(size + std::fread(text.data() + size, 1, wanted, file.get()));
    if (std::ferror(file.get()) != 0) throw InputError(path, 0, std::string("cannot be read: ") + std::strerror(errno));
  }
  return text;
}

}  // namespace gputlm
