/// ObservedDevice for a class that Verilator made with --trace-fst.
#pragma once

#include <limits>
#include <memory>

#include "testbench/lockstep/observed.h"
#include "testbench/ports/verilated.h"
#include "verilated.h"
#include "verilated_cov.h"
#include "verilated_fst_c.h"

namespace gputlm {

/// `Module` is the class, e.g. Vfr_fcfs_8x1x1 for ArbiterPorts.
template <class Ports, class Module>
class ObservedVerilated final : public ObservedDevice<Ports> {
 public:
  explicit ObservedVerilated(std::uint64_t seed) : device_(context(seed)) {}
  Device<Ports>& device() override { return device_; }
  bool failed() const override { return device_.context().errorCount() > 0 || device_.context().gotFinish(); }
  void open_waveform(const std::string& path) override {
    waveform_ = std::make_unique<VerilatedFstC>();
    device_.module().trace(waveform_.get(), kLevels);
    waveform_->open(path.c_str());
  }
  void write_waveform(std::uint64_t half_cycle) override { waveform_->dump(half_cycle); }
  void write_coverage(const std::string& path) override { device_.context().coveragep()->write(path.c_str()); }
  void count_nets(std::uint64_t cycles) override { count(device_.module(), cycles, 0); }
  NetCounts nets() const override { return nets_.counts(); }
  std::vector<PortWords> ports() override { return Ports::words(device_.module()); }

 private:
  /// For a module with that port.
  template <class M>
  auto count(M& module, std::uint64_t cycles, int) -> decltype(void(module.nets_o[0])) {
    nets_.count(&module.nets_o[0], sizeof module.nets_o / sizeof module.nets_o[0], cycles);
  }
  template <class M>
  void count(M&, std::uint64_t, long) {}

  static constexpr int kLevels = 99;  ///< levels of the hierarchy: all

  static std::unique_ptr<VerilatedContext> context(std::uint64_t seed) {
    auto made = std::make_unique<VerilatedContext>();
    made->randReset(2);
    made->randSeed(static_cast<int>(seed % std::numeric_limits<int>::max()) + 1);
    made->traceEverOn(true);
    // A failed assertion is counted and does not end the program.
    made->errorLimit(std::numeric_limits<int>::max());
    made->fatalOnError(false);
    return made;
  }

  Verilated<Ports, Module> device_;
  NetCounter nets_;
  std::unique_ptr<VerilatedFstC> waveform_;  ///< closed before the module is destroyed
};

/// For made_by() (testbench/kind/kind.h): the caller owns the result.
template <class Ports, class Module>
ObservedDevice<Ports>* make_verilated(std::uint64_t seed) {
  return new ObservedVerilated<Ports, Module>(seed);
}

}  // namespace gputlm
