/// A counter is described once, in the struct in which it counts: its name, unit and meaning. Sums, JSON, CSV and the
/// documentation's tables follow from the description, through the flat view that is made of it once (CounterLayout):
///
///   struct SwitchStatistics {
///     std::uint64_t packets = 0, wait = 0;
///     template <class Visitor>
///     static constexpr void describe(Visitor& v) {
///       using S = SwitchStatistics;
///       v.counter(&S::packets, "packets", "packets", "Packets that were sent");
///       v.counter(&S::wait, "wait_cycles", "core cycles", "Time that packets spent in the queues");
///       v.ratio(&S::wait, &S::packets, "mean_wait_cycles", "core cycles", "Mean time of a packet in the queues");
///     }
///   };
///
/// A member that is not described is a compile-time error wherever the description is used. What a visitor offers:
///
///   counter(member, name, unit, meaning)           whole number; units add up
///   latest(member, name, unit, meaning)            whole number; the largest of several units
///   counters(member, name, unit, meaning, labels)  std::array indexed by an enum, with a label for each of its values
///   counters(member, name, unit, meaning)          std::vector indexed by a number; units add up entry by entry
///   part(member, name)                             a described struct; with an empty name its counters are among ours
///   parts(member, name)                            std::vector of described structs; units add up entry by entry
///   ratio(part, whole, name, unit, meaning)        the quotient of two counters; it is not stored
///
/// A name with dots is in nested objects: "memory.requests".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tlm/base/field.h"

namespace gputlm {

/// One value of an enum by which an array of counters is indexed.
struct CounterLabel {
  const char* name;
  const char* meaning;
};

namespace counters_detail {

struct Anything {};

template <class S, class = void>
struct IsDescribed : std::false_type {};
template <class S>
struct IsDescribed<S, std::void_t<decltype(S::describe(std::declval<Anything&>()))>> : std::true_type {};

/// Base of visitors that use only some of the calls.
struct Ignore {
  template <class... Rest>
  constexpr void counters(const Rest&...) {}
  template <class... Rest>
  constexpr void part(const Rest&...) {}
  template <class... Rest>
  constexpr void parts(const Rest&...) {}
  template <class... Rest>
  constexpr void ratio(const Rest&...) {}
};

/// The number of times that a counter is described.
template <class S>
struct Times : Ignore {
  explicit constexpr Times(std::uint64_t S::*member) : sought(member) {}
  std::uint64_t S::*sought;
  unsigned times = 0;
  template <class... Text>
  constexpr void counter(std::uint64_t S::*member, Text...) {
    times += member == sought;
  }
  template <class... Text>
  constexpr void latest(std::uint64_t S::*member, Text...) {
    times += member == sought;
  }
};

/// Whether each counter is described once, and how many bytes the described members have. Counter members need no padding, so
/// they are as many as those of a complete struct.
template <class S>
struct Described {
  std::size_t bytes = 0;
  bool once = true;
  template <class T, class... Text>
  constexpr void counter(T S::*member, Text...) {
    static_assert(std::is_same_v<T, std::uint64_t>, "counters have 64 bits");
    Times<S> times(member);
    S::describe(times);
    once = once && times.times == 1;
    bytes += sizeof(T);
  }
  template <class T, class... Text>
  constexpr void latest(T S::*member, Text... text) {
    counter(member, text...);
  }
  template <std::size_t N>
  constexpr void counters(std::array<std::uint64_t, N> S::*, const char*, const char*, const char*,
                          const std::array<CounterLabel, N>&) {
    bytes += N * sizeof(std::uint64_t);
  }
  constexpr void counters(std::vector<std::uint64_t> S::*, const char*, const char*, const char*) {
    bytes += sizeof(std::vector<std::uint64_t>);
  }
  template <class T>
  constexpr void part(T S::*, const char*) {
    bytes += sizeof(T);
  }
  template <class T>
  constexpr void parts(std::vector<T> S::*, const char*) {
    bytes += sizeof(std::vector<T>);
  }
  template <class... Rest>
  constexpr void ratio(std::uint64_t S::*, std::uint64_t S::*, Rest...) {}
};

template <class S>
constexpr bool complete() {
  Described<S> described;
  S::describe(described);
  return described.bytes == sizeof(S) && described.once;
}

}  // namespace counters_detail

/// Whether a struct describes counters.
template <class S>
inline constexpr bool is_described = counters_detail::IsDescribed<S>::value;

// The flat view: the counters of a struct without its type.

struct CounterLayout;

/// What can be done with a vector of counters, or of described structs.
struct CounterVector {
  const CounterLayout* layout;  ///< layout of an element; null: elements are counters
  void (*add)(void* to, const void* from);
  std::vector<const void*> (*elements)(const void* vector);
};

/// A counter and its place in the struct. Its name is that in the results: "memory.requests", "stall_cycles.no_credit".
struct Counter : Field {
  enum class Kind : std::uint8_t {
    kSum,     ///< adds up over units and over time
    kLatest,  ///< the largest of several units
    kRatio,   ///< ratio of the counter at `offset` to that at `whole`
    kVector,
  };
  Kind kind;
  std::size_t offset;  ///< offset from the beginning of the struct, in bytes
  std::size_t whole = 0;
  const CounterVector* vector = nullptr;

