// What the benches of this folder share: random reads, and FR-RR-FCFS as a reference.
#pragma once

#include <array>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

// As the modules have them.
constexpr unsigned kBanks = 4, kApps = 3, kRows = 64;
constexpr unsigned kReads = 20000;

struct Read {
  unsigned data = 0, row = 0, app = 0;
};

struct Bank {
  std::vector<Read> waiting;  // oldest first
  bool open = false;
  unsigned row = 0;
  unsigned last_app = kApps - 1;
  unsigned long legal_from = 0;

  /// The oldest row hit, else the oldest read of the next application in turn; none waits: nullptr.
  const Read* expected() const {
    for (const Read& read : waiting) {
      if (open && read.row == row) return &read;
    }
    for (unsigned step = 1; step <= kApps; ++step) {
      for (const Read& read : waiting) {
        if (read.app == (last_app + step) % kApps) return &read;
      }
    }
    return nullptr;
  }
};

template <class Dut>
class Bench {
 public:
  Dut dut;
  std::array<Bank, kBanks> banks;
  unsigned long cycle = 0;
  unsigned left = 0, passed = 0;  // reads that came out; those of them that passed an older one
  std::mt19937 random{1};

  Bench() {
    dut.rst_ni = 0;
    dut.eval();  // Verilator sees an edge only from a value that it has evaluated
    edge();
    dut.rst_ni = 1;
  }

  /// Until all reads are out, and for a while in which nothing may come any more.
  bool goes_on() { return left < kReads || after_++ < 100; }

  void expect(bool holds, const std::string& what) const {
    if (holds) return;
    std::cerr << "cycle " << cycle << ": " << what << '\n';
    std::exit(1);
  }

  /// Offers a read at times; an offer stays until it is granted.
  void offer() {
    if (!dut.req_i && entered_ < kReads && random() % 4) {
      dut.req_i = 1;
      dut.app_i = random() % kApps;
      dut.bank_i = random() % kBanks;
      unsigned& row = rows_[dut.app_i];
      if (random() % 8 == 0) row = random() % kRows;
      dut.row_i = row;
      dut.data_i = entered_;
    }
    dut.eval();
  }

  /// The read that the module shows leaves `bank`.
  void leaves(Bank& bank) {
    const Read* next = bank.expected();
    expect(next != nullptr, "a read comes out of a bank without one");
    expect(dut.data_o == next->data && dut.app_o == next->app,
           "read " + std::to_string(dut.data_o) + " comes out, next is " + std::to_string(next->data));
    passed += next != &bank.waiting.front();
    bank.last_app = next->app;
    bank.waiting.erase(bank.waiting.begin() + (next - bank.waiting.data()));
    ++left;
  }

  void clock() {
    const bool granted = dut.gnt_o;
    expect(!granted || dut.req_i, "a grant without a request");
    if (granted) {
      banks[dut.bank_i].waiting.push_back({dut.data_i, dut.row_i, dut.app_i});
      ++entered_;
    }
    edge();
    if (granted) dut.req_i = 0;
    expect(cycle < 100ul * kReads, "reads wait for ever");
  }

 private:
  void edge() {
    dut.clk_i = 1;
    dut.eval();
    dut.clk_i = 0;
    dut.eval();
    ++cycle;
  }

  std::array<unsigned, kApps> rows_{};  // the row that each application works on
  unsigned entered_ = 0, after_ = 0;
};
