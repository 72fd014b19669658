/// Reads a VCD file (IEEE 1800-2017, 21.7) in the form of yosys' command `sim`.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace gputlm::formal {

/// Values of signals in the cycles 0 to `cycles` - 1, which begin `period` apart. A value is a hexadecimal number, or its
/// bits if some are undefined. `names` are hierarchical: "top.dut.clk_i"; names that the file does not have are not in the
/// result.
std::map<std::string, std::vector<std::string>> values_by_cycle(const std::string& vcd,
                                                                const std::vector<std::string>& names, unsigned cycles,
                                                                unsigned period);

}  // namespace gputlm::formal