  const void* in(const void* counted) const { return static_cast<const char*>(counted) + offset; }
  /// The value of a counter that is not a vector; for a ratio, that of its part.
  std::uint64_t value(const void* counted) const { return *static_cast<const std::uint64_t*>(in(counted)); }
  std::uint64_t value_of_whole(const void* counted) const {
    return *reinterpret_cast<const std::uint64_t*>(static_cast<const char*>(counted) + whole);
  }
};

/// A unit's counters as a whole, and for each application, by its ApplicationId.
template <class T>
struct CounterRow {
  std::vector<T> whole;
  std::vector<std::vector<T>> applications;
};

/// The counters of a struct, in the order of its description, with those of its parts.
struct CounterLayout {
  explicit CounterLayout(std::vector<Counter> all);

  std::vector<Counter> counters;

  /// The counters as a user reads them; those of structs in a vector have its name: "banks.activates".
  std::vector<Field> fields() const;
  /// Adds the counters of one struct to those of another.
  void add(void* to, const void* from) const;
  /// The counters whose differences over time are meaningful, kSum, and their names. Vectors add up to other counters, and
  /// only the one called "applications" is included.
  CounterRow<std::string> sum_names() const;
  CounterRow<std::uint64_t> sums(const void* counted) const;

 private:
  /// Sums that are neighbours in the struct. Most structs have nothing else.
  struct Run {
    std::size_t offset, count;
  };
  const Counter* of_applications() const;
  std::vector<Run> runs_;
  std::vector<std::size_t> others_;  ///< indices in `counters` of those that are stored and are not sums
};

/// The flat view of `S`. It is a compile-time error to omit a member in the description or to describe one twice.
template <class S>
const CounterLayout& counter_layout();

/// Sums over units.
template <class S, class = std::enable_if_t<is_described<S>>>
S& operator+=(S& a, const S& b) {
  counter_layout<S>().add(&a, &b);
  return a;
}

namespace counters_detail {

template <class T>
void add_each(void* to, const void* from) {
  auto& sums = *static_cast<std::vector<T>*>(to);
  const auto& more = *static_cast<const std::vector<T>*>(from);
  if (sums.size() < more.size()) sums.resize(more.size());
  for (std::size_t i = 0; i < more.size(); ++i) sums[i] += more[i];
}

template <class T>
std::vector<const void*> elements(const void* vector) {
  std::vector<const void*> all;
  for (const T& element : *static_cast<const std::vector<T>*>(vector)) all.push_back(&element);
  return all;
}

template <class S>
class Flatten {
 public:
  /// `first`: offset of the struct within the outermost one.
  explicit Flatten(std::vector<Counter>& to, std::string prefix = "", std::size_t first = 0)
      : to_(to), prefix_(std::move(prefix)), first_(first) {
    static_assert(complete<S>(), "describe() has to name every member, and each of them once");
    S::describe(*this);
  }
  void counter(std::uint64_t S::*member, const char* name, const char* unit, const char* meaning) {
    to_.push_back({{prefix_ + name, unit, meaning}, Counter::Kind::kSum, offset(member)});
  }
  void latest(std::uint64_t S::*member, const char* name, const char* unit, const char* meaning) {
    to_.push_back({{prefix_ + name, unit, meaning}, Counter::Kind::kLatest, offset(member)});
  }
  template <std::size_t N>
  void counters(std::array<std::uint64_t, N> S::*member, const char* name, const char* unit, const char* meaning,
                const std::array<CounterLabel, N>& labels) {
    for (std::size_t i = 0; i < N; ++i) {
      to_.push_back({{prefix_ + name + "." + labels[i].name, unit, std::string(meaning) + ": " + labels[i].meaning},
                     Counter::Kind::kSum,
                     offset(member) + i * sizeof(std::uint64_t)});
    }
  }
  void counters(std::vector<std::uint64_t> S::*member, const char* name, const char* unit, const char* meaning) {
    static const CounterVector vector{nullptr, add_each<std::uint64_t>, elements<std::uint64_t>};
    to_.push_back({{prefix_ + name, unit, meaning}, Counter::Kind::kVector, offset(member), 0, &vector});
  }
  template <class T>
  void part(T S::*member, const std::string& name) {
    Flatten<T>(to_, name.empty() ? prefix_ : prefix_ + name + ".", offset(member));
  }
  template <class T>
  void parts(std::vector<T> S::*member, const char* name) {
    static const CounterVector vector{&counter_layout<T>(), add_each<T>, elements<T>};
    to_.push_back({{prefix_ + name}, Counter::Kind::kVector, offset(member), 0, &vector});
  }
  void ratio(std::uint64_t S::*part, std::uint64_t S::*whole, const char* name, const char* unit, const char* meaning) {
    to_.push_back({{prefix_ + name, unit, meaning}, Counter::Kind::kRatio, offset(part), offset(whole)});
  }

 private:
  template <class T>
  std::size_t offset(T S::*member) const {
    const auto place = reinterpret_cast<std::uintptr_t>(&(example_.*member));
    return first_ + place - reinterpret_cast<std::uintptr_t>(&example_);
  }

  std::vector<Counter>& to_;
  std::string prefix_;
  std::size_t first_;
  const S example_{};
};

}  // namespace counters_detail

template <class S>
const CounterLayout& counter_layout() {
  static const CounterLayout layout([] {
    std::vector<Counter> counters;
    counters_detail::Flatten<S> made(counters);
    return counters;
  }());
  return layout;
}

template <class S>
S sum(const std::vector<S>& units) {
  S total;
  for (const S& unit : units) total += unit;
  return total;
}

}  // namespace gputlm
