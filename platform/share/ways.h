/// Ways to share a GPU. A way is a variant of the workload that has all programs (platform/input/variants.h): parameters of the
/// GPU, instances, and what each application has. Ways of a kind are made for a GPU and a number of programs by one file, which
/// registers them.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/config.h"
#include "tlm/registry.h"

namespace gputlm {

struct SharingWay {
  std::string name;               ///< without `#` and `+`
  std::string kind;               ///< of the registry; empty: of a user
  nlohmann::ordered_json change;  ///< the variant
};

/// What ways are made for.
struct ToShare {
  const GpuConfig& gpu;
  std::vector<std::string> programs;  ///< names of the applications
  bool use_memory = true;             ///< some kernels do, and send it their accesses
};

struct WayKind : Registered {
  std::string description;  ///< in a line
  /// None if the GPU has no such ways, or they would make no difference.
  std::function<std::vector<SharingWay>(const ToShare& what)> make;
  // Where what each program has is a part of a whole, for the search of a split (find.h):
  std::function<unsigned(const ToShare& what)> granules = nullptr;  ///< of the whole, as fine as the GPU divides it
  std::function<SharingWay(const ToShare& what, const std::vector<unsigned>& split, unsigned whole)> split = nullptr;
  /// Wholes that there are to choose from, smaller ones first; none: one, of the number 1.
  std::function<std::vector<unsigned>(const ToShare& what)> wholes = nullptr;
};

/// In the order of their ranks.
Registry<WayKind>& way_kinds();

/// Those of all kinds.
std::vector<SharingWay> standard_ways(const ToShare& what);
/// The variants of a YAML file. Throws InputError for one without any.
std::vector<SharingWay> ways_of_file(const std::string& path);
/// Likewise of a text. `name`: in messages.
std::vector<SharingWay> ways_of_text(const std::string& text, const std::string& name);
/// A YAML text as values, all of which are text.
nlohmann::ordered_json document_of_text(const std::string& text, const std::string& name);
/// Those whose name or kind is asked for, in the order of `ways`. Throws InputError for a name that none has.
std::vector<SharingWay> chosen(const std::vector<SharingWay>& ways, const std::vector<std::string>& names);

/// Splits of a whole among `parts`, in per cent: equal, and others in which a part has more. Each adds up to 100.
std::vector<std::vector<unsigned>> splits(std::size_t parts);

}  // namespace gputlm
