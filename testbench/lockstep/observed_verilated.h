/// ObservedArbiter over a class that Verilator made with --trace-fst.
#pragma once

#include <limits>
#include <memory>

#include "models/dram/rtl_verilated.h"
#include "testbench/lockstep/design.h"
#include "verilated_cov.h"
#include "verilated_fst_c.h"

namespace gputlm {

template <class Module>
class ObservedVerilated final : public ObservedArbiter {
 public:
  explicit ObservedVerilated(std::uint64_t seed) : arbiter_(context(seed)) {}
  RtlArbiter& arbiter() override { return arbiter_; }
  int failed_assertions() const override { return arbiter_.context().errorCount(); }
  void open_waveform(const std::string& path) override {
    waveform_ = std::make_unique<VerilatedFstC>();
    arbiter_.module().trace(waveform_.get(), kLevels);
    waveform_->open(path.c_str());
  }
  void write_waveform(std::uint64_t half_cycle) override { waveform_->dump(half_cycle); }
  void write_coverage(const std::string& path) override { arbiter_.context().coveragep()->write(path.c_str()); }

 private:
  static constexpr int kLevels = 99;  ///< of the hierarchy, all

  static std::unique_ptr<VerilatedContext> context(std::uint64_t seed) {
    auto made = std::make_unique<VerilatedContext>();
    made->randReset(2);
    made->randSeed(static_cast<int>(seed % std::numeric_limits<int>::max()) + 1);
    made->traceEverOn(true);
    made->errorLimit(std::numeric_limits<int>::max());  // an assertion that fails is counted, not fatal
    return made;
  }

  VerilatedArbiter<Module> arbiter_;
  std::unique_ptr<VerilatedFstC> waveform_;  ///< closed before the module goes
};

template <class Module>
std::unique_ptr<ObservedArbiter> make_observed(std::uint64_t seed) {
  return std::make_unique<ObservedVerilated<Module>>(seed);
}

}  // namespace gputlm
