/// A port of a class that Verilator made, as 32 bits to a word, from the lowest up.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "verilated.h"

namespace gputlm {

template <class Port>
std::vector<std::uint32_t> words_of(const Port& port) {
  if constexpr (std::is_integral_v<Port>) {
    return {static_cast<std::uint32_t>(port), static_cast<std::uint32_t>(std::uint64_t{port} >> 32)};
  } else {
    return {&port[0], &port[0] + sizeof port / sizeof(EData)};
  }
}

}  // namespace gputlm
