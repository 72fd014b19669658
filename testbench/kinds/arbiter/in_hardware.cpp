#include "testbench/kinds/arbiter/in_hardware.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "testbench/kind/at_most.h"

namespace gputlm {
namespace {

constexpr const char* kArbiterSeam = "dram.scheduler";

/// The arbiter of a queue in hardware. Events of the queue become port activity, one clock cycle per event, or one for
/// several events whose order does not matter; the design is not clocked when nothing happens.
class ArbiterInHardware {
 public:
  ArbiterInHardware(const HardwareModel<ArbiterPorts>& model, const SchedulerSetup& setup, std::string policy)
      : size_(model.size), policy_(std::move(policy)), arbiter_(model.make()), ages_(size_.entries),
        picked_(setup.banks) {
    inputs_.hit_cap = setup.row_hit_cap;
    inputs_.ask_valid = true;
    inputs_.rst_n = false;
    arbiter_->settle(inputs_);
    arbiter_->rise(inputs_);
    inputs_.rst_n = true;
    for (unsigned id = size_.entries; id-- > 0;) free_ids_.push_back(id);
  }

  void check(const Request& request) const {
    at_most("row of a DRAM access", request.row, largest_of(size_.row_bits), kArbiterSeam, policy_);
    at_most("application of a DRAM access", request.application, size_.applications - 1, kArbiterSeam, policy_);
  }

  void arrived(unsigned bank, const Request& request) {
    check(request);
    // Full until the request being served has left.
    if (inputs_.req_valid || free_ids_.empty()) clock();
    if (free_ids_.empty()) throw std::logic_error(policy_ + ": more requests than dram.queue");
    inputs_.req_valid = true;
    inputs_.req_bank = bank;
    inputs_.req_row = static_cast<std::uint32_t>(request.row);
    inputs_.req_app = request.application;
    inputs_.req_id = free_ids_.back();
    ages_[free_ids_.back()] = request.age;
    free_ids_.pop_back();
  }

  /// A row command: `opens` false is a precharge. Within a cycle the arbiter lets a request leave before it, and one enter
  /// after it, for any banks.
  void row_command(unsigned bank, bool opens, Row row) {
    if (inputs_.row_valid) clock();
    inputs_.row_valid = true;
    inputs_.row_open = opens;
    inputs_.row_bank = bank;
    inputs_.row_row = static_cast<std::uint32_t>(row);
  }

  std::size_t pick(unsigned bank, const RequestView& candidates) {
    if (inputs_.grant_ready || inputs_.req_valid || inputs_.row_valid) {
      const bool free_to_ask = !inputs_.grant_ready || inputs_.ask_bank == bank;
      if (free_to_ask) inputs_.ask_bank = bank;
      clock();
      if (!free_to_ask) ask(bank);
    } else {
      ask(bank);
    }
    const ArbiterOutputs grant = arbiter_->outputs();
    if (!grant.grant_valid) {
      throw InputError(policy_ + ": grant_valid_o is 0, but bank " + std::to_string(bank) + " has requests");
    }
    const std::uint64_t age = grant.grant_id < ages_.size() ? ages_[grant.grant_id] : ~std::uint64_t{0};
    const auto* const at = std::lower_bound(candidates.begin(), candidates.end(), age,
                                            [](const Request& request, std::uint64_t a) { return request.age < a; });
    if (at == candidates.end() || at->age != age) {
      throw InputError(policy_ + ": grant_id_o is " + std::to_string(grant.grant_id) + ", but bank " +
                       std::to_string(bank) + " has no such request");
    }
    picked_[bank] = grant.grant_id;
    return static_cast<std::size_t>(at - candidates.begin());
  }

  void served(unsigned bank, const Request& request) {
    // The arbiter grants its last answer at the edge: nothing may have happened to the bank since.
    if (ages_[picked_[bank]] != request.age || touches(bank)) {
      throw std::logic_error(policy_ + ": a request was served that was not the last pick");
    }
    if (inputs_.grant_ready) clock();
    inputs_.ask_bank = bank;
    inputs_.grant_ready = true;
    leaving_id_ = picked_[bank];
  }

