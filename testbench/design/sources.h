/// The modules of rtl/, for designs that instantiate them.
#pragma once

#include <string>

namespace gputlm {

/// A folder with the compiled-in sources of rtl/, in the folder of kept runs (RunStore); its name depends only on the
/// sources. Empty if nothing can be kept. Throws InputError if the files cannot be written.
std::string rtl_source_folder();

}  // namespace gputlm
