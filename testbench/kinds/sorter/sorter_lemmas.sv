// Lemmas that link the registers of the sorters to the reference, so that one step of induction proves the contract. They
// are not part of the contract and serve only its proof. sorter_proof.sv joins the registers by name.
module sorter_lemmas #(
  parameter  int unsigned Warps   = 8,
  parameter  int unsigned Groups  = 2,
  parameter  int unsigned BudgetW = 2,
  parameter  bit          Ages    = 1'b0,
  parameter  bit          Turns   = 1'b0,
  localparam int unsigned SlotW   = $clog2(Warps),
  localparam int unsigned GroupW  = $clog2(Groups),
  localparam int unsigned CountW  = $clog2(Warps + 1)
) (
  input logic                      rst_ni,
  // The sorter's state.
  input logic [Warps-1:0]          dut_valid_i,
  input logic [Warps-1:0]          dut_after_i,         // LRR
  input logic [Warps*Warps-1:0]    dut_older_i,         // GTO, QAWS: [i*Warps+j], j < i: j came before i
  input logic [Warps-1:0]          dut_greedy_i,
  input logic [Groups*Warps-1:0]   dut_member_i,        // QAWS
  input logic [Groups-1:0]         dut_greedy_group_i,
  input logic [Groups-1:0]         dut_turn_i,
  input logic [BudgetW-1:0]        dut_switches_i,
  input logic                      dut_history_i,
  input logic [Groups*Groups-1:0]  dut_larger_i,        // [g*Groups+h]: g has the larger budget
  // The reference.
  input logic [Warps-1:0]          valid_i,
  input logic [CountW-1:0]         count_i,
  input logic [Warps*GroupW-1:0]   group_i,
  input logic [Groups*BudgetW-1:0] budget_i,
  input logic [Groups-1:0]         occupied_i,
  input logic                      greedy_valid_i,
  input logic [SlotW-1:0]          greedy_i,
  input logic [SlotW-1:0]          last_i,
  input logic [GroupW-1:0]         turn_i,
  input logic [BudgetW-1:0]        switches_i,
  input logic                      history_i,
  input logic [Warps*Warps-1:0]    before_i             // [i*Warps+j]: j came before i
);
  always_comb begin
    if (rst_ni) begin
      lemma_valid: assert (dut_valid_i == valid_i);
      // Counted once here, so that the list is compared with a number and not one sum of bits with another.
      lemma_count: assert ($countones(valid_i) == count_i);
    end
  end

  if (!Ages) begin : gen_round
    logic [Warps-1:0] after;
    always_comb begin
      for (int unsigned i = 0; i < Warps; i++) after[i] = SlotW'(i) > last_i;
      // If the highest slot issued last, all slots come after it in cyclic order.
      if (rst_ni) lemma_last: assert (dut_after_i == after || (after == '0 && dut_after_i == '1));
      if (rst_ni) lemma_last_exists: assert ({1'b0, last_i} < (SlotW+1)'(Warps));
    end
  end else begin : gen_ages
    logic [Warps-1:0] differs, unordered, circular;
    always_comb begin
      for (int unsigned i = 0; i < Warps; i++) begin
        differs[i]   = 1'b0;
        unordered[i] = valid_i[i] && before_i[i*Warps+i];
        circular[i]  = 1'b0;
        for (int unsigned j = 0; j < Warps; j++) begin
          if (valid_i[i] && valid_i[j] && j < i) begin
            if (dut_older_i[i*Warps+j] != before_i[i*Warps+j]) differs[i] = 1'b1;
            if (before_i[i*Warps+j] == before_i[j*Warps+i]) unordered[i] = 1'b1;
          end
          // Transitivity: a warp that came before a predecessor of i came before i.
          if (valid_i[i] && valid_i[j] && before_i[i*Warps+j]
              && (before_i[j*Warps+:Warps] & ~before_i[i*Warps+:Warps] & valid_i) != '0)
            circular[i] = 1'b1;
        end
      end
    end
    logic [Warps-1:0] greedy;
    assign greedy = Warps'(greedy_valid_i) << greedy_i;
    always_comb begin
      if (rst_ni) begin
        lemma_ages:   assert (differs == '0);
        lemma_order:  assert (unordered == '0 && circular == '0);
        lemma_greedy: assert (dut_greedy_i == greedy && (greedy & ~valid_i) == '0);
      end
    end
  end

  if (Turns) begin : gen_turns
    logic [Groups*Warps-1:0]  member;
    logic [Groups-1:0]        equal, larger_differs, exists;
    always_comb begin
      for (int unsigned g = 0; g < Groups; g++) begin
        for (int unsigned i = 0; i < Warps; i++) member[g*Warps+i] = valid_i[i] && group_i[i*GroupW+:GroupW] == GroupW'(g);
        equal[g]          = 1'b0;
        larger_differs[g] = 1'b0;
        exists[g]         = budget_i[g*BudgetW+:BudgetW] != '0;
        for (int unsigned h = 0; h < Groups; h++) begin
          if (h != g && occupied_i[g] && occupied_i[h]) begin
            if (budget_i[g*BudgetW+:BudgetW] == budget_i[h*BudgetW+:BudgetW]) equal[g] = 1'b1;
            if (dut_larger_i[g*Groups+h] != (budget_i[g*BudgetW+:BudgetW] > budget_i[h*BudgetW+:BudgetW]))
              larger_differs[g] = 1'b1;
          end
        end
      end
    end
    logic [Warps-1:0] group_exists;
    always_comb begin
      for (int unsigned i = 0; i < Warps; i++)
        group_exists[i] = {1'b0, group_i[i*GroupW+:GroupW]} < (GroupW+1)'(Groups);
    end
    always_comb begin
      if (rst_ni) begin
        lemma_members:  assert (dut_member_i == member && (valid_i & ~group_exists) == '0);
        lemma_budgets:  assert (equal == '0 && (occupied_i & ~exists) == '0);
        lemma_larger:   assert (larger_differs == '0);
        lemma_turn:     assert (valid_i == '0 ? dut_turn_i == '0 : dut_turn_i == Groups'(1) << turn_i);
        lemma_occupied: assert (valid_i == '0 || occupied_i[turn_i]);
        lemma_switches: assert (valid_i == '0 ? switches_i == '0 && dut_switches_i == '0 : dut_switches_i == switches_i);
        lemma_history:  assert (dut_history_i == history_i && (history_i || switches_i == '0));
        lemma_none:     assert (valid_i != '0 || !history_i);
        lemma_greedy_group: assert (!greedy_valid_i || dut_greedy_group_i == Groups'(1) << group_i[greedy_i*GroupW+:GroupW]);
      end
    end
  end
endmodule