 private:
  /// Whether an event of the next cycle concerns this bank.
  bool touches(unsigned bank) const {
    return (inputs_.req_valid && inputs_.req_bank == bank) || (inputs_.row_valid && inputs_.row_bank == bank);
  }

  void ask(unsigned bank) {
    inputs_.ask_bank = bank;
    arbiter_->settle(inputs_);
    clock_is_low_ = true;
  }

  void clock() {
    if (!clock_is_low_) arbiter_->settle(inputs_);
    arbiter_->rise(inputs_);
    clock_is_low_ = false;
    if (inputs_.grant_ready) free_ids_.push_back(leaving_id_);
    inputs_.req_valid = inputs_.row_valid = inputs_.grant_ready = false;
  }

  ArbiterSize size_;
  std::string policy_;
  std::unique_ptr<Device<ArbiterPorts>> arbiter_;
  ArbiterInputs inputs_;  ///< inputs of the next cycle
  bool clock_is_low_ = false;
  std::uint32_t leaving_id_ = 0;       ///< id of the request that is served in the next cycle
  std::vector<std::uint64_t> ages_;    ///< ages of requests, by id
  std::vector<std::uint32_t> picked_;  ///< id of the last pick, by bank
  std::vector<std::uint32_t> free_ids_;
};

/// One bank's view of the arbiter shared by all banks of the queue.
class BankOfArbiter final : public RequestScheduler {
 public:
  BankOfArbiter(std::shared_ptr<ArbiterInHardware> arbiter, unsigned bank)
      : arbiter_(std::move(arbiter)), bank_(bank) {}
  void check(const Request& request) const override { arbiter_->check(request); }
  void arrived(const Request& request) override { arbiter_->arrived(bank_, request); }
  std::size_t pick(const RequestView& candidates, Row) const override { return arbiter_->pick(bank_, candidates); }
  void activated(Row row) override { arbiter_->row_command(bank_, true, row); }
  void precharged() override { arbiter_->row_command(bank_, false, 0); }
  void served(const Request& request) override { arbiter_->served(bank_, request); }

 private:
  std::shared_ptr<ArbiterInHardware> arbiter_;
  unsigned bank_;
};

unsigned power_of_two(unsigned least) {
  unsigned power = 1;
  while (power < least) power *= 2;
  return power;
}

}  // namespace

RequestSchedulers ArbiterHardware::make(const HardwareModel<Ports>& model, const Setup& setup, const PolicyInfo& info) {
  at_most("dram.queue", setup.entries, model.size.entries, kArbiterSeam, info.name);
  at_most("dram.banks", setup.banks, model.size.banks, kArbiterSeam, info.name);
  at_most("dram.row_hit_cap", setup.row_hit_cap, model.size.has_cap ? kHighestHitCap : 0, kArbiterSeam, info.name);
  const auto arbiter = std::make_shared<ArbiterInHardware>(model, setup, info.name);
  RequestSchedulers schedulers;
  for (unsigned bank = 0; bank < setup.banks; ++bank) {
    schedulers.push_back(std::make_unique<BankOfArbiter>(arbiter, bank));
  }
  return schedulers;
}

RtlParameters ArbiterHardware::wanted(const Setup& setup) {
  return {{"Entries", std::max(8u, power_of_two(setup.entries))},
          {"Banks", power_of_two(setup.banks)},
          {"Apps", 8},
          {"RowW", 32},
          {"HasCap", setup.row_hit_cap > 0}};
}

std::vector<PolicyInfo> ArbiterHardware::of_rtl() {
  return {of_rtl_module("fr_fcfs", 4, "arbiter", "fr-rr-fcfs, section 2"),
          of_rtl_module("fr_rr_fcfs", 5, "arbiter", "fr-rr-fcfs, section 4.2")};
}

PolicyInfo ArbiterHardware::own() { return {}; }

}  // namespace gputlm
