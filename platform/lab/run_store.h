/// A store of finished runs, found by everything that they depend on (jobs.h), so that interrupted work can resume.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tlm/base/time.h"

namespace gputlm {

/// A folder with one file per run. An entry appears whole or not at all, and a damaged one is ignored. Several programs may
/// use a folder at the same time.
class RunStore {
 public:
  /// Makes the folder. Throws InputError if this fails or the folder is not writable.
  explicit RunStore(std::string folder);

  /// $XDG_CACHE_HOME/gputlm, else ~/.cache/gputlm; empty if neither variable is set.
  static std::string default_folder();

  /// The result stored under this id, which becomes the most recently used.
  std::optional<std::string> find(const std::string& id) const;
  /// Throws InputError if the file cannot be written.
  void keep(const std::string& id, std::string_view result) const;

  /// Removes the least recently used entries until the rest has at most `most` bytes, and the leftovers of killed programs.
  /// Returns the number of entries removed.
  std::size_t shrink(Bytes most) const;
  static constexpr Bytes kMax = Bytes{2} << 30;  ///< limit for a folder after a command

  const std::string& folder() const { return folder_; }

 private:
  std::string path_of(const std::string& id) const;
  std::string folder_;
};

}  // namespace gputlm
