/// Counters as JSON, made of their descriptions (tlm/counters.h): a name with dots is a path of nested objects, counters
/// by an enum are an object of its labels, those by a number an array. A ratio to 0 is 0.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tlm/counters.h"

namespace gputlm {

template <class S>
nlohmann::ordered_json counters_json(const S& s);

namespace counters_detail {

template <class S>
class ToJson {
 public:
  ToJson(const S& s, nlohmann::ordered_json& json) : s_(s), json_(json) {}
  void counter(std::uint64_t S::*member, const char* name, const char*, const char*) { at(name) = s_.*member; }
  void latest(std::uint64_t S::*member, const char* name, const char*, const char*) { at(name) = s_.*member; }
  template <std::size_t N>
  void counters(std::array<std::uint64_t, N> S::*member, const char* name, const char*, const char*,
                const std::array<CounterLabel, N>& labels) {
    nlohmann::ordered_json& json = at(name);
    for (std::size_t i = 0; i < N; ++i) json[labels[i].name] = (s_.*member)[i];
  }
  void counters(std::vector<std::uint64_t> S::*member, const char* name, const char*, const char*) {
    at(name) = s_.*member;
  }
  template <class T>
  void part(T S::*member, const char* name) {
    ToJson<T> to(s_.*member, *name ? object(name) : json_);
    visit_counters<T>(to);
  }
  template <class T>
  void parts(std::vector<T> S::*member, const char* name) {
    nlohmann::ordered_json& json = at(name) = nlohmann::ordered_json::array();
    for (const T& part : s_.*member) json.push_back(counters_json(part));
  }
  void ratio(std::uint64_t S::*part, std::uint64_t S::*whole, const char* name, const char*, const char*) {
    at(name) = s_.*whole ? static_cast<double>(s_.*part) / static_cast<double>(s_.*whole) : 0.0;
  }

 private:
  /// A new member. It is not looked for: each name is there once.
  nlohmann::ordered_json& at(std::string_view path) {
    nlohmann::ordered_json* json = &json_;
    if (const std::size_t dot = path.rfind('.'); dot != std::string_view::npos) {
      json = &object(path.substr(0, dot));
      path.remove_prefix(dot + 1);
    }
    if (json->is_null()) *json = nlohmann::ordered_json::object();
    return json->get_ref<nlohmann::ordered_json::object_t&>().emplace_back(path, nullptr).second;
  }
  /// One that may be there.
  nlohmann::ordered_json& object(std::string_view path) {
    nlohmann::ordered_json* json = &json_;
    for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
      json = &(*json)[std::string(path.substr(0, dot))];
      path.remove_prefix(dot + 1);
    }
    return (*json)[std::string(path)];
  }

  const S& s_;
  nlohmann::ordered_json& json_;
};

}  // namespace counters_detail

template <class S>
nlohmann::ordered_json counters_json(const S& s) {
  auto json = nlohmann::ordered_json::object();
  counters_detail::ToJson<S> to(s, json);
  visit_counters<S>(to);
  return json;
}

}  // namespace gputlm
