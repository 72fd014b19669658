/// Locks of files and folders, by which programs see who is still there.
#pragma once

#include <sys/file.h>

#include <cerrno>

namespace gputlm {

enum class FileLock {
  kTaken,  ///< until the last descriptor of this opening is closed, so however the process ends
  kHeldByAnother,
  kUnknown,  ///< the file system has no such locks
};

/// Tries to take the lock of an open file or folder (flock(2): among all processes of a machine, in any container
/// and with any process id there).
inline FileLock try_lock(int descriptor) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return FileLock::kTaken;
  return errno == EWOULDBLOCK ? FileLock::kHeldByAnother : FileLock::kUnknown;
}

}  // namespace gputlm
