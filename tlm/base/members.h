/// Iteration over the members of an aggregate: no struct has to list its members, and none can be forgotten.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

#include "tlm/base/record.h"

namespace gputlm {

namespace members_detail {

/// References to all members.
template <class T>
auto tied(T& object) {
  constexpr std::size_t kMembers = record_detail::members<std::remove_const_t<T>>();
  static_assert(kMembers > 0 && kMembers <= 22, "more members than there are names for here");
// NOLINTBEGIN(bugprone-macro-parentheses): names are put together.
#define GPUTLM_TIED(count, ...)      \
  if constexpr (kMembers == count) { \
    auto& [__VA_ARGS__] = object;    \
    return std::tie(__VA_ARGS__);    \
  }
  // NOLINTEND(bugprone-macro-parentheses)
  GPUTLM_TIED(1, a)
  GPUTLM_TIED(2, a, b)
  GPUTLM_TIED(3, a, b, c)
  GPUTLM_TIED(4, a, b, c, d)
  GPUTLM_TIED(5, a, b, c, d, e)
  GPUTLM_TIED(6, a, b, c, d, e, f)
  GPUTLM_TIED(7, a, b, c, d, e, f, g)
  GPUTLM_TIED(8, a, b, c, d, e, f, g, h)
  GPUTLM_TIED(9, a, b, c, d, e, f, g, h, i)
  GPUTLM_TIED(10, a, b, c, d, e, f, g, h, i, j)
  GPUTLM_TIED(11, a, b, c, d, e, f, g, h, i, j, k)
  GPUTLM_TIED(12, a, b, c, d, e, f, g, h, i, j, k, l)
  GPUTLM_TIED(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
  GPUTLM_TIED(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
  GPUTLM_TIED(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
  GPUTLM_TIED(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
  GPUTLM_TIED(17, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
  GPUTLM_TIED(18, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
  GPUTLM_TIED(19, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s)
  GPUTLM_TIED(20, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
  GPUTLM_TIED(21, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u)
  GPUTLM_TIED(22, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v)
#undef GPUTLM_TIED
}

}  // namespace members_detail

/// Calls `function` with every member of an aggregate, in order.
template <class T, class Function>
void for_each_member(T& object, Function function) {
  std::apply([&](auto&... member) { (function(member), ...); }, members_detail::tied(object));
}

}  // namespace gputlm
