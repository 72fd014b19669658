/// What `gputlm list` prints: GPUs, parameters, policies and any other named things, as text aligned for a terminal
/// or as JSON.
#pragma once

#include <string>
#include <vector>

#include "models/config.h"

namespace gputlm {

enum class ListFormat { kText, kJson, kMarkdown };

/// One line of a plain list, such as an experiment.
struct ListEntry {
  std::string name;
  std::string description;
};

std::string list_gpus(ListFormat format);

/// All parameters, with their values on one GPU.
std::string list_parameters(const GpuConfig& gpu, ListFormat format);

std::string list_policies(ListFormat format);

/// Properties, options and counters of all policies, as a table for a document.
std::string policies_in_detail();

/// All there is to know of the policies of this name: properties, options, counters, source. Throws InputError if there
/// is none.
std::string list_policy(const std::string& name, ListFormat format);

/// Everything that is counted in a run; alone of the lists as a table for a document, too.
std::string list_counters(ListFormat format);

/// `entries` in their order; the JSON form is an object with one array called `title`.
std::string list_entries(const std::string& title, const std::vector<ListEntry>& entries, ListFormat format);

}  // namespace gputlm
