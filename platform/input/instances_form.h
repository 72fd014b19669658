/// `instances:` of a workload or GPU file: what a GPU is divided into, by name. `{profile: 3g}` may be written `3g`.
#pragma once

#include <vector>

#include "models/instances.h"
#include "platform/input/map_form.h"

namespace gputlm {

/// How one is read that is a mapping.
const MapForm& instance_form();
/// Of the value of an `instances` key, with a reference to the definition "instance".
schema::Json instances_schema();

/// Throws InputError for what is no instance, and where there is none.
std::vector<InstanceSpec> read_instances(const YamlNode& node);
schema::Json written_instances(const std::vector<InstanceSpec>& instances);

}  // namespace gputlm
