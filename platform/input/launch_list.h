/// The launches of a workload as they are read, application by application: they get their order and labels when all are
/// there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/host/workload.h"
#include "platform/input/yaml_reader.h"

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

// Some launches of a list, as users write them: numbers from 1 and ranges of them, `3-9` or `1,3-5`.

class LaunchNumbers {
 public:
  LaunchNumbers() = default;  ///< all
  /// A scalar like `1,3-5`, or a list of such. Throws InputError if it is neither.
  static LaunchNumbers read(const YamlNode& node);

  /// As read() takes it: "1,3-5"; empty: all.
  std::string text() const;
  bool contains(std::size_t number) const;
  /// Throws InputError if a number or range names no launch of a list of this length.
  void check(std::size_t launches) const;

 private:
  struct Range {
    std::size_t first, last;
    std::string text;
  };
  std::vector<Range> ranges_;
};

}  // namespace gputlm
