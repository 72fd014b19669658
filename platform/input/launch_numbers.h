/// Some launches of a list, as users write them: numbers from 1 and ranges of them, `3-9` or `1,3-5`.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "platform/input/yaml_reader.h"

namespace gputlm {

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
