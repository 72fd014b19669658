#include "platform/lab/embedded_program.h"

#include "platform/input/nearest.h"
#include "platform/input/workload_file_kernel.h"
#include "platform/input/yaml_reader.h"
#include "tlm/error.h"

namespace gputlm {

const PresetSource& source_named(const std::vector<PresetSource>& sources, const std::string& kind,
                                 const std::string& name) {
  std::vector<std::string> names;
  for (const PresetSource& source : sources) {
    if (source.name == name) return source;
    names.push_back(source.name);
  }
  throw InputError("there is no " + kind + " '" + name + "'" + suggestion(name, names));
}

ProgramSpec embedded_program(const std::vector<PresetSource>& sources, const std::string& folder,
                             const std::string& name, Address base) {
  const YamlNode root = YamlNode::load_text(source_named(sources, "program", name).yaml, folder + "/" + name + ".yaml");
  const YamlMap map(root, {"kernels", "applications"});
  const auto [kernel, node] = map.at("kernels").only_entry();
  FreshAddresses addresses(base);
  return read_kernel(kernel, node, addresses);
}

}  // namespace gputlm
