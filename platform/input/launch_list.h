/// The launches of a workload as they are read, application by application: they get their order and labels when all are
/// there.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/host/workload.h"

namespace gputlm {

class LaunchList {
 public:
  /// `position`: in its stream or thread. `thread`: the thread of `workload` that makes it, whose next call it becomes;
  /// none: its stream's own.
  void add(Workload& workload, LaunchCommand launch, std::size_t position, std::optional<std::size_t> thread);
  std::size_t size() const { return commands_.size(); }

  /// Fills Workload::launches: each stream keeps its order; among streams, first launches come first, as from a host
  /// program that feeds its streams in turn. Labels that occur more than once get numbers. Throws InputError if two are the
  /// same all the same.
  void move_to(Workload& workload);

 private:
  struct Command {
    LaunchCommand launch;
    std::size_t position;
    std::optional<std::pair<std::size_t, std::size_t>> call;  // that makes it: thread, and place there
  };

  std::vector<Command> commands_;
};

}  // namespace gputlm
