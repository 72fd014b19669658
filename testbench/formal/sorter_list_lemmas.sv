// Lemmas on the list that the sorters keep their warps in for the order: each warp that is there is in it once, and of any
// two the right one comes first: by slot (LRR), by age (GTO), by the budget of its group and then by age (QAWS). They
// speak of all slots, not of followed ones: where a word enters or is found depends on all that are there.
module sorter_list_lemmas #(
  parameter  int unsigned Warps   = 8,
  parameter  int unsigned Groups  = 2,
  parameter  int unsigned BudgetW = 2,
  parameter  bit          Ages    = 1'b0,
  parameter  bit          Turns   = 1'b0,
  localparam int unsigned SlotW   = $clog2(Warps),
  localparam int unsigned GroupW  = $clog2(Groups),
  localparam int unsigned WordW   = Turns ? SlotW + GroupW : SlotW
) (
  input logic                      rst_ni,
  input logic [Warps-1:0]          list_valid_i,  // positions with a word
  input logic [WordW*Warps-1:0]    list_i,        // bit k of all positions at [k*Warps +: Warps]: slot, then group
  // The reference.
  input logic [Warps-1:0]          valid_i,
  input logic [Warps*GroupW-1:0]   group_i,
  input logic [Warps*Warps-1:0]    before_i,
  input logic [Groups*BudgetW-1:0] budget_i
);
  // Where each slot is, and from there on: [s*Warps+p].
  logic [Warps*Warps-1:0] at, from;
  logic [Warps-1:0]       twice, rest, other_group;
  always_comb begin
    for (int unsigned s = 0; s < Warps; s++) begin
      at[s*Warps+:Warps] = list_valid_i;
      for (int unsigned k = 0; k < SlotW; k++)
        at[s*Warps+:Warps] = at[s*Warps+:Warps] & (list_i[k*Warps+:Warps] ~^ {Warps{s[k]}});
      from[s*Warps] = at[s*Warps];
      for (int unsigned p = 1; p < Warps; p++) from[s*Warps+p] = at[s*Warps+p] || from[s*Warps+p-1];
      twice[s] = (at[s*Warps+:Warps] & (from[s*Warps+:Warps] << 1)) != '0 || from[s*Warps+Warps-1] != valid_i[s];
    end
    rest = '0;
    for (int unsigned k = 0; k < WordW; k++) rest = rest | (list_i[k*Warps+:Warps] & ~list_valid_i);
    other_group = '0;
    if (Turns) begin
      for (int unsigned s = 0; s < Warps; s++)
        for (int unsigned k = SlotW; k < WordW; k++)
          if ((at[s*Warps+:Warps] & (list_i[k*Warps+:Warps] ^ {Warps{group_i[s*GroupW+k-SlotW]}})) != '0)
            other_group[s] = 1'b1;
    end
  end

  logic [Warps-1:0]   disorder;
  logic [Warps-1:0]   groups_mixed;  // a part of disorder: of warps of different groups
  logic               first;  // i goes before j
  logic [GroupW-1:0]  group_i_of, group_j_of;
  always_comb begin
    disorder     = '0;
    groups_mixed = '0;
    for (int unsigned i = 0; i < Warps; i++) begin
      for (int unsigned j = 0; j < i; j++) begin
        group_i_of = group_i[i*GroupW+:GroupW];
        group_j_of = group_i[j*GroupW+:GroupW];
        first      = Ages && before_i[j*Warps+i];
        if (Turns && group_i_of != group_j_of)
          first = budget_i[group_i_of*BudgetW+:BudgetW] > budget_i[group_j_of*BudgetW+:BudgetW];
        if (valid_i[i] && valid_i[j] && ((at[j*Warps+:Warps] & from[i*Warps+:Warps]) != '0) != first)
        begin
          disorder[i] = 1'b1;
          if (Turns && group_i_of != group_j_of) groups_mixed[i] = 1'b1;
        end
      end
    end
  end

  always_comb begin
    if (rst_ni) begin
      list_count: assert ($countones(list_valid_i) == $countones(valid_i));
      list_packed: assert ((list_valid_i & (list_valid_i + 1'b1)) == '0 && rest == '0);
      list_once: assert (twice == '0);
      list_groups: assert (other_group == '0);
      list_grouped: assert (groups_mixed == '0);
      // Where a word enters depends on the order of slots or of groups, not on that of ages, which is a step of its own:
      // all at once is too much for the solver.
      if (Ages) ages_order: assert (disorder == '0);
      else list_order: assert (disorder == '0);
    end
  end
endmodule
