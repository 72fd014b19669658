/// Ways to share a GPU. A way is a variant of the workload of all programs (platform/input/variants.h): parameters of the
/// GPU, instances, and each application's share. Each kind of way is one file, which makes ways for a GPU and a number of
/// programs and registers itself.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/config.h"
#include "tlm/base/registry.h"

namespace gputlm {

inline constexpr const char* kOwnWays = "own";  ///< kind of the ways in a file of variants

struct SharingWay {
  std::string name;               ///< name without `#` and `+`
  std::string kind;               ///< kind in the registry, or kOwnWays
  nlohmann::ordered_json change;  ///< the variant
};

/// The input for making ways.
struct ToShare {
  const GpuConfig& gpu;
  std::vector<std::string> programs;  ///< names of the applications
  bool use_memory = true;             ///< some kernels send accesses to memory
};

struct WayKind : Registered {
  std::string description;  ///< one line
  /// Returns none if the GPU does not support such ways, or if they make no difference.
  std::function<std::vector<SharingWay>(const ToShare& what)> make;
  // If each program gets a part of a whole, for the search for a split (find.h):
  std::function<unsigned(const ToShare& what)> granules = nullptr;  ///< granules of the whole, at the GPU's granularity
  std::function<SharingWay(const ToShare& what, const std::vector<unsigned>& split, unsigned whole)> split = nullptr;
  /// The available wholes, smaller ones first; null: a single one, numbered 1.
  std::function<std::vector<unsigned>(const ToShare& what)> wholes = nullptr;
};

/// In the order of ranks.
Registry<WayKind>& way_kinds();

/// The ways of all kinds.
std::vector<SharingWay> standard_ways(const ToShare& what);
/// The variants of a YAML file. Throws InputError if there are none.
std::vector<SharingWay> ways_of_file(const std::string& path);
/// The same from text; `name` stands for the file in messages.
std::vector<SharingWay> ways_of_text(const std::string& text, const std::string& name);
/// A YAML text as a tree in which all scalars are text.
nlohmann::ordered_json document_of_text(const std::string& text, const std::string& name);
/// The ways with a requested name or kind, in the order of `ways`. Throws InputError for an unknown name.
std::vector<SharingWay> chosen(const std::vector<SharingWay>& ways, const std::vector<std::string>& names);

/// Splits of a whole among `parts`, in per cent: equal, and with a larger share for one part. Each adds up to 100.
std::vector<std::vector<unsigned>> splits(std::size_t parts);

}  // namespace gputlm
