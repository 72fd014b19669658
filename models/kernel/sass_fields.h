/// The format of SASS traces (.traceg). Its rows are in the files that read the fields: sass_header.cpp, sass_reader.cpp
/// and sass_instruction.cpp.
#pragma once

#include "tlm/base/format_field.h"

namespace gputlm::sass {

extern FileFormat trace_format;

// Sources of the rows.
inline constexpr const char* kTracer =
    "accel-sim-framework, util/tracer_nvbit/tracer_tool/tracer_tool.cu, enter_kernel_launch (nvbit_at_cuda_event)";
inline constexpr const char* kTracerLine =
    "accel-sim-framework, util/tracer_nvbit/tracer_tool/tracer_tool.cu, recv_thread_fun";
inline constexpr const char* kPostProcessing =
    "accel-sim-framework, util/tracer_nvbit/tracer_tool/traces-processing/post-traces-processing.cpp, group_per_block";
inline constexpr const char* kParser =
    "accel-sim-framework, gpu-simulator/trace-parser/trace_parser.cc, inst_trace_t::parse_from_string";

}  // namespace gputlm::sass
