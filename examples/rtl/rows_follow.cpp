// Random reads into rows_follow, taken from any bank at any time: each is the one that FR-RR-FCFS says.
#include <Vrows_follow.h>

#include "bench.h"

int main() {
  Bench<Vrows_follow> bench;
  auto& dut = bench.dut;
  while (bench.goes_on()) {
    dut.ask_bank_i = bench.random() % kBanks;
    dut.ready_i = bench.random() % 2;
    bench.offer();
    Bank& bank = bench.banks[dut.ask_bank_i];
    bench.expect(dut.valid_o == !bank.waiting.empty(), "valid_o does not say whether a read waits");
    if (dut.valid_o && dut.ready_i) {
      const unsigned row = bank.expected()->row;
      bench.expect(dut.row_o == row, "a read of another row");
      bench.leaves(bank);
      bank.open = true;
      bank.row = row;
    }
    bench.clock();
  }
  std::cout << bench.left << " reads in " << bench.cycle << " cycles, each came out once; " << bench.passed
            << " reads passed an older one\n";
}
