/// Sets of numbers as words of bits: number i is bit i % 64 of word i / 64.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gputlm {

template <std::size_t N>
bool has_bit(const std::array<std::uint64_t, N>& words, unsigned i) {
  return (words[i / 64] >> i % 64 & 1) != 0;
}
template <std::size_t N>
void set_bit(std::array<std::uint64_t, N>& words, unsigned i) {
  words[i / 64] |= std::uint64_t{1} << i % 64;
}
template <std::size_t N>
void clear_bit(std::array<std::uint64_t, N>& words, unsigned i) {
  words[i / 64] &= ~(std::uint64_t{1} << i % 64);
}
/// The numbers of a set, in ascending order.
template <std::size_t N>
std::vector<unsigned> numbers_of(const std::array<std::uint64_t, N>& words) {
  std::vector<unsigned> numbers;
  for (unsigned word = 0; word < N; ++word) {
    for (std::uint64_t left = words[word]; left != 0; left &= left - 1)
      numbers.push_back(word * 64 + static_cast<unsigned>(__builtin_ctzll(left)));
  }
  return numbers;
}
/// The set of one number, or of none.
template <std::size_t N>
std::array<std::uint64_t, N> one_bit(std::optional<unsigned> i) {
  std::array<std::uint64_t, N> words{};
  if (i) set_bit(words, *i);
  return words;
}
/// Numbers 0 to `count` - 1.
template <std::size_t N>
std::array<std::uint64_t, N> first_bits(unsigned count) {
  std::array<std::uint64_t, N> words{};
  for (unsigned i = 0; i < count; ++i) set_bit(words, i);
  return words;
}

}  // namespace gputlm
