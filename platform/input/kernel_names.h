/// Names of kernels as in C++ programs: mangled by the compiler (Itanium C++ ABI), long, and full of template arguments.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

/// The demangled name with its parameters; a name that is not mangled is returned unchanged.
std::string demangled(const std::string& name);

/// Short labels of demangled names, in their order: the function's name without namespaces, template arguments and parameters
/// if this is unique; else the name without parameters; else all of it. At most 100 bytes.
std::vector<std::string> short_names(const std::vector<std::string>& names);

}  // namespace gputlm
