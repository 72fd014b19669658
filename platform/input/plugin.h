/// Plugins: shared libraries of the user's own that register policies and probes (tlm/registry.h), as the files of the
/// tree do. docs/policies.md tells how to build one.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

/// Opens the plugin and lets it register what it has. To be called before parameters() and whatever else reads a
/// registry. Throws InputError for a file that cannot be opened, is no plugin, was built against another interface,
/// registers nothing, or registers what is there already.
void load_plugin(const std::string& path);

/// Absolute paths of those that were loaded, in this order.
const std::vector<std::string>& loaded_plugins();

}  // namespace gputlm
