/// `instances:` of a workload or GPU file: the instances that a GPU is divided into, by name. `{profile: 3g}` may be written
/// as `3g`.
#pragma once

#include <vector>

#include "models/instances.h"
#include "platform/input/map_form.h"

namespace gputlm {

/// The form of an instance that is a mapping.
const MapForm& instance_form();
/// The schema of `instances`, which refers to the definition "instance".
schema::Json instances_schema();

/// Throws InputError for an invalid instance and for an empty list.
std::vector<InstanceSpec> read_instances(const YamlNode& node);
schema::Json written_instances(const std::vector<InstanceSpec>& instances);

}  // namespace gputlm
