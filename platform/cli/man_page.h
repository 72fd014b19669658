/// Manual pages (man(7)), made of what commands declare.
#pragma once

#include <string>

#include "platform/cli/arguments.h"

namespace gputlm {

/// gputlm-COMMAND(1)
std::string man_page(const Declaration& command);
/// gputlm(1)
std::string man_page();

}  // namespace gputlm
