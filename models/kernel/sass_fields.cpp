#include "models/kernel/sass_fields.h"

namespace gputlm::sass {

FileFormat trace_format{"Accel-Sim SASS trace (.traceg)", "Accel-Sim's NVBit tracer and its post-traces-processing",
                        "tracer 1.2 to 6, of 2019 to 2025"};

}  // namespace gputlm::sass
