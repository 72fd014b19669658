/// Randomness as a pure function of (seed, kernel, block, warp, position): it does not depend on the order of
/// events, on the number of draws made before, on the compiler or on the machine.
///
/// The mixer is the finalizer of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA
/// 2014) with Stafford's constants "Mix13": a bijection of 64 bits, three xor-shifts and two multiplications. Boost.Random
/// is not used: its distributions draw again until a number fits, so that one draw shifts all later ones.
#pragma once

#include <cstdint>
#include <string_view>

namespace gputlm {

inline constexpr std::uint64_t kGoldenGamma = 0x9e3779b97f4a7c15ull;  ///< 2^64 / golden ratio, odd

constexpr std::uint64_t mix(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebull;
  return bits ^ (bits >> 31);
}

/// A key for `value` under `key`, which adds a coordinate on which random values depend.
constexpr std::uint64_t derive(std::uint64_t key, std::uint64_t value) { return mix(key + (value + 1) * kGoldenGamma); }

/// FNV-1a over the bytes of a name.
constexpr std::uint64_t hash_name(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}

/// 64 uniform bits. `kernel` is hash_name(kernel name).
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t kernel, std::uint64_t block, std::uint64_t warp,
                                    std::uint64_t position) {
  return derive(derive(derive(derive(mix(seed), kernel), block), warp), position);
}

/// Maps 64 uniform bits to 0 .. n-1; the bias is below n / 2^64.
constexpr std::uint64_t uniform_below(std::uint64_t bits, std::uint64_t n) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits) * n) >> 64);
}

/// -ln(u) for u = (bits + 1) / 2^64, in units of 2^-32: log2 by squaring, one binary digit per step, times ln 2.
constexpr std::uint64_t minus_ln(std::uint64_t bits) {
  if (bits == ~std::uint64_t{0}) return 0;
  const int zeros = __builtin_clzll(bits + 1);
  std::uint64_t mantissa = (bits + 1) << zeros;  // 1.0 <= mantissa / 2^63 < 2.0
  std::uint64_t log2_fraction = 0;
  for (int digit = 0; digit < 32; ++digit) {
    const auto square = static_cast<unsigned __int128>(mantissa) * mantissa;  // 1.0 <= square / 2^126 < 4.0
    const bool two = (square >> 127) != 0;
    mantissa = static_cast<std::uint64_t>(square >> (two ? 64 : 63));
    log2_fraction = log2_fraction << 1 | (two ? 1 : 0);
  }
  constexpr std::uint64_t kLn2 = 2977044472;  // ln 2 * 2^32
  const std::uint64_t minus_log2 = (static_cast<std::uint64_t>(zeros + 1) << 32) - log2_fraction;
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(minus_log2) * kLn2) >> 32);
}

}  // namespace gputlm
