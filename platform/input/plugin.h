/// Plugins: the user's own shared libraries, which register policies and probes (tlm/base/registry.h) as the files of the tree do.
/// docs/policies.md shows how to build one.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

/// Opens the plugin and lets it register its contents. Call it before parameters() and anything else that reads a registry.
/// Throws InputError for a file that cannot be opened, is no plugin, was built against another interface, registers nothing,
/// or registers a name that exists.
void load_plugin(const std::string& path);

/// Absolute paths of the loaded plugins, in the order of loading.
const std::vector<std::string>& loaded_plugins();

}  // namespace gputlm
