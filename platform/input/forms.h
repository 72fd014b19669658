/// What the forms of described fields (tlm/record.h) are in files: how a value is read, how it is written, and its JSON
/// schema. A new form is one overload of each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/kernel/kernel.h"
#include "platform/files/numbers.h"
#include "platform/input/id_set.h"
#include "platform/input/schema_forms.h"
#include "platform/input/yaml_reader.h"
#include "tlm/record.h"

namespace gputlm::forms {

using schema::Json;

inline Json schema_of(const Whole& form) { return schema::whole_number(form.least, form.most); }
inline Json schema_of(const Signed& form) { return schema::signed_number(form.least, form.most); }
inline Json schema_of(const Real& form) { return schema::number(form.least, form.most); }
inline Json schema_of(const Size& form) { return schema::bytes(form.least, form.most); }
inline Json schema_of(const Microseconds& form) { return schema::number(form.least, form.most); }
inline Json schema_of(const Flag&) { return schema::boolean(); }
inline Json schema_of(const Text&) { return schema::text(); }
Json schema_of(const PowerOfTwo& form);
Json schema_of(const WholeList& form);
Json schema_of(const Dimensions& form);
Json schema_of_ids(std::size_t count);
template <std::size_t N>
Json schema_of(const Ids<N>&) {
  return schema_of_ids(N);
}
template <std::size_t N>
std::vector<std::string> names_of(const OneOf<N>& form) {
  return {form.names, form.names + N};
}
template <std::size_t N>
Json schema_of(const OneOf<N>& form) {
  return schema::one_of(names_of(form));
}

inline std::uint64_t read(const YamlNode& node, const Whole& form) {
  return node.unsigned_number(form.least, form.most);
}
inline std::int64_t read(const YamlNode& node, const Signed& form) { return node.signed_number(form.least, form.most); }
inline double read(const YamlNode& node, const Real& form) { return node.number(form.least, form.most); }
inline Bytes read(const YamlNode& node, const Size& form) { return node.bytes(form.least, form.most); }
inline bool read(const YamlNode& node, const Flag&) { return node.boolean(); }
inline std::string read(const YamlNode& node, const Text&) { return node.text(); }
template <std::size_t N>
std::bitset<N> read(const YamlNode& node, const Ids<N>& form) {
  return read_ids<N>(node, form.article, form.unit);
}
Femtoseconds read(const YamlNode& node, const Microseconds& form);
unsigned read(const YamlNode& node, const PowerOfTwo& form);
std::vector<std::uint8_t> read(const YamlNode& node, const WholeList& form);
Dim3 read(const YamlNode& node, const Dimensions& form);
template <std::size_t N>
std::size_t read(const YamlNode& node, const OneOf<N>& form) {
  return node.one_of(names_of(form));
}

/// Reads into a member of a record.
template <class Form, class T>
void read_into(const YamlNode& node, const Form& form, T& value) {
  value = static_cast<T>(read(node, form));
}
template <class Form, class T>
void read_into(const YamlNode& node, const Form& form, std::optional<T>& value) {
  read_into(node, form, value.emplace());
}

inline Json written(const Whole&, std::uint64_t value) { return value; }
inline Json written(const PowerOfTwo&, std::uint64_t value) { return value; }
inline Json written(const Size&, Bytes value) { return value; }
inline Json written(const Signed&, std::int64_t value) { return value; }
inline Json written(const Real&, double value) { return value; }
inline Json written(const Flag&, bool value) { return value; }
inline Json written(const Text&, const std::string& value) { return value; }
inline Json written(const WholeList&, const std::vector<std::uint8_t>& value) { return value; }
/// A text where no real number of JSON is exact.
Json written(const Microseconds& form, Femtoseconds value);
Json written(const Dimensions& form, const Dim3& value);
template <std::size_t N>
Json written(const Ids<N>&, const std::bitset<N>& value) {
  return id_ranges(value);
}
template <std::size_t N, class Enum>
Json written(const OneOf<N>& form, Enum value) {
  return form.names[static_cast<std::size_t>(value)];
}
template <std::size_t N, class Enum>
Json written(const OneOf<N>& form, const std::optional<Enum>& value) {
  return value ? written(form, *value) : Json();
}
template <class Form, class T>
Json written(const Form& form, const std::optional<T>& value) {
  return value ? written(form, *value) : Json();
}

/// Which values are allowed, for readers of the reference: "1 to 255".
std::string allowed(const Json& schema);

}  // namespace gputlm::forms
