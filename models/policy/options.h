/// Options of policies. A policy describes its options in a struct whose members have the defaults:
///
///   struct Options {
///     unsigned active_warps = 8;
///     template <class Visitor>
///     static void describe(Visitor& v) {
///       v.number(&Options::active_warps, "active_warps", "warps", 1, 64, "Warps of a sub-core that may issue",
///                "Gebhart et al., ISCA 2011: eight");
///     }
///   };
///
/// What a visitor offers: number(member, name, unit, least, most, meaning, source) of an unsigned or a double, and
/// flag(member, name, meaning, source) of a bool.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tlm/base/field.h"

namespace gputlm {

/// The options set for a unit's policies: plain values by "policy.option". They are part of the unit's configuration; a
/// policy reads its own once, when it is made.
class PolicyOptions {
 public:
  PolicyOptions() = default;
  PolicyOptions(std::initializer_list<std::pair<const std::string, FieldValue>> values) : values_(values) {}

  /// Null if it is not set.
  const FieldValue* find(const std::string& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }
  /// A reference to the value, which is set to the default if it was not set. The reference stays valid.
  FieldValue& at(const std::string& key, const FieldValue& default_value) {
    return values_.try_emplace(key, default_value).first->second;
  }

 private:
  std::map<std::string, FieldValue> values_;
};

namespace policy_detail {

template <class Options>
struct ListOptions {
  const Options defaults;
  std::vector<Field> options;
  template <class Number>
  void number(Number Options::*member, const char* name, const char* unit, std::uint64_t least, std::uint64_t most,
              const char* meaning, const char* source) {
    options.push_back({name, unit, meaning, least, most, defaults.*member, source});
  }
  void flag(bool Options::*member, const char* name, const char* meaning, const char* source) {
    options.push_back({name, "", meaning, 0, 0, defaults.*member, source});
  }
};

template <class Options>
struct ReadOptions {
  const PolicyOptions& values;
  std::string prefix;
  Options options;
  template <class Number, class... Text>
  void number(Number Options::*member, const char* name, const char*, const Text&...) {
    read(member, name);
  }
  void flag(bool Options::*member, const char* name, const char*, const char*) { read(member, name); }

 private:
  template <class Value>
  void read(Value Options::*member, const char* name) {
    if (const FieldValue* const value = values.find(prefix + name)) options.*member = std::get<Value>(*value);
  }
};

}  // namespace policy_detail

/// What `Options` describes.
template <class Options>
std::vector<Field> option_list() {
  policy_detail::ListOptions<Options> visitor{Options(), {}};
  Options::describe(visitor);
  return visitor.options;
}

/// The options of the policy called `policy`.
template <class Options>
Options read_options(const PolicyOptions& values, std::string_view policy) {
  policy_detail::ReadOptions<Options> visitor{values, std::string(policy) + ".", Options()};
  Options::describe(visitor);
  return visitor.options;
}

}  // namespace gputlm
