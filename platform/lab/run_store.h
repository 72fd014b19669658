/// Finished runs that are kept, by what they depend on (jobs.h): what was interrupted goes on where it was.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tlm/time.h"

namespace gputlm {

/// A folder with a file a run. An entry appears whole or not at all, and one that was damaged is none; several programs
/// may use a folder at the same time.
class RunStore {
 public:
  /// Makes the folder. Throws InputError if that cannot be, or if it cannot be written to.
  explicit RunStore(std::string folder);

  /// $XDG_CACHE_HOME/gputlm, else ~/.cache/gputlm; empty if neither variable is set.
  static std::string default_folder();

  /// What was kept under this id, which becomes the one that was used last.
  std::optional<std::string> find(const std::string& id) const;
  /// Throws InputError if it cannot be written.
  void keep(const std::string& id, std::string_view result) const;

  /// Removes entries until those that are left have `most` bytes together, those first that were used longest ago, and what
  /// programs that were killed have left. Returns how many entries it removed.
  std::size_t shrink(Bytes most) const;
  static constexpr Bytes kMax = Bytes{2} << 30;  ///< of a folder after a command

  const std::string& folder() const { return folder_; }

 private:
  std::string path_of(const std::string& id) const;
  std::string folder_;
};

}  // namespace gputlm
