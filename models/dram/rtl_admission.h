/// An admission in hardware, built by Verilator, as a plain C++ object: the ports of rtl/reserved_admission.sv, where each is
/// described, without their suffix.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace gputlm {

/// The parameters of the SystemVerilog module.
struct AdmissionSize {
  unsigned entries, applications, length_bits;
  bool has_shared;
};

struct AdmissionInputs {
  bool rst_n = true;
  unsigned reserved = 0, shared = 0;
  std::uint32_t head_valid = 0;   ///< by application
  std::uint64_t head_length = 0;  ///< of application a from bit a * length_bits up
  bool admit_ready = false;
  bool leave_valid = false;
  std::uint32_t leave_app = 0;
};

struct AdmissionOutputs {
  bool admit_valid = false;
  std::uint32_t admit = 0;  ///< by application
  std::uint32_t admit_app = 0;
};

class RtlAdmission {
 public:
  virtual ~RtlAdmission() = default;
  /// The clock is low, after its falling edge if it was high: only what is combinational changes.
  virtual void settle(const AdmissionInputs& inputs) = 0;
  /// The rising edge, with these inputs before and after it. The clock must be low.
  virtual void rise(const AdmissionInputs& inputs) = 0;
  virtual AdmissionOutputs outputs() const = 0;
};

/// Admissions of a size.
struct AdmissionModel {
  AdmissionSize size;
  std::function<std::unique_ptr<RtlAdmission>()> make;
};

}  // namespace gputlm
