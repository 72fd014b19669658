#include "models/sm/banks.h"

#include <algorithm>

namespace gputlm {

unsigned bank_cycles(const LaneAddresses& addresses, std::uint32_t mask, unsigned width, unsigned banks) {
  // Wider accesses are served in groups of lanes that together move four bytes per bank: 8 bytes in two halves of the warp,
  // 16 bytes in four quarters (CUDA C++ Programming Guide, "Shared Memory", 64- and 128-bit accesses).
  const unsigned words = std::max(1u, width / 4);
  const unsigned lanes_together = static_cast<unsigned>(kWarpSize) / words;
  unsigned cycles = 0;
  for (unsigned first = 0; first < kWarpSize; first += lanes_together) {
    std::array<std::uint64_t, kWarpSize> seen;     // distinct words, numbered from 1
    std::array<std::uint8_t, kWarpSize> earlier;   // number of the previous word in its bank; 0: none
    std::array<std::uint8_t, kMaxBanks> latest{};  // number of the latest word of each bank; 0: none
    std::array<std::uint8_t, kMaxBanks> load{};
    unsigned count = 0, most = 0;
    for (unsigned lane = first; lane < first + lanes_together; ++lane) {
      if (!(mask >> lane & 1)) continue;
      for (unsigned w = 0; w < words; ++w) {
        const std::uint64_t word = addresses[lane] / 4 + w;
        const auto bank = static_cast<unsigned>(word & (banks - 1));
        unsigned place = latest[bank];
        while (place != 0 && seen[place - 1] != word) place = earlier[place - 1];
        if (place != 0) continue;
        seen[count] = word;
        earlier[count] = latest[bank];
        latest[bank] = static_cast<std::uint8_t>(++count);
        most = std::max<unsigned>(most, ++load[bank]);
      }
    }
    cycles += most;
  }
  return std::max(1u, cycles);
}

void BankConflicts::learn(Known& known, const LaneShape& shape, std::uint32_t mask, unsigned width) const {
  LaneAddresses addresses = shape.distances();
  for (Address& address : addresses) address += Address{1} << 63;  // lanes below the first lie in words below its word
  known = {shape, mask, static_cast<std::uint8_t>(width),
           static_cast<std::uint16_t>(bank_cycles(addresses, mask, width, banks_))};
}

}  // namespace gputlm
