// Random reads into small_controller, and a check of each command: FR-RR-FCFS says which one it has to be.
#include <Vsmall_controller.h>

#include "bench.h"

constexpr unsigned kTrcd = 5, kTrp = 4;  // as small_controller.sv has them

int main() {
  Bench<Vsmall_controller> bench;
  auto& dut = bench.dut;
  unsigned activates = 0;
  while (bench.goes_on()) {
    bench.offer();
    Bank& bank = bench.banks[dut.bank_o];
    const Read* next = bank.expected();
    const unsigned commands = dut.activate_o + dut.precharge_o + dut.read_o;
    bench.expect(commands <= 1, "two commands at once");
    bench.expect(!commands || next, "a command for a bank without a read");
    bench.expect(!commands || bench.cycle >= bank.legal_from, "a command too early");
    if (dut.activate_o) {
      bench.expect(!bank.open, "ACTIVATE with an open row");
      bench.expect(dut.row_o == next->row,
                   "ACTIVATE of row " + std::to_string(dut.row_o) + ", next is row " + std::to_string(next->row));
      bank.open = true;
      bank.row = dut.row_o;
      bank.legal_from = bench.cycle + kTrcd;
      ++activates;
    }
    if (dut.precharge_o) {
      bench.expect(bank.open, "PRECHARGE without an open row");
      bench.expect(next->row != bank.row, "PRECHARGE while a row hit waits");
      bank.open = false;
      bank.legal_from = bench.cycle + kTrp;
    }
    if (dut.read_o) {
      bench.expect(bank.open && next->row == bank.row, "READ of a row that is not open");
      bench.leaves(bank);
    }
    bench.clock();
  }
  std::cout << bench.left << " reads in " << bench.cycle << " cycles, each came out once; " << activates
            << " ACTIVATEs, " << bench.passed << " reads passed an older one\n";
}
