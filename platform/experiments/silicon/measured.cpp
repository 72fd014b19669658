#include "platform/experiments/silicon/measured.h"

#include <stdexcept>

namespace gputlm {

const std::string& measured(const std::string& name) {
  for (const PresetSource& source : measured_sources()) {
    if (source.name == name) return source.yaml;
  }
  throw std::logic_error("nothing measured is called '" + name + "'");
}

std::string measured_file(const std::string& name) { return "platform/experiments/silicon/measured/" + name + ".yaml"; }

Registry<Measurements>& measurements() {
  static Registry<Measurements> registry("measurements");
  return registry;
}

}  // namespace gputlm
