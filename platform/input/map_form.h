/// The one description of a mapping in a file: its keys, their meanings, and the rules that relate several of them.
/// The reader, the JSON schema and the page of the reference follow from it.
///
///   static const MapForm kStream = MapForm("stream").key("name", schema::text(), "In results", kRequired)
///                                      .fields<StreamSpec>().not_together({"launches", "commands"}, "a stream has ...");
///   const YamlMap map = kStream.read(node);  // all keys are known, none is missing, all rules hold
///   read_fields(map, stream);
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
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
#include "platform/input/schema.h"
#include "platform/input/yaml_reader.h"
#include "tlm/base/record.h"

/// The forms of described fields (tlm/base/record.h) in files: how a value is read and written, and its JSON
/// schema. A new form takes one overload of each.
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
/// Text for values that no real number in JSON gives exactly.
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

/// The allowed values, for readers of the reference: "1 to 255".
std::string allowed(const Json& schema);

}  // namespace gputlm::forms

namespace gputlm {

class MapForm {
 public:
  using Json = schema::Json;
  using Key = schema::Key;

  /// A relation between keys: the reader's check, and its part of the schema.
  struct Rule {
    std::function<void(const YamlMap&)> check;
    std::function<void(Json& schema)> say;
  };

  /// `name`: the mapping's name in the reference.
  explicit MapForm(std::string name) : name_(std::move(name)) {}

  MapForm& key(std::string name, Json form, const std::string& meaning, bool required = false) {
    keys_.push_back({{std::move(name), {}, meaning}, std::move(form), required});
    return changed();
  }
  /// The fields of a described record; the defaults are the values in a default-constructed T.
  template <class T>
  MapForm& fields();
  /// Some of those fields.
  template <class T>
  MapForm& fields(const std::vector<std::string>& names);
  /// All keys and rules of another form.
  MapForm& with(const MapForm& other);
  /// A key that other mappings of this kind have; `message` says why this one does not.
  MapForm& without(const std::string& name, const std::string& message);
  /// Another form for a key that allows fewer values here than elsewhere.
  MapForm& restrict(const std::string& name, Json form);

  MapForm& rule(Rule rule) {
    rules_.push_back(std::move(rule));
    return *this;
  }
  MapForm& not_together(const std::vector<std::string>& names, const std::string& message);
  /// A mapping has at most one of these keys.
  MapForm& at_most_one(const std::vector<std::string>& names);

  /// Throws InputError for an unknown key, for a missing required key, and for a broken rule.
  YamlMap read(const YamlNode& node) const;
  Json schema() const;

  const std::string& name() const { return name_; }
  const std::vector<Key>& keys() const { return keys_; }

 private:
  MapForm& changed();

  std::string name_;
  std::vector<Key> keys_;
  std::vector<std::string> names_;  ///< the names of the keys
  std::vector<Rule> rules_;
  std::vector<std::pair<std::string, std::string>> absent_;  ///< keys that this form lacks, and the reason
};

inline constexpr bool kRequired = true;

namespace map_form_detail {

/// Null for a value that is not written.
std::optional<FieldValue> default_value(const MapForm::Json& written);

/// Parts of a description that are no fields: code of their own reads them.
struct FieldsOnly {
  template <class... T>
  void record(T&&...) {}
  template <class... T>
  void structure(T&&...) {}
  template <class... T>
  void origin(T&&...) {}
};

template <class R>
struct List : FieldsOnly {
  std::vector<MapForm::Key>& keys;
  const R defaults{};

  template <class T, class Form>
  void field(T R::*member, const char* name, const Form& form_of, const char* meaning, const char* source = "") {
    add(name, form_of, meaning, source, false, default_value(form_of, defaults.*member));
  }
  template <class T, class Form>
  void required(T R::*, const char* name, const Form& form_of, const char* meaning, const char* source = "") {
    add(name, form_of, meaning, source, true, std::nullopt);
  }
  template <class T>
  void part(T R::*) {
    List<T> of{{}, keys};
    T::describe(of);
  }

 private:
  template <class Form>
  void add(const char* name, const Form& form_of, const char* meaning, const char* source, bool required,
           std::optional<FieldValue> default_value) {
    Field field{name, unit_of(form_of), meaning, 0, 0, std::move(default_value), source};
    keys.push_back({std::move(field), forms::schema_of(form_of), required});
  }
  /// A default that no user can write, such as 0 for "unlimited", counts as none.
  template <class Form, class T>
  static std::optional<FieldValue> default_value(const Form& form_of, const T& value) {
    if constexpr (std::is_same_v<Form, Size> || std::is_same_v<Form, Whole>) {
      if (forms::written(form_of, value) < form_of.least) return std::nullopt;
    }
    return map_form_detail::default_value(forms::written(form_of, value));
  }
  template <class Form>
  static std::string unit_of(const Form& form_of) {
    if constexpr (std::is_same_v<Form, Size>) {
      return "bytes";
    } else if constexpr (std::is_same_v<Form, Microseconds>) {
      return "us";
    } else if constexpr (std::is_same_v<Form, Whole> || std::is_same_v<Form, Signed> || std::is_same_v<Form, Real> ||
                         std::is_same_v<Form, PowerOfTwo> || std::is_same_v<Form, Dimensions>) {
      return form_of.unit.name;
    } else {
      return "";
    }
  }
};

template <class R>
struct Read : FieldsOnly {
  const YamlMap& map;
  R& of;

  template <class T, class Form, class... Text>
  void field(T R::*member, const char* name, const Form& form, Text...) {
    if (const auto node = map.find(name)) forms::read_into(*node, form, of.*member);
  }
  template <class T, class Form, class... Text>
  void required(T R::*member, const char* name, const Form& form, Text...) {
    forms::read_into(map.at(name), form, of.*member);
  }
  template <class T>
  void part(T R::*member) {
    Read<T> part{{}, map, of.*member};
    T::describe(part);
  }
};

template <class R>
struct Write : FieldsOnly {
  const R& of;
  MapForm::Json& to;
  const R defaults{};

  template <class T, class Form, class... Text>
  void field(T R::*member, const char* name, const Form& form, Text...) {
    if (!(of.*member == defaults.*member)) to[name] = forms::written(form, of.*member);
  }
  template <class T, class Form, class... Text>
  void required(T R::*member, const char* name, const Form& form, Text...) {
    to[name] = forms::written(form, of.*member);
  }
  template <class T>
  void part(T R::*member) {
    Write<T> part{{}, of.*member, to};
    T::describe(part);
  }
};

}  // namespace map_form_detail

template <class T>
MapForm& MapForm::fields() {
  map_form_detail::List<T> list{{}, keys_};
  T::describe(list);
  return changed();
}

template <class T>
MapForm& MapForm::fields(const std::vector<std::string>& names) {
  const MapForm all = MapForm("").fields<T>();
  std::copy_if(all.keys_.begin(), all.keys_.end(), std::back_inserter(keys_),
               [&](const Key& key) { return std::find(names.begin(), names.end(), key.name) != names.end(); });
  return changed();
}

/// Reads those fields of a record that the mapping has; the other fields keep their values. Throws InputError.
template <class R>
void read_fields(const YamlMap& map, R& record) {
  map_form_detail::Read<R> read{{}, map, record};
  R::describe(read);
}

/// Adds the required fields of a record, and the others that differ from their defaults.
template <class R>
void write_fields(const R& record, schema::Json& to) {
  map_form_detail::Write<R> write{{}, record, to};
  R::describe(write);
}

}  // namespace gputlm
