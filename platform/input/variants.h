/// Variants of a workload file: the same workload with changes, each named by FILE#NAME.
///
///   variants:
///     plain: {}
///     budget:
///       settings: {noc.regulator: l2}
///       applications: [{name: hog, memory_budget: {bytes: 64KiB, period_us: 1}}]
///
/// A variant is merged into the file by RFC 7396 (JSON Merge Patch): mappings are merged key by key, an empty value (`~`)
/// removes a key, and any other value replaces the old one. Beyond the RFC, lists of mappings with distinct names are merged
/// name by name, so a variant can name the application, stream or launch that it changes. The name is the value of `name`, or
/// of `job` or `kernel` for a command; `- hog: ~` removes the entry of that name. FILE#A+B merges A, then B.
#pragma once

#include <string>
#include <vector>

#include "platform/input/yaml_reader.h"

namespace gputlm {

/// `price.yaml#budget` names a variant unless a file has that name.
struct VariantPath {
  std::string file;
  std::vector<std::string> variants;  ///< names of the variants; empty: the file as it is
};
VariantPath variant_path(const std::string& path);

/// The document of a file or of its variant. Throws InputError, with file and line, for a file that cannot be read and a
/// variant that does not exist.
YamlNode load_variant(const std::string& path);
/// The same from text; `name` stands for the file in messages and may name a variant.
YamlNode variant_of_text(const std::string& text, const std::string& name);

/// What a mapping becomes by a change, merged as a variant is; without the key `without`, under which the change may stand.
YamlNode merged(const YamlNode& base, const YamlNode& change, const std::string& without);

/// Names of the variants that a file has, in its order. Throws InputError for one without any.
std::vector<std::string> variants_of_text(const std::string& text, const std::string& name);

/// Expands FILE#* to the paths of all variants, and FILE#*+A to all variants but A, each combined with A; any other path is
/// returned unchanged. Paths, including the returned ones, are relative to `folder`. Throws InputError for a file that cannot
/// be read or has no variants.
std::vector<std::string> expand_variants(const std::string& path, const std::string& folder);

}  // namespace gputlm
