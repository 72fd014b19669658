/// The folder into which a command writes its files.
#pragma once

#include <map>
#include <set>
#include <string>

#include "platform/files/atomic_file.h"

namespace gputlm {

/// A folder that only this program writes to during the object's lifetime, with a set of files: none of them appears before
/// all of them are on the disk.
///
/// A set may have a record: a JSON file that exists while the set is whole, and whose `files` lists the others by name with
/// the SHA-1 of their content. When another set replaces this one, the record is removed first, and the new record is written
/// last. So a folder has the old set, the new set, or no record; files that do not belong together never match the digests of
/// the record.
class OutputFolder {
 public:
  /// Makes the folder and its parents, and removes the leftovers of killed programs. Throws InputError if another program
  /// writes there, if there is no space, or if the folder cannot be made or written to. `record`: name of the record, which
  /// is opened at once; empty: none.
  explicit OutputFolder(std::string path, std::string record = "");
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// A file of the set, opened on first use; `name` may contain folders, which are made. Throws as AtomicFile does.
  AtomicFile& file(const std::string& name);
  /// Replaces the last set. Removes its files that are not in this set, provided that they still match the last record. Call
  /// it once. Throws as AtomicFile does.
  void commit();

 private:
  void lock();
  void withdraw();
  void sync();
  std::string at(const std::string& name) const { return path_ + "/" + name; }

  std::string path_, record_;
  int descriptor_ = -1;  ///< descriptor of the folder; holds its lock
  std::map<std::string, AtomicFile> files_;
  std::set<std::string> folders_;  ///< subfolders with files of the set
};

}  // namespace gputlm
