/// What JSON schemas are made of: a form for each reader of YamlNode (platform/input/yaml_reader.h), which takes what the
/// reader does. Numbers are taken as YAML 1.2 writes them; those in quotes, which the reader takes too, are not.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tlm/time.h"

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
