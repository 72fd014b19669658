/// Names of kernels as C++ programs have them: mangled by the compiler (Itanium C++ ABI), long, and full of template
/// arguments.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

/// What the name stands for, with its parameters; a name that is not mangled is returned as it is.
std::string demangled(const std::string& name);

/// Short labels of demangled names, in their order: the function's name without namespaces, template arguments and
/// parameters, where no other of the names has the same; else without parameters; else all of it. At most 100 bytes.
std::vector<std::string> short_names(const std::vector<std::string>& names);

}  // namespace gputlm
