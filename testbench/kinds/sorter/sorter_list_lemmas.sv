// Lemmas on the list in which the sorters keep their warps in order: each resident warp is in it once, and of any two warps
// the right one comes first: by slot (LRR), by age (GTO), by the budget of its group and then by age (QAWS). Lemmas on slots
// and groups go by position, which changes by at most one when a warp comes or goes; those on ages go by slot. They cover
// all slots, not only the followed ones: the place of a word depends on all words.
module sorter_list_lemmas #(
  parameter  int unsigned Warps   = 8,
  parameter  int unsigned Groups  = 2,
  parameter  int unsigned BudgetW = 2,
  parameter  bit          Ages    = 1'b0,
  parameter  bit          Turns   = 1'b0,
  localparam int unsigned SlotW   = $clog2(Warps),
  localparam int unsigned GroupW  = $clog2(Groups),
  localparam int unsigned CountW  = $clog2(Warps + 1),
  localparam int unsigned WordW   = Turns ? SlotW + GroupW : SlotW
) (
  input logic                      rst_ni,
  input logic [Warps-1:0]          list_valid_i,  // positions with a word
  input logic [WordW*Warps-1:0]    list_i,        // bit k of all positions at [k*Warps +: Warps]: slot, then group
  // The reference.
  input logic [Warps-1:0]          valid_i,
  input logic [CountW-1:0]         count_i,
  input logic [Warps*GroupW-1:0]   group_i,
  input logic [Warps*Warps-1:0]    before_i,
  input logic [Groups*BudgetW-1:0] budget_i
);
  // The position of each slot, and all positions from there on: [s*Warps+p].
  logic [Warps*Warps-1:0] at, from;
  logic [Warps-1:0]       packed_valid, twice, other_group;
  always_comb begin
    for (int unsigned p = 0; p < Warps; p++) packed_valid[p] = CountW'(p) < count_i;
    for (int unsigned s = 0; s < Warps; s++) begin
      at[s*Warps+:Warps] = list_valid_i;
      for (int unsigned k = 0; k < SlotW; k++)
        at[s*Warps+:Warps] = at[s*Warps+:Warps] & (list_i[k*Warps+:Warps] ~^ {Warps{s[k]}});
      from[s*Warps] = at[s*Warps];
      for (int unsigned p = 1; p < Warps; p++) from[s*Warps+p] = at[s*Warps+p] || from[s*Warps+p-1];
      twice[s] = (at[s*Warps+:Warps] & (from[s*Warps+:Warps] << 1)) != '0 || from[s*Warps+Warps-1] != valid_i[s];
    end
    other_group = '0;
    if (Turns) begin
      for (int unsigned s = 0; s < Warps; s++)
        for (int unsigned k = SlotW; k < WordW; k++)
          if ((at[s*Warps+:Warps] & (list_i[k*Warps+:Warps] ^ {Warps{group_i[s*GroupW+k-SlotW]}})) != '0)
            other_group[s] = 1'b1;
    end
  end

  // The positions of each group: [g*Warps+p]; positions of a group that does not exist, and words behind the last warp.
  logic [Groups*Warps-1:0] in_group;
  logic [Warps-1:0]        no_group, rest;
  always_comb begin
    no_group = list_valid_i;
    rest     = '0;
    for (int unsigned k = 0; k < WordW; k++) rest = rest | (list_i[k*Warps+:Warps] & ~list_valid_i);
    for (int unsigned g = 0; g < Groups; g++) begin
      in_group[g*Warps+:Warps] = list_valid_i;
      for (int unsigned k = SlotW; k < WordW; k++)
        in_group[g*Warps+:Warps] = in_group[g*Warps+:Warps] & (list_i[k*Warps+:Warps] ~^ {Warps{g[k-SlotW]}});
      no_group = no_group & ~in_group[g*Warps+:Warps];
    end
  end

  // Errors: of positions p < q, the word at q should come first, by its slot or by the budget of its group.
  logic [Warps-1:0] unsorted;
  logic             lower;
  always_comb begin
    unsorted = '0;
    lower    = 1'b0;
    for (int unsigned q = 1; q < Warps; q++) begin
      for (int unsigned p = 0; p < q; p++) begin
        if (Turns) begin
          for (int unsigned g = 0; g < Groups; g++)
            for (int unsigned h = 0; h < Groups; h++)
              if (g != h && in_group[g*Warps+p] && in_group[h*Warps+q]
                  && budget_i[h*BudgetW+:BudgetW] > budget_i[g*BudgetW+:BudgetW])
                unsorted[q] = 1'b1;
        end else if (!Ages) begin
          lower = 1'b0;
          for (int unsigned k = 0; k < SlotW; k++)
            lower = list_i[k*Warps+q] == list_i[k*Warps+p] ? lower : !list_i[k*Warps+q];
          if (list_valid_i[q] && lower) unsorted[q] = 1'b1;
        end
      end
    end
  end

  // Errors: of slots j < i of one group, the younger one comes first.
  logic [Warps-1:0] disorder;
  always_comb begin
    disorder = '0;
    for (int unsigned i = 0; i < Warps; i++) begin
      for (int unsigned j = 0; j < i; j++) begin
        if (Ages && valid_i[i] && valid_i[j] && (!Turns || group_i[i*GroupW+:GroupW] == group_i[j*GroupW+:GroupW])
            && ((at[j*Warps+:Warps] & from[i*Warps+:Warps]) != '0) != before_i[j*Warps+i])
          disorder[i] = 1'b1;
      end
    end
  end

  always_comb begin
    if (rst_ni) begin
      list_count: assert (list_valid_i == packed_valid && rest == '0);
      list_once: assert (twice == '0);
      if (!Ages || Turns) list_sorted: assert (unsorted == '0);
      if (Turns) list_groups: assert (other_group == '0 && no_group == '0);
      // The place of an entering word depends on the order of slots or of groups, not of ages: these have a separate step.
      if (Ages) ages_order: assert (disorder == '0);
    end
  end
endmodule
