/// A flit arbiter in hardware, built by Verilator, as a plain C++ object: the ports of rtl/weighted_flit_arbiter.sv, where
/// each is described, without their suffix.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

namespace gputlm {

/// The parameters of the SystemVerilog module.
struct FlitArbiterSize {
  static constexpr unsigned kMaxInputs = 256, kMaxApplications = 8;
  static constexpr unsigned kMaxLengthBits = 8, kMaxAgeBits = 16, kMaxWeightBits = 8;

  unsigned inputs, applications, weight_bits, length_bits, age_bits;
};

/// A number of so many bits for each input, as a port has them: that of input i from bit i * Bits up.
template <unsigned kMaxBits>
class NumberByInput {
 public:
  /// `value` has `bits` bits at most.
  void put(unsigned input, unsigned bits, std::uint32_t value) {
    const unsigned low = input * bits;
    const std::uint32_t mask = (1u << bits) - 1;
    std::uint32_t* const word = &words_[low / 32];
    word[0] = (word[0] & ~(mask << low % 32)) | value << low % 32;
    if (low % 32 + bits > 32) word[1] = (word[1] & ~(mask >> (32 - low % 32))) | value >> (32 - low % 32);
  }
  std::uint32_t at(unsigned input, unsigned bits) const {
    const unsigned low = input * bits;
    std::uint64_t both = words_[low / 32];
    if (low % 32 + bits > 32) both |= std::uint64_t{words_[low / 32 + 1]} << 32;
    return static_cast<std::uint32_t>(both >> low % 32) & ((1u << bits) - 1);
  }
  const std::uint32_t* words() const { return words_.data(); }

 private:
  std::array<std::uint32_t, FlitArbiterSize::kMaxInputs * kMaxBits / 32> words_{};
};

/// A bit for each input: i is bit i % 64 of word i / 64.
using InputBits = std::array<std::uint64_t, FlitArbiterSize::kMaxInputs / 64>;

struct FlitArbiterInputs {
  bool rst_n = true;
  InputBits head_valid{};
  NumberByInput<3> head_app;
  NumberByInput<FlitArbiterSize::kMaxLengthBits> head_flits;
  NumberByInput<FlitArbiterSize::kMaxAgeBits> head_age;
  std::uint64_t weight = 0;  ///< of application a from bit a * weight_bits up
  bool grant_ready = false;
};

struct FlitArbiterOutputs {
  bool grant_valid = false;
  InputBits grant{};
  std::uint32_t grant_input = 0;
};

class RtlFlitArbiter {
 public:
  virtual ~RtlFlitArbiter() = default;
  /// The clock is low, after its falling edge if it was high: only what is combinational changes.
  virtual void settle(const FlitArbiterInputs& inputs) = 0;
  /// The rising edge, with these inputs before and after it. The clock must be low.
  virtual void rise(const FlitArbiterInputs& inputs) = 0;
  virtual FlitArbiterOutputs outputs() const = 0;
};

/// Flit arbiters of a size.
struct FlitArbiterModel {
  FlitArbiterSize size;
  std::function<std::unique_ptr<RtlFlitArbiter>()> make;
};

}  // namespace gputlm
