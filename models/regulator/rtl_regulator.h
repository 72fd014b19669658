/// A regulator of memory budgets in hardware, built by Verilator, as a plain C++ object: the ports of
/// rtl/bandwidth_regulator.sv, where each is described, without their suffix.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

namespace gputlm {

/// The parameters of the SystemVerilog module.
struct RegulatorSize {
  static constexpr unsigned kMaxApplications = 8, kMaxTokenBits = 32, kMaxLengthBits = 8;

  unsigned applications, token_bits, length_bits;
};

struct RegulatorInputs {
  bool rst_n = true;
  /// Of application a from bit a * token_bits up, in words of 32.
  std::array<std::uint32_t, RegulatorSize::kMaxApplications * RegulatorSize::kMaxTokenBits / 32> budget{};
  std::uint32_t begin = 0;       ///< by application
  std::uint32_t head_valid = 0;  ///< likewise
  std::uint64_t head_bytes = 0;  ///< of application a from bit a * length_bits up
  std::uint32_t pass = 0;        ///< by application

  /// Where it was 0.
  void put_budget(unsigned application, unsigned bits, std::uint32_t value) {
    const unsigned low = application * bits;
    budget[low / 32] |= value << low % 32;
    if (low % 32 + bits > 32) budget[low / 32 + 1] |= value >> (32 - low % 32);
  }
};

struct RegulatorOutputs {
  std::uint32_t fits = 0;  ///< by application
};

class RtlRegulator {
 public:
  virtual ~RtlRegulator() = default;
  /// The clock is low, after its falling edge if it was high: only what is combinational changes.
  virtual void settle(const RegulatorInputs& inputs) = 0;
  /// The rising edge, with these inputs before and after it. The clock must be low.
  virtual void rise(const RegulatorInputs& inputs) = 0;
  virtual RegulatorOutputs outputs() const = 0;
};

/// Regulators of a size.
struct RegulatorModel {
  RegulatorSize size;
  std::function<std::unique_ptr<RtlRegulator>()> make;
};

}  // namespace gputlm
