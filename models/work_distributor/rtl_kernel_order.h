/// A kernel order in hardware, built by Verilator, as a plain C++ object: the ports of rtl/leftover_kernel_order.sv, where
/// each is described, without their suffix.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

namespace gputlm {

/// The parameters of the SystemVerilog module.
struct KernelOrderSize {
  static constexpr unsigned kMaxKernels = 128, kMaxLevelBits = 8;

  unsigned kernels, level_bits;
};

/// Kernels by their numbers at the ports (models/bit_words.h).
inline constexpr unsigned kKernelWords = KernelOrderSize::kMaxKernels / 64;
using KernelNumbers = std::array<std::uint64_t, kKernelWords>;

struct KernelOrderInputs {
  bool rst_n = true;
  bool event_valid = false;
  bool event_enter = false;
  std::uint32_t event_kernel = 0, event_level = 0;
  KernelNumbers pending{};
};

struct KernelOrderOutputs {
  bool grant_valid = false;
  KernelNumbers grant{};
  std::uint32_t grant_kernel = 0;
};

class RtlKernelOrder {
 public:
  virtual ~RtlKernelOrder() = default;
  /// The clock is low, after its falling edge if it was high: only what is combinational changes.
  virtual void settle(const KernelOrderInputs& inputs) = 0;
  /// The rising edge, with these inputs before and after it. The clock must be low.
  virtual void rise(const KernelOrderInputs& inputs) = 0;
  virtual KernelOrderOutputs outputs() const = 0;
};

/// Kernel orders of a size.
struct KernelOrderModel {
  KernelOrderSize size;
  std::function<std::unique_ptr<RtlKernelOrder>()> make;
};

}  // namespace gputlm
