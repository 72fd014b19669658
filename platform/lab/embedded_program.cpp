#include "platform/lab/embedded_program.h"

#include <algorithm>

#include "platform/input/nearest.h"
#include "platform/input/workload_file_kernel.h"
#include "platform/input/yaml_reader.h"
#include "tlm/error.h"

namespace gputlm {

ProgramSpec embedded_program(const std::vector<PresetSource>& sources, const std::string& folder,
                             const std::string& name, Address base) {
  const auto source = std::find_if(sources.begin(), sources.end(), [&](const auto& s) { return s.name == name; });
  if (source == sources.end()) {
    std::vector<std::string> names;
    for (const PresetSource& s : sources) names.push_back(s.name);
    throw InputError("there is no program '" + name + "'" + suggestion(name, names));
  }
  const YamlNode root = YamlNode::load_text(source->yaml, folder + "/" + name + ".yaml");
  const YamlMap map(root, {"kernels", "applications"});
  const auto [kernel, node] = map.at("kernels").only_entry();
  FreshAddresses addresses(base);
  return read_kernel(kernel, node, addresses);
}

}  // namespace gputlm
