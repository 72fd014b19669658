/// The expected behaviour of rtl/reserved_admission.sv, cycle by cycle: the admission of the memory controller, and the
/// number of bursts in its queue.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/dram/admission.h"
#include "testbench/kinds/admission/ports.h"

namespace gputlm {

class AdmissionReference {
 public:
  /// Starts in the reset state.
  AdmissionReference(const AdmissionSize& size, std::string policy)
      : size_(size), policy_(std::move(policy)), admission_(policy_, setup()), used_(size.applications) {}

  unsigned length(const AdmissionInputs& inputs, unsigned application) const {
    return inputs.head_length.at(application, size_.length_bits);
  }
  /// The application that is admitted.
  std::optional<unsigned> expect(const AdmissionInputs& inputs) const {
    AdmissionHeads heads;
    for (unsigned a = 0; a < size_.applications; ++a) {
      heads.bursts[a] = length(inputs, a);
      if ((inputs.head_valid >> a & 1) && fits(a, heads.bursts[a])) heads.waiting |= std::uint64_t{1} << a;
    }
    if (heads.waiting == 0) return std::nullopt;
    return admission_.next(heads);
  }
  /// The rising edge, with `admitted` from before it. A reset loads the numbers of entries from the inputs.
  void rise(const AdmissionInputs& inputs, std::optional<unsigned> admitted) {
    if (!inputs.rst_n) {
      reserved_ = inputs.reserved;
      shared_ = size_.has_shared ? inputs.shared : 0;
      admission_ = Admission(policy_, setup());
      used_.assign(size_.applications, 0);
      last_ = size_.applications - 1;
      return;
    }
    if (admitted && inputs.admit_ready) {
      admission_.entered(*admitted, length(inputs, *admitted));
      used_[*admitted] += length(inputs, *admitted);
      last_ = *admitted;
    }
    if (inputs.leave_valid) {
      admission_.left(inputs.leave_app);
      --used_[inputs.leave_app];
    }
  }

  const AdmissionSize& size() const { return size_; }
  bool fits(unsigned application, unsigned bursts) const { return admission_.fits(application, bursts); }
  unsigned reserved() const { return reserved_; }
  unsigned shared() const { return shared_; }
  /// Bursts of the application in the queue; those of them in shared entries; its remaining reserved entries.
  unsigned used(unsigned application) const { return used_[application]; }
  unsigned beyond(unsigned application) const { return used(application) - std::min(used(application), reserved_); }
  unsigned own_left(unsigned application) const { return reserved_ - std::min(used(application), reserved_); }
  unsigned shared_left() const {
    unsigned left = shared_;
    for (unsigned a = 0; a < size_.applications; ++a) left -= beyond(a);
    return left;
  }
  unsigned last() const { return last_; }

 private:
  unsigned longest() const { return static_cast<unsigned>(largest_of(size_.length_bits)); }
  AdmissionSetup setup() const {
    return {size_.applications * reserved_ + shared_, size_.applications, reserved_, longest()};
  }

  AdmissionSize size_;
  std::string policy_;
  unsigned reserved_ = 0, shared_ = 0, last_ = 0;
  Admission admission_;
  std::vector<unsigned> used_;
};

}  // namespace gputlm
