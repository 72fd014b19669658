// A lemma: the forms with and without the order have the same state, as far as it affects decisions. The ages of empty
// slots and the ranks of empty groups are leftovers that nothing reads.
module sorter_same_state #(
  parameter int unsigned Warps   = 8,
  parameter int unsigned Groups  = 2,
  parameter int unsigned BudgetW = 2
) (
  input logic                     rst_ni,
  input logic [Warps-1:0]         valid_i,
  input logic [Groups-1:0]        occupied_i,
  input logic                     greedy_valid_i,
  input logic [Warps*Warps-1:0]   older_i,
  input logic [Warps*Warps-1:0]   pick_older_i,
  input logic [Groups-1:0]        greedy_group_i,
  input logic [Groups-1:0]        pick_greedy_group_i,
  input logic [Groups*Groups-1:0] larger_i,
  input logic [Groups*Groups-1:0] pick_larger_i,
  // Whether the state that always counts is the same.
  input logic                     same_i
);
  logic [Warps*Warps-1:0]   pairs;
  logic [Groups*Groups-1:0] group_pairs;
  always_comb begin
    for (int unsigned i = 0; i < Warps; i++) pairs[i*Warps+:Warps] = valid_i & {Warps{valid_i[i]}};
    for (int unsigned g = 0; g < Groups; g++) group_pairs[g*Groups+:Groups] = occupied_i & {Groups{occupied_i[g]}};
    if (rst_ni) begin
      lemma_same:         assert (same_i);
      lemma_same_ages:    assert (((older_i ^ pick_older_i) & pairs) == '0);
      lemma_same_larger:  assert (((larger_i ^ pick_larger_i) & group_pairs) == '0);
      lemma_same_greedy:  assert (!greedy_valid_i || greedy_group_i == pick_greedy_group_i);
    end
  end
endmodule
