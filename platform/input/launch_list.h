/// The launches of a workload as they are read, application by application: they get their order and labels once all of them
/// are there.
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
  /// `position`: index in its stream or thread. `thread`: the thread of `workload` that makes the launch as its next call;
  /// none: the stream's own command.
  void add(Workload& workload, LaunchCommand launch, std::size_t position, std::optional<std::size_t> thread);
  std::size_t size() const { return commands_.size(); }

  /// Fills Workload::launches. Each stream keeps its order; among streams, first launches come first, as from a host program
  /// that feeds its streams in turn. Repeated labels get numbers. Throws InputError if two labels are still the same.
  void move_to(Workload& workload);

 private:
  struct Command {
    LaunchCommand launch;
    std::size_t position;
    std::optional<std::pair<std::size_t, std::size_t>> call;  // the call that makes it: thread, and index there
  };

  std::vector<Command> commands_;
};

// A subset of a list of launches as users write it: numbers from 1 and ranges, `3-9` or `1,3-5`.

class LaunchNumbers {
 public:
  LaunchNumbers() = default;  ///< all launches
  /// A scalar such as `1,3-5`, or a list of them. Throws InputError for anything else.
  static LaunchNumbers read(const YamlNode& node);

  /// In the form of read(): "1,3-5"; empty: all.
  std::string text() const;
  bool contains(std::size_t number) const;
  /// Throws InputError if a number or range lies outside a list of this length.
  void check(std::size_t launches) const;

 private:
  struct Range {
    std::size_t first, last;
    std::string text;
  };
  std::vector<Range> ranges_;
};

}  // namespace gputlm
