/// The order in which the ways of a set were last used: a circular list, so that a use costs the same for any number of
/// ways. It is a view of RecencyOrder::bytes() bytes that the owner stores with its other data of the set, in one cache
/// line of the host if possible.
///
/// `Way`: an unsigned type, as narrow as the number of ways allows.
#pragma once

#include <cstddef>
#include <cstring>

namespace gputlm {

template <class Way>
class RecencyOrder {
 public:
  static constexpr std::size_t bytes(unsigned ways) { return (1 + 2 * std::size_t{ways}) * sizeof(Way); }

  explicit RecencyOrder(unsigned char* place) : place_(place) {}

  /// Makes way 0 the oldest and the last way the newest. To be called first.
  void reset(unsigned ways) {
    set_newest(ways - 1);
    for (unsigned way = 0; way < ways; ++way) set_neighbours(way, (way + ways - 1) % ways, (way + 1) % ways);
  }
  unsigned newest() const { return get(0); }
  unsigned oldest() const { return newer(newest()); }
  /// The way used next before, or after, this one; the newest's `newer` is the oldest.
  unsigned older(unsigned way) const { return get(1 + 2 * way); }
  unsigned newer(unsigned way) const { return get(2 + 2 * way); }

  void make_newest(unsigned way) {
    const unsigned front = newest();
    if (way == front) return;
    const unsigned back = newer(front);
    set_newest(way);
    if (way == back) return;  // it already precedes the newest: rotating the circle suffices
    const unsigned before = older(way), after = newer(way);
    set(2 + 2 * before, after);
    set(1 + 2 * after, before);
    set_neighbours(way, front, back);
    set(2 + 2 * front, way);
    set(1 + 2 * back, way);
  }
  void make_oldest(unsigned way) {
    make_newest(way);
    set_newest(older(way));  // rotating the circle by one makes the newest the oldest
  }

 private:
  unsigned get(std::size_t i) const {
    Way way;
    std::memcpy(&way, place_ + i * sizeof(Way), sizeof(Way));
    return way;
  }
  void set(std::size_t i, unsigned value) {
    const Way way = static_cast<Way>(value);
    std::memcpy(place_ + i * sizeof(Way), &way, sizeof(Way));
  }
  void set_newest(unsigned way) { set(0, way); }
  void set_neighbours(unsigned way, unsigned older, unsigned newer) {
    set(1 + 2 * way, older);
    set(2 + 2 * way, newer);
  }

  unsigned char* place_;  ///< the newest way, then the older and the newer neighbour of each way
};

}  // namespace gputlm
