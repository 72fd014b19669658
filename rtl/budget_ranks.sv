// Ranks the groups by budget: one stored bit for each pair of groups, so that no decision waits for a comparison.
//
// Guarantee: `larger_o[g*Groups+h]` is 1 if the budget of group g is larger than that of group h. It is valid once both
// groups have been entered, if their budgets differ and have not changed since. `enters_larger_o[h]` compares the group
// that is entered now with group h, combinationally.
//
// Cost: Groups comparators of BudgetW bits and a multiplexer in front of them; Groups * (Groups - 1) / 2 flip-flops.
module budget_ranks #(
  parameter int unsigned Groups  = 2,
  parameter int unsigned BudgetW = 8
) (
  input  logic                      clk_i,
  input  logic [Groups-1:0]         enter_i,  // the group that is entered; one-hot or 0
  input  logic [Groups*BudgetW-1:0] budget_i,
  output logic [Groups-1:0]         enters_larger_o,
  output logic [Groups*Groups-1:0]  larger_o
);
  logic [BudgetW-1:0] enters;
  one_hot_mux #(.Inputs(Groups), .Width(BudgetW)) u_enters (.select_i(enter_i), .data_i(budget_i), .data_o(enters));
  for (genvar g = 0; g < Groups; g++) begin : gen_compare
    assign enters_larger_o[g] = enters > budget_i[g*BudgetW+:BudgetW];
  end

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    assign larger_o[g*Groups+g] = 1'b0;
    for (genvar h = 0; h < g; h++) begin : gen_pair
      logic larger_q;
      always_ff @(posedge clk_i) begin
        if (enter_i[g]) larger_q <= enters_larger_o[h];
        if (enter_i[h]) larger_q <= !enters_larger_o[g];
      end
      assign larger_o[g*Groups+h] = larger_q;
      assign larger_o[h*Groups+g] = !larger_q;
    end
  end
endmodule
