#include "platform/files/output_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "platform/files/json_text.h"
#include "tlm/base/digest.h"
#include "tlm/base/error.h"
#include "tlm/base/file_lock.h"

namespace gputlm {
namespace {

/// The process that holds the lock of an open folder, according to /proc/locks (proc(5)); empty if unknown.
std::string holder(int descriptor) {
  struct stat folder {};
  if (fstat(descriptor, &folder) != 0) return "";
  const std::string place = fmt::format("{:02x}:{:02x}:{}", major(folder.st_dev), minor(folder.st_dev), folder.st_ino);
  std::ifstream locks("/proc/locks");
  std::string number, kind, strictness, access, process, file, rest;
  while (locks >> number >> kind >> strictness >> access >> process >> file && std::getline(locks, rest)) {
    if (file == place && process != "0" && process != "-1") return " (process " + process + ")";
  }
  return "";
}

/// Names and digests of the files of a set, from its record; empty if the record has another form.
std::map<std::string, std::string> files_of(const std::string& record) {
  const auto json = read_members(record, {"files"});
  std::map<std::string, std::string> files;
  if (!json.contains("files") || !json["files"].is_object()) return files;
  for (const auto& [name, digest] : json["files"].items()) {
    const std::filesystem::path path(name);
    const bool below = path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end();
    if (digest.is_string() && below) files.emplace(name, digest);
  }
  return files;
}

bool is_unchanged(const std::string& path, const std::string& digest) {
  std::error_code error;
  if (std::filesystem::symlink_status(path, error).type() != std::filesystem::file_type::regular) return false;
  try {
    return sha1_of_file(path) == digest;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

OutputFolder::OutputFolder(std::string path, std::string record) : path_(std::move(path)), record_(std::move(record)) {
  make_output_folder(path_);
  lock();
  try {
    remove_abandoned_parts(path_);
    // A full disk may still accept new names.
    AtomicFile trial(at("room"));
    trial.write(std::string(4096, '\0'));
    trial.sync();
    if (!record_.empty()) file(record_);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

OutputFolder::~OutputFolder() { close(descriptor_); }

void OutputFolder::lock() {
  descriptor_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) throw InputError(path_, 0, std::string("cannot be opened: ") + std::strerror(errno));
  if (try_lock(descriptor_) != FileLock::kHeldByAnother) return;
  const std::string who = holder(descriptor_);
  close(descriptor_);
  throw InputError(path_, 0, "is being written to by another program" + who + ", allowed: a folder for each run");
}

AtomicFile& OutputFolder::file(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  if (slash != std::string::npos && folders_.insert(name.substr(0, slash)).second) {
    make_output_folder(at(name.substr(0, slash)));
    remove_abandoned_parts(at(name.substr(0, slash)));
  }
  return files_.try_emplace(name, at(name)).first->second;
}

void OutputFolder::commit() {
  for (auto& [name, file] : files_) file.sync();
  if (!record_.empty()) withdraw();
  for (auto& [name, file] : files_) {
    if (name != record_) file.commit();
  }
  sync();
  if (record_.empty()) return;
  file(record_).commit();
  sync();
}

void OutputFolder::withdraw() {
  const auto last = files_of(at(record_));
  std::error_code error;
  std::filesystem::remove(at(record_), error);
  if (error) throw InputError(at(record_), 0, "cannot be replaced: " + error.message());
  for (const auto& [name, digest] : last) {
    if (files_.count(name) == 0 && is_unchanged(at(name), digest)) std::filesystem::remove(at(name), error);
  }
}

void OutputFolder::sync() {
  // A file system without support for fsync on folders (EINVAL) has done what it can.
  const auto sync_one = [this](int descriptor) {
    if (descriptor >= 0 && (fsync(descriptor) == 0 || errno == EINVAL)) return;
    throw InputError(path_, 0, std::string("cannot be written: ") + std::strerror(errno));
  };
  for (const std::string& folder : folders_) {
    const int descriptor = open(at(folder).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    sync_one(descriptor);
    close(descriptor);
  }
  sync_one(descriptor_);
}

}  // namespace gputlm
