/// A record is a struct that describes its members once: name, form, meaning, source. Code that reads, writes, compares,
/// prints or documents a record visits the description, so a new member takes one line:
///
///   struct StreamSpec {
///     int priority = 0;
///     template <class Visitor>
///     static void describe(Visitor& v) {
///       v.field(&StreamSpec::priority, "priority", Signed{-128, 127, kPlain}, "Lower is more urgent",
///               "cudaStreamCreateWithPriority");
///     }
///   };
///
/// What a visitor offers; `source` may be left out:
///
///   field(member, name, form, meaning, source)     a value; a std::optional may be missing, any other has its default
///   required(member, name, form, meaning, source)  a value that must be given
///   part(member)                                   a described struct, whose fields are among ours
///   record(member, name, meaning)                  a described struct in its own mapping, which may be missing
///   structure(member, name)                        a value that follows from the record's place (the index of the
///                                                  application that a stream is nested in), or that separate code reads
///   origin(member)                                 says where the record comes from; not part of its content
///
/// Names end with the unit wherever several are possible (`release_us`, `end_cycle`). Counters, which add up, have a different
/// kind of description (tlm/base/counters.h). check_described() makes an undescribed member a compile-time error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "tlm/base/time.h"

namespace gputlm {

// --- Forms: which values a field may have, and what a user writes for them. Bounds are allowed values. ---

/// Unit of a number: "core cycles". It is mandatory, so that a number lacks a unit only on purpose.
struct UnitName {
  constexpr UnitName(const char* unit) : name(unit) {}     // NOLINT(google-explicit-constructor)
  constexpr operator const char*() const { return name; }  // NOLINT(google-explicit-constructor)
  const char* name;
};
/// For a number without a unit: an index, a share, a seed.
inline constexpr UnitName kPlain = "";

struct Whole {  ///< a whole number
  std::uint64_t least, most;
  UnitName unit;
};
struct Signed {  ///< a whole number, perhaps negative
  std::int64_t least, most;
  UnitName unit;
};
struct Real {
  double least, most;
  UnitName unit;
};
struct Size {  ///< bytes, also with KiB, MiB, GiB
  Bytes least, most;
};
struct Microseconds {  ///< Femtoseconds, written in microseconds, exact
  double least, most;
};
struct PowerOfTwo {
  unsigned least, most;
  UnitName unit;
};
struct WholeList {  ///< a whole number, or a list of at most `count`
  std::uint64_t least, most;
  std::size_t count;
};
struct Dimensions {  ///< a number, or a list of up to three: x, y, z
  std::uint64_t most[3];
  UnitName unit;
};
template <std::size_t N>
struct Ids {  ///< a std::bitset<N> of numbered units: an id, a range, or a list of these
  const char *article, *unit;
};
struct Flag {};  ///< true or false
struct Text {};  ///< not empty, without control characters
struct Value {   ///< output only; its type gives the values
  const char* unit = "";
};
template <std::size_t N>
struct OneOf {  ///< an enum, whose values are named in their order
  const char* names[N];
};
template <class... Names>
OneOf(Names...) -> OneOf<sizeof...(Names)>;

namespace record_detail {

struct Anything {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): stands for any member
};

template <class T, class Places, class = void>
struct TakesPlaces : std::false_type {};
template <class T, std::size_t... I>
struct TakesPlaces<T, std::index_sequence<I...>, std::void_t<decltype(T{(static_cast<void>(I), Anything())...})>>
    : std::true_type {};

/// Number of members of an aggregate: the most values that can initialise it.
template <class T, std::size_t N = 40>
constexpr std::size_t members() {
  if constexpr (TakesPlaces<T, std::make_index_sequence<N>>::value) {
    return N;
  } else {
    return members<T, N - 1>();
  }
}

struct Count {
  std::size_t members = 0;
  template <class... T>
  constexpr void field(T&&...) {
    ++members;
  }
  template <class... T>
  constexpr void required(T&&...) {
    ++members;
  }
  template <class... T>
  constexpr void part(T&&...) {
    ++members;
  }
  template <class... T>
  constexpr void record(T&&...) {
    ++members;
  }
  template <class... T>
  constexpr void structure(T&&...) {
    ++members;
  }
  template <class... T>
  constexpr void origin(T&&...) {
    ++members;
  }
};

template <class T>
constexpr std::size_t described() {
  Count count;
  T::describe(count);
  return count.members;
}

}  // namespace record_detail

/// A compile-time error if a member of the aggregate T is not described.
template <class T>
constexpr void check_described() {
  static_assert(record_detail::members<T>() == record_detail::described<T>(), "a member is not described");
}

}  // namespace gputlm
