/// The mappings of a workload file, except those of kernels, memory, calls and traces: their keys, and the rules that relate
/// the keys.
#pragma once

#include <vector>

#include "platform/input/map_form.h"

namespace gputlm {

/// The top level of the file.
const MapForm& file_form();
/// Keys of every application, whether its kernels come from the file or from a trace.
const MapForm& application_form();
const MapForm& memory_budget_form();
/// An application whose kernels are in the file.
const MapForm& program_application_form();
const MapForm& stream_form();
const MapForm& thread_form();
/// `tasks`: the distribution of the set and the properties of its applications.
const MapForm& tasks_form();
const MapForm& task_set_form();
const MapForm& application_of_a_task_form();

/// All mappings of a workload file, for the reference: those of the file, of kernels, of applications, of calls.
std::vector<const MapForm*> workload_forms();

}  // namespace gputlm
