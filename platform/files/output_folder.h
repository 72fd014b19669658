/// The folder that a command writes its files to.
#pragma once

#include <map>
#include <set>
#include <string>

#include "platform/files/atomic_file.h"

namespace gputlm {

/// A folder that this program alone writes to while the object lives, and files there that are one set: none of them
/// appears before all of them are on the disk.
///
/// A set may have a record: the file, in JSON, that is there when the set is whole, and in whose `files` the others stand,
/// by name, with the SHA-1 of their content. It goes first when another set takes its place, and the new one comes last.
/// So a folder has the old set, the new one, or no record; and files that do not belong together do not have the digests
/// of the record, however they were mixed.
class OutputFolder {
 public:
  /// Makes the folder and those above it, and removes what programs that were killed have left of theirs. Throws
  /// InputError if another program writes there, if there is no room, or if the folder cannot be made or written to.
  /// `record`: name of the record, opened at once; empty: none.
  explicit OutputFolder(std::string path, std::string record = "");
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// A file of the set, opened the first time; `name` may have folders, which are made. Throws as AtomicFile does.
  AtomicFile& file(const std::string& name);
  /// Puts the set in place of the last one: of that, files that this one does not have are removed if they are still as
  /// the last record says. To be called once. Throws as AtomicFile does.
  void commit();

 private:
  void lock();
  void withdraw();
  void sync();
  std::string at(const std::string& name) const { return path_ + "/" + name; }

  std::string path_, record_;
  int descriptor_ = -1;  ///< of the folder, with its lock
  std::map<std::string, AtomicFile> files_;
  std::set<std::string> folders_;  ///< below this one, with files of the set
};

}  // namespace gputlm
