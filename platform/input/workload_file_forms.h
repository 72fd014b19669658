/// The mappings of a workload file, beside those of kernels, memory, calls and traces: what they may have, and the rules that
/// relate it.
#pragma once

#include <vector>

#include "platform/input/map_form.h"

namespace gputlm {

/// The file itself.
const MapForm& file_form();
/// What an application may have, whether its kernels are the file's or those of a trace.
const MapForm& application_form();
const MapForm& memory_budget_form();
/// One whose kernels are the file's.
const MapForm& program_application_form();
const MapForm& stream_form();
const MapForm& thread_form();
/// `tasks`, what it is drawn from, and what the applications of its tasks have.
const MapForm& tasks_form();
const MapForm& task_set_form();
const MapForm& application_of_a_task_form();

/// All mappings of a workload file, for the reference: those of the file, of kernels, of applications, of calls.
std::vector<const MapForm*> workload_forms();

}  // namespace gputlm
