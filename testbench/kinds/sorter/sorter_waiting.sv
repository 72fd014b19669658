// Bounds the wait of a group for its turn, counted in context switches. The sorter does not decide the time: a warp that
// never stalls is never switched from.
//
// Between two turns of a group that always has warps, the sorter counts at most as many switches as the sum of (b + 1)
// over the other groups, where b is a group's budget (models/sm/qaws.h). The other groups may come and end freely, as long
// as each keeps its budget; a group that comes waits from then on.
//
// Earlier: asserts a bound smaller by this number instead, to be refuted.
module sorter_waiting #(
  parameter  int unsigned Groups  = 2,
  parameter  int unsigned BudgetW = 2,
  parameter  int unsigned Earlier = 0,
  parameter  bit          Lemmas  = 1'b1,
  localparam int unsigned GroupW  = $clog2(Groups),
  localparam int unsigned SumW    = BudgetW + GroupW + 1
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic [Groups*BudgetW-1:0] budget_i,
  input logic [Groups-1:0]         occupied_i,
  input logic [GroupW-1:0]         turn_i,
  input logic [BudgetW-1:0]        switches_i,
  input logic                      history_i,
  input logic                      counted_i
);
  (* anyconst *) logic [Groups*BudgetW-1:0] budget;
  (* anyconst *) logic [GroupW-1:0]         group;
  logic [Groups-1:0] differs;
  always_comb begin
    differs = '1;
    for (int unsigned g = 0; g < Groups; g++) begin
      for (int unsigned h = 0; h < Groups; h++)
        if (h != g && budget[g*BudgetW+:BudgetW] == budget[h*BudgetW+:BudgetW]) differs[g] = 1'b0;
    end
    assume (budget_i == budget);
    assume (differs == '1);
    assume ({1'b0, group} < (GroupW+1)'(Groups));
  end

  // How late each group comes after the one whose turn it is.
  logic [SumW-1:0]  bound, between;
  logic [BudgetW:0] late, late_group;
  always_comb begin
    late_group = {budget[group*BudgetW+:BudgetW] >= budget[turn_i*BudgetW+:BudgetW], ~budget[group*BudgetW+:BudgetW]};
    bound      = '0;
    between    = '0;
    for (int unsigned g = 0; g < Groups; g++) begin
      late = {budget[g*BudgetW+:BudgetW] >= budget[turn_i*BudgetW+:BudgetW], ~budget[g*BudgetW+:BudgetW]};
      if (GroupW'(g) != group) begin
        bound = bound + SumW'(budget[g*BudgetW+:BudgetW]) + 1'b1;
        if (GroupW'(g) != turn_i && late < late_group) between = between + SumW'(budget[g*BudgetW+:BudgetW]) + 1'b1;
      end
    end
  end

  logic            waits;
  logic [SumW-1:0] passed_q;  // switches since it began to wait
  assign waits = occupied_i[group] && turn_i != group;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !waits) passed_q <= '0;
    else passed_q <= passed_q + SumW'(counted_i);
  end

  always_comb begin
    if (rst_ni) waits_no_longer: assert (!waits || passed_q + SumW'(counted_i) <= bound - SumW'(Earlier));
  end
  if (Lemmas) begin : gen_lemmas
    // What is left of this turn, and the turns that may still come before the group's own.
    logic [SumW-1:0] left;
    assign left = SumW'(budget[turn_i*BudgetW+:BudgetW]) - SumW'(switches_i) + 1'b1 + between;
    always_comb begin
      if (rst_ni) begin
        lemma_left:   assert (!waits || passed_q + left <= bound);
        lemma_begins: assert (history_i || !waits || passed_q == '0);
      end
    end
  end
endmodule
