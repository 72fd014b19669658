/// Appends to a list that is emptied and filled again and again, as are those of what leaves a unit in a window: it has
/// room nearly always. Growing is apart, so that what is left is a few instructions wherever it stands, and the value
/// needs no place in memory of its own.
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
