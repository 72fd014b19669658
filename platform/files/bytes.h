/// Values as bytes and back: what processes of one program exchange, and what it keeps for itself. No format for others:
/// another version of the program has another one.
///
/// Numbers, enums, strings, optionals, vectors, arrays and maps, structs of counters (tlm/counters.h), and records:
/// structs that name their members, which the compiler refuses when one is missing:
///
///   struct BlockRecord {
///     KernelId kernel = 0;
///     Cycle start = 0;
///     template <class Record>
///     static auto members(Record& record) {
///       auto& [kernel, start] = record;
///       return std::tie(kernel, start);
///     }
///   };
#pragma once

#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tlm/counters.h"

namespace gputlm {

template <class T, class = void>
inline constexpr bool is_record = false;
template <class T>
inline constexpr bool is_record<T, std::void_t<decltype(T::members(std::declval<T&>()))>> = true;

namespace bytes_detail {

/// Hands every member that holds a value of counters `S` to `Function`.
template <class S, class Object, class Function>
struct EachCounter {
  Object& object;
  Function& function;
  template <class T, class... Text>
  void counter(T S::*member, const Text&...) {
    function(object.*member);
  }
  template <class T, class... Text>
  void latest(T S::*member, const Text&...) {
    function(object.*member);
  }
  template <class T, class... Text>
  void counters(T S::*member, const Text&...) {
    function(object.*member);
  }
  template <class T>
  void part(T S::*member, const char*) {
    function(object.*member);
  }
  template <class T>
  void parts(T S::*member, const char*) {
    function(object.*member);
  }
  template <class... Rest>
  void ratio(const Rest&...) {}
};

}  // namespace bytes_detail

/// Calls `function` with every member of a record or of a struct of counters.
template <class T, class Function>
void for_each_member(T& object, Function function) {
  using S = std::remove_const_t<T>;
  if constexpr (is_record<S>) {
    std::apply([&](auto&... member) { (function(member), ...); }, S::members(object));
  } else {
    static_assert(is_described<S>, "neither a record nor counters");
    bytes_detail::EachCounter<S, T, Function> each{object, function};
    visit_counters<S>(each);
  }
}

class ByteWriter {
 public:
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      for_each_member(value, [this](const auto& member) { put(member); });
    }
  }
  void put(std::string_view text) {
    put(std::uint64_t{text.size()});
    bytes_.append(text);
  }
  void put(const std::string& text) { put(std::string_view(text)); }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(std::uint64_t{values.size()});
    for (const T& value : values) put(value);
  }
  template <class T, std::size_t N>
  void put(const std::array<T, N>& values) {
    for (const T& value : values) put(value);
  }
  template <class Key, class T>
  void put(const std::map<Key, T>& values) {
    put(std::uint64_t{values.size()});
    for (const auto& [key, value] : values) put(key), put(value);
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Throws std::runtime_error where the bytes are not what a ByteWriter made of the same types.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  void get(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      unsigned char byte = 0;
      get(byte);
      if (byte > 1) fail();
      value = byte == 1;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      std::memcpy(&value, take(sizeof value).data(), sizeof value);
    } else {
      for_each_member(value, [this](auto& member) { get(member); });
    }
  }
  void get(std::string& text) { text = take(size()); }
  template <class T>
  void get(std::optional<T>& value) {
    bool there = false;
    get(there);
    value.reset();
    if (there) get(value.emplace());
  }
  template <class T>
  void get(std::vector<T>& values) {
    values.resize(size());
    for (T& value : values) get(value);
  }
  template <class T, std::size_t N>
  void get(std::array<T, N>& values) {
    for (T& value : values) get(value);
  }
  template <class Key, class T>
  void get(std::map<Key, T>& values) {
    values.clear();
    for (std::uint64_t left = size(); left > 0; --left) {
      Key key{};
      get(key);
      get(values[key]);
    }
  }
  /// To be called when everything has been read.
  void end() const {
    if (!bytes_.empty()) fail();
  }

 private:
  [[noreturn]] static void fail() { throw std::runtime_error("serialised value: the bytes are not those of its type"); }
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) fail();
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  /// Of what follows; every element of it takes a byte or more.
  std::uint64_t size() {
    std::uint64_t size = 0;
    get(size);
    if (size > bytes_.size()) fail();
    return size;
  }

  std::string_view bytes_;
};

/// The bytes of a value, with the name of its kind before it.
template <class T>
std::string bytes_of(std::string_view kind, const T& value) {
  ByteWriter writer;
  writer.put(kind);
  writer.put(value);
  return writer.take();
}

/// The value. Throws std::runtime_error for anything else than what bytes_of() has made.
template <class T>
T from_bytes(std::string_view kind, std::string_view bytes) {
  ByteReader reader(bytes);
  std::string found;
  reader.get(found);
  if (found != kind) throw std::runtime_error("serialised value: found another kind than " + std::string(kind));
  T value;
  reader.get(value);
  reader.end();
  return value;
}

}  // namespace gputlm
