/// Ports of a class that Verilator made, as numbers. Only for files that know no SystemC: `verilated.h` comes before
/// `<systemc>` or not at all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "verilated.h"

namespace gputlm {

/// A port's value from a number that fits it; ports are the smallest integer that holds them.
template <class Port>
void drive(Port& port, std::uint64_t value) {
  port = static_cast<Port>(value);
}

/// The bits of an output, at most 64 times `N`, from the lowest up; over 64 Verilator gives an array of 32-bit
/// words.
template <std::size_t N, class Port>
std::array<std::uint64_t, N> bits_of_port(const Port& port) {
  std::array<std::uint64_t, N> bits{};
  if constexpr (std::is_integral_v<Port>) {
    bits[0] = port;
  } else {
    static_assert(sizeof port <= sizeof bits);
    for (std::size_t i = 0; i < sizeof port / sizeof(EData); ++i) bits[i / 2] |= std::uint64_t{port[i]} << i % 2 * 32;
  }
  return bits;
}

/// A port's value from the lowest bits of words, of which there are as many as it needs.
template <class Port, std::size_t N>
void drive_bits(Port& port, const std::array<std::uint64_t, N>& bits) {
  if constexpr (std::is_integral_v<Port>) {
    port = static_cast<Port>(bits[0]);
  } else {
    static_assert(sizeof port <= sizeof bits);
    for (std::size_t i = 0; i < sizeof port / sizeof(EData); ++i)
      port[i] = static_cast<EData>(bits[i / 2] >> i % 2 * 32);
  }
}

/// A port's value from words of 32 bits, the lowest first, of which there are as many as it needs, and two at least.
template <class Port>
void drive_words(Port& port, const std::uint32_t* words) {
  if constexpr (std::is_integral_v<Port>) {
    port = static_cast<Port>(words[0] | std::uint64_t{words[1]} << 32);
  } else {
    for (std::size_t i = 0; i < sizeof port / sizeof(EData); ++i) port[i] = words[i];
  }
}

}  // namespace gputlm
