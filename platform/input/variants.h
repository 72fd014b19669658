/// Variants of a workload file: the same workload with something changed, each named by FILE#NAME.
///
///   variants:
///     plain: {}
///     budget:
///       settings: {noc.regulator: l2}
///       applications: [{name: hog, memory_budget: {bytes: 64KiB, period_us: 1}}]
///
/// A variant is merged into the file as RFC 7396 (JSON Merge Patch) says: mappings key by key, an empty value (`~`) takes
/// a key away, and anything else takes the place of what was there. Beyond the RFC, lists of mappings that have names, each
/// another one, are merged name by name, so that a variant names the application, stream or launch that it changes. A name
/// is what `name` says, or `job` or `kernel` of a command; `- hog: ~` takes the entry of that name away. FILE#A+B merges A, then B.
#pragma once

#include <string>
#include <vector>

#include "platform/input/yaml_reader.h"

namespace gputlm {

/// `price.yaml#budget` names a variant, unless a file has that name.
struct VariantPath {
  std::string file;
  std::vector<std::string> variants;  ///< none: the file as it is
};
VariantPath variant_path(const std::string& path);

/// The document of a file or of its variant. Throws InputError, with file and line, for a file that cannot be read and a
/// variant that it does not have.
YamlNode load_variant(const std::string& path);
/// The same from text; `name` stands for the file in messages, and may name a variant.
YamlNode variant_of_text(const std::string& text, const std::string& name);

/// What a mapping becomes by a change, merged as a variant is; without the key `without`, under which the change may stand.
YamlNode merged(const YamlNode& base, const YamlNode& change, const std::string& without);

/// Names of the variants that a file has, in its order. Throws InputError for one without any.
std::vector<std::string> variants_of_text(const std::string& text, const std::string& name);

/// Of FILE#*, or FILE#*+A, the paths of all variants but A, each with A; any other path is itself. Paths, and those
/// returned, are relative to `folder`. Throws InputError for a file that cannot be read and one without variants.
std::vector<std::string> expand_variants(const std::string& path, const std::string& folder);

}  // namespace gputlm
