/// A counter is described once, in the struct in which it counts: its name, unit and meaning. Sums, JSON, CSV, the
/// documentation's tables and the serialised form all follow from the description:
///
///   struct SwitchStatistics {
///     std::uint64_t packets = 0, wait = 0;
///     template <class Visitor>
///     static constexpr void describe(Visitor& v) {
///       using S = SwitchStatistics;
///       v.counter(&S::packets, "packets", "packets", "that were sent");
///       v.counter(&S::wait, "wait_cycles", "core cycles", "that packets spent in the queues");
///       v.ratio(&S::wait, &S::packets, "mean_wait_cycles", "core cycles", "that a packet spent in the queues");
///     }
///   };
///
/// A member that is not described is a compile-time error wherever the description is used. What a visitor offers:
///
///   counter(member, name, unit, meaning)           whole number; units add up
///   latest(member, name, unit, meaning)            whole number; of several units the largest
///   counters(member, name, unit, meaning, labels)  std::array by an enum, with a label for each of its values
///   counters(member, name, unit, meaning)          std::vector by a number; units add up entry by entry
///   part(member, name)                             a described struct; with an empty name its counters stand among ours
///   parts(member, name)                            std::vector of described structs; units add up entry by entry
///   ratio(part, whole, name, unit, meaning)        the quotient of two counters; it is not stored
///
/// A name with dots stands in nested objects: "memory.requests".
#pragma once

#include <algorithm>
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

/// Bytes of the described members. Counter members need no padding, so this equals the size of a complete struct.
template <class S>
struct Bytes {
  std::size_t bytes = 0;
  template <class T, class... Text>
  constexpr void counter(T S::*, Text...) {
    static_assert(std::is_same_v<T, std::uint64_t>, "counters have 64 bits");
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

/// How often a counter is described.
template <class S>
struct Times {
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
  template <class... Rest>
  constexpr void counters(const Rest&...) {}
  template <class... Rest>
  constexpr void part(const Rest&...) {}
  template <class... Rest>
  constexpr void parts(const Rest&...) {}
  template <class... Rest>
  constexpr void ratio(const Rest&...) {}
};

/// Whether each counter is described once.
template <class S>
struct Once {
  bool once = true;
  template <class... Text>
  constexpr void counter(std::uint64_t S::*member, Text...) {
    Times<S> times{member};
    S::describe(times);
    once = once && times.times == 1;
  }
  template <class... Text>
  constexpr void latest(std::uint64_t S::*member, Text... text) {
    counter(member, text...);
  }
  template <class... Rest>
  constexpr void counters(const Rest&...) {}
  template <class... Rest>
  constexpr void part(const Rest&...) {}
  template <class... Rest>
  constexpr void parts(const Rest&...) {}
  template <class... Rest>
  constexpr void ratio(const Rest&...) {}
};

template <class S>
constexpr bool complete() {
  Bytes<S> bytes;
  S::describe(bytes);
  Once<S> once;
  S::describe(once);
  return bytes.bytes == sizeof(S) && once.once;
}

}  // namespace counters_detail

/// Whether a struct describes counters.
template <class S>
inline constexpr bool is_described = counters_detail::IsDescribed<S>::value;

/// Visits the description of `S`. It is a compile-time error to omit a member or to describe one twice.
template <class S, class Visitor>
constexpr void visit_counters(Visitor& visitor) {
  static_assert(counters_detail::complete<S>(), "describe() has to name every member, and each of them once");
  S::describe(visitor);
}

namespace counters_detail {

template <class S>
struct Add {
  S& a;
  const S& b;
  template <class... Text>
  void counter(std::uint64_t S::*member, Text...) {
    a.*member += b.*member;
  }
  template <class... Text>
  void latest(std::uint64_t S::*member, Text...) {
    a.*member = std::max(a.*member, b.*member);
  }
  template <std::size_t N, class... Text>
  void counters(std::array<std::uint64_t, N> S::*member, Text...) {
    for (std::size_t i = 0; i < N; ++i) (a.*member)[i] += (b.*member)[i];
  }
  template <class... Text>
  void counters(std::vector<std::uint64_t> S::*member, Text...) {
    add_each(a.*member, b.*member);
  }
  template <class T>
  void part(T S::*member, const char*) {
    Add<T> add{a.*member, b.*member};
    visit_counters<T>(add);
  }
  template <class T>
  void parts(std::vector<T> S::*member, const char*) {
    add_each(a.*member, b.*member);
  }
  template <class... Rest>
  void ratio(Rest...) {}

 private:
  template <class T>
  static void add_each(std::vector<T>& to, const std::vector<T>& from);
};

class List {
 public:
  explicit List(std::vector<Field>& infos, std::string prefix = "") : infos_(infos), prefix_(std::move(prefix)) {}
  template <class Member>
  void counter(Member, const char* name, const char* unit, const char* meaning) {
    infos_.push_back({prefix_ + name, unit, meaning});
  }
  template <class Member>
  void latest(Member, const char* name, const char* unit, const char* meaning) {
    infos_.push_back({prefix_ + name, unit, meaning});
  }
  template <class Member, std::size_t N>
  void counters(Member, const char* name, const char* unit, const char* meaning,
                const std::array<CounterLabel, N>& labels) {
    for (const CounterLabel& label : labels) {
      infos_.push_back({prefix_ + name + "." + label.name, unit, std::string(meaning) + ": " + label.meaning});
    }
  }
  template <class Member>
  void counters(Member, const char* name, const char* unit, const char* meaning) {
    infos_.push_back({prefix_ + name, unit, meaning});
  }
  template <class S, class T>
  void part(T S::*, const char* name) {
    nested<T>(name);
  }
  template <class S, class T>
  void parts(std::vector<T> S::*, const char* name) {
    nested<T>(name);
  }
  template <class Part, class Whole>
  void ratio(Part, Whole, const char* name, const char* unit, const char* meaning) {
    infos_.push_back({prefix_ + name, unit, meaning});
  }

 private:
  template <class T>
  void nested(const std::string& name) {
    List list(infos_, name.empty() ? prefix_ : prefix_ + name + ".");
    visit_counters<T>(list);
  }
  std::vector<Field>& infos_;
  std::string prefix_;
};

}  // namespace counters_detail

/// Sums over units.
template <class S, class = std::enable_if_t<is_described<S>>>
S& operator+=(S& a, const S& b) {
  counters_detail::Add<S> add{a, b};
  visit_counters<S>(add);
  return a;
}

template <class S>
template <class T>
void counters_detail::Add<S>::add_each(std::vector<T>& to, const std::vector<T>& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

template <class S>
S sum(const std::vector<S>& units) {
  S total;
  for (const S& unit : units) total += unit;
  return total;
}

/// The counters of `S`, in the order of its description, with names as in the results: "banks.activates" of one struct among
/// many.
template <class S>
std::vector<Field> counter_list() {
  std::vector<Field> infos;
  counters_detail::List list(infos);
  visit_counters<S>(list);
  return infos;
}

}  // namespace gputlm
