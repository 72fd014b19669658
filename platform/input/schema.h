/// JSON schemas of the files that the program reads: editors complete, explain and check by them while one types, other
/// programs before they write. A schema refuses nothing that the reader takes; what it cannot say (names that must be
/// somewhere else in the file, contradictions between parameters) only the reader refuses. docs/schemas.md lists both.
///
/// They are of draft 7, which every editor knows.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tlm/registry.h"
#include "tlm/time.h"

namespace gputlm {

struct Schema : Registered {
  std::string description;  ///< of the file, in a line
  std::function<nlohmann::ordered_json()> make;
};

Registry<Schema>& schemas();

/// As a document, with what a schema says of itself.
nlohmann::ordered_json schema_document(const Schema& schema);

}  // namespace gputlm

/// What JSON schemas are made of: a form for each reader of YamlNode (platform/input/yaml_reader.h), which takes what the
/// reader does. Numbers are taken as YAML 1.2 writes them; those in quotes, which the reader takes too, are not.
namespace gputlm::schema {

using Json = nlohmann::ordered_json;

Json text();                                ///< any scalar: names may look like numbers
Json matching(const std::string& pattern);  ///< a text
Json boolean();
Json whole_number(std::uint64_t least, std::uint64_t most);
Json signed_number(std::int64_t least, std::int64_t most);
Json number(double least, double most);
Json bytes(Bytes least, Bytes most);  ///< also with a unit
Json bytes_with_unit();               ///< their bounds are the reader's to check
Json one_of(const std::vector<std::string>& names);
Json list(const Json& item, std::size_t least = 0);
/// Free keys.
Json named(const Json& value);
/// What stands under `definitions`.
Json reference(const std::string& name);

struct Key {
  std::string name;
  Json form;
  std::string meaning = {};
  bool required = false;
};
constexpr bool kRequired = true;

/// A mapping with these keys and no others.
Json mapping(const std::vector<Key>& keys);
/// Of a mapping: not all of `keys` together.
Json not_together(const std::vector<std::string>& keys);
/// Of a mapping: it has at least one of `keys`.
Json any_key(const std::vector<std::string>& keys);
Json any_of(const std::vector<Json>& forms);
Json described(Json form, const std::string& meaning);

}  // namespace gputlm::schema

/// Values of parameters in JSON schemas (platform/input/schema.h).
namespace gputlm {

/// What each parameter may be, with its meaning and unit, by its key. `prefix`: only of keys that begin with it.
nlohmann::ordered_json parameter_definitions(const std::string& prefix = "");

}  // namespace gputlm
