/// An arbiter of rtl/, built by Verilator, as a plain C++ object: the ports of rtl/fr_rr_fcfs_arbiter.sv, where each is
/// described, without their suffix.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

namespace gputlm {

/// The parameters of the SystemVerilog module.
struct ArbiterSize {
  unsigned entries, banks, applications, row_bits;
  bool has_cap;
};

struct ArbiterInputs {
  bool rst_n = true;
  bool req_valid = false;
  std::uint32_t req_bank = 0, req_row = 0, req_app = 0, req_id = 0;
  bool row_valid = false;
  bool row_open = false;
  std::uint32_t row_bank = 0, row_row = 0;
  bool ask_valid = false;
  std::uint32_t ask_bank = 0, hit_cap = 0;
  bool grant_ready = false;
};

struct ArbiterOutputs {
  bool req_ready = false;
  bool grant_valid = false;
  std::array<std::uint64_t, 2> grant{};  ///< position i of the queue is bit i % 64 of word i / 64
  std::uint32_t grant_id = 0, grant_row = 0, grant_app = 0;
  bool grant_hit = false;
};

class RtlArbiter {
 public:
  virtual ~RtlArbiter() = default;
  /// The clock is low, after its falling edge if it was high: only what is combinational changes.
  virtual void settle(const ArbiterInputs& inputs) = 0;
  /// The rising edge, with these inputs before and after it. The clock must be low.
  virtual void rise(const ArbiterInputs& inputs) = 0;
  virtual ArbiterOutputs outputs() const = 0;
};

/// Arbiters of a size.
struct RtlModel {
  ArbiterSize size;
  std::function<std::unique_ptr<RtlArbiter>()> make;
};

}  // namespace gputlm
