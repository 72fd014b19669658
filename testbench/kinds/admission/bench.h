/// rtl/reserved_admission.sv in lockstep with the admission of the memory controller.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/dram/rtl_admission.h"
#include "testbench/kinds/admission/played.h"
#include "testbench/lockstep/bench.h"

namespace gputlm {

class AdmissionDesign final : public Design {
 public:
  AdmissionDesign(const std::string& name, const std::string& policy, const AdmissionSize& size,
                  MakeObserved<RtlAdmission> make)
      : Design(name, policy), size_(size), make_(std::move(make)) {}
  /// The same design, under what was recorded in place of random traffic.
  AdmissionDesign playing(AdmissionRecording recording) const;

  std::vector<Knob> knobs() const override;
  std::unique_ptr<Bench> make_bench(std::uint64_t seed, const FixedKnobs& fixed) const override;

 private:
  AdmissionSize size_;
  MakeObserved<RtlAdmission> make_;
  std::shared_ptr<const AdmissionRecording> recording_;  ///< null: random traffic
};

}  // namespace gputlm
