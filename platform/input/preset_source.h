/// A YAML file as compiled into the program (cmake/EmbedPresets.cmake).
#pragma once

#include <string>

namespace gputlm {

struct PresetSource {
  std::string name;
  std::string yaml;
};

}  // namespace gputlm
