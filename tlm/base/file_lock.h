/// Locks on files and folders, by which programs see which others still run.
#pragma once

#include <sys/file.h>

#include <cerrno>

namespace gputlm {

enum class FileLock {
  kTaken,  ///< until the last descriptor of this open file is closed, however the process ends
  kHeldByAnother,
  kUnknown,  ///< the file system has no such locks
};

/// Tries to take the lock of an open file or folder (flock(2), which works between all processes of a machine, across
/// containers).
inline FileLock try_lock(int descriptor) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return FileLock::kTaken;
  return errno == EWOULDBLOCK ? FileLock::kHeldByAnother : FileLock::kUnknown;
}

}  // namespace gputlm
