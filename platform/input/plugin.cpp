#include "platform/input/plugin.h"

#include <dlfcn.h>

#include <filesystem>
#include <string>

#include "tlm/base/registry.h"

namespace gputlm {
namespace {

std::vector<std::string>& loaded() {
  static std::vector<std::string> paths;
  return paths;
}

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw InputError("--plugin " + path + ": " + what);
}

}  // namespace

void load_plugin(const std::string& path) {
  Registration::run_pending();  // registrations of the program: those of the plugin follow
  // A name without a slash would be searched in the system's libraries.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* const error = dlerror();
    fail(path, std::string("not a plugin that can be opened: ") + error);
  }
  const auto* const interface = static_cast<const char*>(dlsym(library, "gputlm_plugin_interface"));
  if (!interface || std::string(interface) != GPUTLM_PLUGIN_INTERFACE) {
    Registration::drop_pending();
    fail(path, interface ? std::string("found '") + interface + "', allowed: '" GPUTLM_PLUGIN_INTERFACE "'"
                         : std::string("not a plugin: it registers nothing (GPUTLM_REGISTER, tlm/base/registry.h)"));
  }
  unsigned registered = 0;
  try {
    registered = Registration::run_pending_of(path);
  } catch (const InputError& error) {
    fail(path, error.what());
  }
  if (registered == 0) fail(path, "is loaded already");
  loaded().push_back(std::filesystem::absolute(file).lexically_normal().string());
}

const std::vector<std::string>& loaded_plugins() { return loaded(); }

}  // namespace gputlm
