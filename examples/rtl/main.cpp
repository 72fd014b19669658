// Random reads into small_controller, and a check of each command: FR-RR-FCFS says which one it has to be.
#include <Vsmall_controller.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

// As small_controller.sv has them.
constexpr unsigned kBanks = 4, kApps = 3, kRows = 64, kTrcd = 5, kTrp = 4;
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

unsigned long cycle = 0;

void expect(bool holds, const std::string& what) {
  if (holds) return;
  std::cerr << "cycle " << cycle << ": " << what << '\n';
  std::exit(1);
}

int main() {
  Vsmall_controller dut;
  const auto clock = [&] {
    dut.clk_i = 1;
    dut.eval();
    dut.clk_i = 0;
    dut.eval();
    ++cycle;
  };
  dut.rst_ni = 0;
  clock();
  dut.rst_ni = 1;

  std::mt19937 random(1);
  std::array<Bank, kBanks> banks;
  std::array<unsigned, kApps> rows{};  // the row that each application works on
  unsigned entered = 0, left = 0, activates = 0, passed = 0;
  unsigned after = 0;  // cycles in which nothing may come any more
  while (left < kReads || after++ < 100) {
    // An offer stays until it is granted.
    if (!dut.req_i && entered < kReads && random() % 4) {
      dut.req_i = 1;
      dut.app_i = random() % kApps;
      dut.bank_i = random() % kBanks;
      unsigned& row = rows[dut.app_i];
      if (random() % 8 == 0) row = random() % kRows;
      dut.row_i = row;
      dut.data_i = entered;
    }
    dut.eval();

    Bank& bank = banks[dut.bank_o];
    const Read* next = bank.expected();
    expect(dut.activate_o + dut.precharge_o + dut.read_o <= 1, "two commands at once");
    if (dut.activate_o || dut.precharge_o || dut.read_o) {
      expect(next != nullptr, "a command for a bank without a read");
      expect(cycle >= bank.legal_from, "a command too early");
    }
    if (dut.activate_o) {
      expect(!bank.open, "ACTIVATE with an open row");
      expect(dut.row_o == next->row,
             "ACTIVATE of row " + std::to_string(dut.row_o) + ", next is row " + std::to_string(next->row));
      bank.open = true;
      bank.row = dut.row_o;
      bank.legal_from = cycle + kTrcd;
      ++activates;
    }
    if (dut.precharge_o) {
      expect(bank.open, "PRECHARGE without an open row");
      expect(next->row != bank.row, "PRECHARGE while a row hit waits");
      bank.open = false;
      bank.legal_from = cycle + kTrp;
    }
    if (dut.read_o) {
      expect(bank.open && next->row == bank.row, "READ of a row that is not open");
      expect(dut.data_o == next->data && dut.app_o == next->app,
             "READ " + std::to_string(dut.data_o) + ", next is " + std::to_string(next->data));
      passed += next != &bank.waiting.front();
      bank.last_app = next->app;
      bank.waiting.erase(bank.waiting.begin() + (next - bank.waiting.data()));
      ++left;
    }

    const bool granted = dut.gnt_o;
    expect(!granted || dut.req_i, "a grant without a request");
    if (granted) {
      banks[dut.bank_i].waiting.push_back({dut.data_i, dut.row_i, dut.app_i});
      ++entered;
    }
    clock();
    if (granted) dut.req_i = 0;
    expect(cycle < 100ul * kReads, "reads wait for ever");
  }
  dut.final();
  std::cout << left << " reads in " << cycle << " cycles, each came out once; " << activates << " ACTIVATEs, " << passed
            << " reads passed an older one\n";
}
