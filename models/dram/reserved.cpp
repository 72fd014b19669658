#include "models/dram/admission.h"

namespace gputlm {
namespace {

/// Applications take turns: the next in circular order of numbers after the one admitted last, among those with a waiting
/// access that fits. So a waiting access enters after at most `applications` - 1 accesses of others once its own entries
/// are free, independent of the others.
///
/// Reference model of rtl/reserved_admission.sv.
class InTurn final : public AdmissionPolicy {
 public:
  explicit InTurn(const AdmissionSetup& setup) : last_(setup.applications - 1) {}

  unsigned next(const AdmissionHeads& heads) const override {
    const std::uint64_t after = heads.waiting & ~std::uint64_t{0} << 1 << last_;
    return static_cast<unsigned>(__builtin_ctzll(after != 0 ? after : heads.waiting));
  }
  void entered(unsigned application) override { last_ = application; }

 private:
  unsigned last_;  ///< so that application 0 is first
};

}  // namespace

GPUTLM_REGISTER {
  admission_policies().add<InTurn>(
      {{"reserved", 1}, "The next application in turn whose access fits", "beyond the papers: fr-rr-fcfs/admission"});
}

}  // namespace gputlm
