/// The modules of rtl/ for designs that instantiate them.
#pragma once

#include <string>

namespace gputlm {

/// A folder with the sources of rtl/ that are compiled into the program, kept where runs are (RunStore): their names do not
/// change as long as the sources do not. Empty if nothing can be kept. Throws InputError if they cannot be written.
std::string rtl_source_folder();

}  // namespace gputlm
