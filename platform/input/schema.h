/// JSON schemas of the files that the program reads. Editors use them to complete, explain and check while one types, other
/// programs to check before they write. A schema accepts everything that the reader accepts. Some rules only the reader
/// checks: names that must occur elsewhere in the file, contradictions between parameters. docs/schemas.md lists both.
///
/// The schemas use draft 7, which every editor supports.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tlm/base/field.h"
#include "tlm/base/registry.h"
#include "tlm/base/time.h"

namespace gputlm {

struct Schema : Registered {
  std::string description;  ///< description of the file, in one line
  std::function<nlohmann::ordered_json()> make;
};

Registry<Schema>& schemas();

/// The complete document, with the schema's own metadata.
nlohmann::ordered_json schema_document(const Schema& schema);

}  // namespace gputlm

/// Building blocks of JSON schemas: one for each reader of YamlNode (platform/input/yaml_reader.h), accepting what the reader
/// accepts. Numbers are those of YAML 1.2; quoted numbers, which the reader also accepts, are excluded.
namespace gputlm::schema {

using Json = nlohmann::ordered_json;

Json text();                                ///< any scalar: names may look like numbers
Json matching(const std::string& pattern);  ///< a text
Json boolean();
Json whole_number(std::uint64_t least, std::uint64_t most);
Json signed_number(std::int64_t least, std::int64_t most);
Json number(double least, double most);
Json bytes(Bytes least, Bytes most);  ///< also with a unit
Json bytes_with_unit();               ///< the reader checks the bounds
Json one_of(const std::vector<std::string>& names);
Json list(const Json& item, std::size_t least = 0);
/// A mapping with free keys.
Json named(const Json& value);
/// A reference to an entry of `definitions`.
Json reference(const std::string& name);

/// A key of a mapping. Its default is a text, as it would be written.
struct Key : Field {
  Json form = {};
  bool required = false;
};

/// A mapping with exactly these keys.
Json mapping(const std::vector<Key>& keys);
/// Rule for a mapping: it must not have all of `keys`.
Json not_together(const std::vector<std::string>& keys);
/// Rule for a mapping: it must have at least one of `keys`.
Json any_key(const std::vector<std::string>& keys);
Json any_of(const std::vector<Json>& forms);
Json described(Json form, const std::string& meaning);

}  // namespace gputlm::schema

/// Values of parameters in JSON schemas (platform/input/schema.h).
namespace gputlm {

/// The allowed values of each parameter, with meaning and unit, by key. `prefix`: only keys that begin with it.
nlohmann::ordered_json parameter_definitions(const std::string& prefix = "");

}  // namespace gputlm
