/// The bench of a kind of design, and everything else that follows from the kind's types, which it declares in a struct `B`:
///
///   using Hardware      hardware_policy.h
///   using Records       recording.h
///   using Recording     the part of a run that is played
///   using Expected      expected outputs
///   using Reference     (size, policy): expect(inputs) and, at the rising edge, rise(inputs, expected)
///   using Random        (size, seed, fixed): random traffic
///   using Knobs         its knobs (random_traffic.h)
///   using Played        (size, recording), or with the policy: a recording as traffic
///   using Coverage      (size, policy): sample(inputs, expected, outputs, reference), points()
///   kInReset, check(name, size)   as in OnBench
///   agrees(reference, expected, outputs), describe(inputs, expected, outputs, reference)
///   recorded(run, events, decisions)   the recording, and the remaining fields of RecordedDecisions
///
/// Both types of traffic have
///
///   reset()                    inputs for the reset before the first cycle
///   next(reference, last)      inputs of the next cycle, except the answer to the decision; `last`: expected in the last one
///   answer(inputs, expected)   adds the answer; true if a decision is taken
///   done(inputs, expected)     called at the end of the cycle
///   ended(), cycles(), played()   played.h
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "testbench/kind/hardware_policy.h"
#include "testbench/kind/kind.h"
#include "testbench/kind/own_policy.h"
#include "testbench/kind/recording.h"

namespace gputlm {

template <class B, class Traffic>
class BenchOf final : public Bench {
 public:
  using Ports = typename B::Hardware::Ports;

  BenchOf(const typename Ports::Size& size, const std::string& policy, std::unique_ptr<ObservedDevice<Ports>> design,
          typename B::Reference reference, Traffic traffic)
      : design_(std::move(design)), reference_(std::move(reference)), traffic_(std::move(traffic)),
        coverage_(size, policy) {
    // Outputs are undefined before the first reset.
    inputs_ = traffic_.reset();
    inputs_.rst_n = false;
    design_->device().settle(inputs_);
    design_->device().rise(inputs_);
    reference_.rise(inputs_, {});
  }

  Observed& observed() override { return *design_; }
  void settle() override {
    inputs_ = traffic_.next(reference_, expected_);
    expected_ = reference_.expect(inputs_);
    taken_ = traffic_.answer(inputs_, expected_);
    design_->device().settle(inputs_);
    found_ = design_->device().outputs();
  }
  bool agrees() const override { return (!inputs_.rst_n && !B::kInReset) || B::agrees(reference_, expected_, found_); }
  std::string describe() const override { return B::describe(inputs_, expected_, found_, reference_); }
  void rise() override { design_->device().rise(inputs_); }
  bool step() override {
    coverage_.sample(inputs_, expected_, found_, reference_);
    reference_.rise(inputs_, expected_);
    traffic_.done(inputs_, expected_);
    return taken_ && inputs_.rst_n;
  }
  const CoveragePoints& coverage() const override { return coverage_.points(); }
  bool ended() const override { return traffic_.ended(); }
  std::uint64_t cycles() const override { return traffic_.cycles(); }
  Played played() const override { return traffic_.played(); }

 private:
  std::unique_ptr<ObservedDevice<Ports>> design_;
  typename B::Reference reference_;
  Traffic traffic_;
  typename B::Coverage coverage_;
  typename Ports::Inputs inputs_;
  typename B::Expected expected_{};
  typename Ports::Outputs found_;
  bool taken_ = false;
};

/// The design under random traffic or, if there is one, a recording. `make_reference` replaces the policy's reference.
template <class B>
Design design_of(const BuiltDesign& built, const std::string& policy,
                 std::shared_ptr<const typename B::Recording> recording = nullptr,
                 std::function<typename B::Reference()> make_reference = nullptr) {
  using Ports = typename B::Hardware::Ports;
  const auto size = Ports::Size::of(built.size);
  B::check(built.name, size);
  if (!make_reference) make_reference = [size, policy] { return typename B::Reference(size, policy); };
  return {built.name, policy, knobs_of<typename B::Knobs>(size),
          [=, make = made_by<Ports>(built)](std::uint64_t seed, const FixedKnobs& fixed) {
            const auto bench = [&](auto traffic) -> std::unique_ptr<Bench> {
              return std::make_unique<BenchOf<B, decltype(traffic)>>(size, policy, make(seed), make_reference(),
                                                                     std::move(traffic));
            };
            if (!recording) return bench(typename B::Random(size, seed, fixed));
            if constexpr (std::is_constructible_v<typename B::Played, decltype(size), decltype(*recording),
                                                  const std::string&>) {
              return bench(typename B::Played(size, *recording, policy));
            } else {
              return bench(typename B::Played(size, *recording));
            }
          }};
}

/// Base of the structs, with defaults.
struct OnBench {
  static constexpr bool kInReset = false;  ///< the outputs are also compared during a reset
  /// Throws InputError for a size that the bench cannot drive.
  template <class Size>
  static void check(const std::string&, const Size&) {}
};

/// Adds everything that follows from the types, and registers the kind.
template <class B>
void add_kind(Kind kind) {
  using Ports = typename B::Hardware::Ports;
  kind.ports_class = Ports::kClass;
  kind.size = Ports::Size::parameters();
  kind.ports = [](const RtlParameters& size) { return Ports::in(Ports::Size::of(size)); };
  kind.decision = []() -> const DecisionInfo& { return B::Hardware::decision(); };
  kind.knobs = [](const RtlParameters& size) { return knobs_of<typename B::Knobs>(Ports::Size::of(size)); };
  kind.make = [](const BuiltDesign& built, const std::string& policy) { return design_of<B>(built, policy); };
  kind.recorded = [](const RecordedRun& run) {
    RecordedDecisions decisions;
    auto recording = std::make_shared<const typename B::Recording>(
        B::recorded(run, read_recording<typename B::Records>(run), decisions));
    decisions.make = [recording](const BuiltDesign& built, const std::string& policy) {
      return design_of<B>(built, policy, recording);
    };
    return decisions;
  };
  kind.add = add_own_policy<B>;
  add_recording<typename B::Records>(kind.rank);
  kinds().add(std::move(kind));
}

}  // namespace gputlm
