#include "testbench/kind/load.h"

#include <sstream>

#include "platform/input/plugin.h"
#include "platform/lab/jobs.h"
#include "testbench/design/design.h"
#include "testbench/kind/kind.h"
#include "tlm/base/digest.h"

namespace gputlm {
namespace {

std::vector<std::string>& designs() {
  static std::vector<std::string> paths;
  return paths;
}

}  // namespace

void load_rtl(const std::string& path, const RtlParameters& parameters) {
  Registration::run_pending();
  RtlDesign design(path);
  design.set(parameters);
  const RtlDesign::Interface interface = design.interface({});
  kind_of_ports(design, interface).add(design, interface);
  std::string content = design.path();
  for (const std::string& file : interface.files) content += file_digest(file);
  std::string values;
  for (const auto& [name, value] : parameters)
    values += (values.empty() ? "#" : ",") + name + "=" + std::to_string(value);
  add_to_program_digest(content + values);
  designs().push_back(design.path() + values);
}

void load_extension(const std::string& path) {
  const std::size_t hash = path.rfind('#');
  const std::string file = path.substr(0, hash);
  if (!is_rtl(file)) return load_plugin(path);
  std::vector<std::string> parameters;
  if (hash != std::string::npos) {
    std::istringstream texts(path.substr(hash + 1));
    for (std::string text; std::getline(texts, text, ',');) parameters.push_back(text);
  }
  load_rtl(file, parse_parameters(parameters));
}

std::vector<std::string> loaded_extensions() {
  std::vector<std::string> all = loaded_plugins();
  all.insert(all.end(), designs().begin(), designs().end());
  return all;
}

}  // namespace gputlm
