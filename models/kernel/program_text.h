/// A program as text: all that decides what its blocks do, and nothing else. Programs differ exactly if their texts do.
#pragma once

#include <string>

#include "models/kernel/program.h"

namespace gputlm {

std::string program_text(const ProgramSpec& spec);

}  // namespace gputlm
