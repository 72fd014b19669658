/// A VCD file (IEEE 1800-2017, 21.7) as yosys' command `sim` writes it.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace gputlm::formal {

/// Values of signals in the cycles 0 to `cycles` - 1, which begin `period` apart. A value is a hexadecimal number, or, with a
/// bit of no value, its bits. `names` are hierarchical: "top.dut.clk_i"; one that the file does not have is not in
/// the result.
std::map<std::string, std::vector<std::string>> values_by_cycle(const std::string& vcd,
                                                                const std::vector<std::string>& names, unsigned cycles,
                                                                unsigned period);

}  // namespace gputlm::formal
