/// Values of ports: how the bench and the adapters represent them, and how to transfer them to a class that Verilator made.
/// This header includes neither Verilator nor SystemC.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace gputlm {

/// Number of bits that distinguish `count` things; below: the largest number of that many bits, and the bits of a number.
constexpr unsigned bits_to_name(unsigned count) {
  return count > 2 ? 32 - static_cast<unsigned>(__builtin_clz(count - 1)) : 1;
}
constexpr std::uint64_t largest_of(unsigned bits) { return ~std::uint64_t{0} >> (64 - bits); }
constexpr unsigned bits_of(std::uint64_t number) {
  return number == 0 ? 1 : 64 - static_cast<unsigned>(__builtin_clzll(number));
}

/// One bit for each of at most `count` things: i is bit i % 64 of word i / 64 (models/bit_words.h).
template <unsigned count>
using BitSet = std::array<std::uint64_t, (count + 63) / 64>;

/// One number of at most `most` bits for each of at most `count` things: number i starts at bit i * bits.
template <unsigned count, unsigned most>
class Numbers {
 public:
  /// `value` has at most `bits` bits.
  void put(unsigned place, unsigned bits, std::uint64_t value) {
    const unsigned low = place * bits;
    const std::uint64_t mask = largest_of(bits) << low % 32, shifted = value << low % 32;
    std::uint32_t* const word = &words_[low / 32];
    word[0] = static_cast<std::uint32_t>((word[0] & ~mask) | shifted);
    if (low % 32 + bits > 32) word[1] = static_cast<std::uint32_t>((word[1] & ~(mask >> 32)) | shifted >> 32);
  }
  std::uint32_t at(unsigned place, unsigned bits) const {
    const unsigned low = place * bits;
    std::uint64_t both = words_[low / 32];
    if (low % 32 + bits > 32) both |= std::uint64_t{words_[low / 32 + 1]} << 32;
    return static_cast<std::uint32_t>(both >> low % 32 & largest_of(bits));
  }
  /// In words of 32 bits, from the lowest bit up.
  const std::uint32_t* words() const { return words_.data(); }
  bool operator==(const Numbers& other) const { return words_ == other.words_; }

 private:
  static_assert(most <= 32);
  std::array<std::uint32_t, count * most <= 64 ? 2 : (count* most + 31) / 32> words_{};
};

/// Converts a port's value from 32-bit words, lowest first; at least two words. Verilator represents a port as the smallest
/// integer that holds it, or beyond 64 bits as an array of such words.
template <class Port>
void drive_words(Port& port, const std::uint32_t* words) {
  if constexpr (std::is_integral_v<Port>) {
    port = static_cast<Port>(words[0] | std::uint64_t{words[1]} << 32);
  } else {
    for (std::size_t i = 0; i < sizeof port / sizeof(std::uint32_t); ++i) port[i] = words[i];
  }
}

/// The value of a port as such words.
using PortWords = std::vector<std::uint32_t>;
template <class Port>
PortWords words_of(const Port& port) {
  if constexpr (std::is_integral_v<Port>) {
    return {static_cast<std::uint32_t>(port), static_cast<std::uint32_t>(std::uint64_t{port} >> 32)};
  } else {
    return {&port[0], &port[0] + sizeof port / sizeof(std::uint32_t)};
  }
}

template <class Port>
void drive(Port& port, std::uint64_t value) {
  port = static_cast<Port>(value);
}
template <class Port, unsigned count, unsigned most>
void drive(Port& port, const Numbers<count, most>& value) {
  drive_words(port, value.words());
}
template <class Port, std::size_t N>
void drive(Port& port, const std::array<std::uint64_t, N>& bits) {
  if constexpr (std::is_integral_v<Port>) {
    port = static_cast<Port>(bits[0]);
  } else {
    static_assert(sizeof port <= sizeof bits);
    for (std::size_t i = 0; i < sizeof port / sizeof(std::uint32_t); ++i)
      port[i] = static_cast<std::uint32_t>(bits[i / 2] >> i % 2 * 32);
  }
}

template <class Port>
void read(const Port& port, bool& value) {
  value = port != 0;
}
template <class Port>
void read(const Port& port, std::uint32_t& value) {
  value = static_cast<std::uint32_t>(port);
}
template <class Port>
void read(const Port& port, std::uint64_t& value) {
  value = port;
}
template <class Port, std::size_t N>
void read(const Port& port, std::array<std::uint64_t, N>& bits) {
  bits = {};
  if constexpr (std::is_integral_v<Port>) {
    bits[0] = port;
  } else {
    static_assert(sizeof port <= sizeof bits);
    for (std::size_t i = 0; i < sizeof port / sizeof(std::uint32_t); ++i)
      bits[i / 2] |= std::uint64_t{port[i]} << i % 2 * 32;
  }
}

}  // namespace gputlm
