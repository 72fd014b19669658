/// Serialises values to bytes and back, for exchange between processes of one program and for its own files. It is not an
/// interchange format: it differs between versions of the program.
///
/// Supports numbers, enums, strings, optionals, vectors, arrays and maps, and aggregates of these.
#pragma once

#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tlm/base/members.h"

namespace gputlm {

class ByteWriter {
 public:
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      for_each_member(value, [this](const auto& member) { this->put(member); });
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

/// Throws std::runtime_error if the bytes were not written by a ByteWriter for the same types.
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
      for_each_member(value, [this](auto& member) { this->get(member); });
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
  /// Number of elements that follow; each takes at least one byte.
  std::uint64_t size() {
    std::uint64_t size = 0;
    get(size);
    if (size > bytes_.size()) fail();
    return size;
  }

  std::string_view bytes_;
};

/// The bytes of a value, preceded by the name of its kind.
template <class T>
std::string bytes_of(std::string_view kind, const T& value) {
  ByteWriter writer;
  writer.put(kind);
  writer.put(value);
  return writer.take();
}

/// The value. Throws std::runtime_error for bytes that bytes_of() did not make.
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
