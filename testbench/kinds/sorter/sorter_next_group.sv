// Finds the group that comes next after group `from_i`, among those of `present_i`, in descending cyclic order of their
// budgets, `from_i` itself last. It compares all budgets and stores nothing.
module sorter_next_group #(
  parameter  int unsigned Groups  = 2,
  parameter  int unsigned BudgetW = 2,
  localparam int unsigned GroupW  = $clog2(Groups)
) (
  input  logic [GroupW-1:0]         from_i,
  input  logic [Groups*BudgetW-1:0] budget_i,
  input  logic [Groups-1:0]         present_i,
  output logic [GroupW-1:0]         next_o     // 0 if none is present
);
  // How late a group comes: groups with a smaller budget than from_i go first, the largest of them first.
  logic [BudgetW:0] late, least;
  logic             found;
  always_comb begin
    next_o = '0;
    least  = '0;
    found  = 1'b0;
    for (int unsigned g = 0; g < Groups; g++) begin
      late = {budget_i[g*BudgetW+:BudgetW] >= budget_i[from_i*BudgetW+:BudgetW], ~budget_i[g*BudgetW+:BudgetW]};
      if (present_i[g] && (!found || late < least)) begin
        next_o = GroupW'(g);
        least  = late;
        found  = 1'b1;
      end
    end
  end
endmodule
