/// Counters as JSON, made of their descriptions (tlm/counters.h): a name with dots is a path of nested objects, counters
/// by an enum are an object of its labels, those by a number an array. A ratio to 0 is 0.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "platform/files/json_text.h"
#include "tlm/counter_visitor.h"

namespace gputlm {

/// What `tell` tells the visitor.
nlohmann::ordered_json counters_json(const std::function<void(CounterVisitor&)>& tell);

template <class S, class = std::enable_if_t<is_described<S>>>
nlohmann::ordered_json counters_json(const S& s) {
  return counters_json([&](CounterVisitor& visitor) { visit_values(s, visitor); });
}

}  // namespace gputlm
