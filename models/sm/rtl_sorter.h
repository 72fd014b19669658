/// A warp sorter of rtl/, built by Verilator, as a plain C++ object: the ports of rtl/qaws_sorter.sv, where each is
/// described, without their suffix.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

namespace gputlm {

/// The parameters of the SystemVerilog module.
struct SorterSize {
  unsigned warps, groups, budget_bits;
  bool full_order;
};

struct SorterInputs {
  bool rst_n = true;
  bool event_valid = false;
  bool event_assign = false;
  std::uint32_t event_slot = 0, event_group = 0;
  std::uint64_t budget = 0;  ///< of group g from bit g * budget_bits up
  std::uint64_t ready = 0;   ///< by slot
  bool issue = false;
};

struct SorterGrant {
  bool valid = false;
  std::uint64_t warps = 0;  ///< by slot
  std::uint32_t slot = 0;
};

struct SorterOrder {
  std::array<std::uint64_t, 5>
      slots{};  ///< place p from bit p * ceil(log2(warps)) up; bit i of it is i % 64 of word i / 64
  std::uint32_t count = 0;
};

class RtlSorter {
 public:
  virtual ~RtlSorter() = default;
  /// The clock is low, after its falling edge if it was high: only what is combinational changes.
  virtual void settle(const SorterInputs& inputs) = 0;
  /// The rising edge, with these inputs before and after it. The clock must be low.
  virtual void rise(const SorterInputs& inputs) = 0;
  virtual SorterGrant grant() const = 0;
  virtual SorterOrder order() const = 0;
};

/// Sorters of a size.
struct SorterModel {
  SorterSize size;
  std::function<std::unique_ptr<RtlSorter>()> make;
};

}  // namespace gputlm
