#include "platform/rtl/load.h"

#include "platform/input/plugin.h"
#include "platform/lab/jobs.h"
#include "platform/rtl/design.h"
#include "platform/rtl/kind.h"
#include "tlm/digest.h"

namespace gputlm {
namespace {

std::vector<std::string>& designs() {
  static std::vector<std::string> paths;
  return paths;
}

}  // namespace

void load_rtl(const std::string& path) {
  Registration::run_pending();
  const RtlDesign design(path);
  const RtlDesign::Interface interface = design.interface({});
  rtl_kind_of(design, interface).add(design, interface);
  std::string content = design.path();
  for (const std::string& file : interface.files) content += file_digest(file);
  add_to_program_digest(content);
  designs().push_back(design.path());
}

void load_extension(const std::string& path) { is_rtl(path) ? load_rtl(path) : load_plugin(path); }

std::vector<std::string> loaded_extensions() {
  std::vector<std::string> all = loaded_plugins();
  all.insert(all.end(), designs().begin(), designs().end());
  return all;
}

}  // namespace gputlm
