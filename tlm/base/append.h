/// Appends to a list that is repeatedly emptied and refilled, such as a unit's departures in a window; it nearly always has
/// room. Growing is a separate function, so that the inlined rest is a few instructions and the value can stay in
/// registers.
#pragma once

#include <vector>

namespace gputlm {

template <class T>
[[gnu::noinline]] void make_room(std::vector<T>& list) {
  list.reserve(2 * list.capacity() + 8);
}

template <class T>
inline void append(std::vector<T>& list, T value) {
  if (list.size() == list.capacity()) make_room(list);
  if (list.size() == list.capacity()) __builtin_unreachable();
  list.push_back(value);
}

}  // namespace gputlm
